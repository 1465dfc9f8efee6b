/** Shared by all answers: a time limit, cancellation, and escaping of hidden characters. */
import { escapedJson, replaceUnsafe } from '@clew/model';
import { faultText } from './faults.ts';
import { type Answer, ToolError } from './tool.ts';

const ANSWER_MS = 120_000;

/** @param signal ends with the request @throws ToolError after the time limit */
export async function inTime<T>(
  signal: AbortSignal,
  work: (ended: AbortSignal) => Promise<T>,
  ms = ANSWER_MS,
): Promise<T> {
  const timeout = AbortSignal.timeout(ms);
  try {
    return await work(AbortSignal.any([signal, timeout]));
  } catch (error) {
    if (!timeout.aborted || signal.aborted) throw error;
    throw new ToolError(`it takes longer than ${ms / 1000} seconds: request less data`);
  }
}

/** @returns the answer as JSON, with invisible characters escaped */
export const jsonText = (answer: Answer): string => escapedJson(JSON.stringify(answer));

/** Messages of the service repeat parts of the request. @throws all errors except answers of the service and input faults */
export const shownFault = (error: unknown): string =>
  replaceUnsafe(faultText(error), (one) => (one === '\n' ? one : '\u{fffd}'));
