import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { changedTests, filesOfShare, IN_EACH_SHARE, SHARES, shareOf, shareOfRun } from './slowShare.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const NONE: ReadonlySet<string> = new Set();
const shares = [1, 2, 3, 4];
const files = globSync('packages/*/{src,test}/**/*.test.ts', { cwd: ROOT }).filter(
  (file) => !file.includes('.long.'),
);

let root: string | undefined;
afterEach(() => {
  if (root !== undefined) rmSync(root, { recursive: true, force: true });
  root = undefined;
});

it('each slow file is in one share, or in all, and each fast file in all', () => {
  expect(shares).toHaveLength(SHARES);
  const inShares = shares.map((share) => new Set(filesOfShare(files, share, NONE)));
  for (const file of files) {
    const count = inShares.filter((kept) => kept.has(file)).length;
    const isInAll = !file.endsWith('.slow.test.ts') || IN_EACH_SHARE.includes(file);
    expect([file, count]).toEqual([file, isInAll ? SHARES : 1]);
  }
});

it('each share has slow files of each package with several', () => {
  const packageOf = (file: string): string => file.split('/')[1];
  const slow = files.filter((file) => file.endsWith('.slow.test.ts'));
  for (const [name, own] of Map.groupBy(slow, packageOf)) {
    if ((own?.length ?? 0) < SHARES) continue;
    for (const share of shares)
      expect(filesOfShare(slow, share, NONE).map(packageOf), `share ${share}`).toContain(name);
  }
});

it('the files of each share exist', () => {
  expect(IN_EACH_SHARE.filter((file) => !files.includes(file))).toEqual([]);
});

it('a share includes the slow files that the commit changes', () => {
  const slow = ['a.slow.test.ts', 'b.slow.test.ts', 'c.slow.test.ts'];
  expect(filesOfShare(slow, 1, NONE)).toEqual(['a.slow.test.ts']);
  expect(filesOfShare(slow, 1, new Set(['c.slow.test.ts']))).toEqual(['a.slow.test.ts', 'c.slow.test.ts']);
});

it('the hash of the commit selects the share', () => {
  expect(['00000000ff', '00000001', '00000003', '00000004'].map(shareOf)).toEqual([1, 2, 4, 1]);
  expect([undefined, '', 'none'].map(shareOf)).toEqual([1, 1, 1]);
});

it('a run that names files, or chooses them, executes all slow files', () => {
  for (const options of [
    ...[['packages/web'], ['publicRequests', '-u'], ['--shard=1/1'], ['--changed'], ['-t', 'title']],
    ...[
      ['--exclude=**/*.slow.test.ts'],
      ['--config', 'vitest.long.config.ts'],
      ['--root', '../..', 'packages/api/'],
    ],
  ])
    expect([options, shareOfRun(options)]).toEqual([options, undefined]);
  for (const options of [[], ['--maxWorkers=2'], ['--reporter=json', '--silent']])
    expect(shares).toContain(shareOfRun(options));
});

it('knows the tests that the last commit and uncommitted work change', () => {
  root = mkdtempSync(join(tmpdir(), 'clew-share-'));
  const git = (...command: string[]): void => {
    const identity = ['-c', 'user.name=one', '-c', 'user.email=one@example.com'];
    const { status, stderr } = spawnSync('git', [...identity, ...command], { cwd: root, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, expect.any(String)]);
  };
  const write = (file: string, text: string): void => {
    mkdirSync(join(root as string, 'src'), { recursive: true });
    writeFileSync(join(root as string, 'src', file), text);
  };
  expect(changedTests(root)).toEqual(NONE);
  expect(shareOfRun([], root)).toBe(1);
  git('init', '--quiet');
  for (const file of ['first', 'second']) {
    write(`${file}.slow.test.ts`, '1');
    git('add', '.');
    git('commit', '--quiet', '--message', file);
  }
  expect(changedTests(root)).toEqual(new Set(['src/second.slow.test.ts']));
  write('third.slow.test.ts', '1');
  write('first.slow.test.ts', '2');
  const all = ['first', 'second', 'third'].map((name) => `src/${name}.slow.test.ts`);
  expect(changedTests(root)).toEqual(new Set(all));
});
