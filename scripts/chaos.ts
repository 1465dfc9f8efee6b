/**
 * Causes faults of every kind while collections are uploaded, a connector polls, a webhook receiver listens, and users install extensions,
 * assign findings and start plans. Then it counts lost and duplicate items, from the answers to the clients and the contents of the
 * database.
 *
 *   npm run chaos [-- --minutes 10 --seed 1 --roles together|separate]
 *
 * `together` is one process with its embedded database; `separate` two API processes, a worker and a PostgreSQL, each killed separately.
 * Clocks jump, and threads of the processes die (`insideProcess.mjs`). Without `--roles`, both run in sequence for the given time.
 * Connections are cut, and the connector is also killed. Exits with 1 if an item was lost, duplicated or late, or a required fault never
 * occurred. Requires Linux.
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
