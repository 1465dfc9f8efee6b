/** Tests explanations, features and requests in a running service: facts are uploaded, answers use HTTP. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningService } from '@clew/service/testing';
import { startOnTestDatabase } from '@clew/service/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

const PASSWORD = 'Correct-Horse-1';
const SID = 'S-1-5-21-1-2-3';

let directory: string;
let service: RunningService;
let bearer: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clew-analysis-'));
  const variables = {
    CLEW_DATA_DIR: join(directory, 'data'),
    CLEW_PORT: '0',
    CLEW_RATE_LIMIT: '0',
    CLEW_LOG_LEVEL: 'silent',
    CLEW_ADMIN_PASSWORD: PASSWORD,
  };
  service = await startOnTestDatabase(variables, { makesPlans: false });
  const login = { login_method: 'secret', username: 'admin', secret: PASSWORD };
  bearer = (await call('POST', '/api/v2/login', login)).json.data.session_token;
  await upload(WORLD);
});

afterAll(async () => {
  await service.stop();
  await rm(directory, { recursive: true });
});

const node = (id: string, kind: string, properties: object = {}) => ({
  id,
  kinds: [kind],
  properties: { name: id, domainsid: SID, ...properties },
});
const edge = (start: string, kind: string, end: string) => ({
  kind,
  start: { value: start },
  end: { value: end },
});

/** A group and its member share the replication rights; a computer administers one without signing. */
const WORLD = {
  graph: {
    nodes: [
      node(SID, 'Domain', { collected: true, name: 'CORP', functionallevel: '2016' }),
      node('U1', 'User'),
      node('G1', 'Group'),
      node('C1', 'Computer', { restrictoutboundntlm: false }),
      node('C2', 'Computer', { smbsigning: false }),
      node('C2-555', 'ADLocalGroup'),
    ],
    edges: [
      edge('G1', 'GetChanges', SID),
      edge('U1', 'GetChangesAll', SID),
      edge('U1', 'MemberOf', 'G1'),
      edge('C1', 'MemberOfLocalGroup', 'C2-544'),
      edge('C2-544', 'LocalToComputer', 'C2'),
      edge('C2-555', 'LocalToComputer', 'C2'),
      edge('U1', 'MemberOfLocalGroup', 'C2-555'),
    ],
  },
};

// biome-ignore lint/suspicious/noExplicitAny: answers are held to their contracts by the service itself.
type Json = any;

async function call(method: string, path: string, body?: unknown): Promise<{ status: number; json: Json }> {
  const answer = await fetch(service.url + path, {
    method,
    headers: {
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  return { status: answer.status, json: text === '' ? undefined : JSON.parse(text) };
}

async function upload(payload: object): Promise<void> {
  const { id } = (await call('POST', '/api/v2/file-upload/start')).json.data;
  expect((await call('POST', `/api/v2/file-upload/${id}`, payload)).status).toBe(202);
  await call('POST', `/api/v2/file-upload/${id}/end`);
  await idle();
}

async function idle(): Promise<void> {
  const status = async () => (await call('GET', '/api/v2/datapipe/status')).json.data.status;
  await until(async () => (await status()) === 'idle');
}

const until = (isTrue: () => Promise<boolean>) => vi.waitUntil(isTrue, { timeout: 100_000, interval: 100 });

/** Edges behind a derived edge as `start kind end`, by object id. */
async function explain(what: string, start: string, kind: string, end: string) {
  const [source, target] = [await graphId(start), await graphId(end)];
  const query = `source_node=${source}&target_node=${target}&edge_type=${kind}`;
  const { status, json } = await call('GET', `/api/v2/graphs/${what}?${query}`);
  expect(status).toBe(200);
  const { nodes, edges } = json.data;
  const idOf = (key: string) => nodes[key].objectId;
  return {
    nodes: Object.values(nodes as Record<string, { objectId: string }>)
      .map((found) => found.objectId)
      .sort(),
    edges: edges.map((found: Json) => `${idOf(found.source)} ${found.kind} ${idOf(found.target)}`).sort(),
  };
}

async function graphId(objectId: string): Promise<string> {
  const { json } = await call('GET', `/api/v2/graph-search?query=${objectId}&type=exact`);
  const [key] = Object.keys(json.data);
  return key;
}

const derivedEdges = async () => (await call('GET', '/api/v2/graphs/statistics')).json.data.derived.edges;

describe('an explanation', () => {
  test('shows the facts behind a derived edge', async () => {
    expect(await explain('edge-composition', 'U1', 'DCSync', SID)).toEqual({
      nodes: ['G1', SID, 'U1'],
      edges: [`G1 GetChanges ${SID}`, `U1 GetChangesAll ${SID}`, 'U1 MemberOf G1'],
    });
  });

  test('shows which computers can be coerced, and the path of the relay', async () => {
    const source = 'CORP-S-1-5-11';
    expect(await explain('relay-targets', source, 'CoerceAndRelayNTLMToSMB', 'C2')).toEqual({
      nodes: ['C1'],
      edges: [],
    });
    expect((await explain('edge-composition', source, 'CoerceAndRelayNTLMToSMB', 'C2')).edges).toEqual([
      'C1 AdminTo C2',
    ]);
  });

  test('of a collected edge is empty', async () => {
    expect(await explain('edge-composition', 'U1', 'MemberOf', 'G1')).toEqual({ nodes: [], edges: [] });
  });

  test.each([
    ['source_node=1&target_node=2&edge_type=Nonsense', 'Invalid edge requested: Nonsense'],
    [
      'source_node=999999&target_node=2&edge_type=DCSync',
      'Could not find edge matching criteria: DCSync from 999999 to 2',
    ],
  ])('of %s answers 400', async (query, message) => {
    const { status, json } = await call('GET', `/api/v2/graphs/edge-composition?${query}`);
    expect(status).toBe(400);
    expect(json.errors).toEqual([{ context: 'clients', message }]);
  });
});

describe('a feature', () => {
  test('is switched on and off, and the graph is updated', async () => {
    const flag = async () =>
      (await call('GET', '/api/v2/features')).json.data.find(
        (feature: Json) => feature.key === 'ntlm_post_processing',
      );
    const relays = async () => (await derivedEdges()).CoerceAndRelayNTLMToSMB;
    const { id, enabled } = await flag();
    expect(enabled).toBe(true);
    expect(await relays()).toBe(1);

    expect((await call('PUT', `/api/v2/features/${id}/toggle`)).json).toEqual({ data: { enabled: false } });
    expect((await flag()).enabled).toBe(false);
    await expect.poll(relays, { timeout: 100_000 }).toBeUndefined();

    expect((await call('PUT', `/api/v2/features/${id}/toggle`)).json).toEqual({ data: { enabled: true } });
    await expect.poll(relays, { timeout: 100_000 }).toBe(1);
  });

  test.each([
    ['x', 400],
    ['0', 404],
    ['999', 404],
  ])('with the id %s answers %i', async (id, status) => {
    expect((await call('PUT', `/api/v2/features/${id}/toggle`)).status).toBe(status);
  });
});

describe('a request for analysis', () => {
  test('is answered by a new generation, and can be withdrawn', async () => {
    const lastRun = async () => (await call('GET', '/api/v2/datapipe/status')).json.data.last_analysis_run_at;
    const before = await lastRun();
    expect((await call('PUT', '/api/v2/analysis')).status).toBe(202);
    expect((await call('PUT', '/api/v2/attack-paths')).status).toBe(202);
    await expect.poll(lastRun, { timeout: 100_000 }).not.toBe(before);
    await expect
      .poll(async () => (await call('GET', '/api/v2/analysis')).json.data.request_type, { timeout: 100_000 })
      .toBe('');
    expect((await call('DELETE', '/api/v2/analysis')).status).toBe(202);
  });
});
