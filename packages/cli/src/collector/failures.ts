/** Failures of collections as commands report them. */
import { CommandError } from '../failure.ts';

/** Errors of the collector are for its user; faults of the program and of the system keep their own form. */
export async function orFailure<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    const isOwn =
      error instanceof TypeError ||
      error instanceof RangeError ||
      !(error instanceof Error) ||
      typeof (error as NodeJS.ErrnoException).code === 'string';
    throw isOwn || error instanceof CommandError ? error : new CommandError(error.message);
  }
}
