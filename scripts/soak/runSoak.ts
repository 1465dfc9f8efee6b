/** Runs the service in a separate process, the attacks and the normal client, and judges the results. */
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateForest, writeForestZip } from '@clew/synthetic';
import { backendsOf, childrenOf } from '../processes.ts';
import { serve, until } from '../serving.ts';
import { ATTACKS, type Target } from './attacks.ts';

export interface SoakOptions {
  readonly seconds: number;
  /** On a busy machine it takes longer, until the client has asked so often. */
  readonly minRequests?: number;
  /** Names of the attacks; all when absent. */
  readonly only?: readonly string[];
  readonly log: (line: string) => void;
}

export interface SoakReport {
  readonly requests: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly refused: number;
  readonly residentMb: {
    readonly before: number;
    /** In the middle of the attacks. */
    readonly half: number;
    readonly peak: number;
    readonly after: number;
  };
  readonly diskMb: { readonly before: number; readonly after: number };
  readonly uploads: { readonly accepted: number; readonly complete: number };
  /** The longest answer to the query of another user; a hostile one may take three seconds. */
  readonly slowestCypherMs: number;
  /** Time of a delivery to a receiver that answers, next to one that does not. */
  readonly webhookMs: number;
  /** Time from SIGTERM, right after a process of the database was killed, to the end. */
  readonly endMs: number;
  /** Bounds that did not hold; empty when all did. */
  readonly faults: readonly string[];
}

/** Requirements of the normal client, and of the service at the end. */
const BOUNDS = { p99Ms: 500, residentGrowthMb: 600, secondHalfGrowthMb: 150, diskGrowthMb: 600 };
/** Times for a machine with other work. */
const TIMES = { cypherMs: 8_000, webhookMs: 30_000, endMs: 15_000 };
const MAX_START_MS = 60_000;
const SETTLE_MS = 90_000;
/** Idle threads release their memory; in runs that judge memory, this is waited for. */
const REST_MS = 20_000;
const JUDGES_MEMORY_S = 30;
const MB = 1024 * 1024;

interface Service {
  /** The launcher, which sees to it that the service ends. */
  readonly child: ChildProcess;
  /** Process id of the service. */
  readonly pid: number;
  readonly url: string;
}

async function startService(directory: string, password: string): Promise<Service> {
  let url = '';
  const child = serve({
    // Starts it like `npm start`.
    args: ['scripts/launch.mjs', 'packages/cli/src/main.ts', 'serve'],
    variables: {
      ...{ CLEW_DATA_DIR: directory, CLEW_PORT: '0', CLEW_LOG_LEVEL: 'silent' },
      ...{ CLEW_ADMIN_PASSWORD: password, CLEW_WEBHOOK_NETWORKS: '127.0.0.0/8' },
      // Attackers and the client share an address here; in the field they do not.
      CLEW_TRUSTED_PROXIES: '1',
    },
    onReady: (found) => {
      url = found;
    },
  });
  let pid: number | undefined;
  await until(MAX_START_MS, 'the service starts', () => {
    if (child.exitCode !== null) throw new Error('the service does not start');
    pid = childrenOf(child.pid as number)[0]?.[0];
    return url !== '' && pid !== undefined;
  });
  return { child, url, pid: pid as number };
}

/** Resident memory of the service and its database. */
async function residentMb(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(text)?.[1] ?? 0) / 1024);
}

async function diskMb(directory: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => ({ size: 0 }))).size;
  }
  return Math.round(bytes / MB);
}

/** A user who works: its address is another than that of the attackers. */
class NormalClient {
  readonly times: number[] = [];
  refused = 0;
  readonly #url: string;
  #bearer = '';

  constructor(url: string) {
    this.#url = url;
  }

  async call(
    method: string,
    path: string,
    body?: string | Uint8Array<ArrayBuffer>,
    type = 'application/json',
  ) {
    const startedAt = performance.now();
    const answer = await fetch(this.#url + path, {
      method,
      headers: {
        'x-forwarded-for': '198.51.100.7',
        ...(this.#bearer === '' ? {} : { authorization: `Bearer ${this.#bearer}` }),
        ...(body === undefined ? {} : { 'content-type': type }),
      },
      body,
      signal: AbortSignal.timeout(30_000),
    });
    const text = await answer.text();
    this.times.push(performance.now() - startedAt);
    if (answer.status >= 400) this.refused++;
    return { status: answer.status, json: text === '' ? undefined : JSON.parse(text) };
  }

  async signIn(password: string): Promise<string> {
    const body = JSON.stringify({ login_method: 'secret', username: 'admin', secret: password });
    this.#bearer = (await this.call('POST', '/api/v2/login', body)).json.data.session_token;
    return this.#bearer;
  }

  /** @returns the session of a user who may only read */
  async addReader(password: string): Promise<string> {
    const user = JSON.stringify({ principal: 'reader', roles: [3], secret: password });
    await this.call('POST', '/api/v2/bloodhound-users', user);
    const body = JSON.stringify({ login_method: 'secret', username: 'reader', secret: password });
    return (await this.call('POST', '/api/v2/login', body)).json.data.session_token;
  }

  /** @returns milliseconds to the answer of a query that takes no time; it is not part of `times` */
  async cypher(): Promise<number> {
    const startedAt = performance.now();
    const { status } = await fetch(`${this.#url}/api/v2/graphs/cypher`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.#bearer}`,
        'content-type': 'application/json',
        prefer: 'wait=30',
      },
      body: '{"query":"RETURN 1","rows":true}',
    });
    return status === 200 ? Math.round(performance.now() - startedAt) : Number.POSITIVE_INFINITY;
  }

  /** @returns the number of the job, when every step was accepted */
  async upload(archive: Uint8Array<ArrayBuffer>): Promise<number | undefined> {
    const { json } = await this.call('POST', '/api/v2/file-upload/start');
    const sent = await this.call('POST', `/api/v2/file-upload/${json.data.id}`, archive, 'application/zip');
    const ended = await this.call('POST', `/api/v2/file-upload/${json.data.id}/end`);
    return sent.status === 202 && ended.status === 200 ? json.data.id : undefined;
  }

  /** The times so far are dropped. */
  forget(): void {
    this.times.length = 0;
    this.refused = 0;
  }
}

/** A receiver that answers. */
async function startReceiver(client: NormalClient) {
  let called = (): void => {};
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(204).end();
    called();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const body = JSON.stringify({ name: 'well', url, event_types: ['job.failed'] });
  const { id } = (await client.call('POST', '/api/v2/webhooks', body)).json.data;
  return {
    /** @returns milliseconds until it received a test; twice the limit when it did not */
    async tested(): Promise<number> {
      const startedAt = Date.now();
      const told = new Promise<void>((resolveTold) => {
        called = resolveTold;
      });
      await client.call('POST', `/api/v2/webhooks/${id}/test`);
      await Promise.race([told, sleep(2 * TIMES.webhookMs, undefined, { ref: false })]);
      return Date.now() - startedAt;
    },
    close(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}

const percentile = (times: readonly number[], part: number): number =>
  Math.round(times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * part)] ?? 0);

export async function runSoak({ seconds, minRequests = 0, only, log }: SoakOptions): Promise<SoakReport> {
  const directory = await mkdtemp(join(tmpdir(), 'clew-soak-'));
  const password = randomBytes(12).toString('hex');
  const { child, url, pid } = await startService(join(directory, 'data'), password);
  try {
    const path = join(directory, 'forest.zip');
    await writeForestZip(generateForest({ users: 300, seed: 3 }), path);
    const archive = new Uint8Array(await readFile(path));
    const client = new NormalClient(url);
    const bearer = await client.signIn(password);
    const jobs = [await client.upload(archive)];
    await settle(client);
    const token = (await client.call('POST', '/api/v2/tokens', '{"token_name":"soak"}')).json.data;
    const open = (await client.call('POST', '/api/v2/file-upload/start')).json.data;
    const before = { residentMb: await residentMb(pid), diskMb: await diskMb(directory) };
    const chosen = Object.entries(ATTACKS).filter(([name]) => only?.includes(name) ?? true);
    log(`soak: ${chosen.length} attacks for ${seconds} s; ${before.residentMb} MB resident before`);

    const over = new AbortController();
    const readerBearer = await client.addReader(password);
    const ids = { tokenId: token.id, jobId: open.id };
    const target: Target = { url, ...ids, bearer, readerBearer, signal: over.signal };
    const receiver = await startReceiver(client);
    const attacks = chosen.map(([, attack]) => attack(target));
    client.forget();
    let peak = before.residentMb;
    let half: number | undefined;
    let slowestCypherMs = 0;
    let asking: Promise<void> | undefined;
    const halfAt = Date.now() + seconds * 500;
    const endAt = Date.now() + seconds * 1000;
    for (let round = 0; Date.now() < endAt || client.times.length < minRequests; round++) {
      await client.call('GET', '/api/v2/search?q=ADMIN');
      await client.call('GET', '/healthz');
      await client.call('GET', '/api/v2/available-domains');
      await client.call('GET', '/api/v2/attack-paths/findings?limit=10');
      // In addition to the user's other requests.
      asking ??= client.cypher().then((took) => {
        slowestCypherMs = Math.max(slowestCypherMs, took);
        asking = undefined;
      });
      if (round % 200 === 10) jobs.push(await client.upload(archive));
      const resident = await residentMb(pid);
      peak = Math.max(peak, resident);
      if (half === undefined && Date.now() > halfAt) half = resident;
      await sleep(50);
    }
    await asking;
    const webhookMs = await receiver.tested();
    receiver.close();
    over.abort();
    await Promise.all(attacks);
    const { times, refused } = client;
    const measured = {
      requests: times.length,
      p50Ms: percentile(times, 0.5),
      p99Ms: percentile(times, 0.99),
      refused,
    };
    log(`soak: ${JSON.stringify(measured)}; settling`);
    await settle(client);
    if (seconds >= JUDGES_MEMORY_S) await sleep(REST_MS);
    const accepted = jobs.filter((job) => job !== undefined);
    const complete = await Promise.all(
      accepted.map(
        async (id) => (await client.call('GET', `/api/v2/file-upload?id=eq:${id}`)).json.data[0].status,
      ),
    );
    const after = { residentMb: await residentMb(pid), diskMb: await diskMb(directory) };
    const [backend] = backendsOf(join(directory, 'data'));
    if (backend !== undefined) process.kill(backend, 'SIGKILL');
    await sleep(20);
    const termAt = Date.now();
    child.kill('SIGTERM');
    await Promise.race([once(child, 'exit'), sleep(2 * TIMES.endMs, undefined, { ref: false })]);
    const report = {
      ...measured,
      ...{ slowestCypherMs, webhookMs, endMs: Date.now() - termAt },
      residentMb: { before: before.residentMb, half: half ?? peak, peak, after: after.residentMb },
      diskMb: { before: before.diskMb, after: after.diskMb },
      uploads: { accepted: accepted.length, complete: complete.filter((status) => status === 2).length },
    };
    return { ...report, faults: faultsOf(report) };
  } finally {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), 20_000);
      await once(child, 'exit');
      clearTimeout(late);
    }
    await rm(directory, { recursive: true, force: true });
  }
}

function faultsOf(report: Omit<SoakReport, 'faults'>): string[] {
  const { p99Ms, refused, residentMb: resident, diskMb: disk, uploads } = report;
  const { slowestCypherMs, webhookMs, endMs } = report;
  const faults = [
    [p99Ms > BOUNDS.p99Ms, `the client waited ${p99Ms} ms (p99), the bound is ${BOUNDS.p99Ms}`],
    [refused > 0, `${refused} requests of the client were refused`],
    [resident.after > resident.before + BOUNDS.residentGrowthMb, `${resident.after} MB stay resident`],
    [
      resident.after > resident.half + BOUNDS.secondHalfGrowthMb,
      `memory still grows: ${resident.half} MB in the middle, ${resident.after} MB at the end`,
    ],
    [disk.after > disk.before + BOUNDS.diskGrowthMb, `${disk.after} MB stay on the disk`],
    [
      uploads.complete < uploads.accepted,
      `${uploads.accepted - uploads.complete} accepted uploads are not complete`,
    ],
    [slowestCypherMs > TIMES.cypherMs, `another user waited ${slowestCypherMs} ms for RETURN 1`],
    [webhookMs > TIMES.webhookMs, `a receiver that answers got no delivery within ${TIMES.webhookMs} ms`],
    [endMs > TIMES.endMs, `SIGTERM was not obeyed within ${TIMES.endMs} ms`],
  ] as const;
  return faults.filter(([isFault]) => isFault).map(([, text]) => text);
}

/** Waits until nothing is being ingested or analyzed. */
async function settle(client: NormalClient): Promise<void> {
  const until = Date.now() + SETTLE_MS;
  while (Date.now() < until) {
    await sleep(500);
    if ((await client.call('GET', '/api/v2/datapipe/status')).json.data.status === 'idle') return;
  }
}
