/**
 * Runs a service for each of several tenants on one machine, each with its own database: their memory, and whether the requests of one tenant
 * become slower while others ingest or send many requests. The services run from `dist` if it exists (`npm run bundle`), as from an artifact.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClewClient } from '@clew/client';
import { ADMIN_PASSWORD, type ServeProcess, startServe } from '@clew/service/testing';
import { generateForest, writeForestZip } from '@clew/synthetic';
import { load, percentile, type Token } from './load.ts';
import { MemoryWatch, sharesOf } from './memoryWatch.ts';

const SIZES = {
  small: { tenants: 3, users: 200, restSeconds: 5 },
  large: { tenants: 20, users: 2500, restSeconds: 30 },
} as const;
const BUNDLE = join(import.meta.dirname, '../../../dist/clew.mjs');
const SCRIPT = existsSync(BUNDLE) ? { script: BUNDLE } : {};
/** Tenants that ingest at once in the last case. */
const AT_ONCE = 4;
const REQUESTS = 300;
const FLOOD_CONNECTIONS = 8;

interface Tenant {
  readonly token: Token;
  service: ServeProcess;
}

interface Result {
  readonly name: string;
  readonly figures: Readonly<Record<string, number>>;
}

export default {
  name: 'tenants on one machine',
  async run({ scale }: { readonly scale: keyof typeof SIZES }): Promise<Result[]> {
    const directory = await mkdtemp(join(tmpdir(), 'clew-bench-'));
    const tenants: Tenant[] = [];
    try {
      return await measure(directory, tenants, SIZES[scale]);
    } finally {
      for (const { service } of tenants) await service.stop();
      await rm(directory, { recursive: true, force: true });
    }
  },
};

/** @param tenants gets those that run */
async function measure(
  directory: string,
  tenants: Tenant[],
  { tenants: count, users, restSeconds }: (typeof SIZES)[keyof typeof SIZES],
): Promise<Result[]> {
  const [first, second] = [join(directory, 'first.zip'), join(directory, 'second.zip')];
  await writeForestZip(generateForest({ users, seed: 1 }), first);
  await writeForestZip(generateForest({ users, seed: 2 }), second);
  const folderOf = (at: number): string => join(directory, `tenant-${at}`);
  const one = await startTenant(folderOf(0));
  tenants.push(one);
  const watch = new MemoryWatch(one.service.pid);
  const seconds = await ingest(one, first);
  const peak = watch.take();
  watch.stop();
  const objects = await objectsOf(one);
  await one.service.stop();
  // All tenants have the same data; each has a copy.
  for (let at = 1; at < count; at++) copy(folderOf(0), folderOf(at));
  const began = performance.now();
  one.service = await startService(folderOf(0));
  for (let at = 1; at < count; at++) tenants.push({ ...one, service: await startService(folderOf(at)) });
  const starts = (performance.now() - began) / 1000;
  await sleep(restSeconds * 1000);
  const all = sharesOf(tenants.map(({ service }) => service.pid));
  const memory = {
    ...{ tenants: count, objects, 'upload to published (s)': round(seconds) },
    'one, peak of an ingest (MB)': peak.service,
    'its database (MB)': peak.database,
    'all at rest, with their databases (MB)': Math.round(all),
    'one at rest (MB)': Math.round(all / count),
    'start of one (s)': round(starts / count),
  };
  return [{ name: 'memory', figures: memory }, ...(await fairness(tenants, second))];
}

/** Keeps owners: as root, the database belongs to another user. */
function copy(from: string, to: string): void {
  const { status, stderr } = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`cannot copy ${from}: ${stderr}`);
}

/** Requests of the first tenant, while the others rest and while they work. */
async function fairness(tenants: readonly Tenant[], file: string): Promise<Result[]> {
  const [one, two, ...others] = tenants as [Tenant, Tenant, ...Tenant[]];
  await latencies(one, Promise.resolve());
  const results: Result[] = [];
  const during = async (name: string, work: Promise<unknown>): Promise<void> => {
    const began = performance.now();
    const seen = await latencies(one, work);
    results.push({ name, figures: { ...seen, s: round((performance.now() - began) / 1000) } });
  };
  await during('one tenant asks, the others rest', sleep(5000));
  await during('another tenant ingests', ingest(two, file));
  const few = others.slice(0, AT_ONCE);
  await during(
    `${few.length} other tenants ingest at once`,
    Promise.all(few.map((tenant) => ingest(tenant, file))),
  );
  const flood = Array.from({ length: 20 * REQUESTS }, (_, at) => targetOf(at));
  await during(
    `another tenant sends searches over ${FLOOD_CONNECTIONS} connections`,
    load(two.service.url, two.token, flood, FLOOD_CONNECTIONS, checkAnswer),
  );
  return results;
}

/** Sends requests of one tenant over one connection until the work of others ends. */
async function latencies(
  { service, token }: Tenant,
  work: Promise<unknown>,
): Promise<Readonly<Record<string, number>>> {
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  const times: number[] = [];
  do {
    const targets = Array.from({ length: REQUESTS }, (_, at) => targetOf(at));
    times.push(...(await load(service.url, token, targets, 1, checkAnswer)).times);
  } while (!isOver);
  await over;
  const sorted = Float64Array.from(times).sort();
  const at = (share: number): number => round(percentile(sorted, share));
  return { requests: sorted.length, 'p50 (ms)': at(0.5), 'p99 (ms)': at(0.99), 'longest (ms)': at(1) };
}

const LETTERS = 'ABCDEFGHIJKLMNOPRSTUVW';

/** Searches, and pages of findings. */
const targetOf = (at: number): string =>
  at % 3 === 0
    ? `/api/v2/attack-paths/findings?limit=20&skip=${at % 60}`
    : `/api/v2/search?q=${LETTERS[at % LETTERS.length]}${LETTERS[(at * 7) % LETTERS.length]}${LETTERS[(at * 3) % LETTERS.length]}`;

function checkAnswer(status: number, body: string, target: string): void {
  if (status !== 200 || !body.includes('"data"'))
    throw new Error(`${target} answered ${status}: ${body.slice(0, 200)}`);
}

const startService = (directory: string): Promise<ServeProcess> => startServe(directory, {}, SCRIPT);

async function startTenant(directory: string): Promise<Tenant> {
  const service = await startService(directory);
  const client = await signedIn(service.url);
  const { data } = await client.call('CreateAuthToken', { body: { token_name: 'bench' } });
  return { service, token: { id: data.id, key: data.key as string } };
}

async function signedIn(url: string): Promise<ClewClient> {
  const client = new ClewClient({ url });
  await client.login('admin', ADMIN_PASSWORD);
  return client;
}

/** @returns seconds from the upload to the published graph */
async function ingest({ service }: Tenant, file: string): Promise<number> {
  const client = await signedIn(service.url);
  const began = performance.now();
  const { jobId } = await client.uploadFiles([file]);
  await client.waitForJob(jobId);
  return (performance.now() - began) / 1000;
}

async function objectsOf({ service }: Tenant): Promise<number> {
  const client = await signedIn(service.url);
  return (await client.call('GetGraphStatistics')).data.collected.total_nodes;
}

const round = (value: number): number => Math.round(value * 100) / 100;
