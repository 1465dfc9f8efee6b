/** Calls of a collector to a service that may be away for a night: they are repeated until it answers. */
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError, ConnectionError, TimeoutError } from '@clew/client';
import { describeFailure } from '../failure.ts';
import type { RunLog } from './runLog.ts';

/** The pause after a failure; a service that restarts is asked again soon. */
const OUTAGE_MS = 15_000;

/**
 * An outage is said once.
 *
 * @param ask a call that may come twice: the service may have done what it says, and its answer was lost
 * @returns undefined where `signal` ends the waiting
 * @throws ApiError of a refusal
 */
export async function untilAnswered<Result>(
  log: RunLog,
  signal: AbortSignal,
  ask: () => Promise<Result>,
): Promise<Result | undefined> {
  for (let failures = 0; !signal.aborted; failures += 1)
    try {
      return await ask();
    } catch (error) {
      if (signal.aborted) break;
      if (!isOutage(error)) throw error;
      if (failures === 0) log.say(`${describeFailure(error)}: trying again until it answers`);
      await pause(OUTAGE_MS, undefined, { signal }).catch(() => undefined);
    }
  return undefined;
}

/** Whether the service may answer the same call later. */
export const isOutage = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  error instanceof TimeoutError ||
  (error instanceof ApiError && (error.status >= 500 || error.status === 429));
