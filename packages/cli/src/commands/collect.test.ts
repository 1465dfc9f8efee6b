import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runCommand } from '../../test/runCommand.ts';
import { secretFault } from '../secretFile.ts';

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
  [['--user', 'reader'], '--user needs the account with its domain'],
  [[], '--user needs the account with its domain'],
  [['--ldaps', '--starttls', '--user', 'a@b'], 'cannot be combined'],
  [['--keytab', 'x', '--cache', 'y', '--user', 'a@b'], 'cannot be combined'],
  [['--certificate', 'x'], '--certificate and --key must be used together'],
  [['--certificate', 'x', '--key', 'y'], '--certificate needs --ldaps or --starttls'],
  [
    ['--probe', 'sessions', '--user', 'a@b'],
    '--probe must be one of smb-signing, web-enrollment, ldap-signing, not',
  ],
  [
    ['--probe', 'smb-signing', '--list-probes', '--user', 'a@b'],
    '--list-probes and --out cannot be combined',
  ],
  [['--probe-rate', '5', '--user', 'a@b'], '--list-probes and --probe-rate need --probe'],
  [['--probe', 'smb-signing', '--probe-rate', '0', '--user', 'a@b'], '--probe-rate must be a number'],
  [['--domain-host', 'a.test=b.a.test', '--user', 'a@b'], '--domain-host needs --forest'],
  [['--forest', '--domain-host', 'b.a.test', '--user', 'a@b.test'], '--domain-host needs a domain and its'],
])('explains the error of %o', async (args, text) => {
  const { code, stderr } = await run(...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(text)]);
});

it('refuses a file with a secret that others may read, and never shows a secret', async () => {
  writeFileSync(join(root, 'password'), 'a secret\n');
  chmodSync(join(root, 'password'), 0o644);
  const open = await run('--user', 'a@b.test', '--password-file', 'password');
  expect([open.code, open.stderr]).toEqual([
    1,
    expect.stringContaining('can be read or changed by others: chmod 600'),
  ]);
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
  [['--certificate', 'x'], 2, '--certificate and --key must be used together'],
  [['--secret-file', 'x', '--device-code'], 2, 'cannot be combined'],
  [['--secret-file', 'missing'], 1, 'no such file'],
  [['--state', 'state'], 2, '--state and --out cannot be combined'],
  [['--certificate', 'text', '--key', 'text'], 1, 'must be a certificate and its private key'],
])('explains the error of collect-entra %o', async (args, exit, text) => {
  writeFileSync(join(root, 'text'), 'a text\n', { mode: 0o600 });
  const { code, stderr } = await runCommand({ url: 'http://127.0.0.1:9', home: root, directory: root }, [
    ...['collect-entra', '--tenant', 'lab.example', '--client-id', 'x', '--out', 'files', ...args],
  ]);
  expect([code, stderr]).toEqual([exit, expect.stringContaining(text)]);
});

it('asks whether the service accepts a collection before it reads anything', async () => {
  const { code, stderr } = await runCommand({ url: 'http://127.0.0.1:9', home: root, directory: root }, [
    ...['collect', '--host', 'localhost', '--user', 'a@b.test'],
  ]);
  expect([code, stderr]).toEqual([1, expect.stringContaining('not signed in')]);
});

it('accepts a systemd credential, owned by root and readable by its group through an access list', () => {
  const [own, root, other] = [1000, 0, 1001];
  expect(secretFault({ mode: 0o100440, uid: root }, own)).toBeUndefined();
  expect(secretFault({ mode: 0o100600, uid: own }, own)).toBeUndefined();
  for (const mode of [0o100640, 0o100604, 0o100620])
    expect(secretFault({ mode, uid: own }, own)).toContain('by others');
  for (const mode of [0o100444, 0o100460])
    expect(secretFault({ mode, uid: root }, own)).toContain('by others');
  expect(secretFault({ mode: 0o100600, uid: other }, own)).toContain('another user');
});

it.each([
  [['--keytab', 'text', '--user', 'a@b.test'], 'the file is not a keytab'],
  [['--keytab', 'text', '--user', 'a@b.test', '--check'], 'the file is not a keytab'],
  [['--cache', 'text', '--check'], 'the file is not a credential cache'],
  [['--ldaps', '--certificate', 'text', '--key', 'text'], 'must be a certificate and its private key'],
  [['--ldaps', '--ca', 'text', '--user', 'a@b.test'], 'text is not a certificate'],
])('names the file of the wrong kind: %o', async (args, text) => {
  writeFileSync(join(root, 'text'), 'a text\n', { mode: 0o600 });
  const { code, stderr } = await run(...args);
  expect([code, stderr]).toEqual([1, expect.stringContaining(text)]);
  expect(stderr).not.toContain('unexpected');
});

it('refuses the credential cache of another account than --user names', async () => {
  const text = (value: string): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(value.length);
    return Buffer.concat([length, Buffer.from(value)]);
  };
  const head = Buffer.from('050400000000000100000001', 'hex');
  writeFileSync(join(root, 'cache'), Buffer.concat([head, text('B.TEST'), text('a')]), { mode: 0o600 });
  const other = await run('--cache', 'cache', '--user', 'c@b.test');
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('belongs to a@B.TEST')]);
  const same = await run('--cache', 'cache', '--user', 'a@b.test');
  expect(same.stderr).toContain('has no AES ticket');
});
