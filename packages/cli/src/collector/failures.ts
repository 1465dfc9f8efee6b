/** Reports failures of collections in commands. */
import { AnswerError, ApiError, TimeoutError } from '@clew/client';
import { CommandError, describeFailure } from '../failure.ts';

/** Collector errors are shown to the user; program and system errors stay unchanged. */
export async function orFailure<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw failureOf(error);
  }
}

/** The reason of a failed collection, in one line. */
export const reasonOf = (error: unknown): string => describeFailure(failureOf(error));

function failureOf(error: unknown): unknown {
  const isOwn =
    error instanceof TypeError ||
    error instanceof RangeError ||
    error instanceof ApiError ||
    error instanceof AnswerError ||
    error instanceof TimeoutError ||
    !(error instanceof Error) ||
    typeof (error as NodeJS.ErrnoException).code === 'string';
  return isOwn || error instanceof CommandError ? error : new CommandError(error.message);
}
