/**
 * Faults of every kind while collections come in, a connector follows, a receiver of webhooks listens, and people install extensions, give
 * owners to findings and start plans; then a count of lost and doubled items, from the answers to the clients and the contents of the
 * database.
 *
 *   npm run chaos [-- --minutes 10 --seed 1 --roles together|separate]
 *
 * `together` is one process with its embedded database; `separate` two API processes, a worker and a PostgreSQL, each killed by
 * itself. Clocks jump, and threads of the processes die (`insideProcess.mjs`). Without `--roles` one follows the other, each for so many minutes. Connections are cut, and the connector is killed,
 * too. Exits with 1 when something was lost, doubled or late, or such a fault never happened. It runs on Linux.
 */
import { parseArgs } from 'node:util';
import { ROLES } from './chaos/installation.ts';
import { runChaos } from './chaos/runChaos.ts';

const { values } = parseArgs({
  options: {
    ...{ minutes: { type: 'string', default: '10' }, seed: { type: 'string', default: '1' } },
    roles: { type: 'string' },
  },
});
const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
const chosen = ROLES.filter((roles) => values.roles === undefined || values.roles === roles);
if (!(minutes > 0) || !Number.isSafeInteger(seed) || chosen.length === 0) {
  process.stderr.write(
    `chaos: --minutes must be a number above 0, --seed a whole number, --roles one of ${ROLES.join(', ')}\n`,
  );
  process.exit(2);
}
for (const roles of chosen) {
  const report = await runChaos({
    ...{ roles, seconds: minutes * 60, seed },
    log: (line) => process.stderr.write(`${line}\n`),
  });
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  if (report.faults.length > 0) process.exitCode = 1;
}
