/**
 * Faults of every kind while collections come in, a connector follows and a receiver of webhooks listens; then a count, from
 * what the clients were told and what stands in the database, of what was lost and what was doubled.
 *
 *   npm run chaos [-- --minutes 10 --seed 1]
 *
 * Exits with 1 when something was lost, doubled or late. Connections are cut, the service, its PostgreSQL and the connector
 * are killed. It runs on Linux.
 */
import { parseArgs } from 'node:util';
import { runChaos } from './chaos/runChaos.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string', default: '1' } },
});
const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
if (!(minutes > 0) || !Number.isSafeInteger(seed)) {
  process.stderr.write('chaos: --minutes must be a number above 0, --seed a whole number\n');
  process.exit(2);
}
const report = await runChaos({
  ...{ seconds: minutes * 60, seed },
  log: (line) => process.stderr.write(`${line}\n`),
});
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
process.exitCode = report.faults.length === 0 ? 0 : 1;
