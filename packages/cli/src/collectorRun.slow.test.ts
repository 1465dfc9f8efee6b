/** Tests `clew collector run` with a running service and a simulated controller. */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClewClient } from '@clew/client';
import { descriptorBytes, type ServedDirectory, SimulatedDirectory, sidBytes } from '@clew/collect/testing';
import { ADMIN_PASSWORD, type FinishedProcess, type ServiceHere, serveHere } from '@clew/service/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { losingProxy } from '../test/losingProxy.ts';
import { refusingProxy } from '../test/refusingProxy.ts';
import { runCommand } from '../test/runCommand.ts';

const DOMAIN = 'S-1-5-21-41-42-43';
const BASE = 'DC=rivers,DC=test';
const [ANN, BOB, TEAM] = [`${DOMAIN}-1101`, `${DOMAIN}-1102`, `${DOMAIN}-1103`];
const WAIT = { timeout: 60_000, interval: 200 };
const list = descriptorBytes('S-1-5-32-544', [{ sid: ANN, mask: 0xf01ff }]);

let root: string;
let service: ServiceHere;
let controller: ServedDirectory;
let directory: SimulatedDirectory;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'clew-collector-run-'));
  service = await serveHere(root);
  directory = new SimulatedDirectory('dc1.rivers.test', BASE, DOMAIN);
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
  const added = await clew('client', 'add', 'Rivers', '--type', 'clew', '--token-file', 'token');
  expect([added.code, added.stdout]).toEqual([0, '']);
  expect(statSync(join(root, 'token')).mode & 0o777).toBe(0o600);
  expect((await clew('client', 'add', 'Twice', '--type', 'clew', '--token-file', 'token')).stderr).toContain(
    'already exists',
  );
  expect((await clew('clients')).stdout).not.toContain('Twice');
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

/** @param more options; with a signal, it runs until this is aborted */
function collector(...more: readonly (string | AbortSignal)[]): Promise<FinishedProcess> {
  const signal = more.find((one) => typeof one !== 'string');
  const options = more.filter((one) => typeof one === 'string');
  return runCommand({ url: service.url, home: root, directory: root, ...(signal && { signal }) }, [
    ...['collector', 'run', '--token-file', 'token', '--ldaps', '--ca', 'authority.pem'],
    ...[
      '--host',
      `dc1.rivers.test:${controller.port}`,
      '--address',
      '127.0.0.1',
      '--user',
      'reader@rivers.test',
    ],
    ...(options.includes('--password-file') ? [] : ['--password-file', 'password']),
    ...(signal === undefined ? ['--once'] : []),
    ...options,
  ]);
}

async function adminClient(): Promise<ClewClient> {
  const client = new ClewClient({ url: service.url });
  await client.login('admin', ADMIN_PASSWORD);
  return client;
}

const leftovers = (): readonly string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`clew-collect-${process.pid}-`));

it('collects on request of a user, and ends with its log', async () => {
  expect((await collector()).stderr).toMatch(/Rivers is registered at http/);
  expect((await clew('clients')).stdout).toMatch(/Rivers +clew +ready/);
  await clew('client', 'collect', 'Rivers');
  const { code, stderr } = await collector();
  expect([code, stderr]).toEqual([0, expect.stringMatching(/sent \d+ batches in [\d.]+ s; USN \d+/)]);
  const { stdout } = await clew('job-log', '1', '--follow');
  expect(stdout).toMatch(
    /collector: .*read RIVERS\.TEST from dc1\.rivers\.test[\s\S]*collector: .*note: group policy settings were not read[\s\S]*in the graph/,
  );
  expect((await clew('jobs')).stdout).toMatch(/1 +Rivers +complete/);
  expect((await clew('search', 'ANN@RIVERS.TEST')).stdout).toContain(ANN);
  expect(leftovers()).toEqual([]);
});

it('writes its log during the run, and ends when a user cancels the job', async () => {
  await clew('client', 'collect', 'Rivers');
  let release = (): void => undefined;
  directory.held = new Promise<void>((resolve) => {
    release = resolve;
  });
  try {
    const running = collector();
    const id = await vi.waitUntil(
      async () => /^ *(\d+) +Rivers +running/m.exec((await clew('jobs')).stdout)?.[1],
      WAIT,
    );
    const log = await vi.waitUntil(async () => {
      const { stdout } = await clew('job-log', id);
      return stdout.includes('signed in at') && stdout;
    }, WAIT);
    // The line has the time when it was written, before the service received it.
    expect(log).toMatch(/^\S+\.\d{3}000Z collector: signed in at dc1\.rivers\.test, [\d.]+ m?s$/m);
    expect((await clew('client', 'cancel', id)).code).toBe(0);
    const { code, stderr } = await running;
    expect([code, stderr]).toEqual([1, expect.stringContaining('failed: the job was canceled')]);
    const { stdout } = await clew('job-log', id);
    expect(stdout).toContain('canceled: Canceled by admin');
    expect(stdout.match(/signed in at/g)).toHaveLength(1);
    expect(stdout).not.toContain('received a batch');
    expect(leftovers()).toEqual([]);
  } finally {
    release();
    directory.held = Promise.resolve();
  }
}, 60_000);

it('ends a job once, even if the answer to its end is lost', async () => {
  await clew('client', 'collect', 'Rivers');
  await using proxy = await losingProxy(service.url, 'POST /api/v2/jobs/end');
  const searches = directory.asked.length;
  const { code, stderr } = await collector('--url', proxy.url);
  expect([code, stderr]).toEqual([0, expect.stringContaining('retrying until it answers')]);
  expect(proxy.seen.filter((call) => call === 'POST /api/v2/jobs/end')).toHaveLength(2);
  expect(proxy.seen.filter((call) => call === 'POST /api/v2/jobs/start')).toHaveLength(1);
  const wholeReadings = directory.asked
    .slice(searches)
    .filter(({ attributes }) => attributes.includes('member'));
  expect(wholeReadings).toHaveLength(1);
  expect((await clew('jobs')).stdout).toMatch(/Rivers +(complete|ingesting|analyzing)/);
}, 60_000);

it('reports how each directory was read', async () => {
  const admin = await adminClient();
  const { data } = await admin.call('ListDirectoryReadings', { query: {} });
  expect(data).toEqual([
    expect.objectContaining({
      ...{ environment_id: DOMAIN, name: 'RIVERS.TEST', controller: 'dc1.rivers.test', usn: directory.usn },
      ...{ account: 'reader@rivers.test', reported_by: 'Rivers' },
      notes: expect.arrayContaining([
        expect.objectContaining({ what: 'group policy settings were not read', count: 1 }),
      ]),
    }),
  ]);
});

it('reports why a job failed, without a secret, and uploads nothing', async () => {
  await clew('client', 'collect', 'Rivers');
  const refused = await collector('--password-file', 'wrong');
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('the password is wrong')]);
  const { stdout } = await clew('job-log', '4', '--follow');
  expect(stdout).toContain('failed: sign-in at dc1.rivers.test: the password is wrong');
  expect(stdout).toContain('0 batches are discarded');
  await clew('client', 'collect', 'Rivers', '--domains', DOMAIN, '--what', 'structure,sessions');
  const asked = await collector();
  expect(asked.stderr).toContain(
    'not read, because they need administrator rights on each computer: sessions',
  );
  expect(asked.code).toBe(0);
  const all = refused.stderr + stdout + asked.stderr;
  for (const text of ['not in any log', 'wrong-one', tokenOf('token').tokenKey])
    expect(all).not.toContain(text);
  expect(leftovers()).toEqual([]);
});

it('sends changes within its interval, in one job per day, and nothing without changes', async () => {
  // Repeating the previous run would start no job.
  for (const name of ['Ann', 'Team']) directory.put(`CN=${name},${BASE}`, { description: ['since then'] });
  const ending = new AbortController();
  const before = (await clew('jobs')).stdout.split('Rivers').length;
  const running = collector('--interval', '1s', '--sweep', '2s', ending.signal);
  const jobs = async () => (await clew('jobs')).stdout.split('\n').filter((line) => line.includes('Rivers'));
  const hasMember = async (name: string) =>
    (
      await clew(
        'query',
        `MATCH (u)-[:MemberOf]->(g) WHERE u.name = '${name}' AND g.name = 'TEAM@RIVERS.TEST' RETURN u`,
      )
    ).stdout.includes(name);
  const hasBegun = async () => (await jobs()).length === before && (await jobs())[0].includes('complete');
  await vi.waitUntil(hasBegun, WAIT);
  directory.put(`CN=Bob,${BASE}`, {
    ...{ objectClass: ['top', 'user'], objectSid: [sidBytes(BOB)], sAMAccountName: ['bob'] },
    ...{ sAMAccountType: ['805306368'], nTSecurityDescriptor: [list] },
  });
  directory.put(`CN=Team,${BASE}`, {
    member: [`<SID=${ANN}>;CN=Ann,${BASE}`, `<SID=${BOB}>;CN=Bob,${BASE}`],
  });
  await vi.waitUntil(() => hasMember('BOB@RIVERS.TEST'), WAIT);
  directory.remove(`CN=Bob,${BASE}`);
  await vi.waitUntil(async () => !(await hasMember('BOB@RIVERS.TEST')), WAIT);
  // One more: the job of the day, from the first reading to the deletion.
  expect((await jobs()).length).toBe(before);
  ending.abort();
  const { code, stderr } = await running;
  expect(code).toBe(0);
  expect(stderr).toMatch(/2 objects changed; [\s\S]*1 object changed, 1 of them deleted/);
}, 120_000);

/** Calls that a service may refuse without harm: log lines, and how a directory was read. */
const REFUSALS = { 'POST /api/v2/jobs/log': 405, 'PUT /api/v2/directory-readings/': 403 } as const;

it('completes a job, with its log, if lines and the reading are refused', async () => {
  await clew('client', 'collect', 'Rivers');
  await using proxy = await refusingProxy(service.url, REFUSALS);
  const { code, stderr } = await collector('--url', proxy.url);
  expect([code, stderr]).toEqual([0, expect.stringContaining('reading statistics are not shown')]);
  expect(proxy.seen.filter((call) => call === 'POST /api/v2/jobs/log')).toHaveLength(1);
  const [, id] =
    /^ *(\d+) +Rivers +(?:complete|ingesting|analyzing)/m.exec((await clew('jobs')).stdout) ?? [];
  expect((await clew('job-log', id)).stdout).toMatch(/read RIVERS\.TEST from dc1\.rivers\.test/);
}, 60_000);

it('reads the domain once if the reading may not be recorded', async () => {
  for (const name of ['Ann', 'Team']) directory.put(`CN=${name},${BASE}`, { description: ['once more'] });
  await using proxy = await refusingProxy(service.url, REFUSALS);
  const ending = new AbortController();
  const running = collector('--url', proxy.url, '--interval', '1s', ending.signal);
  const asked = (): number =>
    directory.asked.filter(({ attributes }) => attributes.includes('highestcommittedusn')).length;
  await vi.waitUntil(() => proxy.seen.some((call) => call.startsWith('PUT ')), WAIT);
  const before = asked();
  await vi.waitUntil(() => asked() >= before + 3, WAIT);
  ending.abort();
  const { code, stderr } = await running;
  expect([code, stderr.match(/read RIVERS\.TEST from/g)]).toEqual([0, ['read RIVERS.TEST from']]);
  expect(stderr).toContain('reading statistics are not shown');
}, 90_000);

/** `clew collect` with the same controller. */
const collectOnce = (url: string, home: string, ...more: readonly string[]): Promise<FinishedProcess> =>
  runCommand({ url, home, directory: root }, [
    ...['collect', '--ldaps', '--ca', 'authority.pem', '--address', '127.0.0.1'],
    ...['--host', `dc1.rivers.test:${controller.port}`, '--user', 'reader@rivers.test'],
    ...['--password-file', 'password', ...more],
  ]);

it('uploads a domain with "clew collect" if the reading may not be recorded', async () => {
  await using proxy = await refusingProxy(service.url, { 'PUT /api/v2/directory-readings/': 400 });
  const home = join(root, 'other');
  await runCommand({ url: proxy.url, home, directory: root }, ['login', '--user', 'admin']);
  const { code, stderr } = await collectOnce(proxy.url, home);
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining('Reading statistics of RIVERS.TEST are not shown'),
  ]);
}, 60_000);

it('only lists the hosts to probe', async () => {
  directory.put(`CN=Web,${BASE}`, {
    ...{ objectClass: ['top', 'user', 'computer'], objectSid: [sidBytes(`${DOMAIN}-1109`)] },
    ...{ sAMAccountName: ['WEB$'], sAMAccountType: ['805306369'], userAccountControl: ['4096'] },
    ...{ dNSHostName: ['web.rivers.test'], nTSecurityDescriptor: [list] },
  });
  // Needs no service, because nothing is uploaded.
  const listing = await collectOnce('http://127.0.0.1:9', root, '--probe', 'smb-signing', '--list-probes');
  directory.remove(`CN=Web,${BASE}`);
  expect([listing.code, listing.stdout]).toEqual([0, 'smb-signing web.rivers.test\n']);
  expect(leftovers()).toEqual([]);
});

it('ends after a refused sign-in, so that the account is not locked', async () => {
  const { code, stderr } = await collector(
    '--interval',
    '1s',
    '--password-file',
    'wrong',
    new AbortController().signal,
  );
  expect([code, stderr.match(/the password is wrong/g)]).toEqual([2, ['the password is wrong']]);
  expect(stderr).toContain('the sign-in was refused: the collector stops');
});

it('ends a job left behind when it was killed', async () => {
  await clew('client', 'collect', 'Rivers');
  const killed = new ClewClient({ url: service.url, credentials: tokenOf('token') });
  const [job] = (await killed.call('ListAvailableClientJobs')).data;
  await killed.call('StartClientJob', { body: { id: job.id } });
  expect((await collector()).code).toBe(0);
  expect((await clew('jobs')).stdout).toMatch(new RegExp(`${job.id} +Rivers +failed .*started again`));
});

it('ends with the remedy if its token is invalid, or readable by others', async () => {
  await clew('client', 'rotate', 'Rivers');
  const late = await collector();
  expect([late.code, late.stderr]).toEqual([
    1,
    expect.stringContaining('not signed in, or the session has expired'),
  ]);
  chmodSync(join(root, 'token'), 0o644);
  expect((await collector()).stderr).toContain('can be read or changed by others: chmod 600');
  chmodSync(join(root, 'token'), 0o600);
  secret('token', 'a text');
  expect((await collector()).stderr).toContain('does not contain lines TOKEN_ID=... and TOKEN_KEY=...');
});
