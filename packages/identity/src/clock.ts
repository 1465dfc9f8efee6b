/** The clock of identity, which tests can move instead of waiting. */
import { setTimeout as delay } from 'node:timers/promises';

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after this number of milliseconds, or at once when the signal aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) =>
    delay(milliseconds, undefined, { signal }).catch((error: Error) => {
      if (error.name !== 'AbortError') throw error;
    }),
};
