/**
 * Tests users who may see one of three environments that are connected by every relationship of a finding type: no read operation, and no
 * query over Bolt, reveals the other two, no filter finds them, and no answer depends on their contents.
 */
import { FINDING_TYPES } from '@clew/analysis';
import { isReading, type RouteContract, routes } from '@clew/api';
import { sampledCases } from '@clew/common/testing';
import { roleByName } from '@clew/model';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  askBolt,
  type BoltAnswer,
  changingQueries,
  readingQueries,
  STABLE_QUERIES,
} from '../test/boltWalk.ts';
import { insertCrossingFindings } from '../test/crossingFindings.ts';
import { idOf, MARKS, markedFile, moreOf, PLACES, type Place, signsOf } from '../test/markedEnvironments.ts';
import { ServiceUnderTest } from '../test/serviceUnderTest.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are held to their contracts by the service under test.
type Json = any;
type Values = Readonly<Record<string, string>>;

const CHECK = 'Check_Marked';
const FINDING_OF_EXTENSION = 'MRK_Reaches';
const others = (place: Place): Place[] => PLACES.filter((other) => other !== place);
const words = PLACES.map((place) => `'ROOT@${MARKS[place].word}.EXAMPLE'`).join(', ');
const SELECTING = `MATCH (n) WHERE n.name IN [${words}] RETURN n // of ${PLACES.map((place) => MARKS[place].word)}`;

let test: ServiceUnderTest;
/** Numbers of objects that the administrator created. */
const made = new Map<string, number>();
const selectorIds: number[] = [];
const boltTokens = new Map<Place, { readonly id: string; readonly key: string }>();
/** @param layer an empty text for none */
const overBolt = (place: Place, layer: string, queries: readonly string[]): Promise<BoltAnswer[]> =>
  askBolt(test.service.boltUrl as string, boltTokens.get(place) as Json, layer, queries);

const EXTENSION = {
  schema: { name: 'marked', display_name: 'Marked', version: 'v1.0.0', namespace: 'MRK' },
  node_kinds: [{ name: 'MRK_Thing', display_name: 'Thing' }],
  relationship_kinds: [
    { name: FINDING_OF_EXTENSION, is_traversable: true, effort: 1, effort_reason: 'One action' },
    { name: 'MRK_Same', is_traversable: false },
  ],
  relationship_findings: [
    {
      ...{ name: 'MRK_Finding', display_name: 'Marked', relationship_kind: FINDING_OF_EXTENSION },
      environment_kind: 'Domain',
      remediation: { short_description: 'One reaches another.', long_description: 'One reaches another.' },
    },
  ],
  derived_relationships: [
    {
      ...{ kind: 'MRK_Same', start: 'a', end: 'b', reason: 'Both are marked' },
      pattern: `MATCH (a:User)-[:GenericAll]->(b:Group) WHERE a.description <> 'about ${MARKS.SOUTH.word}'`,
    },
  ],
};

beforeAll(async () => {
  test = await ServiceUnderTest.start({ CLEW_BOLT_PORT: '0' });
  await test.upload(markedFile());
  await administer();
  await test.settled();
  for (const place of PLACES) await test.addUser(place, 'User', [MARKS[place].id]);
  for (const place of PLACES) await ownThings(place);
  for (const place of PLACES) {
    const { id, key } = (await test.as(place, 'POST', 'tokens', { token_name: 'bolt' })).json.data;
    boltTokens.set(place, { id, key });
  }
}, 300_000);
afterAll(() => test.stop());

async function make(key: string, path: string, body: object): Promise<void> {
  const { status, json } = await test.call('POST', path, body);
  expect([path, status < 300 ? '' : json]).toEqual([path, '']);
  made.set(key, json.data.id);
  if (path.endsWith('/selectors')) selectorIds.push(json.data.id);
}

/** Objects of users who see everything, which refer to objects of each environment. */
async function administer(): Promise<void> {
  const remediation = { short_remediation: 'Repair it.' };
  const check = { title: 'Marked', category: 'Account Hygiene', severity: 'moderate', remediation };
  const cypher = `MATCH (n), (m) WHERE n.name IN [${words}] AND m.name IN [${words}] RETURN n, m.name AS other`;
  expect((await test.call('PUT', `checks/${CHECK}`, { ...check, name: CHECK, cypher })).status).toBe(201);
  const extension = (await test.call('PUT', 'extensions', EXTENSION)).json;
  expect(extension).toMatchObject({ data: { name: 'Marked' } });
  made.set('extension', extension.data.id);
  await make('label', 'asset-group-tags', { name: 'Marked', type: 2 });
  await make('zone', 'asset-group-tags', { name: 'Certified', type: 1, require_certify: true });
  const label = made.get('label');
  const seed = (place: Place, kind: string) => ({ type: 1, value: idOf(place, kind) });
  for (const tag of [1, label, made.get('zone')]) {
    const path = `asset-group-tags/${tag}/selectors`;
    const all = PLACES.map((place) => seed(place, place === 'CLOUD' ? 'AZGroup' : 'Computer'));
    await make('selector', path, { name: 'of all', seeds: all });
    await make('query', path, { name: 'a query', seeds: [{ type: 2, value: SELECTING }] });
    for (const place of PLACES) {
      const kind = place === 'CLOUD' ? 'AZVM' : 'GPO';
      await make('one', path, { name: `${kind}@${MARKS[place].word}.EXAMPLE`, seeds: [seed(place, kind)] });
    }
  }
  const added = PLACES.map((place) => ({
    ...{ selector_name: '', sid: idOf(place, place === 'CLOUD' ? 'AZApp' : 'OU'), action: 'add' },
  }));
  expect((await test.call('PUT', `asset-groups/${label}/selectors`, added)).status).toBe(201);
  const disable = PLACES.map((place) => idOf(place, place === 'CLOUD' ? 'AZUser' : 'User'));
  await make('plan', 'plans', { name: 'of all', disable });
  await make('constraint', 'plan/constraints', {
    ...{ subject: 'object', object_id: idOf('SOUTH', 'OU'), reason: `${MARKS.SOUTH.word} stays` },
  });
  await make('report', 'reports', { name: 'of all' });
  await make('view', 'views', {
    ...{ name: 'of all', page: 'findings', query: `object=${idOf('SOUTH', 'User')}`, shared: true },
  });
}

/** Objects of a limited user. */
async function ownThings(place: Place): Promise<void> {
  const own = async (key: string, path: string, body: object) => {
    const { status, json } = await test.as(place, 'POST', path, body);
    expect([path, status < 300 ? '' : json]).toEqual([path, '']);
    made.set(`${key} of ${place}`, json.data.id);
  };
  const cloud = place === 'CLOUD';
  await own('query', 'saved-queries', { name: 'all', query: 'MATCH (n) RETURN n' });
  await test.as(place, 'PUT', `saved-queries/${made.get(`query of ${place}`)}/watch`);
  await own('plan', 'plans', { name: 'own', disable: [idOf(place, cloud ? 'AZUser' : 'User')] });
  await own('report', 'reports', { name: 'own' });
  await own('view', 'views', { name: 'own', page: 'findings', query: '' });
  const drawn = PLACES.map((one) => idOf(one, one === 'CLOUD' ? 'AZUser' : 'User')).map((object_id) => ({
    ...{ object_id, name: 'drawn', kind: 'User', x: 0, y: 0, pinned: false },
  }));
  await own('drawing', 'drawings', { name: 'own', address: '', objects: drawn, relationships: [] });
}

/** Changing operations that limited users may call. `everyOperation` fails for an operation in neither list. */
const WRITING = new Set([
  ...['Login', 'Logout', 'CreateAuthToken', 'DeleteAuthToken', 'CreateOrSetUserSecret', 'AcceptEula'],
  ...['AcceptFederalEula', 'AddUserMfa', 'RemoveUserMfa', 'ActivateUserMfa', 'EndUserSessions'],
  ...[
    'EndUserSession',
    'EndUserAssistant',
    'PostSingleSignOn',
    'PostSamlAssertion',
    'CreateSavedQuery',
    'ImportSavedQueries',
  ],
  ...['UpdateSavedQuery', 'DeleteSavedQuery', 'WatchSavedQuery', 'UnwatchSavedQuery', 'ShareSavedQuery'],
  ...[
    'DeleteSavedQueryPermissions',
    'EndQueryLayer',
    'CreateDrawing',
    'UpdateDrawing',
    'DeleteDrawing',
    'CreateReport',
  ],
  ...['UpdateReport', 'DeleteReport', 'MakeReport', 'CreateView', 'UpdateView', 'DeleteView', 'MarkInbox'],
  ...['RegisterOAuthClient', 'DecideAuthorization', 'ExchangeOAuthToken', 'RevokeOAuthToken'],
  ...['AdoptPlan', 'MarkPlanChanges', 'UpdatePlanRepair', 'CreatePlan', 'UpdatePlan', 'DeletePlan'],
  ...['UploadAttachment', 'DeleteAttachment', 'AddPlanEvidence', 'DeletePlanEvidence'],
]);

const ALL = 'MATCH (n) RETURN n';

/** Bodies of read operations. */
const BODIES: Readonly<Record<string, (place: Place) => object[]>> = {
  RunCypherQuery: () => [
    { query: ALL, include_properties: true },
    { query: 'MATCH p = (a)-[r]->(b) RETURN p', include_properties: true },
    { query: 'MATCH (a)-[r]->(b) RETURN a.name, type(r), b.description, COUNT { (b)--() }', rows: true },
    { query: `MATCH (n) WHERE n.name IN [${words}] RETURN count(n)`, rows: true },
  ],
  TestCheck: () => [
    {
      ...{ name: 'Check_Test', title: 'Test', category: 'Account Hygiene', severity: 'low' },
      ...{ cypher: 'MATCH (n), (m) RETURN n, m.name LIMIT 5000', remediation: { short_remediation: 'x' } },
    },
  ],
  // `mcp.slow.test.ts` calls every tool.
  SendMcpMessage: (place) =>
    [
      { name: 'query_graph', arguments: { query: ALL, limit: 200 } },
      { name: 'get_plan', arguments: { limit: 20 } },
      { name: 'who_can_reach', arguments: { object: MARKS[place].id } },
    ].map((params) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })),
  PreviewSelectors: () => [
    { seeds: [{ type: 2, value: ALL }] },
    { seeds: PLACES.map((place) => ({ type: 1, value: MARKS[place].id })), expansion: 1 },
  ],
  AssetGroupTagSearch: () => ['MARK', 'of all', 'a query', '-'].map((query) => ({ query })),
  SearchAssetGroupTagHistory: () => [{ query: 'MARK' }, { query: 'S-1-5' }, { query: 'e' }],
  GetPathRepairs: (place) => [
    { steps: [{ source_id: reacher(place), target_id: MARKS[place].id, kinds: ['GenericAll'] }] },
  ],
  GetDetectionRules: (place) => [
    { steps: [{ source_id: reacher(place), target_id: MARKS[place].id, kinds: ['GenericAll'] }] },
  ],
  GetChangeKit: (place) => [
    {
      repairs: [
        {
          ...{ kind: 'remove-permission', object_id: MARKS[place].id, principal_id: reacher(place) },
          relations: ['GenericAll'],
        },
      ],
    },
  ],
  SimulatePlan: (place) => [{ disable: [reacher(place)] }],
  GetRemainingPaths: (place) => [{ disable: [reacher(place)], limit: 10 }],
};

const reacher = (place: Place): string => idOf(place, place === 'CLOUD' ? 'AZUser' : 'User');

/** Values of path parameters and required ones; several if the answers differ. */
const PARAMETERS: Readonly<Record<string, (place: Place, path: string) => readonly (string | number)[]>> = {
  object_id: (place, path) => [objectOf(place, path)],
  domain_id: (place) => [MARKS[place].id],
  tenant_id: (place) => [MARKS[place].id],
  environment_id: (place) => [MARKS[place].id],
  environments: (place) => [MARKS[place].id],
  finding: () => ['NestedForeignPrincipals', 'T0GenericAll', 'T0WriteDACL', 'MRK_Finding', CHECK],
  finding_id: (place) => findingIds.get(place) ?? [],
  attack_path_id: (place) => findingIds.get(place) ?? [],
  attachment_id: () => [1],
  evidence_id: () => [1],
  start_node: (place) => [reacher(place)],
  end_node: (place) => [MARKS[place].id],
  q: () => ['A', 'MARK', 'ROOT'],
  since: () => ['2020-01-01T00:00:00Z'],
  schema_environment_kind_id: () => [1, 2],
  source_node: (place) => [nodeIds.get(place)?.get(reacher(place)) ?? 0],
  target_node: (place) => [nodeIds.get(place)?.get(MARKS[place].id) ?? 0],
  edge_type: () => ['GenericAll', 'DCSync'],
  node_id: (place) => [...(nodeIds.get(place)?.values() ?? [])].slice(0, 5),
  relationship_id: (place) => edgeIds.get(place) ?? [],
  asset_group_member_id: (place) =>
    ['Admins', place === 'CLOUD' ? 'AZGroup' : 'Computer'].map(
      (kind) => nodeIds.get(place)?.get(idOf(place, kind)) ?? 0,
    ),
  asset_group_tag_id: () => [1, made.get('label') ?? 0, made.get('zone') ?? 0],
  asset_group_id: () => [1, 2, made.get('label') ?? 0],
  asset_group_tag_selector_id: () => [1, ...selectorIds],
  check_name: () => [CHECK],
  extension_id: () => [made.get('extension') ?? 0],
  entity_type: () => ['users', 'groups', 'tenants', 'roles', 'applications', 'virtual-machines'],
  data_type: () => [
    'findings',
    'exposure',
    'assets',
    'attack-paths',
    'archived-findings',
    'group-completeness',
  ],
  finding_type: () => ['NestedForeignPrincipals', CHECK],
  asset_name: () => ['title.md', 'long_remediation.md'],
  platform_id: () => ['ad', 'azure'],
  ...Object.fromEntries(
    ['saved_query', 'plan', 'report', 'view', 'drawing'].map((name) => [
      `${name}_id`,
      (place: Place) => [
        made.get(`${name.replace('saved_', '')} of ${place}`) ?? 0,
        made.get(name.replace('saved_', '')) ?? 1,
      ],
    ]),
  ),
  constraint_id: () => [made.get('constraint') ?? 0],
  issue_id: () => [1, 2, 3, 4, 5],
  repair: () => [1],
  user_id: (place) => [users.get(place) ?? ''],
  ...Object.fromEntries(
    [
      ...['role_id', 'permission_id', 'feature_id', 'node_kind_id', 'relationship_kind_id', 'kind_name'],
      ...['file', 'sso_provider_id', 'saml_provider_id', 'slug', 'collector_type', 'release_tag'],
      ...['client_id', 'event_id', 'job_id', 'task_id', 'file_upload_job_id', 'webhook_id', 'delivery_id'],
      ...['token_id', 'session_id'],
    ].map((name) => [name, () => ['1']]),
  ),
};

const KIND_OF_PATH: Values = {
  ...{ users: 'User', groups: 'Group', computers: 'Computer', domains: 'Domain', gpos: 'GPO', ous: 'OU' },
  ...{ containers: 'Container', aiacas: 'AIACA', rootcas: 'RootCA', enterprisecas: 'EnterpriseCA' },
  ...{ ntauthstores: 'NTAuthStore', certtemplates: 'CertTemplate', issuancepolicies: 'IssuancePolicy' },
  base: 'Group',
};

function objectOf(place: Place, path: string): string {
  if (path.startsWith('meta/')) return `META-1-ROOT-${MARKS[place].id}`;
  const kind = KIND_OF_PATH[path.split('/')[0] ?? ''];
  if (place === 'CLOUD' || kind === undefined) return idOf(place, 'Admins');
  return kind === 'Domain' ? MARKS[place].id : idOf(place, kind);
}

const findingIds = new Map<Place, number[]>();
const nodeIds = new Map<Place, ReadonlyMap<string, number>>();
const edgeIds = new Map<Place, number[]>();
const users = new Map<Place, string>();

async function readIds(place: Place): Promise<void> {
  const rowsOf = async (query: string): Promise<Json[][]> =>
    (await test.as(place, 'POST', 'graphs/cypher', { query, rows: true })).json.data.rows;
  nodeIds.set(
    place,
    new Map((await rowsOf('MATCH (n) RETURN n.objectid, id(n)')).map(([id, node]) => [id, node] as const)),
  );
  edgeIds.set(place, (await rowsOf('MATCH ()-[r]->() RETURN id(r) LIMIT 5')).flat());
  const listed = (await test.as(place, 'GET', 'attack-paths/findings?limit=0')).json.data as Json[];
  const byType = Map.groupBy(listed, ({ finding }) => finding);
  findingIds.set(
    place,
    [...byType.values()].flatMap((rows) => sampledCases(rows.slice(0, 2), 2).map(({ id }) => id)),
  );
  users.set(place, (await test.as(place, 'GET', 'self')).json.data.id);
}

const { permissions } = roleByName('User');
const mayCall = ({ access }: RouteContract): boolean =>
  typeof access === 'string' || access.some((permission) => permissions.has(permission as never));

/** The description contains examples with unrelated names, and metrics are for operators. */
const OWN_TEXTS = new Set([
  ...['GetApiSpec', 'GetApiSpecFile', 'GetApiReference', 'GetApiReferenceFile', 'GetMetrics'],
  // They would end the session, or redirect the browser.
  ...['BeginSingleSignOn', 'EndSingleSignOn', 'BeginSamlLogin'],
]);
const reading = routes.filter(
  (route) =>
    mayCall(route) &&
    !OWN_TEXTS.has(route.operationId) &&
    (route.method === 'GET' || !WRITING.has(route.operationId)),
);

interface Asked {
  readonly operation: string;
  readonly target: string;
  readonly body?: object;
}

/** All requests of a user for an operation. */
function requestsTo({ operationId, path, query }: RouteContract, place: Place): Asked[] {
  const relative = path.replace('/api/v2/', '');
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  const required = (query?.required ?? []) as readonly string[];
  let filled: Values[] = [{}];
  for (const name of [...names, ...required]) {
    const values = PARAMETERS[name]?.(place, relative);
    if (values === undefined) throw new Error(`no value for the parameter ${name} of ${operationId}`);
    filled = filled.flatMap((known) => values.map((value) => ({ ...known, [name]: String(value) })));
  }
  const known = Object.keys(query?.properties ?? {});
  const more: Values[] = [
    {},
    ...(known.includes('limit') ? [{ limit: '1000' }] : []),
    ...(known.includes('by') ? ['cause', 'type', 'object', 'repair'].map((by) => ({ by })) : []),
    ...(known.includes('Accept') ? [{ Accept: 'text/csv' }] : []),
    ...(known.includes('counts') ? [{ counts: 'true' }] : []),
    ...(known.includes('type') && !required.includes('q') ? [{ type: 'graph' }] : []),
    ...(known.includes('all') ? [{ all: 'true', since: '2020-01-01T00:00:00Z', limit: '500' }] : []),
    ...(known.includes('since') ? [{ since: '2020-01-01T00:00:00Z', limit: '1000' }] : []),
    ...(known.includes('include-info') ? [{ 'include-info': 'true' }] : []),
    ...(known.includes('related_entity_type') ? [{ related_entity_type: 'inbound-control' }] : []),
    ...(operationId === 'GetSearchResult' ? [{ query: 'MARK' }] : []),
  ];
  return filled.flatMap((values) => {
    const target = relative.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name] ?? ''));
    const asked = Object.fromEntries(required.map((name) => [name, values[name] as string]));
    return more.flatMap((further) => {
      const search = new URLSearchParams({ ...asked, ...further });
      const whole = { operation: operationId, target: search.size === 0 ? target : `${target}?${search}` };
      const bodies = BODIES[operationId]?.(place);
      return bodies === undefined ? [whole] : bodies.map((body) => ({ ...whole, body }));
    });
  });
}

interface Answered extends Asked {
  readonly status: number;
  readonly text: string;
}

async function ask(place: Place, route: RouteContract, asked: Asked): Promise<Answered> {
  const { status, json } = await test.as(place, route.method, asked.target, asked.body);
  return { ...asked, status, text: JSON.stringify(json) };
}

/**
 * Concurrent requests per user: one uses the database while another is read. With more than three, the service would refuse some with 503,
 * `this user has too many exports in progress`.
 */
const AT_ONCE = 2;

/** @returns the results in input order */
async function several<Input, Result>(
  inputs: readonly Input[],
  work: (input: Input) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = new Array(inputs.length);
  const left = inputs.entries();
  const take = async (): Promise<void> => {
    for (const [at, input] of left) results[at] = await work(input);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, take));
  return results;
}

/** A ninth of the cases for each environment, so that a run has a third of them; at night, all. */
const sampled = <Case>(cases: readonly Case[], place: Place): readonly Case[] =>
  sampledCases(cases, 3 * PLACES.length, PLACES.indexOf(place));

async function walk(place: Place, walked: readonly RouteContract[]): Promise<Answered[]> {
  const all = walked.flatMap((route) => {
    const [plain, ...others] = requestsTo(route, place).map((asked) => ({ route, asked }));
    return plain === undefined ? [] : [plain, ...sampled(others, place)];
  });
  return several(all, ({ route, asked }) => ask(place, route, asked));
}

/** Until then, the plan is answered with 202. */
const planned = () =>
  vi.waitUntil(async () => (await test.call('GET', 'plan')).status === 200, {
    timeout: 100_000,
    interval: 200,
  });

/** They describe analyses, uploads and sessions, or contain records of them. */
const CHANGING = new Set([
  ...[
    'GetDatapipeStatus',
    'GetAnalysisStatus',
    'GetDifference',
    'GetSelf',
    'ListUserSessions',
    'ListChanges',
  ],
  ...[
    'ListAttackPathSparklineValues',
    'GetPostureStats',
    'GetDataQualityStats',
    'GetAdDomainDataQualityStats',
  ],
  ...['GetPlatformDataQualityAggregate', 'GetDataQualityAggregations', 'ListWatchChanges'],
]);

/**
 * Without times, durations, and generation numbers. A finding also changes if only the share of a hidden environment does, so the cause of
 * its last change is removed.
 */
const comparable = ({ status, text }: Answered): string =>
  status === 200
    ? text
        .replaceAll(TIMES, 'T')
        .replaceAll(/\\*"(generation|(?:query_)?milliseconds)\\*":[\d.]+/g, '"$1":0')
        .replaceAll(/"changed_by":"\w+"/g, '"changed_by":""')
    : String(status);

const foundIn = (text: string, place: Place): string[] =>
  others(place)
    .flatMap(signsOf)
    .filter((sign) => text.toUpperCase().includes(sign.toUpperCase()));

it('every operation that limited users may call either changes something, or is tested', () => {
  const unknown = routes
    .filter((route) => mayCall(route) && route.method !== 'GET' && !WRITING.has(route.operationId))
    .filter(({ operationId }) => BODIES[operationId] === undefined);
  expect(unknown.map(({ operationId }) => operationId)).toEqual([]);
  // Their contracts say the same.
  const declared = reading.filter((route) => !isReading(route)).map(({ operationId }) => operationId);
  expect(declared).toEqual([]);
  expect(routes.filter((route) => WRITING.has(route.operationId) && isReading(route))).toEqual([]);
  expect(reading.length).toBeGreaterThan(200);
});

it('a user reads the same, whatever is added to the others', async () => {
  await readIds('NORTH');
  const stable = sampledCases(
    reading.filter(({ operationId }) => !CHANGING.has(operationId)),
    3,
  );
  await test.upload(moreOf('SOUTH', 2));
  await test.settled();
  await planned();
  const before = await walk('NORTH', stable);
  const boltBefore = await overBolt('NORTH', '', STABLE_QUERIES);
  await test.upload(moreOf('SOUTH', 40), moreOf('CLOUD', 40));
  await test.settled();
  await planned();
  const after = await walk('NORTH', stable);
  const rowsOf = (answers: readonly BoltAnswer[]) => answers.map(({ query, rows }) => [query, rows]);
  expect(rowsOf(await overBolt('NORTH', '', STABLE_QUERIES))).toEqual(rowsOf(boltBefore));
  expect(after.length).toBe(before.length);
  const differences = before.flatMap((one, at) => {
    const [was, is] = [comparable(one), comparable(after[at] as Answered)];
    if (was === is) return [];
    const first = [...was].findIndex((character, place) => character !== is[place]);
    const [old, now] = [was, is].map((text) => text.slice(Math.max(0, first - 60), first + 60));
    return [`${one.operation} ${one.target}: ${old} | ${now}`];
  });
  const byOperation = Map.groupBy(differences, (text) => text.split(' ')[0]);
  expect([...byOperation.values()].map(([first]) => first)).toEqual([]);
}, 400_000);

it('every finding type reaches into each environment, and concerns an object of another in each', async () => {
  await insertCrossingFindings(test.database.pool);
  const rows = await test.data('GET', 'attack-paths/findings?limit=0');
  const types = [...FINDING_TYPES.map(({ id }) => id), 'MRK_Finding', CHECK];
  const known = new Set(rows.map(({ finding, environment_id }: Json) => `${finding} ${environment_id}`));
  const missing = types.flatMap((type) =>
    PLACES.filter((place) => !known.has(`${type} ${MARKS[place].id}`)).map((place) => `${type} ${place}`),
  );
  expect(missing).toEqual([]);
});

describe.each(PLACES)('a user who sees %s', (place) => {
  it('reads nothing of the others in any operation', async () => {
    await readIds(place);
    await planned();
    // Each operation is asked by one of the users, and at night by all.
    const asked = sampledCases(reading, PLACES.length, PLACES.indexOf(place));
    const answers = await walk(place, asked);
    const leaks = answers
      .map(({ operation, target, text }) => ({ operation, target, found: foundIn(text, place), text }))
      .filter(({ found }) => found.length > 0)
      .map(({ operation, target, found, text }) => {
        const at = text.toUpperCase().indexOf((found[0] as string).toUpperCase());
        return `${operation} ${target}: ${text.slice(Math.max(0, at - 80), at + 40)}`;
      });
    const byOperation = Map.groupBy(leaks, (leak) => leak.split(' ')[0]);
    expect([...byOperation.values()].map(([first]) => first)).toEqual([]);
    const failed = answers.filter(({ status }) => status >= 500);
    expect(failed.map(({ target, text }) => `${target} ${text}`)).toEqual([]);
    const answered = new Set(
      answers.filter(({ status }) => status === 200).map(({ operation }) => operation),
    );
    expect(answered.size).toBeGreaterThan((100 * asked.length) / reading.length);
  }, 300_000);

  it('reads nothing of the others over Bolt, also through an own layer', async () => {
    const body = { query: 'MATCH (n) RETURN id(n), n.objectid', rows: true };
    const every = (await test.data('POST', 'graphs/cypher', body)).rows as [number, string][];
    await readIds(place);
    const seen = nodeIds.get(place) as ReadonlyMap<string, number>;
    const all = every.map(([id]) => id);
    const hidden = every.filter(([, id]) => !seen.has(id)).map(([id]) => id);
    expect(hidden.length).toBeGreaterThan(50);
    const own = seen.get(reacher(place)) as number;
    const queries = readingQueries(own, all, sampled(all, place));
    const answers = [
      ...(await overBolt(place, '', queries)),
      ...(await overBolt(place, 'walk', [...changingQueries(own, all), ...sampled(queries, place)])),
    ];
    const leaks = answers.flatMap(({ query, text }) => {
      const [sign] = foundIn(text, place);
      if (sign === undefined) return [];
      const at = text.toUpperCase().indexOf(sign.toUpperCase());
      return [`${query.slice(0, 200)}: ${text.slice(Math.max(0, at - 80), at + 40)}`];
    });
    expect(leaks).toEqual([]);
    // A user who sees all gets the others by the same queries.
    const { id, key } = await test.data('POST', 'tokens', { token_name: 'bolt' });
    const ofAll = await askBolt(test.service.boltUrl as string, { id, key }, '', queries);
    const telling = ofAll.filter(({ text }) => foundIn(text, place).length > 0);
    expect(telling.length).toBeGreaterThan(10);
    const failed = answers.filter(({ isFailure }) => isFailure).map(({ query, text }) => [query, text]);
    expect(failed).toEqual([]);
    const refused = sampled(hidden, place).map((id) => `MATCH (n) WHERE id(n) = ${id} DETACH DELETE n`);
    const removed = await overBolt(place, 'walk', refused);
    expect(removed.filter(({ text }) => text.includes('nodes-deleted'))).toEqual([]);
    const [{ rows }] = await overBolt(place, 'walk', ['MATCH (n:Copy) RETURN count(n) AS copies']);
    expect(rows).toEqual([[seen.size]]);
  }, 300_000);

  it('finds nothing of the others with a filter or a search', async () => {
    const found: string[] = [];
    const texts = reading.flatMap((route) => {
      const required = (route.query?.required ?? []) as readonly string[];
      const [first] = requestsTo(route, place);
      return Object.entries(route.columns ?? {}).flatMap(([name, { type }]) =>
        first === undefined || type !== 'string' || required.includes(name) ? [] : [{ route, first, name }],
      );
    });
    await several(sampled(texts, place), async ({ route, first, name }) => {
      const answerTo = async (word: string): Promise<string> => {
        const separator = first.target.includes('?') ? '&' : '?';
        const target = `${first.target}${separator}${name}=${encodeURIComponent(`~eq:${word}`)}`;
        const { status, text } = await ask(place, route, { ...first, target });
        return status === 200 ? text.replaceAll(word, 'WORD').replaceAll(TIMES, 'T') : String(status);
      };
      const nothing = await answerTo('NOSUCHTEXT');
      for (const sign of others(place).flatMap(signsOf))
        if ((await answerTo(sign)) !== nothing) found.push(`${route.operationId} ${name} ${sign}`);
    });
    expect(found).toEqual([]);
  }, 300_000);
});

const TIMES = /\d{4}-\d\d-\d\dT[\d:.]+Z?/g;
