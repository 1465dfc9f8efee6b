/** Runs the service in a process of its own, the attacks and the normal client, and judges what came of it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateForest, writeForestZip } from '@clew/synthetic';
import { ATTACKS, type Target } from './attacks.ts';

export interface SoakOptions {
  readonly seconds: number;
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
  /** Bounds that did not hold; empty when all did. */
  readonly faults: readonly string[];
}

/** What the normal client has to get, and how the service has to be when it is over. */
const BOUNDS = { p99Ms: 500, residentGrowthMb: 600, secondHalfGrowthMb: 150, diskGrowthMb: 600 };
const SETTLE_MS = 90_000;
const MB = 1024 * 1024;
const ROOT = resolve(import.meta.dirname, '../..');

interface Service {
  readonly child: ChildProcess;
  readonly url: string;
}

async function startService(directory: string, password: string): Promise<Service> {
  const child = spawn(process.execPath, [join(ROOT, 'packages/cli/src/main.ts'), 'serve'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      CLEW_DATA_DIR: directory,
      CLEW_PORT: '0',
      CLEW_LOG_LEVEL: 'silent',
      CLEW_ADMIN_PASSWORD: password,
      // Attackers and the client share an address here; in the field they do not.
      CLEW_TRUSTED_PROXIES: '1',
    },
  });
  let output = '';
  child.stdout?.on('data', (text) => {
    output += text;
  });
  for (let n = 0; n < 1200; n++) {
    const url = /ready at (http:\/\/\S+)/.exec(output)?.[1];
    if (url !== undefined) return { child, url };
    if (child.exitCode !== null) break;
    await sleep(50);
  }
  throw new Error('the service does not start');
}

/** Of the service and its database: what the machine has to give them. */
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

  /** @returns the number of the job, when every step was accepted */
  async upload(archive: Uint8Array<ArrayBuffer>): Promise<number | undefined> {
    const { json } = await this.call('POST', '/api/v2/file-upload/start');
    const sent = await this.call('POST', `/api/v2/file-upload/${json.data.id}`, archive, 'application/zip');
    const ended = await this.call('POST', `/api/v2/file-upload/${json.data.id}/end`);
    return sent.status === 202 && ended.status === 200 ? json.data.id : undefined;
  }

  /** Times of what was asked so far are forgotten. */
  forget(): void {
    this.times.length = 0;
    this.refused = 0;
  }
}

const percentile = (times: readonly number[], part: number): number =>
  Math.round(times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * part)] ?? 0);

export async function runSoak({ seconds, only, log }: SoakOptions): Promise<SoakReport> {
  const directory = await mkdtemp(join(tmpdir(), 'clew-soak-'));
  const password = randomBytes(12).toString('hex');
  const { child, url } = await startService(join(directory, 'data'), password);
  const pid = child.pid as number;
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
    const target: Target = { url, tokenId: token.id, jobId: open.id, bearer, signal: over.signal };
    const attacks = chosen.map(([, attack]) => attack(target));
    client.forget();
    let peak = before.residentMb;
    let half: number | undefined;
    const halfAt = Date.now() + seconds * 500;
    const endAt = Date.now() + seconds * 1000;
    for (let round = 0; Date.now() < endAt; round++) {
      await client.call('GET', '/api/v2/search?q=ADMIN');
      await client.call('GET', '/healthz');
      await client.call('GET', '/api/v2/available-domains');
      await client.call('GET', '/api/v2/attack-paths/findings?limit=10');
      if (round % 200 === 10) jobs.push(await client.upload(archive));
      const resident = await residentMb(pid);
      peak = Math.max(peak, resident);
      if (half === undefined && Date.now() > halfAt) half = resident;
      await sleep(50);
    }
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
    const accepted = jobs.filter((job) => job !== undefined);
    const complete = await Promise.all(
      accepted.map(
        async (id) => (await client.call('GET', `/api/v2/file-upload?id=eq:${id}`)).json.data[0].status,
      ),
    );
    const after = { residentMb: await residentMb(pid), diskMb: await diskMb(directory) };
    const report = {
      ...measured,
      residentMb: { before: before.residentMb, half: half ?? peak, peak, after: after.residentMb },
      diskMb: { before: before.diskMb, after: after.diskMb },
      uploads: { accepted: accepted.length, complete: complete.filter((status) => status === 2).length },
    };
    return { ...report, faults: faultsOf(report) };
  } finally {
    child.kill('SIGTERM');
    const ended = once(child, 'exit');
    const late = setTimeout(() => child.kill('SIGKILL'), 10_000);
    await ended;
    clearTimeout(late);
    await rm(directory, { recursive: true, force: true });
  }
}

function faultsOf(report: Omit<SoakReport, 'faults'>): string[] {
  const { p99Ms, refused, residentMb: resident, diskMb: disk, uploads } = report;
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
  ] as const;
  return faults.filter(([isFault]) => isFault).map(([, text]) => text);
}

/** Waits until nothing is being ingested or analysed. */
async function settle(client: NormalClient): Promise<void> {
  const until = Date.now() + SETTLE_MS;
  while (Date.now() < until) {
    await sleep(500);
    if ((await client.call('GET', '/api/v2/datapipe/status')).json.data.status === 'idle') return;
  }
}
