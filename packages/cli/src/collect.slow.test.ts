/** Tests `clew collect` like a new user: from a running controller and an ordinary account to the first card, in one command. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClewClient } from '@clew/client';
import { type Lab, missingForLab, startLab } from '@clew/collect/testing';
import { ADMIN_PASSWORD, type ServiceHere, serveHere } from '@clew/service/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runCommand } from '../test/runCommand.ts';

const missing = missingForLab();
const INTERVAL_MS = 5_000;

describe.skipIf(missing !== undefined)(`clew collect${missing === undefined ? '' : ` (${missing})`}`, () => {
  let lab: Lab;
  let service: ServiceHere;
  let root: string;
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'clew-collect-end-'));
    lab = await startLab();
    service = await serveHere(root);
  }, 600_000);
  afterAll(async () => {
    await service?.stop();
    await lab?.[Symbol.asyncDispose]();
    rmSync(root, { recursive: true, force: true });
  });

  const run = (args: readonly string[], secret?: string) =>
    runCommand(
      { url: service.url, home: root, directory: root, ...(secret !== undefined && { secret }) },
      args,
    );
  const controller = (): readonly string[] => [
    '--host',
    lab.host,
    '--address',
    lab.address,
    '--user',
    lab.user,
  ];

  it('reports what the account may read, and what to announce', async () => {
    const { code, stdout } = await run(['collect', ...controller(), '--check'], lab.password);
    expect(code).toBe(0);
    expect(stdout).toContain('clew-reader@clewlab.test is an ordinary account');
    expect(stdout).toContain('Access control lists can be read');
    expect(stdout).toContain('AD CS exists');
    expect(stdout).toContain('Inform the security operations center');
    const asAdmin = await run(
      [
        'collect',
        '--host',
        lab.host,
        '--address',
        lab.address,
        '--user',
        'administrator@clewlab.test',
        '--check',
      ],
      'Pass-word-9-Admin',
    );
    expect(asAdmin.stdout).toMatch(/Warning: administrator@clewlab\.test is a member of .*Domain Admins/);
  });

  it('reads, uploads, and shows the first card, and leaves no file', async () => {
    expect((await run(['login', '--user', 'admin'])).code).toBe(0);
    writeFileSync(join(root, 'password'), `${lab.password}\n`, { mode: 0o600 });
    const { code, stdout, stderr } = await run([
      ...['collect', ...controller(), '--password-file', 'password'],
    ]);
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    expect(stdout).toContain('Read CLEWLAB.TEST from dc1.clewlab.test');
    expect(stdout).toContain('Note: policies with a password that every user can read');
    expect(stdout).toMatch(/^ {2}1\. /m);
    expect(stdout + stderr).not.toContain(lab.password);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith(`clew-collect-${process.pid}-`))).toEqual(
      [],
    );
  }, 300_000);

  it('shows a new administrator within the interval, with its cut, and a deletion after the next sweep', async () => {
    const client = new ClewClient({ url: service.url });
    await client.login('admin', ADMIN_PASSWORD);
    const added = await run(['client', 'add', 'Lab', '--type', 'clew']);
    writeFileSync(join(root, 'token'), added.stdout, { mode: 0o600 });
    const ending = new AbortController();
    const running = runCommand({ url: service.url, home: root, directory: root, signal: ending.signal }, [
      ...['collector', 'run', '--token-file', 'token', ...controller(), '--password-file', 'password'],
      ...['--interval', `${INTERVAL_MS / 1000}s`, '--sweep', '15s'],
    ]);
    const isComplete = async () => (await run(['jobs'])).stdout.includes('complete');
    await vi.waitUntil(isComplete, { timeout: 120_000, interval: 500 });
    const samba = (...args: readonly string[]) =>
      lab.run('samba-tool', ...args, '-H', join(lab.directory, 'private/sam.ldb'));
    const hasRow = async (): Promise<boolean> => {
      const { groups } = (await client.call('GetInbox')).data;
      const opened = groups.find(({ group }) => group === 'opened')?.items ?? [];
      return opened.some(
        ({ finding }) =>
          JSON.stringify(finding ?? {}).includes('U60@CLEWLAB.TEST') && finding?.closed_by !== undefined,
      );
    };
    expect(await hasRow()).toBe(false);
    const began = performance.now();
    await samba('group', 'addmembers', 'Domain Admins', 'u60');
    await vi.waitUntil(isMember, { timeout: 60_000, interval: 200 });
    const inGraph = performance.now() - began;
    await vi.waitUntil(hasRow, { timeout: 60_000, interval: 500 });
    await samba('user', 'delete', 'u60');
    await vi.waitUntil(async () => (await client.search('U60@CLEWLAB.TEST')).length === 0, {
      ...{ timeout: 60_000, interval: 500 },
    });
    ending.abort();
    const { stderr } = await running;
    expect(inGraph).toBeLessThan(INTERVAL_MS + 10_000);
    expect(stderr).toMatch(/1 of them deleted/);
    expect(stderr).not.toContain(lab.password);
  }, 300_000);

  const isMember = async (): Promise<boolean> => {
    const { stdout } = await run([
      'query',
      "MATCH (u)-[:MemberOf]->(g) WHERE u.name = 'U60@CLEWLAB.TEST' AND g.name = 'DOMAIN ADMINS@CLEWLAB.TEST' RETURN u",
    ]);
    return stdout.includes('U60@CLEWLAB.TEST');
  };
});
