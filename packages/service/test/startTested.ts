/** The whole service in the process of a test: silent, strict about its answers, and without waiting at sign-in. */

import type { Config } from '@clew/common';
import type { Clock } from '@clew/identity/handlers';
import { systemClock } from '@clew/identity/testing';
import { pino } from 'pino';
import { type RunningService, type StartOptions, startService } from '../src/main.ts';

const MAX_SLEEP_MS = 5;

/** Each sign-in takes 1.5 to 2 seconds by rule (`login.test.ts` holds it): a test that signs in ten users would sleep. */
const shortSleeps: Clock = {
  ...systemClock,
  sleep: (milliseconds, signal) => systemClock.sleep(Math.min(milliseconds, MAX_SLEEP_MS), signal),
};

export function startTested(config: Config, options: StartOptions = {}): Promise<RunningService> {
  const log = pino({ level: 'silent' });
  return startService(config, { log, checkAnswers: true, clock: shortSleeps, ...options });
}
