/** Interprets answers of systems of work for a ticket, in addition to the rules of all platforms. */
import { type HttpAnswer, outcomeOf, reasonOf } from '../platforms/http.ts';
import type { Postponed, Refused, Tracker } from './workSystem.ts';

/** These statuses concern only the requested ticket, unless the answer is about a rate. */
const OWN = [403, 404, 405, 409, 410, 412, 423];
/** The ticket was changed in the meantime, or is locked: the change is tried again. */
const TRANSIENT = [409, 412, 423];

/** Only these answers ask to wait, because some systems name a waiting time in each answer. */
const asksToWait = (status: number): boolean => status === 429 || status === 503;

/** @param answer without success */
export function refusalOf(answer: HttpAnswer, isLimited = answer.status === 429): Refused | Postponed {
  const { status } = answer;
  const outcome = outcomeOf(TRANSIENT.includes(status) ? { ...answer, status: 503 } : answer);
  if (outcome.result === 'rejected') return outcome;
  const reason = reasonOf(answer);
  const afterMs = isLimited || asksToWait(status) ? answer.retryAfterMs : undefined;
  return {
    ...{ result: 'retry', reason, ...(afterMs !== undefined && { afterMs }) },
    // An unreadable answer with a success status may mean that the ticket exists.
    mayHaveArrived: status < 300 || status === 408 || status >= 500,
    isOwn: !isLimited && OWN.includes(status),
  };
}

/**
 * The project does not accept the fields (400, 422): administrators correct its rules or the configuration, and other tickets
 * continue.
 */
const MENDABLE = [400, 422];

/** @param answer to the creation of a ticket, without success */
export function creationRefusalOf(answer: HttpAnswer, isLimited?: boolean): Refused | Postponed {
  const refusal = refusalOf(answer, isLimited);
  if (refusal.result === 'retry' || !MENDABLE.includes(answer.status)) return refusal;
  return { result: 'retry', reason: refusal.reason, mayHaveArrived: false, isOwn: true };
}

/**
 * Checks the place of new tickets before the first one is sent, and again after each check that failed. A ticket whose place is not ready
 * is created later.
 */
export function createWhenReady(
  check: (signal?: AbortSignal) => Promise<void>,
  create: Tracker['create'],
): Tracker['create'] {
  let isReady = false;
  return async (ticket, signal) => {
    try {
      if (!isReady) await check(signal);
      isReady = true;
    } catch (error) {
      const afterMs = error instanceof ReadError ? error.afterMs : undefined;
      const waits = afterMs === undefined ? {} : { afterMs };
      return { result: 'retry', reason: (error as Error).message, mayHaveArrived: false, ...waits };
    }
    return create(ticket, signal);
  };
}

/** A read that did not work. */
export class ReadError extends Error {
  override readonly name = 'ReadError';
  /** Milliseconds that the system requests; absent if it names none. */
  readonly afterMs: number | undefined;

  /** @param isLimited whether the time in the answer is a waiting time */
  constructor(what: string, answer: HttpAnswer, isLimited = asksToWait(answer.status)) {
    super(`${what}: ${reasonOf(answer)}`);
    this.afterMs = isLimited ? answer.retryAfterMs : undefined;
  }
}
