/** Runs the service in a separate process, the attacks and the normal client, and judges the results. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@clew/embedded/testing';
import { generateForest, writeForestZip } from '@clew/synthetic';
import type { Log, Report } from '../harness/command.ts';
import { MAX_READY_MS, ManagedProcess } from '../harness/managedProcess.ts';
import { backendsOf, childrenOf } from '../harness/processes.ts';
import { type Receiver, startReceiver } from '../harness/receiver.ts';
import { diskMb, percentile, residentMb } from '../harness/sampling.ts';
import { brokenBounds, runScenario, type Surroundings } from '../harness/scenario.ts';
import { until } from '../harness/serving.ts';
import { ATTACKS, type Target } from './attacks.ts';
import { NormalClient } from './normalClient.ts';

export interface SoakOptions {
  readonly seconds: number;
  /** Minimum number of requests of the client; on a busy machine, they extend the run. */
  readonly minRequests?: number;
  /** Names of the attacks; default: all. */
  readonly only?: readonly string[];
  readonly log: Log;
}

export interface SoakReport extends Report {
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
  /** The slowest answer to a query of another user; a hostile one may take three seconds. */
  readonly slowestCypherMs: number;
  /** Time of a delivery to a receiver that answers, while another one does not. */
  readonly webhookMs: number;
  /** Time from SIGTERM, right after a process of the database was killed, to the end. */
  readonly endMs: number;
  /** Number of starts of the service: one, unless it ended by itself. */
  readonly starts: number;
}

/** Requirements of the normal client, and of the service at the end. */
const BOUNDS = { p99Ms: 500, residentGrowthMb: 600, secondHalfGrowthMb: 150, diskGrowthMb: 600 };
/** Limits for a busy machine. */
const TIMES = { cypherMs: 8_000, webhookMs: 30_000, endMs: 15_000 };
/** Idle threads release their memory; runs that judge memory wait for this. */
const REST_MS = 20_000;
const JUDGES_MEMORY_S = 30;

interface Service {
  readonly process: ManagedProcess;
  readonly url: string;
  /** Id of the service, which is a child of its launcher. */
  readonly pid: number;
}

async function startService({ directory, password, onEnd }: Surroundings): Promise<Service> {
  let url: string | undefined;
  const service = new ManagedProcess({
    name: 'service',
    // Starts it like `npm start`.
    args: ['scripts/launch.mjs', 'packages/cli/src/main.ts', 'serve'],
    variables: {
      ...{ CLEW_DATA_DIR: dataOf(directory), CLEW_PORT: String(await freePort()), CLEW_LOG_LEVEL: 'silent' },
      ...{ CLEW_ADMIN_PASSWORD: password, CLEW_WEBHOOK_NETWORKS: '127.0.0.0/8' },
      // Attackers and the client share an address here, but not in practice.
      CLEW_TRUSTED_PROXIES: '1',
    },
    onUrl: (found) => {
      url ??= found;
    },
  });
  void service.run();
  onEnd(() => service.stop());
  await until(MAX_READY_MS, 'the service starts', () => service.isReady || service.starts > 1);
  if (!service.isReady) throw new Error(`the service does not start: ${service.output}`);
  const [child] = childrenOf(service.pid ?? 0);
  if (child === undefined) throw new Error('the service is not a child of its launcher');
  return { process: service, url: url as string, pid: child[0] };
}

const dataOf = (directory: string): string => join(directory, 'data');

/** @returns milliseconds until the receiver received a test; twice the limit if it did not */
async function webhookTime(client: NormalClient, receiver: Receiver, hook: number): Promise<number> {
  const startedAt = Date.now();
  const told = receiver.next();
  await client.call('POST', `/api/v2/webhooks/${hook}/test`);
  await Promise.race([told, sleep(2 * TIMES.webhookMs, undefined, { ref: false })]);
  return Date.now() - startedAt;
}

export const runSoak = (options: SoakOptions): Promise<SoakReport> =>
  runScenario('soak', async (all) => {
    const service = await startService(all);
    try {
      return await attackAndMeasure(options, all, service);
    } catch (error) {
      // Requests fail during a restart.
      if (service.process.starts === 1 && service.process.isReady) throw error;
      throw new Error(`the service ended by itself: ${service.process.output}`, { cause: error });
    }
  });

async function attackAndMeasure(
  { seconds, minRequests = 0, only, log }: SoakOptions,
  { directory, password, onEnd }: Surroundings,
  service: Service,
): Promise<SoakReport> {
  const { url, pid } = service;
  const path = join(directory, 'forest.zip');
  await writeForestZip(generateForest({ users: 300, seed: 3 }), path);
  const archive = new Uint8Array(await readFile(path));
  const client = new NormalClient(url);
  const bearer = await client.signIn(password);
  const jobs = [await client.upload(archive)];
  await client.settle();
  const token = (await client.call('POST', '/api/v2/tokens', '{"token_name":"soak"}')).json.data;
  const open = (await client.call('POST', '/api/v2/file-upload/start')).json.data;
  const before = { residentMb: await residentMb(pid), diskMb: await diskMb(directory) };
  const chosen = Object.entries(ATTACKS).filter(([name]) => only?.includes(name) ?? true);
  log(`${chosen.length} attacks for ${seconds} s; ${before.residentMb} MB resident before`);

  const over = new AbortController();
  onEnd(() => over.abort());
  const readerBearer = await client.addReader(password);
  const ids = { tokenId: token.id, jobId: open.id };
  const target: Target = { url, ...ids, bearer, readerBearer, signal: over.signal };
  const receiver = await startReceiver();
  onEnd(() => receiver.close());
  const hook = JSON.stringify({ name: 'well', url: receiver.url, event_types: ['job.failed'] });
  const { id: hookId } = (await client.call('POST', '/api/v2/webhooks', hook)).json.data;
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
  const webhookMs = await webhookTime(client, receiver, hookId);
  over.abort();
  await Promise.all(attacks);
  const { times, refused } = client;
  const measured = {
    requests: times.length,
    p50Ms: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
    refused,
  };
  log(`${JSON.stringify(measured)}; settling`);
  await client.settle();
  if (seconds >= JUDGES_MEMORY_S) await sleep(REST_MS);
  const accepted = jobs.filter((job) => job !== undefined);
  const complete = await Promise.all(
    accepted.map(
      async (id) => (await client.call('GET', `/api/v2/file-upload?id=eq:${id}`)).json.data[0].status,
    ),
  );
  const after = { residentMb: await residentMb(pid), diskMb: await diskMb(directory) };
  const [backend] = backendsOf(dataOf(directory));
  if (backend !== undefined) process.kill(backend, 'SIGKILL');
  await sleep(20);
  const termAt = Date.now();
  const wasRunning = await service.process.stop();
  const report = {
    ...measured,
    ...{ slowestCypherMs, webhookMs, endMs: Date.now() - termAt },
    starts: service.process.starts + (wasRunning ? 0 : 1),
    residentMb: { before: before.residentMb, half: half ?? peak, peak, after: after.residentMb },
    diskMb: { before: before.diskMb, after: after.diskMb },
    uploads: { accepted: accepted.length, complete: complete.filter((status) => status === 2).length },
  };
  return { ...report, faults: faultsOf(report) };
}

function faultsOf(report: Omit<SoakReport, 'faults'>): readonly string[] {
  const { p99Ms, refused, residentMb: resident, diskMb: disk, uploads } = report;
  const { slowestCypherMs, webhookMs, endMs, starts } = report;
  return brokenBounds([
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
    [starts > 1, `the service ended by itself, ${starts - 1} times`],
  ]);
}
