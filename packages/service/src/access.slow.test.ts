/**
 * Checks permissions for every route: each role against the permissions in the reference, callers without credentials, and a user who may
 * see only one environment.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RouteContract, routes } from '@clew/api';
import { sampledCases } from '@clew/common/testing';
import { PERMISSIONS, type RoleName, roleByName } from '@clew/model';
import { readExamples } from '@clew/server/testing';
import { generateForest, writeForestZip } from '@clew/synthetic';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startOnTestDatabase } from '../test/startTested.ts';
import type { RunningService } from './main.ts';

const PASSWORD = 'Correct-Horse-1';

// biome-ignore lint/suspicious/noExplicitAny: answers are held to their contracts by the service itself.
type Json = any;

/** Permissions with their roles in the public documentation (`docs/reference/api.md#roles`), by the letters below. */
const MATRIX: Readonly<Record<string, string>> = {
  'app/ReadAppConfig': 'APURa-',
  'app/WriteAppConfig': 'AP----',
  'risks/GenerateReport': 'APURa-',
  'risks/ManageRisks': 'AP----',
  'audit_log/Read': 'A---a-',
  'auth/AcceptEULA': 'APURa-',
  'auth/CreateToken': 'APURa-',
  'auth/ManageSelf': 'APURa-',
  'auth/ManageUsers': 'A-----',
  'auth/ManageProviders': 'A-----',
  'auth/ReadUsers': 'A---a-',
  'auth/ReadUsersMinimal': 'APURa-',
  'auth/ReadProviders': 'A---a-',
  'clients/Manage': 'AP----',
  'clients/Read': 'APU-a-',
  'clients/Tasking': 'AP----',
  'collection/ManageJobs': 'AP----',
  'collection/ReadJobs': 'AP--a-',
  'graphdb/Read': 'APURa-',
  'graphdb/Write': 'AP----',
  'graphdb/Mutate': 'AP----',
  'graphdb/IngestManage': 'AP---u',
  'graphdb/IngestRead': 'AP--au',
  'saved_queries/Read': 'APURa-',
  'saved_queries/Write': 'APU---',
  'db/Wipe': 'A-----',
  'opengraph/Read': 'APURa-',
  'opengraph/Write': 'A-----',
  'analysis/Request': 'A-----',
  'alerts/Read': 'A---a-',
  'alerts/Manage': 'A-----',
};

const LETTERS = {
  ...{ Administrator: 'A', 'Power User': 'P', User: 'U', 'Read-Only': 'R', Auditor: 'a', 'Upload-Only': 'u' },
} as const satisfies Partial<Record<RoleName, string>>;
type TestedRole = keyof typeof LETTERS;
const ROLES = Object.keys(LETTERS) as TestedRole[];

const mayDo = (role: TestedRole, permission: string): boolean => MATRIX[permission].includes(LETTERS[role]);

let directory: string;
let service: RunningService;
const tokens = new Map<RoleName, string>();
const users = new Map<RoleName, string>();

async function call(
  method: string,
  path: string,
  token: string | undefined,
  body?: unknown,
): Promise<{ status: number; json: Json; text: string }> {
  const answer = await fetch(service.url + path, {
    method,
    redirect: 'manual',
    headers: {
      // No plan is made here; with a short wait, the answer reports this.
      ...(path === '/api/v2/plan' && { prefer: 'wait=2' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body:
      body === undefined ? undefined : Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body),
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type') === 'application/json';
  return { status: answer.status, json: isJson ? JSON.parse(text) : undefined, text };
}

async function login(username: string): Promise<string> {
  const body = { login_method: 'secret', username, secret: PASSWORD };
  return (await call('POST', '/api/v2/login', undefined, body)).json.data.session_token;
}

async function makeUser(role: RoleName, more: object = {}): Promise<{ id: string; token: string }> {
  const principal = `${role} ${users.size} ${Object.keys(more).length}`;
  const body = { principal, roles: [roleByName(role).id], secret: PASSWORD, ...more };
  const made = await call('POST', '/api/v2/bloodhound-users', tokens.get('Administrator'), body);
  expect(made.status).toBe(200);
  return { id: made.json.data.id, token: await login(principal) };
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clew-access-'));
  const variables = {
    CLEW_DATA_DIR: join(directory, 'data'),
    CLEW_PORT: '0',
    CLEW_LOG_LEVEL: 'silent',
    CLEW_ADMIN_PASSWORD: PASSWORD,
    CLEW_RATE_LIMIT: '0',
  };
  service = await startOnTestDatabase(variables, { makesPlans: false });
  tokens.set('Administrator', await login('admin'));
  users.set('Administrator', (await call('GET', '/api/v2/self', tokens.get('Administrator'))).json.data.id);
  for (const role of ROLES.slice(1)) {
    const { id, token } = await makeUser(role);
    tokens.set(role, token);
    users.set(role, id);
  }
  const archive = join(directory, 'forest.zip');
  await writeForestZip(generateForest({ users: 15, seed: 5 }), archive);
  const admin = tokens.get('Administrator');
  const { id } = (await call('POST', '/api/v2/file-upload/start', admin)).json.data;
  const answer = await fetch(`${service.url}/api/v2/file-upload/${id}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/zip' },
    body: new Uint8Array(await readFile(archive)),
  });
  expect(answer.status).toBe(202);
  await call('POST', `/api/v2/file-upload/${id}/end`, admin);
  const status = async () =>
    (await call('GET', `/api/v2/file-upload?id=eq:${id}`, admin)).json.data[0].status;
  await vi.waitUntil(async () => [2, 5, 8].includes(await status()), { timeout: 100_000, interval: 200 });
});

afterAll(async () => {
  await service.stop();
  await rm(directory, { recursive: true });
});

test('roles have the permissions in the reference', () => {
  const known = PERMISSIONS.map(({ fullName }) => fullName as string);
  expect(Object.keys(MATRIX).sort()).toEqual([...known].sort());
  for (const role of ROLES) {
    const { permissions } = roleByName(role);
    expect([role, known.filter((name) => permissions.has(name as never))]).toEqual([
      role,
      known.filter((name) => mayDo(role, name)),
    ]);
  }
});

describe('every route', () => {
  /** A request that reaches the handler if permitted, and does no harm there: its ids do not exist. */
  function request({ method, path, query, bodyKind = 'none' }: RouteContract, userId: string) {
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
      name === 'user_id' ? userId : name.endsWith('token_id') ? userId : '2147483647',
    );
    const required = ((query?.required ?? []) as readonly string[]).map((name) => `${name}=x`);
    const target = required.length === 0 ? filled : `${filled}?${required.join('&')}`;
    return {
      method,
      target,
      body: bodyKind === 'none' ? undefined : bodyKind === 'stream' ? undefined : { '': 0 },
    };
  }

  // Metrics have their own rules (`metrics.test.ts`); the others would end the sessions of the test. Management orders are for collectors
  // only.
  const skipped = new Set([
    ...['GetMetrics', 'Logout', 'DeleteUserSecret', 'EndUserSessions', 'ListAvailableClientManagement'],
  ]);
  const checked = routes.filter(({ operationId }) => !skipped.has(operationId));

  // Each route is asked by one of the six roles, and at night by all.
  test.each(ROLES)('is open to %s exactly according to its permissions', async (role) => {
    const wrong: string[] = [];
    for (const contract of sampledCases(checked, ROLES.length, ROLES.indexOf(role))) {
      const { method, target, body } = request(contract, users.get(role) ?? '');
      const { status, json } = await call(method, target, tokens.get(role), body);
      const { access } = contract;
      const isAllowed = typeof access === 'string' || access.some((permission) => mayDo(role, permission));
      const isRefused = status === 403 && json?.errors[0].message === 'not authorized';
      if (isAllowed === isRefused || status === 401 || status >= 500)
        wrong.push(`${contract.operationId}: ${status} ${json?.errors?.[0]?.message ?? ''}`);
      if (status === 403) expect(json.errors[0].context).toBe('clients');
    }
    expect(wrong).toEqual([]);
  });

  test('is closed to callers without credentials, unless it is public', async () => {
    const open = checked.filter(({ access }) => access === 'none').map(({ operationId }) => operationId);
    expect(open.sort()).toEqual([
      'BeginSamlLogin',
      'BeginSingleSignOn',
      'EndSingleSignOn',
      'ExchangeOAuthToken',
      'GetApiReference',
      'GetApiReferenceFile',
      'GetApiSpec',
      'GetApiSpecFile',
      'GetAuthorizationServerMetadata',
      'GetHealth',
      'GetProtectedResourceMetadata',
      'GetReadiness',
      'GetSamlLoginMetadata',
      'GetSamlSignSignOnEndpoints',
      'GetServiceProviderMetadata',
      'ListAuthProviders',
      'Login',
      'PostSamlAssertion',
      'PostSingleSignOn',
      'RegisterOAuthClient',
      'RevokeOAuthToken',
    ]);
    const wrong: string[] = [];
    for (const contract of checked) {
      const { method, target, body } = request(contract, users.get('User') ?? '');
      const { status, json } = await call(method, target, undefined, body);
      const isRefused = status === 401 && json.errors[0].message === 'not authenticated';
      if (isRefused === (contract.access === 'none') && !(contract.operationId === 'Login' && status === 400))
        wrong.push(`${contract.operationId}: ${status}`);
    }
    expect(wrong).toEqual([]);
  });
});

describe('a user who may see one environment', () => {
  let limited: string;
  let own: Json;
  let foreign: readonly Json[];
  /** Values of the other environments: ids, and names that no object in the user's environment has. */
  let hidden: readonly string[];
  const get = (path: string, token = limited) => call('GET', path, token);

  beforeAll(async () => {
    const admin = tokens.get('Administrator') as string;
    const environments = (await get('/api/v2/available-domains', admin)).json.data;
    own = environments.find(({ collected }: Json) => collected);
    foreign = environments.filter(({ id }: Json) => id !== own.id);
    expect(foreign.length).toBeGreaterThan(0);
    const access = { environments: [{ environment_id: own.id }] };
    limited = (await makeUser('User', { environment_targeted_access_control: access })).token;
    const ids: string[] = [];
    for (const { id } of foreign) {
      const { nodes } = (await get(`/api/v2/graphs/export?environment=${id}`, admin)).json.graph;
      for (const node of nodes) ids.push(node.id, node.properties.name);
    }
    hidden = [...new Set([...ids, ...foreign.flatMap(({ id, name }: Json) => [id, name])])].filter(
      (text) => typeof text === 'string' && text.length > 4,
    );
    expect(hidden.length).toBeGreaterThan(100);
  });

  const leaksOf = (text: string): string[] =>
    hidden.filter((one) => text.includes(JSON.stringify(one).slice(1, -1)));

  /** Read routes, with parameters for objects in the user's environment, without limits on the answer. */
  const reads = routes.filter(
    // The examples in the description also have synthetic names.
    ({ method, tag, operationId }) =>
      method === 'GET' && tag !== 'Health' && !operationId.startsWith('GetApiSpec'),
  );

  test('queries a graph without the others in Cypher', async () => {
    const ask = async (query: string, token: string) =>
      (await call('POST', '/api/v2/graphs/cypher', token, { query, rows: true, include_properties: true }))
        .json;
    const admin = tokens.get('Administrator') as string;
    for (const query of [
      'MATCH (n) RETURN n',
      'MATCH (a)-[r]->(b) RETURN r',
      'MATCH p = shortestPath((a:User)-[*1..]->(b:Tag_Tier_Zero)) RETURN p LIMIT 200',
      'MATCH (n) WHERE n.objectid ENDS WITH "-512" RETURN n.name, COUNT { (n)--() }',
      `MATCH (n {objectid: '${foreign[0].id}'}) RETURN n`,
      'MATCH (n)<-[:MemberOf*1..]-(m) RETURN DISTINCT m.name, labels(m)',
    ]) {
      const answer = await ask(query, limited);
      expect([query, leaksOf(JSON.stringify(answer))]).toEqual([query, []]);
      // With all environments, the same query returns hidden values.
      expect([query, leaksOf(JSON.stringify(await ask(query, admin))).length > 0]).toEqual([query, true]);
    }
  });

  test('sees the results of a selector only in its environment', async () => {
    const preview = async (value: string, token: string) => {
      const body = { seeds: [{ type: 2, value }], expansion: 0 };
      return call('POST', '/api/v2/asset-group-tags/preview-selectors', token, body);
    };
    const admin = tokens.get('Administrator') as string;
    for (const query of [
      `MATCH (n) WHERE n.objectid <> '${own.id}' RETURN n LIMIT 1000`,
      `MATCH (n {objectid: '${foreign[0].id}'}) RETURN n`,
      'MATCH (n:Domain)<-[*1..2]-(m) RETURN m',
    ]) {
      const answer = await preview(query, limited);
      expect([query, answer.status, leaksOf(answer.text)]).toEqual([query, 200, []]);
      expect([query, leaksOf((await preview(query, admin)).text).length > 0]).toEqual([query, true]);
    }
  });

  test('gets no object of another environment from any read route', async () => {
    const examples = readExamples();
    const admin = tokens.get('Administrator') as string;
    const { nodes } = (await get(`/api/v2/graphs/export?environment=${own.id}`, admin)).json.graph;
    const idOf = (kind: string): string =>
      nodes.find(({ kinds }: Json) => kinds.includes(kind))?.id ?? own.id;
    const [finding] = (await get(`/api/v2/attack-paths/findings?environment_id=eq:${own.id}&limit=1`, admin))
      .json.data;
    const kindOf: Readonly<Record<string, string>> = {
      ...{ users: 'User', groups: 'Group', computers: 'Computer', domains: 'Domain', gpos: 'GPO', ous: 'OU' },
      ...{ containers: 'Container', aiacas: 'AIACA', rootcas: 'RootCA', enterprisecas: 'EnterpriseCA' },
      ...{
        ntauthstores: 'NTAuthStore',
        certtemplates: 'CertTemplate',
        issuancepolicies: 'IssuancePolicy',
        base: 'Group',
      },
    };
    const leaks: string[] = [];
    let answered = 0;
    const asked = sampledCases(reads, 3);
    for (const { operationId, path, query } of asked) {
      const example = examples[operationId];
      const segment = path.split('/')[3];
      const target = path.replaceAll(/\{(\w+)\}/g, (_, name) => {
        if (name === 'object_id') return idOf(kindOf[segment] ?? 'User');
        if (name === 'domain_id') return own.id;
        if (name === 'user_id') return users.get('User') ?? '';
        return encodeURIComponent(String(example?.params?.[name] ?? '1'));
      });
      const parameters = new URLSearchParams(example?.query as Record<string, string>);
      parameters.delete('limit');
      for (const [name, value] of [...parameters])
        if (/^S-1-5-21-/.test(value)) parameters.set(name, name === 'end_node' ? `${own.id}-512` : own.id);
      if (parameters.has('finding')) parameters.set('finding', finding.finding);
      if (parameters.has('q')) parameters.set('q', 'A');
      if (parameters.has('query')) parameters.set('query', 'A');
      if (query?.properties?.limit !== undefined) parameters.set('limit', '1000');
      const answer = await get(`${target}?${parameters}`);
      expect([operationId, answer.status < 500]).toEqual([operationId, true]);
      if (answer.status === 200) answered++;
      const found = leaksOf(answer.text);
      if (found.length > 0) leaks.push(`${operationId}: ${found.slice(0, 3).join(', ')} (${found.length})`);
    }
    expect(leaks).toEqual([]);
    expect(answered).toBeGreaterThan((90 * asked.length) / reads.length);
  });

  test('sees no id of an object without an environment', async () => {
    const admin = tokens.get('Administrator') as string;
    const { rows } = (
      await call('POST', '/api/v2/graphs/cypher', admin, {
        query: `MATCH (n) WHERE n.domainsid IS NULL AND n.tenantid IS NULL RETURN n.objectid`,
        rows: true,
      })
    ).json.data;
    const visible = new Set(
      (await get(`/api/v2/graphs/export?environment=${own.id}`)).json.graph.nodes.map(({ id }: Json) => id),
    );
    const nowhere = rows.flat().filter((id: string) => !visible.has(id));
    for (const path of [
      `meta-trees/${own.id}`,
      'asset-groups/1/combo-node',
      `asset-groups/1/combo-node?domainsid=${own.id}`,
    ]) {
      const { status, text } = await get(`/api/v2/${path}`);
      expect([path, status]).toEqual([path, 200]);
      expect([path, nowhere.filter((id: string) => text.includes(JSON.stringify(id)))]).toEqual([path, []]);
    }
  });

  test('is refused requests about another environment', async () => {
    const [other] = foreign;
    for (const path of [
      `domains/${other.id}/available-types`,
      `domains/${other.id}/details?finding=Kerberoasting`,
      `domains/${other.id}/sparkline?finding=Kerberoasting`,
      `domains/${other.id}`,
      `base/${other.id}`,
      `groups/${other.id}-512/members`,
      `ad-domains/${other.id}/data-quality-stats`,
      `meta-trees/${other.id}`,
      `graphs/shortest-path?start_node=${own.id}-512&end_node=${other.id}-512`,
    ]) {
      // The answer for a missing object is the same, so that existence is not revealed.
      for (const id of [other.id, 'S-1-5-21-1-2-3']) {
        const asked = path.replaceAll(other.id, id);
        expect([asked, (await get(`/api/v2/${asked}`)).status]).toEqual([asked, 403]);
      }
    }
    const search = (await get(`/api/v2/search?q=${other.id}`)).json.data;
    expect(search).toEqual([]);
  });

  test('finds no path through hidden objects, and sees the same counts as in lists', async () => {
    const { data } = (await get('/api/v2/available-domains')).json;
    expect(data.map(({ id }: Json) => id)).toEqual([own.id]);
    const list = (await get('/api/v2/attack-paths/findings?limit=0')).json;
    expect(new Set(list.data.map((row: Json) => row.environment_id))).toEqual(new Set([own.id]));
    expect(list.count).toBe(list.data.length);
    const csv = (await get('/api/v2/attack-paths/findings?Accept=text/csv')).text;
    expect(leaksOf(csv)).toEqual([]);
  });
});
