/** `clew collector run` against a running service and a simulated controller. */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClewClient } from '@clew/client';
import { descriptorBytes, type ServedDirectory, SimulatedDirectory, sidBytes } from '@clew/collect/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand } from './testing/runCommand.ts';
import { type FinishedProcess, type ServeProcess, startServe } from './testing/serveProcess.ts';

const DOMAIN = 'S-1-5-21-41-42-43';
const BASE = 'DC=rivers,DC=test';
const [ANN, TEAM] = [`${DOMAIN}-1101`, `${DOMAIN}-1103`];
const list = descriptorBytes('S-1-5-32-544', [{ sid: ANN, mask: 0xf01ff }]);

let root: string;
let service: ServeProcess;
let controller: ServedDirectory;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'clew-collector-run-'));
  service = await startServe(join(root, 'data'));
  const directory = new SimulatedDirectory('dc1.rivers.test', BASE, DOMAIN);
  directory.put(`CN=Ann,${BASE}`, {
    ...{ objectClass: ['top', 'user'], objectSid: [sidBytes(ANN)], sAMAccountName: ['ann'] },
    ...{ sAMAccountType: ['805306368'], nTSecurityDescriptor: [list] },
  });
  directory.put(`CN=Team,${BASE}`, {
    ...{ objectClass: ['top', 'group'], objectSid: [sidBytes(TEAM)], sAMAccountName: ['Team'] },
    ...{ nTSecurityDescriptor: [list], member: [`<SID=${ANN}>;CN=Ann,${BASE}`] },
  });
  controller = await directory.serve();
  writeFileSync(join(root, 'authority.pem'), controller.authority);
  secret('password', 'not in any log');
  secret('wrong', 'wrong-one');
  await clew('login', '--user', 'admin');
  const added = await clew('client', 'add', 'Rivers', '--type', 'clew');
  secret('token', added.stdout);
});
afterAll(async () => {
  await service?.stop();
  await controller?.[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
});

const secret = (name: string, text: string): void => writeFileSync(join(root, name), text, { mode: 0o600 });

function tokenOf(name: string): { readonly tokenId: string; readonly tokenKey: string } {
  const [tokenId, tokenKey] = [...readFileSync(join(root, name), 'utf8').matchAll(/=(\S+)/g)].map(
    ([, part]) => part,
  );
  return { tokenId, tokenKey };
}

const clew = (...args: readonly string[]): Promise<FinishedProcess> =>
  runCommand({ url: service.url, home: root, directory: root }, args);

const collector = (...more: readonly string[]): Promise<FinishedProcess> =>
  clew(
    ...['collector', 'run', '--token-file', 'token', '--once', '--ldaps', '--ca', 'authority.pem'],
    ...[
      '--host',
      `dc1.rivers.test:${controller.port}`,
      '--address',
      '127.0.0.1',
      '--user',
      'reader@rivers.test',
    ],
    ...(more.includes('--password-file') ? more : ['--password-file', 'password', ...more]),
  );

const leftovers = (): readonly string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`clew-collect-${process.pid}-`));

it('collects when a user asks for it, and ends with its log', async () => {
  expect((await collector()).stderr).toMatch(/Rivers is registered at http/);
  expect((await clew('clients')).stdout).toMatch(/Rivers +clew +ready/);
  await clew('client', 'collect', 'Rivers');
  const { code, stderr } = await collector();
  expect([code, stderr]).toEqual([0, expect.stringMatching(/sent \d+ batches, [\d.]+ s; USN \d+/)]);
  const { stdout } = await clew('job-log', '1', '--follow');
  expect(stdout).toMatch(
    /collector: .*read RIVERS\.TEST from dc1\.rivers\.test[\s\S]*collector: .*note: settings of group policies were not read[\s\S]*part of the graph/,
  );
  expect((await clew('jobs')).stdout).toMatch(/1 +Rivers +complete/);
  expect((await clew('search', 'ANN@RIVERS.TEST')).stdout).toContain(ANN);
  expect(leftovers()).toEqual([]);
});

it('says why a job failed, without a secret, and hands nothing over', async () => {
  await clew('client', 'collect', 'Rivers');
  const refused = await collector('--password-file', 'wrong');
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('the password is wrong')]);
  const { stdout } = await clew('job-log', '2', '--follow');
  expect(stdout).toContain('failed: sign-in at dc1.rivers.test: the password is wrong');
  expect(stdout).toContain('0 batches are discarded');
  await clew('client', 'collect', 'Rivers', '--domains', DOMAIN, '--what', 'structure,sessions');
  const asked = await collector();
  expect(asked.stderr).toContain('not read, because they need an administrator of each computer: sessions');
  expect(asked.code).toBe(0);
  const all = refused.stderr + stdout + asked.stderr;
  for (const text of ['not in any log', 'wrong-one', tokenOf('token').tokenKey])
    expect(all).not.toContain(text);
  expect(leftovers()).toEqual([]);
});

it('ends a job that it left behind when it was killed', async () => {
  await clew('client', 'collect', 'Rivers');
  const killed = new ClewClient({ url: service.url, credentials: tokenOf('token') });
  const [job] = (await killed.call('ListAvailableClientJobs')).data;
  await killed.call('StartClientJob', { body: { id: job.id } });
  expect((await collector()).code).toBe(0);
  expect((await clew('jobs')).stdout).toMatch(new RegExp(`${job.id} +Rivers +failed .*started again`));
});

it('ends with the remedy where its token counts no longer, or is open to others', async () => {
  await clew('client', 'rotate', 'Rivers');
  const late = await collector();
  expect([late.code, late.stderr]).toEqual([1, expect.stringContaining('not signed in, or no longer')]);
  chmodSync(join(root, 'token'), 0o644);
  expect((await collector()).stderr).toContain('can be read or changed by others: chmod 600');
  chmodSync(join(root, 'token'), 0o600);
  secret('token', 'a text');
  expect((await collector()).stderr).toContain('has no lines TOKEN_ID=... and TOKEN_KEY=...');
});
