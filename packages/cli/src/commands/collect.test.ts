import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runCommand } from '../testing/runCommand.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'clew-cli-collect-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const run = (...args: readonly string[]) =>
  runCommand({ url: 'http://127.0.0.1:9', home: root, directory: root, secret: 'a secret' }, [
    ...['collect', '--host', 'localhost', '--address', '127.0.0.1', '--out', 'files', ...args],
  ]);

it.each([
  [['--user', 'reader'], '--user names the account with its domain'],
  [[], '--user names the account with its domain'],
  [['--ldaps', '--starttls', '--user', 'a@b'], 'exclude each other'],
  [['--keytab', 'x', '--cache', 'y', '--user', 'a@b'], 'exclude each other'],
  [['--certificate', 'x'], '--certificate and --key belong together'],
  [['--certificate', 'x', '--key', 'y'], '--certificate needs --ldaps or --starttls'],
])('names the fault of %o', async (args, text) => {
  const { code, stderr } = await run(...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(text)]);
});

it('refuses a file with a secret that others may read, and never shows a secret', async () => {
  writeFileSync(join(root, 'password'), 'a secret\n');
  chmodSync(join(root, 'password'), 0o644);
  const open = await run('--user', 'a@b.test', '--password-file', 'password');
  expect([open.code, open.stderr]).toEqual([1, expect.stringContaining('can be read by others: chmod 600')]);
  chmodSync(join(root, 'password'), 0o600);
  for (const args of [['--password-file', 'password'], [], ['--ldaps']]) {
    const refused = await run('--user', 'a@b.test', ...args);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('localhost');
    expect(refused.stderr).not.toContain('unexpected');
    expect(refused.stdout + refused.stderr).not.toContain('a secret');
  }
});

it.each([
  [['--certificate', 'x'], 2, '--certificate and --key belong together'],
  [['--secret-file', 'x', '--device-code'], 2, 'exclude each other'],
  [['--secret-file', 'missing'], 1, 'no such file'],
])('names the fault of collect-entra %o', async (args, exit, text) => {
  const { code, stderr } = await runCommand({ url: 'http://127.0.0.1:9', home: root, directory: root }, [
    ...['collect-entra', '--tenant', 'lab.example', '--client-id', 'x', '--out', 'files', ...args],
  ]);
  expect([code, stderr]).toEqual([exit, expect.stringContaining(text)]);
});

it('asks whether the service takes a collection before it reads anything', async () => {
  const { code, stderr } = await runCommand({ url: 'http://127.0.0.1:9', home: root, directory: root }, [
    ...['collect', '--host', 'localhost', '--user', 'a@b.test'],
  ]);
  expect([code, stderr]).toEqual([1, expect.stringContaining('not signed in')]);
});
