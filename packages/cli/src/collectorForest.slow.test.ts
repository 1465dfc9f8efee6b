/** Tests `clew collector run --forest` with a running service and simulated controllers of two domains. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClewClient } from '@clew/client';
import { descriptorBytes, type ServedDirectory, SimulatedDirectory, sidBytes } from '@clew/collect/testing';
import { ADMIN_PASSWORD, type FinishedProcess, type ServiceHere, serveHere } from '@clew/service/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { runCommand } from '../test/runCommand.ts';

const NAMES = ['RIVERS.TEST', 'SOUTH.RIVERS.TEST'] as const;
const SIDS = ['S-1-5-21-51-52-53', 'S-1-5-21-51-52-54'] as const;
const BASES = ['DC=rivers,DC=test', 'DC=south,DC=rivers,DC=test'] as const;
const WAIT = { timeout: 60_000, interval: 200 };
const list = descriptorBytes('S-1-5-32-544', [{ sid: `${SIDS[0]}-1101`, mask: 0xf01ff }]);

let root: string;
let service: ServiceHere;
let directories: readonly SimulatedDirectory[];
let served: ServedDirectory[];

const hostOf = (at: number): string => `dc1.${NAMES[at].toLowerCase()}`;
const putUser = (at: number, name: string, rid: number): void =>
  directories[at].put(`CN=${name},${BASES[at]}`, {
    ...{ objectClass: ['top', 'user'], objectSid: [sidBytes(`${SIDS[at]}-${rid}`)] },
    ...{ sAMAccountName: [name], sAMAccountType: ['805306368'], nTSecurityDescriptor: [list] },
  });

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'clew-collector-forest-'));
  service = await serveHere(root, {}, { makesPlans: false });
  directories = NAMES.map((_, at) => new SimulatedDirectory(hostOf(at), BASES[at], SIDS[at], BASES[0]));
  for (const [at, directory] of directories.entries()) {
    for (const [other, name] of NAMES.entries())
      directory.put(`CN=${name},CN=Partitions,${directory.configuration}`, {
        ...{ objectClass: ['top', 'crossRef'], nETBIOSName: [`N${other}`], systemFlags: ['3'] },
        nCName: [`<SID=${SIDS[other]}>;${BASES[other]}`],
      });
    putUser(at, 'ann', 1101);
  }
  served = await Promise.all(directories.map((directory) => directory.serve()));
  writeFileSync(join(root, 'authority.pem'), served.map(({ authority }) => authority).join('\n'));
  writeFileSync(join(root, 'password'), 'not in any log', { mode: 0o600 });
  await clew('login', '--user', 'admin');
  await clew('client', 'add', 'Rivers', '--type', 'clew', '--token-file', 'token');
});
afterAll(async () => {
  await service?.stop();
  for (const one of served ?? []) await one[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
});

const clew = (...args: readonly string[]): Promise<FinishedProcess> =>
  runCommand({ url: service.url, home: root, directory: root }, args);

/** Results of the domains in the last job that ended. */
async function lastResults() {
  const admin = new ClewClient({ url: service.url });
  await admin.login('admin', ADMIN_PASSWORD);
  return (await admin.call('ListClientFinishedJobs', { query: {} })).data[0].domain_results;
}

interface Running {
  /** @returns the log so far */
  log(): Promise<string>;
  /** The result, when the collector ends. */
  readonly ended: Promise<FinishedProcess>;
  stop(): Promise<FinishedProcess>;
}

/** @param southPort port of the controller of the second domain */
function collector(more: readonly string[], signal?: AbortSignal, southPort = served[1].port) {
  return runCommand({ url: service.url, home: root, directory: root, ...(signal && { signal }) }, [
    ...['collector', 'run', '--token-file', 'token', '--ldaps', '--ca', 'authority.pem'],
    ...['--host', `${hostOf(0)}:${served[0].port}`, '--address', '127.0.0.1', '--user', 'reader@rivers.test'],
    ...['--password-file', 'password', '--forest'],
    ...['--domain-host', `south.rivers.test=${hostOf(1)}:${southPort}@127.0.0.1`],
    ...more,
  ]);
}

function follow(...more: readonly string[]): Running {
  const ending = new AbortController();
  const running = collector(['--interval', '1s', '--sweep', '2s', ...more], ending.signal);
  return {
    log: async () => {
      const { stdout } = await clew('jobs');
      const [, id] = /^ *(\d+) +Rivers/m.exec(stdout) ?? [];
      return id === undefined ? '' : (await clew('job-log', id)).stdout;
    },
    ended: running,
    stop: () => {
      ending.abort();
      return running;
    },
  };
}

const exists = async (name: string): Promise<boolean> =>
  (await clew('query', `MATCH (u:User) WHERE u.name = '${name}' RETURN u`)).stdout.includes(name);

it('reads all domains in one job, and reports each', async () => {
  await clew('client', 'collect', 'Rivers');
  const { code, stderr } = await collector(['--once']);
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(
      /domains of the forest: RIVERS\.TEST, SOUTH\.RIVERS\.TEST[\s\S]*read RIVERS\.TEST from[\s\S]*SOUTH\.RIVERS\.TEST: read SOUTH\.RIVERS\.TEST from dc1\.south/,
    ),
  ]);
  for (const name of NAMES) await vi.waitUntil(() => exists(`ANN@${name}`), WAIT);
  const admin = new ClewClient({ url: service.url });
  await admin.login('admin', ADMIN_PASSWORD);
  const { data } = await admin.call('ListDirectoryReadings', { query: {} });
  expect(data.map(({ name, usn }) => [name, usn]).sort()).toEqual(
    NAMES.map((name, at) => [name, directories[at].usn]),
  );
  expect((await lastResults()).map(({ domain_name, success }) => [domain_name, success]).sort()).toEqual(
    NAMES.map((name) => [name, true]),
  );
});

it('sends no password that a controller repeats', async () => {
  directories[1].refuses = true;
  directories[1].refusal = [53, 'wrong: not in any log'];
  try {
    await clew('client', 'collect', 'Rivers');
    const { code, stderr } = await collector(['--once']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('refuses the request (wrong: [secret])')]);
    const [{ message }] = (await lastResults()).filter(({ success }) => !success);
    expect(message).toContain('refuses the request (wrong: [secret])');
  } finally {
    directories[1].refuses = false;
    directories[1].refusal = [49, 'data 52e'];
  }
});

it('reads the others if a domain does not answer, and names it with the reason', async () => {
  putUser(0, 'bob', 1102);
  await clew('client', 'collect', 'Rivers');
  const { code, stderr } = await collector(['--once'], undefined, 1);
  expect([code, stderr]).toEqual([0, expect.stringContaining('SOUTH.RIVERS.TEST was not read: ')]);
  await vi.waitUntil(() => exists('BOB@RIVERS.TEST'), WAIT);
  // Objects of a domain that was not read stay.
  expect(await exists('ANN@SOUTH.RIVERS.TEST')).toBe(true);
  const [, id] = /^ *(\d+) +Rivers/m.exec((await clew('jobs')).stdout) ?? [];
  expect((await clew('job-log', id)).stdout).toMatch(
    /ended by the collector: SOUTH\.RIVERS\.TEST was not read: .*no service is listening/,
  );
});

it('reads only the requested domain', async () => {
  const readings = (at: number): number =>
    directories[at].asked.filter(({ attributes }) => attributes.includes('member')).length;
  const before = [readings(0), readings(1)];
  await clew('client', 'collect', 'Rivers', '--domains', SIDS[1]);
  const { code, stderr } = await collector(['--once']);
  expect([code, stderr]).toEqual([0, expect.stringContaining('read SOUTH.RIVERS.TEST from')]);
  expect([readings(0) - before[0], readings(1) > before[1]]).toEqual([0, true]);
});

it('follows each domain with its own change numbers and sweep, also while another does not answer', async () => {
  directories[1].usn += 50_000;
  const running = follow();
  await vi.waitUntil(async () => (await running.log()).includes('read SOUTH.RIVERS.TEST'), WAIT);
  putUser(0, 'cid', 1103);
  putUser(1, 'dan', 1104);
  await vi.waitUntil(async () => (await exists('CID@RIVERS.TEST')) && exists('DAN@SOUTH.RIVERS.TEST'), WAIT);
  directories[1].remove(`CN=dan,${BASES[1]}`);
  await vi.waitUntil(async () => !(await exists('DAN@SOUTH.RIVERS.TEST')), WAIT);
  expect(await exists('CID@RIVERS.TEST')).toBe(true);
  await served[1][Symbol.asyncDispose]();
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  putUser(0, 'eve', 1105);
  await vi.waitUntil(() => exists('EVE@RIVERS.TEST'), WAIT);
  const { code, stderr } = await running.stop();
  expect(code).toBe(0);
  expect(stderr.match(/SOUTH\.RIVERS\.TEST: changes could not be read: /g)).toHaveLength(1);
  expect(stderr).not.toMatch(/ RIVERS\.TEST: changes could not be read/);
  served[1] = await directories[1].serve();
  writeFileSync(join(root, 'authority.pem'), served.map(({ authority }) => authority).join('\n'));
}, 180_000);

it('stops asking a domain that refuses the sign-in, but not the others, and ends when its own domain refuses', async () => {
  directories[1].refuses = true;
  const before = directories[1].signIns;
  const running = follow();
  putUser(0, 'fay', 1106);
  await vi.waitUntil(() => exists('FAY@RIVERS.TEST'), WAIT);
  await vi.waitUntil(async () => directories[1].signIns > before, WAIT);
  putUser(0, 'gus', 1107);
  await vi.waitUntil(() => exists('GUS@RIVERS.TEST'), WAIT);
  // A job leaves it out, too, and says why.
  await clew('client', 'collect', 'Rivers');
  const reason = 'it refused the sign-in, and is not asked again before ';
  await vi.waitUntil(
    async () => (await lastResults()).some(({ success, message }) => !success && message.startsWith(reason)),
    WAIT,
  );
  expect(directories[1].signIns).toBe(before + 1);
  directories[0].refuses = true;
  const { code, stderr } = await running.ended;
  directories[0].refuses = false;
  directories[1].refuses = false;
  expect(code).toBe(2);
  expect(stderr).toContain('SOUTH.RIVERS.TEST is left out: it refused the sign-in, and is not asked again');
  expect(stderr).toContain('the sign-in was refused: the collector stops');
}, 180_000);

it('asks no other domain after a refusal while its own domain does not answer, even when the pause has ended', async () => {
  const running = follow('--full', '2s');
  const begun = directories[1].signIns;
  await vi.waitUntil(() => directories[1].signIns > begun, WAIT);
  await served[0][Symbol.asyncDispose]();
  const before = directories[1].signIns;
  directories[1].refuses = true;
  await vi.waitUntil(() => directories[1].signIns > before, WAIT);
  await new Promise((resolve) => setTimeout(resolve, 6_000));
  expect(directories[1].signIns).toBe(before + 1);
  directories[1].refuses = false;
  const { code, stderr } = await running.stop();
  expect([code, stderr]).toEqual([0, expect.stringContaining('SOUTH.RIVERS.TEST is left out')]);
  served[0] = await directories[0].serve();
  writeFileSync(join(root, 'authority.pem'), served.map(({ authority }) => authority).join('\n'));
}, 180_000);

it('searches for domains only at the start with --full 0', async () => {
  const before = directories[0].signIns;
  const running = follow('--full', '0', '--interval', '2s');
  await vi.waitUntil(() => directories[0].signIns > before + 2, WAIT);
  const searches = () =>
    directories[0].asked.filter(({ attributes }) => attributes.includes('serverreference')).length;
  const searched = searches();
  const asked = directories[0].signIns;
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  expect((await running.stop()).code).toBe(0);
  expect(searches()).toBe(searched);
  // One question for changes every two seconds.
  expect(directories[0].signIns - asked).toBeLessThan(5);
}, 180_000);
