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
import { ROLES } from './chaos/installation.ts';
import { runChaos } from './chaos/runChaos.ts';
import { runCommand, UsageError } from './harness/command.ts';

const options = { seed: { type: 'string', default: '1' }, roles: { type: 'string' } } as const;

await runCommand('chaos', options, async function* (seconds, log, values) {
  const seed = Number(values.seed);
  const chosen = ROLES.filter((roles) => values.roles === undefined || values.roles === roles);
  if (!Number.isSafeInteger(seed)) throw new UsageError('--seed must be a whole number');
  if (chosen.length === 0) throw new UsageError(`--roles is one of ${ROLES.join(', ')}`);
  for (const roles of chosen) yield await runChaos({ roles, seconds, seed, log });
});
