/**
 * Requests of clients of the public API, and their required answers: a row per problem that once occurred. The requests are described in
 * `docs/api.md`, "Requests of public clients".
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateForest, writeForestZip } from '@clew/synthetic';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startWithoutPlans } from '../test/startTested.ts';
import type { RunningService } from './main.ts';

const PASSWORD = 'Correct-Horse-1';

let directory: string;
let service: RunningService;
let bearer: string;
let domain: string;
let admins: string;

// biome-ignore lint/suspicious/noExplicitAny: answers are held to their contracts by the service itself.
type Json = any;

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Json;
}

async function call(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const answer = await fetch(service.url + path, {
    method,
    headers: {
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body:
      body === undefined ? undefined : Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body),
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type') === 'application/json';
  return { status: answer.status, headers: answer.headers, json: isJson ? JSON.parse(text) : undefined };
}

const get = (path: string) => call('GET', `/api/v2/${path}`);

async function upload(contentType: string, body: unknown): Promise<void> {
  const { id } = (await call('POST', '/api/v2/file-upload/start')).json.data;
  expect(
    (await call('POST', `/api/v2/file-upload/${id}`, body, { 'content-type': contentType })).status,
  ).toBe(202);
  await call('POST', `/api/v2/file-upload/${id}/end`);
  const status = async () => (await get(`file-upload?id=eq:${id}`)).json.data[0].status;
  await vi.waitUntil(async () => [2, 5, 8].includes(await status()), { timeout: 100_000, interval: 200 });
  expect(await status()).toBe(2);
}

const OPEN_GRAPH = {
  metadata: { source_kind: 'Shop' },
  graph: {
    nodes: [
      { id: 'TILL-1', kinds: ['Till', 'Device'], properties: { displayname: 'FRONT TILL' } },
      { id: 'TILL-2', kinds: ['Device', 'Till'] },
    ],
    edges: [{ kind: 'Feeds', start: { value: 'TILL-1' }, end: { value: 'TILL-2' } }],
  },
};

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clew-public-'));
  service = await startWithoutPlans(join(directory, 'data'), PASSWORD);
  const login = { login_method: 'secret', username: 'admin@example.com', secret: PASSWORD };
  bearer = (await call('POST', '/api/v2/login', login)).json.data.session_token;
  const archive = join(directory, 'forest.zip');
  await writeForestZip(generateForest({ users: 30, seed: 11 }), archive);
  await upload('application/zip', await readFile(archive));
  await upload('application/json', OPEN_GRAPH);
  domain = (await get('available-domains')).json.data.find(({ collected }: Json) => collected).id;
  admins = `${domain}-512`;
});

afterAll(async () => {
  await service.stop();
  await rm(directory, { recursive: true });
});

describe('missing is not empty', () => {
  test('unknown operations answer 404', async () => {
    expect((await get('never-heard-of')).status).toBe(404);
  });

  test('Cypher queries like those of interfaces', async () => {
    const ask = (query: string, more = {}) => call('POST', '/api/v2/graphs/cypher', { query, ...more });
    const any = await ask('MATCH (n) RETURN n LIMIT 1');
    const [id] = Object.keys(any.json.data.nodes);
    expect(any.json.data).toMatchObject({ nodes: { [id]: { objectId: expect.any(String) } }, edges: [] });
    const one = await ask(`MATCH (n) WHERE ID(n) = ${id} RETURN n LIMIT 1`, { include_properties: true });
    expect(one.json.data.nodes[id]).toHaveProperty('properties');
    expect((await ask('MATCH (n) WHERE ID(n) = 999999999 RETURN n LIMIT 1')).status).toBe(404);
    const { edges } = (await get(`graphs/shortest-path?start_node=${admins}&end_node=${domain}`)).json.data;
    const { source, target, kind } = edges[0];
    const edge = await ask(
      `MATCH p=(s)-[r:${kind}]->(t) WHERE ID(s) = ${source} AND ID(t) = ${target} RETURN p LIMIT 1`,
    );
    expect(edge.json.data.edges).toMatchObject([{ source, target, kind }]);
    const count = await ask('MATCH (u:User) RETURN count(u)');
    expect(count.json.data.literals).toEqual([{ key: 'count(u)', value: expect.any(Number) }]);
  });

  test('a body with misspelled keys clears nothing, and reports this', async () => {
    const clear = (body: object) => call('POST', '/api/v2/clear-database', body);
    expect((await clear({ deleteColectedGraphData: true })).status).toBe(400);
    expect((await clear({ deleteFileIngestHistory: false })).status).toBe(400);
    expect((await clear({})).status).toBe(400);
  });
});

describe('names and kinds', () => {
  test('of OpenGraph nodes are the first uploaded ones, and each finds the node', async () => {
    const hits = (await get('search?q=TILL-')).json.data;
    const typeOf = (id: string) => hits.find(({ objectid }: Json) => objectid === id).type;
    expect([typeOf('TILL-1'), typeOf('TILL-2')]).toEqual(['Till', 'Device']);
    const { json } = await get('base/TILL-1?counts=false');
    expect(json.data.props).toMatchObject({ objectid: 'TILL-1', name: 'FRONT TILL' });
    const map = (await get('graph-search?query=TILL-2&type=exact')).json.data;
    expect(Object.values<Json>(map)[0].label.text).toBe('TILL-2');
    const icon = { type: 'font-awesome', name: 'cash-register', color: '#123456' };
    expect((await call('POST', '/api/v2/custom-nodes', { custom_types: { Device: { icon } } })).status).toBe(
      201,
    );
    const drawn = async () =>
      Object.values<Json>((await get('graph-search?query=TILL-2&type=exact')).json.data)[0];
    await vi.waitUntil(async () => (await drawn()).color === '#123456', { timeout: 100_000, interval: 200 });
    expect((await drawn()).fontIcon.text).toBe('fa-cash-register');
  });

  test('of a path without control are not returned, unless requested', async () => {
    const path = (more = '') => get(`graphs/shortest-path?start_node=TILL-1&end_node=TILL-2${more}`);
    expect((await path()).status).toBe(404);
    expect((await path('&only_traversable=false')).status).toBe(200);
    expect((await path('&relationship_kinds=in:Feeds')).status).toBe(200);
  });

  test('of the environment of local groups are those of their computer', async () => {
    const { nodes } = (await get(`graphs/export?environment=${domain}&kind=ADLocalGroup`)).json.graph;
    expect(nodes.length).toBeGreaterThan(0);
    expect(nodes.some(({ id }: Json) => id.startsWith(`${domain}-`))).toBe(true);
  });
});

describe('lists', () => {
  test('of asset groups keep the given tag, find it, and have selectors under both names', async () => {
    const made = await call('POST', '/api/v2/asset-groups', { name: 'Tills of the shop', tag: 'TiLLs-1' });
    expect(made.json.data).toMatchObject({ tag: 'TiLLs-1', selectors: [], Selectors: [] });
    const { asset_groups } = (await get('asset-groups?tag=eq:TiLLs-1')).json.data;
    expect(asset_groups).toMatchObject([{ name: 'Tills of the shop', deleted_at: { valid: false } }]);
    expect((await call('POST', '/api/v2/asset-groups', { name: 'x', tag: 'with blank' })).status).toBe(400);
  });

  test.each([
    ['attack-paths/findings?severity=eq:CRITICAL&limit=1', 200],
    ['attack-paths/findings?severity=eq:urgent', 400],
    ['attack-paths/findings?status=eq:open', 400],
    ['attack-paths/findings?environment_id=&severity=', 200],
    ['attack-paths/findings?asset_group_tag_id=eq:4711', 404],
    ['posture-stats?asset_group_tag_id=eq:4711', 404],
    ['file-upload?limit=0', 200],
    ['asset-group-tags/1/selectors?auto_certify=eq:true', 200],
    ['asset-group-tags/1/selectors?auto_certify=eq:false', 200],
    ['asset-group-tags/1/selectors?auto_certify=eq:maybe', 400],
    ['roles?name=eq:Administrator&sort_by=-id', 200],
    ['roles?sort_by=description', 200],
    ['audit?sort_by=-source', 200],
    ['asset-groups/1/members?sort_by=asset_group_id', 200],
    ['domains/DOMAIN/attack-path-findings?finding=T0GenericAll&sort_by=finding', 200],
    ['domains/DOMAIN/details?finding=T0GenericAll&sort_by=FromPrincipal', 200],
    ['config?parameter=eq:prune.ttl', 200],
  ])('%s answers %i', async (path, status) => {
    const { json, ...reply } = await get(path.replace('DOMAIN', domain));
    expect([reply.status, status === 200 ? '' : json.errors]).toEqual([
      status,
      status === 200 ? '' : expect.anything(),
    ]);
  });

  test('name the wrong parameter, and the reason', async () => {
    const { errors } = (await get('attack-paths/findings?severity=eq:urgent')).json;
    expect(errors.map(({ message }: Json) => message)).toEqual([
      'there are errors in the query parameter filters specified',
      'severity: must be one of low, moderate, high, critical',
    ]);
    const twice = (await get(`graphs/shortest-path?start_node=a&start_node=b&end_node=c`)).json.errors[0]
      .message;
    expect(twice).toBe('query parameter "start_node" is malformed: given more than once');
  });

  test('of upload jobs have no maximum offset', async () => {
    const all = (await get('file-upload?limit=0')).json;
    expect(all.data).toHaveLength(all.count);
    expect(all.count).toBeGreaterThan(1);
  });
});

test('of all findings name the relationship, and the end of an acceptance in seconds', async () => {
  const { findings, finding_assets } = (await get('attack-paths/details')).json;
  const relations = findings.filter(({ source_id }: Json) => source_id !== undefined);
  expect(relations.length).toBeGreaterThan(0);
  const [first] = relations.filter(({ attack_path_edge_id }: Json) => attack_path_edge_id !== undefined);
  expect((await get(`relationships/${first.attack_path_edge_id}`)).status).toBe(200);
  expect(findings.every(({ accepted_until }: Json) => accepted_until === 0)).toBe(true);
  expect(finding_assets[first.finding_name]).toHaveProperty(['title.md']);
});

test('permissions have their previous names in addition to the current ones', async () => {
  const names = (await get('self')).json.data.roles[0].permissions.map(
    ({ authority, name }: Json) => `${authority}/${name}`,
  );
  expect(names).toEqual(expect.arrayContaining(['graphdb/IngestManage', 'graphdb/Ingest']));
});

test('objects uploaded again have a new last-seen time, and are unchanged', async () => {
  const props = async () => (await get(`groups/${admins}?counts=false`)).json.data.props;
  const before = await props();
  const archive = await readFile(join(directory, 'forest.zip'));
  await upload('application/zip', archive);
  const after = await props();
  expect(after.lastseen > before.lastseen).toBe(true);
  expect(after.lastcollected).toBe(before.lastcollected);
  expect({ ...after, lastseen: '' }).toEqual({ ...before, lastseen: '' });
});

describe('mistakes of clients', () => {
  test.each([
    ['asset-group-tags', { name: 'x', type: 2_147_483_648 }],
    ['asset-group-tags/search', { query: 'abc', tag_type: 2_147_483_648 }],
    ['asset-group-tags/certifications', { member_ids: [1e308], action: 1 }],
    [
      'custom-nodes',
      { custom_types: { Lone: { icon: { type: 'font-awesome', name: 'x', color: '\ud800' } } } },
    ],
  ])('in %s are 400, not 500', async (path, body) => {
    expect((await call('POST', `/api/v2/${path}`, body)).status).toBe(400);
  });
});

describe('settings', () => {
  test('that interfaces request are listed, and cannot be changed', async () => {
    const flags = (await get('features')).json.data;
    const keys = flags.map(({ key }: Json) => key);
    expect(keys).toEqual(
      expect.arrayContaining([
        'tier_management_engine',
        'open_graph_phase_2',
        'clear_graph_data',
        'oidc_support',
      ]),
    );
    const { id } = flags.find(({ key }: Json) => key === 'oidc_support');
    expect((await call('PUT', `/api/v2/features/${id}/toggle`)).status).toBe(403);
  });

  test('of the configuration can be changed if possible, and otherwise name their source', async () => {
    const set = (key: string, value: object) => call('PUT', '/api/v2/config', { key, value });
    const shown = async () =>
      (await get('config?parameter=eq:analysis.citrix_rdp_support')).json.data[0].value.enabled;
    const before = await shown();
    expect((await set('analysis.citrix_rdp_support', { enabled: !before })).json.data.value.enabled).toBe(
      !before,
    );
    expect(await shown()).toBe(!before);
    await set('analysis.citrix_rdp_support', { enabled: before });
    expect((await set('auth.session_ttl_hours', { hours: 1 })).json.errors[0].message).toContain(
      'CLEW_SESSION_HOURS when the service starts',
    );
    const parameters = (await get('config')).json.data as { key: string; fixed_by?: string }[];
    const fixedBy = (key: string) => parameters.find((one) => one.key === key)?.fixed_by;
    expect(fixedBy('auth.session_ttl_hours')).toBe('CLEW_SESSION_HOURS');
    expect(fixedBy('analysis.reconciliation')).toBe('');
    expect(fixedBy('analysis.citrix_rdp_support')).toBeUndefined();
    const duration = async (text: string) =>
      (await set('auth.password_expiration_window', { duration: text })).json.errors[0].message;
    expect(await duration('P99999999D')).toContain('P0D to P3650D');
    expect((await set('nonsense', {})).json.errors[0].message).toBe(
      'Configuration parameter nonsense is not valid.',
    );
  });
});

describe('the audit log', () => {
  test('can be read by time, newest first, and by action', async () => {
    const { data, count } = (await get('audit?action=eq:LoginAttempt&limit=5')).json;
    expect(data.logs[0]).toMatchObject({ action: 'LoginAttempt', status: 'success', actor_id: null });
    expect(count).toBeGreaterThan(0);
    expect((await get('audit?after=2999-01-01T00:00:00Z')).json.data.logs).toEqual([]);
    expect((await get('audit?after=yesterday')).status).toBe(400);
    const reversed = await get('audit?after=2026-11-30T00:00:00Z&before=2026-01-01T00:00:00Z');
    expect([reversed.status, reversed.json.errors[0].message]).toEqual([
      400,
      'time range provided is invalid',
    ]);
    // The default beginning is a year ago.
    expect((await get('audit?before=2020-01-01T00:00:00Z')).status).toBe(200);
  });
});

describe('refusals', () => {
  test('name the scheme of credentials', async () => {
    const answer = await fetch(`${service.url}/api/v2/self`);
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="clew"']);
  });
});

test('a connector at the default rate limit, without retries, reads every finding and text', async () => {
  const read = async (path: string): Promise<Json> => {
    const reply = await get(path);
    expect([path, reply.status]).toEqual([path, 200]);
    return reply.json;
  };
  let findings = 0;
  const environments = (await read('available-domains')).data.filter(({ collected }: Json) => collected);
  for (const { id } of environments) {
    const types = (await read(`domains/${id}/available-types`)).data;
    // All at once, like an impatient client.
    const pages = await Promise.all(
      types.map(async (type: string) => {
        const [details, ...texts] = await Promise.all([
          read(`domains/${id}/details?finding=${type}&limit=500`),
          ...['title', 'short_description', 'short_remediation', 'long_remediation', 'type'].map((name) =>
            fetch(`${service.url}/api/v2/assets/findings/${type}/${name}.md`, {
              headers: { authorization: `Bearer ${bearer}` },
            }).then(({ status }) => status),
          ),
        ]);
        expect(texts.every((status) => status === 200 || status === 404)).toBe(true);
        return details.count as number;
      }),
    );
    findings += pages.reduce((sum: number, count: number) => sum + count, 0);
  }
  expect(findings).toBeGreaterThan(100);
});
