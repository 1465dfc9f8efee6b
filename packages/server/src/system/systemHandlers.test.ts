import { routes, ZERO_TIME } from '@clew/api';
import type { Authenticator, Principal } from '@clew/common';
import type { Generation } from '@clew/generation';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer, userNamed } from '../../test/http/testServer.ts';
import { systemHandlers } from './systemHandlers.ts';

const COUNTS = { nodes: { User: 2 }, edges: { MemberOf: 1 }, total_nodes: 2, total_edges: 1 };
const NOTHING = { nodes: {}, edges: {}, total_nodes: 0, total_edges: 0 };
const generation = {
  id: 3,
  publishedAt: '2026-01-02T03:04:05.000000Z',
  collected: COUNTS,
  derived: NOTHING,
} as unknown as Generation;

const principals: Readonly<Record<string, Principal>> = {
  reader: userNamed('reader', ['graphdb/Read', 'app/ReadAppConfig']),
  uploader: userNamed('uploader', ['graphdb/IngestManage']),
  limited: { ...userNamed('limited', ['graphdb/Read']), environments: new Set(['S-1-5-21-1']) },
};
const authenticator: Authenticator = {
  async begin({ headers }) {
    return {
      principal: principals[headers.authorization ?? ''] ?? { kind: 'anonymous', permissions: new Set() },
    };
  },
};

let server: TestServer;
let obstacle: string | undefined;
let delay: string | undefined;
let isBehindProxy = false;

beforeAll(async () => {
  const handlers = systemHandlers({
    version: '1.2.3',
    edition: 'community',
    generations: { current: () => generation, onSwap: () => () => {}, beforeSwap: () => () => {} },
    metrics: {
      contentType: 'text/plain; version=0.0.4',
      observeRequest() {},
      observeRefusal() {},
      bolt: { observeQuery() {}, observeRefusal() {}, countConnections() {} },
      text: async () => 'up 1\n',
    },
    datapipeStatus: async () => ({
      status: 'idle',
      updated_at: ZERO_TIME,
      last_complete_analysis_at: ZERO_TIME,
      last_analysis_run_at: ZERO_TIME,
      next_scheduled_analysis_at: ZERO_TIME,
    }),
    obstacle: async () => obstacle,
    delay: () => delay,
    get isBehindProxy() {
      return isBehindProxy;
    },
  });
  const contracts = routes.filter(({ operationId }) => operationId in handlers);
  server = await startTestServer(contracts, handlers, { authenticator });
});
afterAll(() => server.close());

const get = (path: string, authorization = '', headers: Record<string, string> = {}) =>
  fetch(server.url + path, { headers: { ...(authorization && { authorization }), ...headers } });
const dataOf = async (path: string, who = 'reader') =>
  (await (await get(path, who)).json()) as { data: unknown };

describe('the service', () => {
  test('returns its version to any user', async () => {
    expect(await dataOf('/api/version', 'uploader')).toEqual({
      data: {
        API: { current_version: 'v2', deprecated_version: 'none' },
        server_version: '1.2.3',
        product_edition: 'community',
      },
    });
    expect((await get('/api/version')).status).toBe(401);
  });

  test('is alive and ready, for anyone', async () => {
    for (const path of ['/health', '/healthz', '/readyz'])
      expect([path, (await get(path)).status]).toEqual([path, 200]);
    delay = 'ingest waits: the disk is full';
    const degraded = await get('/readyz');
    delay = undefined;
    expect([degraded.status, await degraded.json()]).toEqual([
      200,
      { status: 'degraded', reason: 'ingest waits: the disk is full' },
    ]);
    obstacle = 'the database does not respond';
    const answer = await get('/readyz');
    obstacle = undefined;
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({
      http_status: 503,
      errors: [{ context: 'clients', message: 'the service is not ready: the database does not respond' }],
    });
  });

  test('counts the graph for users who may see all of it', async () => {
    expect(await dataOf('/api/v2/graphs/statistics')).toEqual({
      data: { generation: 3, published_at: generation.publishedAt, collected: COUNTS, derived: NOTHING },
    });
    expect((await get('/api/v2/graphs/statistics', 'limited')).status).toBe(403);
    expect((await get('/api/v2/graphs/statistics', 'uploader')).status).toBe(403);
  });

  test('reports the state of the data pipe', async () => {
    expect(await dataOf('/api/v2/datapipe/status')).toMatchObject({ data: { status: 'idle' } });
  });

  test.each([
    ['from this machine, without credentials', '', {}, 200],
    ['through a proxy on this machine', '', { 'x-forwarded-for': '1.2.3.4' }, 401],
    [
      'through a proxy, as a user who may read the configuration',
      'reader',
      { 'x-forwarded-for': '1.2.3.4' },
      200,
    ],
    ['as another user', 'uploader', {}, 403],
  ])('shows its metrics %s', async (_, who, headers: Record<string, string>, status) => {
    const answer = await get('/metrics', who, headers);
    expect(answer.status).toBe(status);
    if (status === 200) expect(await answer.text()).toBe('up 1\n');
  });

  test('shows no metrics to callers on the same machine behind a proxy', async () => {
    isBehindProxy = true;
    expect((await get('/metrics')).status).toBe(401);
    isBehindProxy = false;
    expect((await get('/metrics')).status).toBe(200);
  });
});
