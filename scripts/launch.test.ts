/**
 * Tests when dependencies are installed: if those of the lock file are missing, and never while processes run (`npm ci` deletes them
 * first).
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { sourcesDigest } from './bundle/sourcesDigest.mjs';

let root = '';
let running: ChildProcess | undefined;
afterEach(() => {
  running?.kill('SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

/** A checkout with missing dependencies, and an npm that only prints that it was called. */
function checkout(): {
  readonly launch: () => { status: number | null; stderr: string };
  readonly called: string;
} {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'clew-checkout-')));
  for (const folder of ['scripts', 'packages/cli/src', 'bin'])
    mkdirSync(join(root, folder), { recursive: true });
  copyFileSync(resolve(import.meta.dirname, 'launch.mjs'), join(root, 'scripts/launch.mjs'));
  writeFileSync(join(root, 'package-lock.json'), '{}');
  writeFileSync(
    join(root, 'packages/cli/src/main.mjs'),
    'setInterval(() => {}, 1000); process.stdout.write("up");',
  );
  const called = join(root, 'called');
  writeFileSync(join(root, 'bin/npm'), `#!/bin/sh\necho called > '${called}'\nexit 3\n`);
  chmodSync(join(root, 'bin/npm'), 0o755);
  const env = { ...process.env, PATH: `${join(root, 'bin')}:${process.env.PATH}`, NODE_OPTIONS: '' };
  const launch = () =>
    spawnSync(process.execPath, ['scripts/launch.mjs', 'packages/cli/src/main.mjs'], {
      ...{ cwd: root, env, encoding: 'utf8', timeout: 30_000 },
    });
  return { launch, called };
}

test.skipIf(!existsSync('/proc/self/cmdline'))('while a process of the checkout runs', async () => {
  const { launch, called } = checkout();
  const started = spawn(process.execPath, [join(root, 'packages/cli/src/main.mjs')], { stdio: 'pipe' });
  running = started;
  await new Promise((up) => started.stdout.once('data', up));
  const refused = launch();
  expect(refused.status).toBe(1);
  expect(refused.stderr).toContain(`  ${started.pid} `);
  expect(refused.stderr).toContain('are not installed while processes of this checkout run');
  expect(existsSync(called)).toBe(false);
  started.kill('SIGKILL');
  await vi.waitUntil(() => started.signalCode !== null, { timeout: 100_000 });
  expect(launch().status).toBe(3);
  expect(existsSync(called)).toBe(true);
});

test('but not without one', () => {
  const { launch, called } = checkout();
  expect(launch().status).toBe(3);
  expect(existsSync(called)).toBe(true);
});

/** Writes a lock file, and the list of packages that npm has installed from it. */
function lock(wanted: object, installed: object = wanted): void {
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true });
  const file = (packages: object) => JSON.stringify({ packages });
  writeFileSync(join(root, 'package-lock.json'), file({ '': { version: '0.2.0' }, ...wanted }));
  writeFileSync(join(root, 'node_modules/.package-lock.json'), file(installed));
}

const one = { 'node_modules/one': { version: '1.0.0', integrity: 'sha512-a' } };
const two = { 'node_modules/two': { version: '2.0.0', integrity: 'sha512-b' } };

/** The script of the checkout ends immediately. */
function ends(): void {
  for (const folder of ['web', 'client', 'api', 'model', 'synthetic', 'web/dist'])
    mkdirSync(join(root, 'packages', folder), { recursive: true });
  writeFileSync(join(root, 'packages/web/dist/index.html'), '');
  writeFileSync(join(root, 'packages/cli/src/main.mjs'), '');
}

test('compares contents: a copy of a checkout with a newer lock file is complete', () => {
  const { launch, called } = checkout();
  ends();
  lock({ ...one, 'node_modules/other-platform': { version: '1.0.0', optional: true } }, one);
  utimesSync(join(root, 'node_modules/.package-lock.json'), 0, 0);
  expect(launch().status).toBe(0);
  // The digest is the same at the next start, until the lock file changes.
  writeFileSync(join(root, 'node_modules/.package-lock.json'), '{}');
  expect(launch().status).toBe(0);
  expect(existsSync(called)).toBe(false);
  lock({ ...one, ...two }, one);
  expect(launch().status).toBe(3);
});

test.each([
  ['lacks a package', { ...one, ...two }, one],
  ['has one of another version', one, { 'node_modules/one': { version: '1.0.1', integrity: 'sha512-a' } }],
  ['has one of other bytes', one, { 'node_modules/one': { version: '1.0.0', integrity: 'sha512-c' } }],
  ['has one that the lock file lacks', one, { ...one, ...two }],
])('is repeated if it %s, although it is newer', (_, wanted, installed) => {
  const { launch, called } = checkout();
  ends();
  lock(wanted, installed);
  expect(launch().status).toBe(3);
  expect(existsSync(called)).toBe(true);
});

describe('the command', () => {
  /** A checkout whose command prints "sources", with a bundle that prints "bundle". */
  const bundled = (): (() => { stdout: string; stderr: string }) => {
    checkout();
    ends();
    lock(one);
    writeFileSync(join(root, 'packages/cli/src/main.ts'), 'process.stdout.write("sources");');
    cpSync(resolve(import.meta.dirname, 'bundle'), join(root, 'scripts/bundle'), { recursive: true });
    mkdirSync(join(root, 'dist'));
    writeFileSync(join(root, 'dist/clew.mjs'), 'process.stdout.write("bundle");');
    writeFileSync(join(root, 'dist/bundle.json'), JSON.stringify({ sources: sourcesDigest(root) }));
    return () =>
      spawnSync(process.execPath, ['scripts/launch.mjs', 'packages/cli/src/main.ts'], {
        ...{ cwd: root, env: { ...process.env, NODE_OPTIONS: '' }, encoding: 'utf8', timeout: 30_000 },
      });
  };

  test('runs the up-to-date bundle, whatever the times of the files', () => {
    const run = bundled();
    utimesSync(join(root, 'dist/bundle.json'), 0, 0);
    expect(run()).toMatchObject({ stdout: 'bundle', stderr: '' });
  });

  test.each([
    ['a source', 'packages/api/src/one.ts'],
    ['a style of the interface', 'packages/web/src/one.css'],
    ['a part of the bundler', 'scripts/bundle/places.ts'],
    ['the lock file', 'package-lock.json'],
  ])('runs the sources after a change of %s, with a message', (_, file) => {
    const run = bundled();
    mkdirSync(join(root, file, '..'), { recursive: true });
    const before = existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '';
    writeFileSync(join(root, file), `${before}\n`);
    const { stdout, stderr } = run();
    expect(stdout).toBe('sources');
    expect(stderr).toContain('npm run bundle');
  });

  test('runs the bundle after a change of a test, and of the support of tests', () => {
    const run = bundled();
    for (const file of ['packages/api/src/one.test.ts', 'packages/api/test/one.ts']) {
      mkdirSync(join(root, file, '..'), { recursive: true });
      writeFileSync(join(root, file), '');
    }
    expect(run()).toMatchObject({ stdout: 'bundle', stderr: '' });
  });
});
