/** Answers of systems of work: the meaning of one for a ticket, in addition to the rules of all platforms. */
import { type HttpAnswer, outcomeOf, reasonOf } from '../platforms/http.ts';
import type { Postponed, Refused } from './workSystem.ts';

/** They concern the one ticket that was asked for, unless the answer speaks of a rate. */
const OWN = [403, 404, 405, 409, 410, 412, 423];
/** The ticket was changed meanwhile, or is held: it is tried again. */
const TRANSIENT = [409, 412, 423];

/** A waiting time counts in answers above a limit and in those of a pause: some systems name one in each answer. */
const asksToWait = (status: number): boolean => status === 429 || status === 503;

/** @param answer one that does not say that it worked */
export function refusalOf(answer: HttpAnswer, isLimited = answer.status === 429): Refused | Postponed {
  const { status } = answer;
  const outcome = outcomeOf(TRANSIENT.includes(status) ? { ...answer, status: 503 } : answer);
  if (outcome.result === 'rejected') return outcome;
  const reason = reasonOf(answer);
  const afterMs = isLimited || asksToWait(status) ? answer.retryAfterMs : undefined;
  return {
    ...{ result: 'retry', reason, ...(afterMs !== undefined && { afterMs }) },
    // An answer of success that cannot be read is one of a ticket that may be there.
    mayHaveArrived: status < 300 || status === 408 || status >= 500,
    isOwn: !isLimited && OWN.includes(status),
  };
}

/** Fields that the project does not take (400, 422): people mend its rules or the configuration, and other tickets go on. */
const MENDABLE = [400, 422];

/** @param answer to the creation of a ticket, one that does not say that it worked */
export function creationRefusalOf(answer: HttpAnswer, isLimited?: boolean): Refused | Postponed {
  const refusal = refusalOf(answer, isLimited);
  if (refusal.result === 'retry' || !MENDABLE.includes(answer.status)) return refusal;
  return { result: 'retry', reason: refusal.reason, mayHaveArrived: false, isOwn: true };
}

/**
 * Checks the place of new tickets before the first one is sent, and again after each check that failed.
 * @returns a function that gives the reason to create none yet; `undefined` where the place is ready
 */
export function readyOnce(
  check: (signal?: AbortSignal) => Promise<void>,
): (signal?: AbortSignal) => Promise<Postponed | undefined> {
  let isReady = false;
  return async (signal) => {
    try {
      if (!isReady) await check(signal);
      isReady = true;
      return undefined;
    } catch (error) {
      const afterMs = error instanceof ReadError ? error.afterMs : undefined;
      const waits = afterMs === undefined ? {} : { afterMs };
      return { result: 'retry', reason: (error as Error).message, mayHaveArrived: false, ...waits };
    }
  };
}

/** A read that did not work. */
export class ReadError extends Error {
  override readonly name = 'ReadError';
  /** Milliseconds that the system asks for; absent where it names none. */
  readonly afterMs: number | undefined;

  /** @param isLimited whether the time in the answer is one to wait */
  constructor(what: string, answer: HttpAnswer, isLimited = asksToWait(answer.status)) {
    super(`${what}: ${reasonOf(answer)}`);
    this.afterMs = isLimited ? answer.retryAfterMs : undefined;
  }
}
