/** The `clew` command with a service that answers sign-ins at once: by rule they take 1.5 to 2 seconds (see `login.test.ts`). */
import { setTimeout as delay } from 'node:timers/promises';
import { runProcess } from '../src/runProcess.ts';

const MAX_SLEEP_MS = 5;

await runProcess((context) => ({
  ...context,
  clock: {
    now: () => Date.now(),
    sleep: (milliseconds) => delay(Math.min(milliseconds, MAX_SLEEP_MS)),
  },
}));
