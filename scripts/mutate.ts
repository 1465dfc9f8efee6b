/**
 * `npm run mutate -- --sample 40`: changes one place of the code at a time and runs the tests of its package. A change that they do not
 * detect is printed. By default it uses the files that differ from the main branch; files can be given:
 *
 *   npm run mutate -- --sample 40 --seed 7 packages/cypher/src/values/temporal/duration.ts
 *
 * Tests in the closest folder with tests run first; if they detect nothing, then the fast tests of the package that import the file, then
 * `npm test -w` of the package, without tests of other packages. `--near` runs only the first ones, `--fast` all except the last: surviving
 * changes are found quickly, but other tests may detect them.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { type Mutation, mutationsOf, sampleOf } from './mutate/mutations.ts';

const { values, positionals } = parseArgs({
  options: {
    sample: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    since: { type: 'string', default: 'main' },
    seconds: { type: 'string', default: '900' },
    near: { type: 'boolean', default: false },
    fast: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

function changedFiles(): readonly string[] {
  const { stdout, status, stderr } = spawnSync('git', ['diff', '--name-only', values.since], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`git cannot compare with ${values.since}: ${stderr.trim()}`);
  return stdout.split('\n').filter((file) => /^packages\/.*\/src\/.*\.tsx?$/.test(file));
}

const isTest = (file: string): boolean => /\.test\.tsx?$|^packages\/[^/]+\/test\//.test(file);
const files = (positionals.length > 0 ? positionals : changedFiles()).filter((file) => !isTest(file));
const all = files.flatMap((file) => mutationsOf(file, readFileSync(file, 'utf8')));
const chosen = sampleOf(all, Number(values.sample), Number(values.seed));
console.log(`${chosen.length} of ${all.length} mutations of ${files.length} files`);

let survived = 0;
for (const mutation of chosen) {
  const noticedBy = tryMutation(mutation);
  if (noticedBy === undefined) survived++;
  console.log(
    `${noticedBy === undefined ? 'SURVIVED' : 'noticed '} ${mutation.file}:${mutation.line} ${mutation.change}${noticedBy ?? ''}`,
  );
}
console.log(`${survived} of ${chosen.length} were not noticed by a test`);
process.exit(survived > 0 ? 1 : 0);

/** The file is always restored, even after Ctrl+C. @returns a remark if tests failed or did not end; `undefined` otherwise */
function tryMutation({ file, text }: Mutation): string | undefined {
  const before = readFileSync(file, 'utf8');
  const restore = () => writeFileSync(file, before);
  const interrupted = () => {
    restore();
    process.exit(130);
  };
  process.once('SIGINT', interrupted);
  writeFileSync(file, text);
  try {
    const [, name] = file.split('/');
    const near = testsNotice([`${testedFolder(dirname(file))}/`]);
    if (near !== undefined || values.near) return near;
    const related = testsNotice([
      ...['related', file, '--exclude', 'scripts/**', '--exclude', `packages/!(${name})/**`],
    ]);
    return related !== undefined || values.fast ? related : packageNotices(`packages/${name}`);
  } finally {
    restore();
    process.off('SIGINT', interrupted);
  }
}

/** @returns the folder, or the closest one around it, that has tests */
function testedFolder(folder: string): string {
  const hasTests = readdirSync(folder).some((name) => /(?<!\.slow|\.long)\.test\.tsx?$/.test(name));
  return hasTests || folder.endsWith('/src') ? folder : testedFolder(dirname(folder));
}

/** Runs fast tests only. */
function testsNotice(which: readonly string[]): string | undefined {
  const command = ['node_modules/vitest/vitest.mjs', ...which, '--run', '--bail', '1', '--passWithNoTests'];
  return resultOf(process.execPath, [...command, '--exclude', '**/*.slow.test.ts']);
}

/** Runs all tests of a package. */
function packageNotices(folder: string): string | undefined {
  return resultOf('npm', ['test', '-w', folder, '--', '--bail', '1']);
}

/** @returns a remark if the command failed or did not end; `undefined` otherwise */
function resultOf(command: string, args: readonly string[]): string | undefined {
  const { status } = spawnSync(command, args, { stdio: 'ignore', timeout: Number(values.seconds) * 1000 });
  if (status === 0) return undefined;
  // This detects an infinite loop, but also a machine that is too slow for these tests.
  return status === null ? ` (by tests that took over ${values.seconds} s)` : '';
}
