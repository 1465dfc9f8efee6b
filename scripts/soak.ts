/**
 * All attacks at once next to a normal client, on the service as users run it: the client is served, no accepted data is lost,
 * and memory and disk are as before when it is over.
 *
 *   npm run soak [-- --minutes 10] [--only "half requests"]
 *
 * Exits with 1 when a bound does not hold. Every night runs it for some seconds (`soak.long.test.ts`).
 */
import { parseArgs } from 'node:util';
import { runSoak } from './soak/runSoak.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, only: { type: 'string', multiple: true } },
});
const minutes = Number(values.minutes);
if (!(minutes > 0)) {
  process.stderr.write('soak: --minutes must be a number above 0\n');
  process.exit(2);
}
const report = await runSoak({
  seconds: minutes * 60,
  only: values.only,
  log: (line) => process.stderr.write(`${line}\n`),
});
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
process.exitCode = report.faults.length === 0 ? 0 : 1;
