/** Shared by all answers: a time limit, an end, and texts without hidden characters. */
import { escapedJson, replaceUnsafe } from '@clew/model';
import { faultText } from './faults.ts';
import { type Answer, ToolError } from './tool.ts';

const ANSWER_MS = 120_000;

/** @param signal ends with the request @throws ToolError for work that takes too long */
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
    throw new ToolError(`it takes longer than ${ms / 1000} seconds: ask for less`);
  }
}

/** @returns the answer as JSON, with characters that people do not see escaped */
export const jsonText = (answer: Answer): string => escapedJson(JSON.stringify(answer));

/** Messages of the service repeat what it was asked. @throws any other error than an answer of the service or a fault of the input */
export const shownFault = (error: unknown): string =>
  replaceUnsafe(faultText(error), (one) => (one === '\n' ? one : '\u{fffd}'));
