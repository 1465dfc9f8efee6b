/**
 * Runs the few test files again, alone, that failed in the last run of all tests: `npm test || npm run test:again`. A file that fails only
 * in the whole run depends on the speed of the machine or on the order of events. It is named as such, and is to be mended; but it does not
 * hold back the work of others. A file that fails twice fails the run, and so do more than a few files.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { takeFailedRun } from './testing/failedFiles.ts';
import { verdictOf } from './testing/verdict.ts';

const vitest = join(import.meta.dirname, '..', 'node_modules', 'vitest', 'vitest.mjs');
const verdict = verdictOf(takeFailedRun(), (file) => {
  const { status } = spawnSync(process.execPath, [vitest, 'run', file, '--maxWorkers', '1'], {
    stdio: 'inherit',
  });
  return status === 0;
});
process.stderr.write(`\n${verdict.message}\n`);
process.exitCode = verdict.passed ? 0 : 1;
