/**
 * Runs an answering process and a worker on a Patroni cluster of three nodes, with the files of `deploy/patroni`, while clients read and
 * upload: a planned change of the primary, and its death. No acknowledged upload is lost, and no answer is wrong.
 */
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { JOB_STATUS } from '@clew/api';
import { databaseProcessOwner } from '@clew/embedded';
import { ace, collection, groupRecord, userRecord } from '@clew/intake/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ClewProcess } from '../../packages/service/test/processes/clewProcess.ts';
import { missingPrograms, PatroniCluster } from '../testing/patroniCluster.ts';

const PASSWORD = 'Correct-Horse-1';
const SID = 'S-1-5-21-1-2-3';
const READER = `${SID}-1100`;
const GROUP = `${SID}-1200`;
const PATIENCE = { timeout: 240_000, interval: 100 };
const REQUEST_MS = 60_000;
/** Far more than the time that is documented: a busy machine takes longer. */
const MAX_GAP_MS = { switchover: 60_000, kill: 120_000 };
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const missing = missingPrograms();
if (missing.length > 0)
  process.stderr.write(`${missing.join(', ')} not found: high availability with Patroni is not tested.\n`);

let directory: string;
let cluster: PatroniCluster;
const report: Record<string, unknown> = {};

describe.skipIf(missing.length > 0)('on a Patroni cluster', () => {
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'clew-patroni-'));
    // The user of PostgreSQL has its files in it.
    chmodSync(directory, 0o711);
    const files = join(directory, 'cluster');
    mkdirSync(files, { mode: 0o755 });
    const { uid, gid } = databaseProcessOwner();
    if (uid !== undefined && gid !== undefined) chownSync(files, uid, gid);
    cluster = await PatroniCluster.start(files);
  });
  afterAll(async () => {
    await cluster?.stop();
    rmSync(directory, { recursive: true, force: true });
    process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
  });

  describe.each([
    ['several servers in the address', async () => cluster.url],
    ['PgBouncer and HAProxy', () => cluster.startProxies()],
  ])('%s', (way, urlOf) => {
    let clients: Clients;
    let processes: ClewProcess[];

    beforeAll(async () => {
      const environment = (name: string, url: string) => ({
        CLEW_DATABASE_URL: url,
        CLEW_SECRET_KEY: 'a secret that all of the processes share',
        CLEW_ADMIN_PASSWORD: PASSWORD,
        CLEW_DATA_DIR: join(directory, `${way.slice(0, 2)}-${name}`),
        CLEW_RATE_LIMIT: '2000',
        CLEW_ROLE: name,
      });
      const url = await urlOf();
      processes = [];
      for (const name of ['worker', 'api']) processes.push(await ClewProcess.start(environment(name, url)));
      clients = await Clients.signIn(processes[1].url);
    });
    afterAll(async () => {
      await clients?.stop();
      for (const one of processes) await one.end('SIGTERM');
    });

    it('a planned change of the primary delays requests, and fails them only with 503', async () => {
      const outcome = await clients.during(() => cluster.switchOver());
      await cluster.whole();
      report[`${way}: switchover`] = outcome;
      expect(Object.keys(outcome.failures).filter((failure) => failure !== '503')).toEqual([]);
      expect(outcome.longestGapMs.upload).toBeLessThan(MAX_GAP_MS.switchover);
    });

    it('after the death of the primary, a standby replaces it', async () => {
      let killed = '';
      const outcome = await clients.during(async () => {
        ({ killed } = await cluster.killLeader());
      });
      report[`${way}: kill of the primary`] = outcome;
      expect(Object.keys(outcome.failures).filter((failure) => failure !== '503')).toEqual([]);
      expect(outcome.longestGapMs.upload).toBeLessThan(MAX_GAP_MS.kill);
      // The old primary returns as a standby, without what it alone had.
      await cluster.restart(killed);
    });

    it('no acknowledged upload is lost, and no answer was wrong', async () => {
      await clients.stop();
      expect(clients.wrong).toEqual([]);
      expect(clients.acknowledged.length).toBeGreaterThan(20);
      const unfinished = () =>
        clients.acknowledged.filter(({ job }) => clients.statuses.get(job) !== JOB_STATUS.complete);
      await vi
        .waitUntil(async () => {
          await clients.readStatuses();
          return unfinished().length === 0;
        }, PATIENCE)
        .catch(() => {});
      expect(unfinished()).toEqual([]);
      const lost: string[] = [];
      for (const { id } of clients.acknowledged) if (!(await clients.isVisible(id))) lost.push(id);
      expect(lost).toEqual([]);
      report[`${way}: acknowledged uploads, all there`] = clients.acknowledged.length;
    });
  });
});

interface Outcome {
  readonly requests: number;
  /** Number of failures by status or error. */
  readonly failures: Readonly<Record<string, number>>;
  /** Longest time between two successful answers of a kind. */
  readonly longestGapMs: Readonly<Record<'read' | 'upload', number>>;
}

type Kind = 'read' | 'upload';
let uploads = 0;

/** Two clients that read, and one that uploads, without pauses. */
class Clients {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #stopped = new AbortController();
  readonly #running: Promise<void>[];
  #successes: Record<Kind, number[]> = { read: [], upload: [] };
  #failures: Record<string, number> = {};
  #requests = 0;
  readonly wrong: unknown[] = [];
  readonly acknowledged: { readonly id: string; readonly job: number }[] = [];
  readonly statuses = new Map<number, number>();

  private constructor(url: string, token: string) {
    this.#url = url;
    this.#headers = { authorization: `Bearer ${token}` };
    this.#running = [];
  }

  static async signIn(url: string): Promise<Clients> {
    const body = JSON.stringify({ login_method: 'secret', username: 'admin', secret: PASSWORD });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}/api/v2/login`, { method: 'POST', body, headers });
    const { data } = (await answer.json()) as { data: { session_token: string } };
    const clients = new Clients(url, data.session_token);
    await clients.#upload([
      collection('users', userRecord(READER, { Properties: { name: 'READER@CORP.EXAMPLE' } })),
      collection('groups', groupRecord(GROUP, { Aces: [ace(READER, 'GenericAll')] })),
    ]);
    await vi.waitUntil(() => clients.isVisible(READER), PATIENCE);
    clients.#running.push(
      clients.#repeat('read', 50, () => clients.#read()),
      clients.#repeat('read', 50, () => clients.#read()),
      clients.#repeat('upload', 300, () => clients.#uploadNext()),
    );
    return clients;
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await Promise.all(this.#running);
  }

  /** @returns the results of the clients while something happens, and until both kinds of requests are answered again */
  async during(happens: () => Promise<unknown>): Promise<Outcome> {
    await sleep(3_000);
    const before = { ...this.#failures };
    expect(before).toEqual({});
    this.#successes = { read: [performance.now()], upload: [performance.now()] };
    this.#requests = 0;
    await happens();
    const happened = performance.now();
    const answered = (kind: Kind) => (this.#successes[kind].at(-1) as number) > happened + 3_000;
    await vi.waitUntil(() => answered('read') && answered('upload'), PATIENCE);
    const outcome = {
      requests: this.#requests,
      failures: this.#failures,
      longestGapMs: { read: longestGap(this.#successes.read), upload: longestGap(this.#successes.upload) },
    };
    this.#failures = {};
    return outcome;
  }

  async isVisible(id: string): Promise<boolean> {
    return (await this.#ask('GET', `search?q=${id}`)).data.length === 1;
  }

  async readStatuses(): Promise<void> {
    const { data } = await this.#ask('GET', 'file-upload?limit=1000&sort_by=-id');
    for (const { id, status } of data) this.statuses.set(id, status);
  }

  async #repeat(kind: Kind, pauseMs: number, work: () => Promise<void>): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      try {
        await work();
        this.#successes[kind].push(performance.now());
      } catch (error) {
        const { message, cause } = error as Error;
        const reason = (cause as { code?: string } | undefined)?.code ?? message;
        this.#failures[reason] = (this.#failures[reason] ?? 0) + 1;
      }
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
    }
  }

  async #read(): Promise<void> {
    const path = `graphs/shortest-path?start_node=${READER}&end_node=${GROUP}`;
    const { data } = await this.#ask('GET', path);
    const edges = data.edges.map(({ label }: { label: string }) => label);
    if (edges.join() !== 'GenericAll') this.wrong.push(data);
  }

  async #uploadNext(): Promise<void> {
    const id = `${SID}-${2000 + uploads++}`;
    const job = await this.#upload([collection('users', userRecord(id))]);
    this.acknowledged.push({ id, job });
  }

  /** @returns the job, once all of it is acknowledged */
  async #upload(files: readonly object[]): Promise<number> {
    const { data } = await this.#ask('POST', 'file-upload/start');
    for (const file of files) await this.#ask('POST', `file-upload/${data.id}`, file);
    await this.#ask('POST', `file-upload/${data.id}/end`);
    return data.id;
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes.
  async #ask(method: string, path: string, body?: object): Promise<any> {
    this.#requests++;
    const answer = await fetch(`${this.#url}/api/v2/${path}`, {
      method,
      headers: { ...this.#headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(REQUEST_MS),
    });
    const text = await answer.text();
    if (answer.status >= 300) throw new Error(String(answer.status));
    return text.startsWith('{') ? JSON.parse(text) : undefined;
  }
}

const longestGap = (times: readonly number[]): number =>
  Math.round(Math.max(...times.slice(1).map((time, at) => time - times[at])));
