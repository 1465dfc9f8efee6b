/** Repeats calls of a collector until the service answers, even if it is unavailable for a night. */
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError, ConnectionError, TimeoutError } from '@clew/client';
import { describeFailure } from '../failure.ts';
import type { LogWriter } from './runLog.ts';

/** The pause after a failure, short enough for a restarting service. */
const OUTAGE_MS = 15_000;

/**
 * Logs an outage once.
 *
 * @param ask an idempotent call: the service may have processed it although the answer was lost
 * @returns undefined if `signal` ends the waiting
 * @throws ApiError if the service refuses
 */
export async function untilAnswered<Result>(
  log: LogWriter,
  signal: AbortSignal,
  ask: () => Promise<Result>,
): Promise<Result | undefined> {
  for (let failures = 0; !signal.aborted; failures += 1)
    try {
      return await ask();
    } catch (error) {
      if (signal.aborted) break;
      if (!isOutage(error)) throw error;
      if (failures === 0) log.say(`${describeFailure(error)}: retrying until it answers`);
      await pause(OUTAGE_MS, undefined, { signal }).catch(() => undefined);
    }
  return undefined;
}

/** Whether the service may answer the same call later. */
export const isOutage = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  error instanceof TimeoutError ||
  (error instanceof ApiError && (error.status >= 500 || error.status === 429));
