/** Dependencies are not installed below processes that run: `npm ci` deletes them first. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';

let root = '';
let running: ChildProcess | undefined;
afterEach(() => {
  running?.kill('SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

/** A checkout whose dependencies are missing, and an npm that only says that it was called. */
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
  await vi.waitUntil(() => started.signalCode !== null, { timeout: 10_000 });
  expect(launch().status).toBe(3);
  expect(existsSync(called)).toBe(true);
});

test('but with none they are', () => {
  const { launch, called } = checkout();
  expect(launch().status).toBe(3);
  expect(existsSync(called)).toBe(true);
});
