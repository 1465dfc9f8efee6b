/**
 * The slow test files that one run of all tests executes. All of them together need twenty minutes on two cores, which is too long for a
 * commit. So each commit executes the fast files, the slow files that cross the whole product, those that it changes, and a quarter of the
 * others; its hash selects the quarter. The same commit always executes the same files. `npm run test:all`, which runs every night, and a run
 * that names files or packages execute all.
 */
import { spawnSync } from 'node:child_process';
import { join, relative, sep } from 'node:path';

export const SHARES = 4;
const ROOT = join(import.meta.dirname, '..', '..');
const SLOW = /\.slow\.test\.ts$/;

/** Each commit executes these: the service with all its parts, from an upload to a repair, as each kind of client sees it. */
export const IN_EACH_SHARE: readonly string[] = [
  'packages/cli/src/endToEnd.slow.test.ts',
  'packages/intake/src/ingest/ingest.slow.test.ts',
  'packages/plans/src/http/planService.slow.test.ts',
  'packages/service/src/main.slow.test.ts',
  'packages/service/src/publicRequests.slow.test.ts',
  'packages/web/test/start.slow.test.ts',
];

/** @param hash of the commit, hexadecimal; without one the first share @returns 1 to `SHARES` */
export function shareOf(hash: string | undefined): number {
  const number = Number.parseInt(hash?.slice(0, 8) ?? '', 16);
  return Number.isNaN(number) ? 1 : (number % SHARES) + 1;
}

/**
 * The slow files are dealt in the order of their paths, so that each share has files of each package.
 * @param files test files, relative to the repository, with slashes
 * @param share 1 to `SHARES`
 * @param changed slow files that the commit changes
 * @returns the files to execute, in the given order
 */
export function filesOfShare(
  files: readonly string[],
  share: number,
  changed: ReadonlySet<string>,
): readonly string[] {
  const slow = files.filter((file) => SLOW.test(file)).sort();
  const dealt = new Set(slow.filter((_, at) => at % SHARES === share - 1));
  const always = new Set(IN_EACH_SHARE);
  return files.filter((file) => !SLOW.test(file) || dealt.has(file) || always.has(file) || changed.has(file));
}

/**
 * The share of a run with these arguments of the test runner. A run with a name of a file or package, or with a choice of its own, has none.
 * @param options after `run`
 */
export function shareOfRun(options: readonly string[], root = ROOT): number | undefined {
  const isWhole = options.every((option) => option.startsWith('-') && !CHOICE.test(option));
  return isWhole ? shareOf(git(root, 'rev-parse', 'HEAD')[0]) : undefined;
}

const CHOICE = /^(?:--(?:shard|changed|exclude|dir|config|testNamePattern)\b|-[ct]\b)/;

/** @returns test files that the last commit or uncommitted work changes, relative to the repository */
export function changedTests(root = ROOT): ReadonlySet<string> {
  return new Set([
    ...git(root, 'diff', '--name-only', '--relative', 'HEAD~1'),
    ...git(root, 'ls-files', '--others', '--exclude-standard'),
  ]);
}

/** @returns the lines of the answer; none without git, or without the commit */
function git(root: string, ...command: string[]): readonly string[] {
  const { status, stdout } = spawnSync('git', command, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.split('\n').filter((line) => line !== '') : [];
}

/** @param file absolute @returns its path in the repository, with slashes */
export const pathInRepository = (file: string): string => relative(ROOT, file).replaceAll(sep, '/');
