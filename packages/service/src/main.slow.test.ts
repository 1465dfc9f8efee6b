/**
 * Tests the whole service like in operation: real database, worker thread, sockets. Every answer must match its contract;
 * `documentedAnswers.slow.test.ts` asks every operation.
 */
import { createHmac } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FINAL_JOB_STATUSES, type FileUploadJob, JOB_STATUS, type JobStatus } from '@clew/api';
import { type Config, ConfigError, readConfig } from '@clew/common';
import { DirectoryInUseError, lockDirectory } from '@clew/embedded';
import type { Database } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import { generateForest, writeForestZip } from '@clew/synthetic';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTested } from '../test/startTested.ts';
import type { RunningService } from './main.ts';

let directory: string;
let config: Config;
let service: RunningService;
let token: { readonly id: string; readonly key: string };
let archive: Buffer;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clew-main-'));
  config = readConfig({
    CLEW_DATA_DIR: join(directory, 'data'),
    CLEW_PORT: '0',
    CLEW_RATE_LIMIT: '0',
    CLEW_LOG_LEVEL: 'silent',
  });
  const path = join(directory, 'forest.zip');
  await writeForestZip(generateForest({ users: 10, seed: 7, domains: 1 }), path);
  archive = await readFile(path);
  service = await startTested(config);
  token = await signIn(service);
});
afterAll(async () => {
  await service.stop();
  await rm(directory, { recursive: true });
});

/** With the generated password, shown once; the token survives restarts. */
async function signIn({ url, firstAdministrator }: RunningService) {
  const secret = firstAdministrator?.generatedPassword;
  const post = (path: string, body: object, headers = {}) =>
    fetch(url + path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    }).then(async (answer) => ((await answer.json()) as { data: never }).data);
  const { session_token }: { session_token: string } = await post('/api/v2/login', {
    login_method: 'secret',
    username: 'admin',
    secret,
  });
  return post('/api/v2/tokens', { token_name: 'test' }, { authorization: `Bearer ${session_token}` });
}

/** Signed according to `docs/reference/api.md#signed-requests`. */
async function call(
  method: string,
  target: string,
  body: Uint8Array<ArrayBuffer> | undefined = undefined,
  headers = {},
) {
  const date = new Date().toISOString();
  const d1 = createHmac('sha256', token.key)
    .update(method + target)
    .digest();
  const d2 = createHmac('sha256', d1).update(date.slice(0, 13)).digest();
  const signature = createHmac('sha256', d2)
    .update(body ?? '')
    .digest('base64');
  const answer = await fetch(service.url + target, {
    method,
    body,
    // A signature is valid for one target, so redirects are not followed.
    redirect: 'manual',
    headers: { authorization: `svcsignature ${token.id}`, requestdate: date, signature, ...headers },
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type') === 'application/json';
  return { status: answer.status, text, json: (isJson ? JSON.parse(text) : undefined) as never };
}

async function get<T>(target: string): Promise<T> {
  const { status, json, text } = await call('GET', target);
  expect([target, status, status === 200 ? '' : text]).toEqual([target, 200, '']);
  return json;
}

async function ingest(file: Buffer): Promise<FileUploadJob> {
  const { json } = await call('POST', '/api/v2/file-upload/start');
  const { id } = (json as { data: FileUploadJob }).data;
  const stored = await call('POST', `/api/v2/file-upload/${id}`, new Uint8Array(file), {
    'content-type': 'application/zip',
    'x-file-upload-name': 'forest.zip',
  });
  expect(stored.status).toBe(202);
  expect((await call('POST', `/api/v2/file-upload/${id}/end`)).status).toBe(200);
  for (;;) {
    const [job] = (await get<{ data: FileUploadJob[] }>(`/api/v2/file-upload?id=eq:${id}`)).data;
    if (FINAL_JOB_STATUSES.includes(job.status as JobStatus)) return job;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

interface Statistics {
  readonly data: { readonly collected: { readonly total_nodes: number; readonly total_edges: number } };
}

/** Object ids by kind, for operation parameters. */
async function objectIds(): Promise<{ readonly domain: string; readonly admins: string }> {
  const [{ id }] = (await get<{ data: { id: string }[] }>('/api/v2/available-domains')).data;
  const path = '/api/v2/search?q=DOMAIN%20ADMINS&type=Group';
  const [{ objectid: admins }] = (await get<{ data: { objectid: string }[] }>(path)).data;
  return { domain: id, admins };
}

describe('from a collection to a found path', () => {
  test('an upload becomes a graph that answers queries', async () => {
    const job = await ingest(archive);
    expect(job).toMatchObject({ status: JOB_STATUS.complete, status_message: 'Complete', failed_files: 0 });
    expect(await get('/api/v2/datapipe/status')).toMatchObject({ data: { status: 'idle' } });
    const { data } = await get<Statistics>('/api/v2/graphs/statistics');
    expect(data.collected.total_nodes).toBeGreaterThan(100);
    expect(data.collected.total_edges).toBeGreaterThan(data.collected.total_nodes);
    const { domain, admins } = await objectIds();
    const path = `/api/v2/graphs/shortest-path?start_node=${admins}&end_node=${domain}`;
    const { data: graph } = await get<{ data: { edges: { source: string; target: string }[] } }>(path);
    expect(graph.edges.length).toBeGreaterThan(0);
    const metrics = await call('GET', '/metrics');
    expect(metrics.text).toContain('clew_upload_jobs{status="complete"} 1');
    expect(metrics.text).toMatch(/clew_graph_nodes\{kind="User",origin="collected"\} [1-9]/);
    const figure = (series: string): number =>
      Number(
        metrics.text
          .split('\n')
          .find((line) => line.startsWith(`${series} `))
          ?.slice(series.length),
      );
    expect(figure('clew_ingested_jobs_total')).toBe(1);
    expect(figure('clew_ingested_objects_total')).toBeGreaterThan(100);
    expect(figure('clew_ingest_seconds_total')).toBeGreaterThan(0);
    expect(figure('clew_upload_queue_bytes')).toBe(0);
    expect(figure('clew_upload_queue_oldest_seconds')).toBe(0);
    expect(figure('clew_analysis_step_seconds{step="findings"}')).toBeGreaterThan(0);
    const [analyzed] = /^clew_environment_analyzed_timestamp_seconds\{.*$/m.exec(metrics.text) ?? [];
    expect(Math.abs(Number(analyzed?.split(' ').at(-1)) - Date.now() / 1000)).toBeLessThan(600);
    expect(metrics.text).toMatch(
      /^clew_environment_collected_timestamp_seconds\{environment="[^"]+",id="[^"]+"\} \d/m,
    );
    expect(metrics.text).not.toMatch(/^clew_last_backup_timestamp_seconds /m);
  });

  test('the same collection again only changes when objects were last seen', {
    timeout: 60_000,
  }, async () => {
    const questions = async () => {
      const { domain, admins } = await objectIds();
      return Promise.all(
        [
          '/api/v2/available-domains',
          `/api/v2/domains/${domain}`,
          `/api/v2/base/${admins}`,
          `/api/v2/groups/${admins}`,
          `/api/v2/graphs/shortest-path?start_node=${admins}&end_node=${domain}`,
        ].map(async (target) => withoutSightings((await call('GET', target)).text)),
      );
    };
    const before = await questions();
    expect((await ingest(archive)).status).toBe(JOB_STATUS.complete);
    expect(await questions()).toEqual(before);
  });
});

const withoutSightings = (text: string): string => text.replace(/"last_?[sS]een":"[^"]*"/g, '');

describe('start and stop', () => {
  test('a second service in the same directory gets a clear error', async () => {
    await expect(startTested(config)).rejects.toThrow(DirectoryInUseError);
  });

  test('a port in use is a configuration error, and leaves nothing running', async () => {
    const { port } = new URL(service.url);
    const other = readConfig({
      CLEW_DATA_DIR: join(directory, 'other'),
      CLEW_PORT: port,
      CLEW_LOG_LEVEL: 'silent',
    });
    await expect(startTested(other)).rejects.toThrow(ConfigError);
    await (await lockDirectory(other.dataDir)).release();
    expect(existsSync(join(other.dataDir, 'postgres'))).toBe(false);
  });

  test('a restart keeps everything, and creates no second administrator', async () => {
    const before = await get<Statistics>('/api/v2/graphs/statistics');
    await Promise.all([service.stop(), service.stop()]);
    await expect(fetch(service.url)).rejects.toThrow();
    service = await startTested(config);
    expect(service.firstAdministrator).toBeUndefined();
    expect(await get('/api/v2/graphs/statistics')).toEqual(before);
  });
});

describe('several processes on one database', () => {
  let database: Database;
  const running: RunningService[] = [];
  beforeAll(async () => {
    database = await startTestDatabase({ migrated: false });
  });
  afterAll(async () => {
    for (const one of running) await one.stop();
    await database.close();
  });

  const startAs = async (role: string) => {
    const { host, user, password, database: name } = database.connection;
    const one = await startTested(
      readConfig({
        CLEW_DATABASE_URL: `postgres://${user}:${password}@${encodeURIComponent(host!)}/${name}`,
        CLEW_DATA_DIR: join(directory, role),
        CLEW_SECRET_KEY: 'the same root key in all processes',
        CLEW_PORT: '0',
        CLEW_RATE_LIMIT: '0',
        CLEW_ROLE: role,
        CLEW_LOG_LEVEL: 'silent',
      }),
    );
    running.push(one);
    return one;
  };

  test('share the work: one accepts uploads and answers, the other ingests', async () => {
    const [first, worker] = await Promise.all([startAs('api'), startAs('worker')]);
    const admin = [first, worker].find(({ firstAdministrator }) => firstAdministrator !== undefined);
    const alone = { service, token };
    try {
      service = first;
      token = await signIn({ ...first, firstAdministrator: admin?.firstAdministrator });
      expect((await ingest(archive)).status).toBe(JOB_STATUS.complete);
      service = await startAs('api');
      const { data } = await get<Statistics>('/api/v2/graphs/statistics');
      expect(data.collected.total_nodes).toBeGreaterThan(100);
      service = first;
      await expect
        .poll(() => get<Statistics>('/api/v2/graphs/statistics'), { timeout: 100_000 })
        .toEqual({ data });
      service = worker;
      expect((await call('GET', '/readyz')).status).toBe(200);
      expect((await call('GET', '/api/v2/self')).status).toBe(404);
    } finally {
      ({ service, token } = alone);
    }
  });
});
