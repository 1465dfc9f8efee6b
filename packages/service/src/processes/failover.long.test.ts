/**
 * Runs two answering processes and two workers on a primary with a synchronous standby, and kills each in turn while clients read and
 * upload. No acknowledged upload is lost, and no answer is wrong.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FINAL_JOB_STATUSES, JOB_STATUS } from '@clew/api';
import { ace, collection, groupRecord, userRecord } from '@clew/intake/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Answer, Balancer, Load, type Tally } from '../../test/processes/balancedLoad.ts';
import { ClewProcess } from '../../test/processes/clewProcess.ts';
import { PostgresServer, urlOf } from '../../test/processes/replicatedPostgres.ts';

const PASSWORD = 'Correct-Horse-1';
const LOGIN = { login_method: 'secret', username: 'admin', secret: PASSWORD };
const SID = 'S-1-5-21-1-2-3';
const READER = `${SID}-1100`;
const GROUP = `${SID}-1200`;
const STATE_OF_DATABASE = [
  'select status, count(*), min(id), max(id) from upload_job group by 1',
  'select max(id) as generation, max(published_at) from generation',
  `select application_name, state, wait_event, now() - xact_start as since, left(query, 80) as query,
     pg_blocking_pids(pid) as behind
   from pg_stat_activity where backend_type = 'client backend' and state <> 'idle'`,
  'select state, sync_state, sent_lsn, flush_lsn, replay_lsn from pg_stat_replication',
];
const PATIENCE = { timeout: 240_000, interval: 50 };
// Processes start, and work is taken over after a time without a heartbeat, both of which take long on a loaded machine.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 });

const directory = mkdtempSync(join(tmpdir(), 'clew-processes-'));
let primary: PostgresServer;
let standby: PostgresServer;
const apis: ClewProcess[] = [];
const workers: ClewProcess[] = [];
let balancer: Balancer;
let headers: Record<string, string>;

beforeAll(async () => {
  primary = await PostgresServer.makePrimary(join(directory, 'primary'));
  standby = await primary.makeStandby(join(directory, 'standby'));
  const environment = (name: string) => ({
    CLEW_DATABASE_URL: urlOf([primary, standby]),
    CLEW_REPLICA_URL: urlOf([standby]),
    CLEW_SECRET_KEY: 'a secret that all of the processes share',
    CLEW_ADMIN_PASSWORD: PASSWORD,
    CLEW_DATA_DIR: join(directory, name),
    // Longer than the balancer needs to notice it, even on a busy machine.
    CLEW_STOP_DELAY: '5',
    CLEW_RATE_LIMIT: '2000',
  });
  for (const name of ['worker-1', 'worker-2'])
    workers.push(await ClewProcess.start({ ...environment(name), CLEW_ROLE: 'worker' }));
  for (const name of ['api-1', 'api-2'])
    apis.push(await ClewProcess.start({ ...environment(name), CLEW_ROLE: 'api' }));
  balancer = new Balancer(apis.map(({ url }) => url));
  const { json } = await balancer.send('POST', 'login', {}, LOGIN);
  headers = { authorization: `Bearer ${json.data.session_token}` };
  await uploaded([
    collection('users', userRecord(READER, { Properties: { name: 'READER@CORP.EXAMPLE' } })),
    collection('groups', groupRecord(GROUP, { Aces: [ace(READER, 'GenericAll')] })),
  ]);
  await vi.waitUntil(async () => (await visible(READER)) === apis.length, PATIENCE);
});
afterAll(async () => {
  await balancer?.stop();
  await Promise.all([...apis, ...workers].map((one) => one.end('SIGKILL')));
  await Promise.all([primary?.stop(), standby?.stop()]);
  rmSync(directory, { recursive: true, force: true });
});

/** @throws Error with the state of the processes and their database if it does not become true in time */
async function within(isSo: () => Promise<boolean>): Promise<void> {
  await vi.waitUntil(isSo, PATIENCE).catch(async () => {
    const ask = (text: string) => primary.query(text).catch(String);
    const told = [
      `uploads: ${JSON.stringify(acknowledged.slice(-3))}`,
      ...(await Promise.all(STATE_OF_DATABASE.map(ask))).map((rows) => JSON.stringify(rows)),
      ...[...apis, ...workers].map(({ report }) => report),
    ];
    throw new Error(`it did not recover\n${told.join('\n')}`);
  });
}

/** @throws Error with the status unless it is successful */
async function ask(method: string, path: string, body?: object): Promise<Answer> {
  const answer = await balancer.send(method, path, headers, body);
  if (answer.status >= 300) throw new Error(String(answer.status));
  return answer;
}

/** @returns the job, which was acknowledged completely */
async function uploaded(files: readonly object[]): Promise<number> {
  const { json } = await ask('POST', 'file-upload/start');
  for (const file of files) await ask('POST', `file-upload/${json.data.id}`, file);
  await ask('POST', `file-upload/${json.data.id}/end`);
  return json.data.id;
}

/** @returns the number of answering processes that show the object */
async function visible(id: string): Promise<number> {
  const shown = await Promise.all(
    apis.map(async ({ url }) => {
      const answer = await fetch(`${url}/api/v2/search?q=${id}`, { headers }).catch(() => undefined);
      const found = (await answer?.json().catch(() => undefined)) as { data?: object[] } | undefined;
      return found?.data?.length === 1;
    }),
  );
  return shown.filter(Boolean).length;
}

const isComplete = async (job: number) => {
  const { json } = await ask('GET', `file-upload?id=eq:${job}`);
  const [{ status }] = json.data;
  if (FINAL_JOB_STATUSES.includes(status)) expect(status).toBe(JOB_STATUS.complete);
  return status === JOB_STATUS.complete;
};

/** Objects of acknowledged uploads, with their jobs. */
const acknowledged: { readonly id: string; readonly job: number }[] = [];
let uploads = 0;

/** A read request with a known answer. */
async function read(): Promise<unknown> {
  await sleep(100);
  const path = `graphs/shortest-path?start_node=${READER}&end_node=${GROUP}`;
  const { json } = await ask('GET', path);
  const edges = json.data.edges.map(({ label }: { label: string }) => label);
  return edges.join() === 'GenericAll' ? undefined : json;
}

/** Maximum number of jobs waiting for analysis: on a slow machine, clients would otherwise upload faster than it analyzes. */
const MAX_WAITING = 4;

async function uploadInTurn(): Promise<undefined> {
  await sleep(250);
  const earlier = acknowledged.at(-MAX_WAITING);
  if (earlier === undefined || (await isComplete(earlier.job))) await upload();
}

async function upload(): Promise<string> {
  const id = `${SID}-${2000 + uploads++}`;
  const job = await uploaded([collection('users', userRecord(id))]);
  acknowledged.push({ id, job });
  return id;
}

const report: Record<string, Tally & { readonly recoveredMs?: number }> = {};

/** Clients read and upload while `happens` runs. @param happens returns a condition that must become true at the end */
async function underLoad(
  name: string,
  happens: () => Promise<(() => Promise<boolean>) | undefined>,
): Promise<Tally> {
  const load = new Load(4, (client) => (client === 0 ? uploadInTurn() : read()));
  await sleep(500);
  const before = load.take();
  expect(before.failures).toEqual({});
  const beganAt = performance.now();
  const recovered = await happens();
  if (recovered !== undefined) await within(() => recovered().catch(() => false));
  const recoveredMs = Math.round(performance.now() - beganAt);
  await load.stop();
  const tally = load.take();
  expect(load.wrong).toEqual([]);
  report[name] = { ...tally, recoveredMs };
  return tally;
}

/** A new upload is analyzed and shown by all processes. */
async function afterward(): Promise<() => Promise<boolean>> {
  let id: string | undefined;
  return async () => {
    id ??= await upload();
    return (await visible(id)) === apis.length;
  };
}

describe('processes that share a database', () => {
  it('know each other’s sessions and when they end', async () => {
    const [one, two] = apis.map(({ url }) => url);
    const post = (url: string, path: string, init: RequestInit) =>
      fetch(`${url}/api/v2/${path}`, { method: 'POST', ...init });
    await sleep(1100);
    const answer = await post(one, 'login', {
      body: JSON.stringify(LOGIN),
      headers: { 'content-type': 'application/json' },
    });
    const { data } = (await answer.json()) as { data: { session_token: string } };
    const own = { authorization: `Bearer ${data.session_token}` };
    expect((await fetch(`${two}/api/v2/self`, { headers: own })).status).toBe(200);
    expect((await post(one, 'logout', { headers: own })).status).toBe(200);
    await vi.waitUntil(async () => (await fetch(`${two}/api/v2/self`, { headers: own })).status === 401, {
      timeout: 100_000,
      interval: 100,
    });
  });

  it('count the requests of a client per second together', async () => {
    const signIn = (url: string) =>
      fetch(`${url}/api/v2/login`, {
        ...{ method: 'POST', body: JSON.stringify({ ...LOGIN, secret: 'wrong' }) },
        headers: { 'content-type': 'application/json' },
      }).then(({ status }) => status);
    // Whole seconds are counted, so the test starts at one, and again if a busy machine took longer for both.
    await vi.waitFor(
      async () => {
        await sleep(1000 - (Date.now() % 1000));
        const first = signIn(apis[0].url);
        await sleep(200);
        expect(await signIn(apis[1].url)).toBe(429);
        expect(await first).toBe(401);
      },
      { timeout: 100_000, interval: 0 },
    );
  });

  it('apply a configuration change made through one of them', async () => {
    const body = JSON.stringify({ key: 'auth.password_expiration_window', value: { duration: 'P30D' } });
    const answer = await fetch(`${apis[0].url}/api/v2/config`, {
      ...{ method: 'PUT', body },
      headers: { ...headers, 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(200);
    const seen = await fetch(`${apis[1].url}/api/v2/config`, { headers });
    expect(await seen.text()).toContain('P30D');
  });
});

describe('while clients read and upload', () => {
  it('answering processes are restarted in turn without a failed request', async () => {
    const tally = await underLoad('rolling restart', async () => {
      for (const api of apis) {
        expect(await api.end('SIGTERM')).toBe(0);
        await api.start();
        await sleep(300);
      }
      return afterward();
    });
    expect(tally.failures).toEqual({});
  });

  it('an answering process is killed', async () => {
    const tally = await underLoad('kill of an API process', async () => {
      await apis[0].end('SIGKILL');
      await apis[0].start();
      return afterward();
    });
    // Only requests that were running may fail.
    expect(Object.values(tally.failures).reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(8);
  });

  it.each([0, 1])('worker %i is killed, and the other continues', async (index) => {
    const tally = await underLoad(`kill of worker ${index + 1}`, async () => {
      await workers[index].end('SIGKILL');
      return afterward();
    });
    expect(tally.failures).toEqual({});
    await workers[index].start();
  });

  it('the standby is killed: acknowledgments wait for it, and graphs are loaded from the primary', async () => {
    await underLoad('kill of the standby', async () => {
      await standby.kill();
      // The action of a cluster manager after its timeout.
      await primary.query("alter system set synchronous_standby_names = ''");
      await primary.query('select pg_reload_conf()');
      return afterward();
    });
    await standby.start();
    await primary.query("alter system set synchronous_standby_names = 'standby'");
    await primary.query('select pg_reload_conf()');
    await vi.waitUntil(
      async () => (await primary.query('select from pg_stat_replication where sync_state = $$sync$$')).length,
      PATIENCE,
    );
  });

  it('the primary is killed, and the standby takes over', async () => {
    const tally = await underLoad('kill of the primary', async () => {
      await primary.kill();
      await standby.query('select pg_promote()', 'postgres');
      return afterward();
    });
    for (const reason of Object.keys(tally.failures)) expect(['503', '500']).toContain(reason);
  });

  it('no acknowledged data was lost', async () => {
    for (const { job } of acknowledged) await vi.waitUntil(() => isComplete(job), PATIENCE);
    const shown = async () => {
      const last = acknowledged.at(-1) as { id: string };
      return (await visible(last.id)) === apis.length;
    };
    await vi.waitUntil(shown, PATIENCE);
    const missing: string[] = [];
    for (const { id } of acknowledged) if ((await visible(id)) < apis.length) missing.push(id);
    expect(missing).toEqual([]);
    expect(acknowledged.length).toBeGreaterThan(20);
    process.stdout.write(
      `${JSON.stringify({ acknowledged: acknowledged.length, uploads, ...report }, undefined, 2)}\n`,
    );
  });
});
