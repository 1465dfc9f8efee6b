/** On a busy machine, reading an answer takes seconds. */
const MIN_ANSWER_MS = 250;
const MAX_ANSWER_MS = 3000;
const ANSWER_SHARE = 0.3;

/**
 * The work of a request ends before its deadline, so that the rest of the time is enough to answer with the available results, or with
 * what is missing. After the deadline, the answer is 500.
 *
 * @param deadline of the request, in milliseconds since the epoch; may be infinite
 * @returns the end of the work, in whole milliseconds since the epoch
 */
export const lastMoment = (deadline: number, now = Date.now()): number =>
  Math.floor(deadline - Math.min(MAX_ANSWER_MS, Math.max(MIN_ANSWER_MS, (deadline - now) * ANSWER_SHARE)));
