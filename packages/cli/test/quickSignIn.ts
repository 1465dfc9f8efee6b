/** The `clew` command, whose service answers sign-ins at once: each takes 1.5 to 2 seconds by rule (`login.test.ts` holds it). */
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
