/** Tests a platform described by a definition, from its definition and data to every answer, in the real service. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ServiceUnderTest } from '../test/serviceUnderTest.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are checked against their schemas by the service under test.
type Json = any;

const DOMAIN = 'S-1-5-21-5-5-5';
const ANN = `${DOMAIN}-1101`;

const FOREST = {
  meta: { methods: 0x7ffff, type: 'users', count: 2, version: 6 },
  data: [ANN, `${DOMAIN}-1102`].map((id) => ({
    ObjectIdentifier: id,
    Properties: { name: `${id}@CORP.LOCAL`, domainsid: DOMAIN, enabled: true },
    Aces: [],
  })),
};
const DOMAINS = {
  meta: { methods: 0x7ffff, type: 'domains', count: 1, version: 6 },
  data: [{ ObjectIdentifier: DOMAIN, Properties: { name: 'CORP.LOCAL', collected: true }, Aces: [] }],
};

const section = (title: string, position: number) => ({
  title,
  position,
  markdown: { content: `**${title}**` },
});

const RULE = {
  ...{ name: 'Okta administrators', description: 'Roles that hold all', zone: 'Tier Zero' },
  ...{ cypher: "MATCH (r:Okta_Role) WHERE r.name CONTAINS 'ADMIN' RETURN r", enabled: true },
  allow_disable: true,
};

const definition = (more: object = {}) => ({
  schema: { name: 'okta', display_name: 'Okta', version: 'v1.0.0', namespace: 'Okta' },
  node_kinds: [
    {
      name: 'Okta_Org',
      display_name: 'Organization',
      is_display_kind: true,
      icon: 'cloud',
      color: '#123456',
    },
    {
      ...{ name: 'Okta_User', display_name: 'User', is_display_kind: true, icon: 'user', color: '#abc' },
      info: { use: section('Use', 2), what: section('What', 1), also: section('Also', 2) },
    },
    { name: 'Okta_Role', display_name: 'Role' },
  ],
  relationship_kinds: [
    { name: 'Okta_SyncedTo', is_traversable: true, effort: 1, effort_reason: 'The same password' },
    {
      ...{
        name: 'Okta_ResetPassword',
        is_traversable: true,
        effort: 4,
        info: { abuse: section('Abuse', 1) },
      },
      ...{ phrase: 'can reset the sign-in of', removal: 'Remove the administrator role in Okta.' },
    },
    { name: 'Okta_HasRole', is_traversable: true, effort: 0, description: 'A user holds a role.' },
    { name: 'Okta_Knows' },
  ],
  environments: [{ environment_kind: 'Okta_Org', source_kind: 'OktaBase', principal_kinds: ['Okta_User'] }],
  privilege_zone_rules: [RULE],
  ...more,
});

/** Relationships derived from the kind, and from identities. */
const derived = (becomes: string) => ({
  relationship_kinds: [
    ...definition().relationship_kinds,
    ...['Okta_Becomes', 'Okta_Reaches', 'Okta_SameAs'].map((name) => ({ name, is_traversable: true })),
  ],
  derived_relationships: [
    {
      ...{ kind: 'Okta_Reaches', start: 'a', end: 'r', reason: 'The accounts are synchronized' },
      pattern: 'MATCH (a:User)-[:Okta_SyncedTo]->(u) MATCH (u)-[:Okta_Becomes]->(r:Okta_Role)',
    },
    {
      ...{ kind: 'Okta_Becomes', start: 'u', end: 'r', reason: 'Who resets a password has the role' },
      pattern: `MATCH (u)-[:${becomes}]->(v)-[:Okta_HasRole]->(r)`,
    },
  ],
  identities: [
    {
      ...{ kind: 'Okta_SameAs', matcher: 'upn', both_directions: true },
      ...{ start: { kind: 'User', property: 'name' }, end: { kind: 'Okta_User', property: 'login' } },
    },
  ],
});

const ORG = 'OKTA-ORG';
const node = (id: string, kind: string, more: object = {}) => ({
  id,
  kinds: [kind],
  properties: { name: id, environmentid: ORG, ...more },
});
const edge = (start: string, kind: string, end: string) => ({
  kind,
  start: { value: start },
  end: { value: end },
});
const PAYLOAD = {
  metadata: { source_kind: 'OktaBase' },
  graph: {
    nodes: [
      node(ORG, 'Okta_Org', { collected: true }),
      node('OKTA:ANN', 'Okta_User', { login: `${ANN}@corp.local` }),
      node('OKTA:BOB', 'Okta_User', { login: `${ANN}@corp.local` }),
      node('OKTA:EVE', 'Okta_User', { login: `${DOMAIN}-1102@corp.local` }),
      node('OKTA:SUPER ADMIN', 'Okta_Role'),
    ],
    edges: [
      edge(ANN, 'Okta_SyncedTo', 'OKTA:ANN'),
      edge('OKTA:ANN', 'Okta_ResetPassword', 'OKTA:BOB'),
      edge('OKTA:BOB', 'Okta_HasRole', 'OKTA:SUPER ADMIN'),
      edge('OKTA:EVE', 'Okta_Knows', 'OKTA:SUPER ADMIN'),
    ],
  },
};

let service: ServiceUnderTest;

async function generation(): Promise<number> {
  const { rows } = await service.database.pool.query(
    'select coalesce(max(id), 0)::int as id from generation',
  );
  return rows[0].id;
}

/** Does something that causes a generation, and waits until it is visible. */
async function untilBuilt<Result>(work: () => Promise<Result>): Promise<Result> {
  const before = await generation();
  const result = await work();
  await vi.waitUntil(async () => (await generation()) > before, { timeout: 100_000, interval: 50 });
  await service.settled();
  return result;
}

const put = (body: object) => untilBuilt(() => service.call('PUT', 'extensions', body));
const path = (start: string, end: string) =>
  service.call(
    'GET',
    `graphs/shortest-path?start_node=${encodeURIComponent(start)}&end_node=${encodeURIComponent(end)}`,
  );
const cypher = (query: string) => service.call('POST', 'graphs/cypher', { query });
const findings = async (): Promise<Json[]> =>
  (await service.data('GET', 'attack-paths/findings?limit=100')).filter(
    ({ environment_id }: Json) => environment_id === ORG,
  );

let before: string;

beforeAll(async () => {
  service = await ServiceUnderTest.start();
  await service.upload(DOMAINS, FOREST);
  before = await service.exported();
  await service.upload(PAYLOAD);
});
afterAll(() => service?.stop());

test('data without a definition is generic: it exists, and no path uses it', async () => {
  expect((await path(ANN, 'OKTA:BOB')).status).toBe(404);
  const found = await cypher('MATCH p = (:Okta_User)-[:Okta_ResetPassword]->(:Okta_User) RETURN p');
  expect(found.json.data.edges).toHaveLength(1);
});

describe('after it is defined', () => {
  let extension: number;

  beforeAll(async () => {
    const made = await put(definition());
    expect(made.status).toBe(201);
    extension = made.json.data.id;
  }, 120_000);

  test('paths cross platforms, without a restart', async () => {
    const { status, json } = await path(ANN, 'OKTA:SUPER ADMIN');
    expect([status, json.data.edges.map(({ kind }: Json) => kind).sort()]).toEqual([
      200,
      ['Okta_HasRole', 'Okta_ResetPassword', 'Okta_SyncedTo'],
    ]);
    // Not declared to pass on control.
    expect((await path('OKTA:EVE', 'OKTA:SUPER ADMIN')).status).toBe(404);
  });

  test('in Cypher, its relationships can be queried by kind and among all', async () => {
    for (const name of ['OKTA_ATTACK_PATHS', 'ALL_ATTACK_PATHS']) {
      const { json } = await cypher(
        `MATCH p = shortestPath((a)-[:${name}*1..]->(b:Okta_Role)) WHERE a.objectid = '${ANN}' RETURN p`,
      );
      expect([name, json.data?.edges?.length]).toEqual([name, 3]);
    }
    const { json } = await cypher('MATCH (a)-[r]->(b:Okta_Role) WHERE r.traversable = true RETURN a');
    expect(Object.values(json.data.nodes)).toHaveLength(1);
  });

  test('a relationship into a zone is a finding, with the share that can use it', async () => {
    const found = await findings();
    expect(found).toEqual([
      expect.objectContaining({
        finding: 'Okta_HasRole',
        relation: 'Okta_HasRole',
        title: 'Has role into Tier Zero',
        severity: 'high',
      }),
    ]);
    const types = await service.data('GET', 'attack-paths/finding-types');
    expect(types).toContainEqual({ finding: 'Okta_HasRole', title: 'Has role into Tier Zero' });
    const text = await service.call('GET', 'assets/findings/Okta_HasRole/long_remediation.md');
    expect(text.json).toContain('# Has role into Tier Zero');
  });

  test('exposure counts its principals, and those of the forest who can reach it', async () => {
    const { rows } = await service.database.pool.query(
      'select exposure_count, exposure_percentage, exposure_from from finding where finding = $1 and deleted_at is null',
      ['Okta_HasRole'],
    );
    // One of the three users has no position, and one reaches it through another.
    expect(rows).toEqual([
      {
        exposure_count: 2,
        exposure_percentage: expect.closeTo(2 / 3),
        exposure_from: [expect.objectContaining({ environment_id: DOMAIN, count: 1 })],
      },
    ]);
  });

  test('its environments are listed, rated and measured like others', async () => {
    const listed = await service.data('GET', 'available-domains');
    const org = listed.find(({ id }: Json) => id === ORG);
    expect(org).toMatchObject({
      ...{ type: 'Okta_Org', name: ORG, collected: true },
      ...{ environment_kind_name: 'Okta_Org', environment_kind_display_name: 'Organization' },
      ...{ impactValue: 67, not_read: [] },
    });
    const counts = await service.data('GET', `data-quality-stats?environment_id=${ORG}&limit=100`);
    expect(counts).toContainEqual(expect.objectContaining({ metric_name: 'Okta_User', metric_value: 3 }));
    const totals = `data-quality-stats-aggregations?schema_environment_kind_id=${org.environment_kind_id}`;
    for (const more of ['', `&schema_extension_id=${extension}`])
      expect(await service.data('GET', `${totals}${more}&limit=100`)).toContainEqual(
        expect.objectContaining({ metric_name: 'Okta_User', metric_value: 3 }),
      );
    expect((await service.call('GET', `${totals}&schema_extension_id=1`)).status).toBe(404);
  });

  test('panels show the texts of the author', async () => {
    const { json } = await cypher("MATCH (u:Okta_User) WHERE u.name = 'OKTA:ANN' RETURN u");
    const [id] = Object.keys(json.data.nodes);
    const details = await service.data('GET', `nodes/${id}?include-info=true`);
    expect(details.info.map(({ title }: Json) => title)).toEqual(['What', 'Also', 'Use']);
    const [{ node_kind_id }] = details.kinds.filter(({ name }: Json) => name === 'Okta_User');
    expect(await service.data('GET', `node-kinds/${node_kind_id}`)).toMatchObject({
      ...{ name: 'Okta_User', icon: 'user', color: '#abc' },
      extension: { extension_id: extension, name: 'okta' },
    });
    const edges = await service.data('GET', 'extensions-edges?schemas=okta&is_traversable=true');
    expect(edges).toHaveLength(3);
    const reset = edges.find(({ name }: Json) => name === 'Okta_ResetPassword');
    expect(await service.data('GET', `relationship-kinds/${reset.id}`)).toMatchObject({
      ...{ is_traversable: true, info: { abuse: { title: 'Abuse' } } },
    });
    const { node_kinds, relationship_kinds } = await service.data('GET', 'kinds');
    expect(node_kinds.find(({ name }: Json) => name === 'Okta_User')).toMatchObject({
      ...{ icon: 'user', color: '#abc', is_builtin: false, schema_name: 'okta' },
    });
    const described = (kind: string) => relationship_kinds.find(({ name }: Json) => name === kind);
    expect(described('Okta_ResetPassword')).toMatchObject({
      ...{ phrase: 'can reset the sign-in of', removal: 'Remove the administrator role in Okta.' },
      ...{ is_traversable: true, effort: 4, is_builtin: false, schema_name: 'okta' },
    });
    expect(described('Okta_HasRole')).toMatchObject({ phrase: 'has role', effort: 0 });
  });

  test('what-if computes the effect of a repair', async () => {
    const remove = [{ source_id: 'OKTA:ANN', kind: 'Okta_ResetPassword', target_id: 'OKTA:BOB' }];
    const simulated = await service.data('POST', 'plan/simulate', { remove });
    const of = (exposures: Json[]) => exposures.find(({ environment_id }) => environment_id === ORG);
    expect([of(simulated.before).exposed_count, of(simulated.after).exposed_count]).toEqual([2, 1]);
  });

  test('the plan removes relationships', async () => {
    await vi.waitUntil(async () => (await service.call('GET', 'plan')).json.data?.computing === null, {
      timeout: 100_000,
    });
    const { cards } = await service.data('GET', 'plan?limit=50');
    expect(JSON.stringify(cards)).toContain('Okta_');
  });

  test('zone rules are installed and removed with it, and can be disabled', async () => {
    const own = async (): Promise<Json[]> => {
      const { selectors } = await service.data('GET', 'asset-group-tags/1/selectors?limit=200&counts=true');
      return selectors.filter(({ extension_id }: Json) => extension_id === extension);
    };
    const [rule] = await own();
    expect(rule).toMatchObject({
      ...{ name: RULE.name, description: RULE.description, is_default: false, allow_disable: true },
      ...{ disabled_at: null, seeds: [{ type: 2, value: RULE.cypher }], counts: { members: 1 } },
    });
    const at = `asset-group-tags/1/selectors/${rule.id}`;
    expect((await service.call('PATCH', at, { name: 'Another' })).status).toBe(409);
    expect((await service.call('DELETE', at)).status).toBe(409);
    await untilBuilt(() => service.call('PATCH', at, { disabled: true }));
    expect(await findings()).toEqual([]);
    // An update keeps it disabled, and adds new checks.
    await put(definition({ privilege_zone_rules: [{ ...RULE, description: 'Other words' }] }));
    expect(await own()).toMatchObject([{ id: rule.id, description: 'Other words' }]);
    expect((await own())[0].disabled_at).not.toBeNull();
    await untilBuilt(() => service.call('PATCH', at, { disabled: false }));
    expect(await findings()).toHaveLength(1);
    await put(definition({ privilege_zone_rules: [] }));
    expect(await own()).toEqual([]);
    await put(definition());
    const { records } = await service.data('GET', 'asset-group-tags-history?limit=100');
    const actions = records
      .filter(({ target }: Json) => target === RULE.name)
      .map(({ action }: Json) => action)
      .sort();
    expect(actions).toEqual([
      ...['CreateSelector', 'CreateSelector', 'DeleteSelector'],
      ...['UpdateSelector', 'UpdateSelector', 'UpdateSelector'],
    ]);
  });

  test('a finding in the definition replaces the generic one', async () => {
    const texts = {
      short_description: 'A user holds *all* of Okta.',
      long_description: '# Long',
      short_remediation: 'Remove the role.',
      long_remediation: '1. Remove the role.',
    };
    const finding = {
      ...{ name: 'Okta_SuperAdmin', display_name: 'Super administrators of Okta' },
      ...{ environment_kind: 'Okta_Org', relationship_kind: 'Okta_HasRole', remediation: texts },
    };
    expect((await put(definition({ relationship_findings: [finding] }))).status).toBe(200);
    expect((await findings()).map(({ finding: type }: Json) => type)).toEqual(['Okta_SuperAdmin']);
    const text = await service.call('GET', 'assets/findings/Okta_SuperAdmin/long_remediation.md');
    expect(text.json).toBe('1. Remove the role.\n');
  });

  test('its repairs have the texts and cost from the definition, and its checks are findings', async () => {
    const repair = {
      ...{ relationship_kind: 'Okta_HasRole', object: 'source', cost: 7 },
      ...{ title: 'Take {target} from {source}', change: 'In the console, remove {source} from {target}.' },
    };
    const check = {
      ...{ name: 'Okta_LonelyUsers', title: 'Users who know a role', severity: 'critical' },
      cypher: 'MATCH (u:Okta_User)-[:Okta_Knows]->(r) RETURN u, r.name AS role',
      repair: { change: 'remove-relation', relationship_kinds: ['Okta_Knows'], direction: 'out' },
    };
    await put(definition({ repairs: [repair], node_findings: [check] }));
    const all = await findings();
    expect(all.map(({ finding, severity }: Json) => [finding, severity]).sort()).toEqual([
      ['Okta_HasRole', expect.any(String)],
      ['Okta_LonelyUsers', 'critical'],
    ]);
    const evidenceOf = async (type: string): Promise<Json> => {
      const { id } = all.find(({ finding }: Json) => finding === type);
      return service.data('GET', `attack-paths/findings/${id}/evidence`);
    };
    const [removal] = (await evidenceOf('Okta_HasRole')).repairs;
    expect(removal).toMatchObject({
      title: 'Take OKTA:SUPER ADMIN from OKTA:BOB',
      change: 'In the console, remove OKTA:BOB from OKTA:SUPER ADMIN.',
      object: { name: 'OKTA:BOB' },
      check: 'The next analysis does not find the relationship.',
    });
    const lonely = await evidenceOf('Okta_LonelyUsers');
    expect(lonely.values[0]).toMatchObject({ property: 'role', value: 'OKTA:SUPER ADMIN' });
    expect(lonely.repairs[0].repair).toMatchObject({ kind: 'remove-relation', relations: ['Okta_Knows'] });
    const closes = async (reference: Json): Promise<string[]> =>
      (await service.data('POST', 'plan/simulate', { repairs: [reference] })).closed.map(
        ({ finding }: Json) => finding,
      );
    expect(await closes(lonely.repairs[0].repair)).toEqual(['Okta_LonelyUsers']);
    expect(await closes(removal.repair)).toContain('Okta_HasRole');
    expect((await service.call('DELETE', 'checks/Okta_LonelyUsers')).status).toBe(409);
    expect((await service.call('PUT', 'checks/Okta_LonelyUsers', check)).status).toBe(400);
    await put(definition());
    expect(await service.data('GET', 'checks')).toEqual([]);
  });

  test('checks of the organization are stored, tested and removed over HTTP', async () => {
    const check = {
      ...{ name: 'Check_Users', title: 'All users', severity: 'low', owner: 'Directory team' },
      cypher: 'MATCH (u:User) RETURN u, u.name AS name ORDER BY name',
    };
    const { found_count, found, evidence_columns } = await service.data('POST', 'checks/test', check);
    expect([found_count, evidence_columns, found[0].evidence]).toEqual([
      2,
      ['name'],
      [[`${ANN}@CORP.LOCAL`]],
    ]);
    const faulty = await service.call('POST', 'checks/test', { ...check, title: '', severity: 'huge' });
    expect(faulty.json.errors.slice(1).map(({ message }: Json) => message.split(':')[0])).toEqual([
      ...['/title', '/severity'],
    ]);
    const wrong = { ...check, cypher: 'MATCH (u:User) RETURN u.name' };
    expect((await service.call('POST', 'checks/test', wrong)).status).toBe(400);
    expect((await untilBuilt(() => service.call('PUT', 'checks/Check_Users', check))).status).toBe(201);
    expect((await service.call('PUT', 'checks/Check_Users', check)).status).toBe(200);
    const [stored] = await service.data('GET', 'checks');
    expect(stored).toMatchObject({ name: 'Check_Users', finding_count: 2, error: null, extension_id: null });
    expect((await service.call('PUT', 'checks/Check_Users', { ...stored.definition })).status).toBe(200);
    expect((await untilBuilt(() => service.call('DELETE', 'checks/Check_Users'))).status).toBe(204);
    expect((await service.call('GET', 'checks/Check_Users')).status).toBe(404);
  });

  test('relationships are derived from others, and from identities', async () => {
    const circle = await service.call(
      'PUT',
      'extensions',
      definition(derived('Okta_ResetPassword|Okta_Reaches')),
    );
    expect([circle.status, circle.json.errors[1].message]).toEqual([
      400,
      '/derived_relationships/0/pattern: depends on itself: Okta_Reaches reads Okta_Becomes reads Okta_Reaches',
    ]);
    await put(definition(derived('Okta_ResetPassword')));
    const rows = await service.data('GET', `extensions/${extension}/derived-relationships`);
    expect(
      rows.map(({ kind, derived_by, relationship_count, ambiguous_count, ambiguous, error }: Json) => [
        ...[kind, derived_by, relationship_count, ambiguous_count, ambiguous, error],
      ]),
    ).toEqual([
      ['Okta_Becomes', 'pattern', 1, 0, [], null],
      ['Okta_Reaches', 'pattern', 1, 0, [], null],
      ['Okta_SameAs', 'identity', 2, 1, [{ start: [ANN], end: ['OKTA:ANN', 'OKTA:BOB'] }], null],
    ]);
    const reasons = await service.call('POST', 'graphs/cypher', {
      query:
        'MATCH (a)-[r:Okta_Reaches|Okta_SameAs]->(b) RETURN type(r), r.reason ORDER BY type(r), a.objectid LIMIT 2',
      rows: true,
    });
    expect(reasons.json.data.rows).toEqual([
      ['Okta_Reaches', 'The accounts are synchronized'],
      ['Okta_SameAs', `Both have the same user principal name ${DOMAIN.toLowerCase()}-1102@corp.local`],
    ]);
    expect((await path(ANN, 'OKTA:SUPER ADMIN')).json.data.edges).toMatchObject([{ kind: 'Okta_Reaches' }]);
    expect((await path(`${DOMAIN}-1102`, 'OKTA:EVE')).status).toBe(200);
    expect((await findings()).map(({ finding }: Json) => finding).sort()).toEqual([
      ...['Okta_Becomes', 'Okta_HasRole', 'Okta_Reaches'],
    ]);
    const composed = async (kind: string): Promise<string[]> => {
      const { edges } = (await cypher(`MATCH p = ()-[:${kind}]->() RETURN p`)).json.data;
      const query = `source_node=${edges[0].source}&target_node=${edges[0].target}&edge_type=${kind}`;
      const graph = await service.data('GET', `graphs/edge-composition?${query}`);
      return graph.edges.map((one: Json) => one.kind).sort();
    };
    expect(await composed('Okta_Reaches')).toEqual(['Okta_Becomes', 'Okta_SyncedTo']);
    expect(await composed('Okta_Becomes')).toEqual(['Okta_HasRole', 'Okta_ResetPassword']);
    // It depends on the underlying facts, so no plan removes it directly.
    const removals = async (kind: string): Promise<string[]> => {
      const { id } = (await findings()).find(({ finding }: Json) => finding === kind);
      const { repairs } = await service.data('GET', `attack-paths/findings/${id}/evidence`);
      return repairs.flatMap(({ repair }: Json) => repair.relations).sort();
    };
    expect(await removals('Okta_Becomes')).toEqual(['Okta_HasRole', 'Okta_ResetPassword']);
    expect(await removals('Okta_Reaches')).toEqual(['Okta_HasRole', 'Okta_ResetPassword', 'Okta_SyncedTo']);
    await put(definition());
    expect((await cypher('MATCH p = ()-[:Okta_Reaches|Okta_SameAs]->() RETURN p')).status).toBe(404);
  });

  test('a kind that is no longer traversable is in no path', async () => {
    const { relationship_kinds, ...others } = definition();
    const without = relationship_kinds.filter(({ name }) => name !== 'Okta_ResetPassword');
    await put({ ...others, relationship_kinds: without });
    expect((await path(ANN, 'OKTA:SUPER ADMIN')).status).toBe(404);
    // With everything that removal could leave behind.
    const check = {
      name: 'Okta_All',
      title: 'Users',
      severity: 'low',
      cypher: 'MATCH (u:Okta_User) RETURN u',
    };
    await put(definition({ ...derived('Okta_ResetPassword'), node_findings: [check] }));
    expect((await path(ANN, 'OKTA:SUPER ADMIN')).status).toBe(200);
    expect((await findings()).map(({ finding }: Json) => finding)).toContain('Okta_All');
  });

  test('after removal, its data is generic again', async () => {
    expect((await untilBuilt(() => service.call('DELETE', `extensions/${extension}`))).status).toBe(204);
    expect((await path(ANN, 'OKTA:BOB')).status).toBe(404);
    expect(await findings()).toEqual([]);
    // After the data is deleted, the forest is unchanged.
    const { kinds } = await service.data('GET', 'graphs/source-kinds');
    const { id } = kinds.find(({ name }: Json) => name === 'OktaBase');
    await untilBuilt(() => service.call('POST', 'clear-database', { deleteSourceKinds: [id] }));
    expect(await service.exported()).toBe(before);
  });
});
