/**
 * Runs all attacks simultaneously with a normal client, on the service as users run it: the client is served, no accepted data is lost, and
 * memory and disk are as before at the end.
 *
 *   npm run soak [-- --minutes 10] [--only "half requests"]
 *
 * Exits with 1 if a requirement is violated. It runs every night for some seconds (`soak.long.test.ts`).
 */
import { runCommand } from './harness/command.ts';
import { runSoak } from './soak/runSoak.ts';

const options = { only: { type: 'string', multiple: true } } as const;

await runCommand('soak', options, async function* (seconds, log, { only }) {
  yield await runSoak({ seconds, log, only: only as string[] | undefined });
});
