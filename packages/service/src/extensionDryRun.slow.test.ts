/** Compares dry runs with the following installation in the real service, with the example bundle. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zipOf } from '@clew/intake/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServiceUnderTest } from '../test/serviceUnderTest.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are checked against their schemas by the service under test.
type Json = any;

const EXAMPLES = new URL('../../../examples/extensions/', import.meta.url).pathname;
const DOMAIN = 'S-1-5-21-5-5-5';
const [ANN, SERVICE, OTHER, ADMINS] = [1101, 1102, 1103, 512].map((rid) => `${DOMAIN}-${rid}`) as [
  ...[string, string, string, string],
];

const collected = (type: string, data: readonly object[]) => ({
  meta: { methods: 0x7ffff, type, count: data.length, version: 6 },
  data,
});
const user = (id: string, name: string) => ({
  ObjectIdentifier: id,
  Properties: { name, domainsid: DOMAIN, enabled: true, userprincipalname: name.toLowerCase() },
  Aces: [],
});
const FOREST = [
  collected('domains', [
    { ObjectIdentifier: DOMAIN, Properties: { name: 'CORP.LOCAL', collected: true }, Aces: [] },
  ]),
  collected('users', [
    user(ANN, 'ANN@CORP.LOCAL'),
    user(SERVICE, 'SVC@CORP.LOCAL'),
    user(OTHER, 'OTHER@CORP.LOCAL'),
  ]),
  collected('groups', [
    {
      ObjectIdentifier: ADMINS,
      Properties: { name: 'DOMAIN ADMINS@CORP.LOCAL', domainsid: DOMAIN },
      Members: [{ ObjectIdentifier: SERVICE, ObjectType: 'User' }],
      Aces: [],
    },
  ]),
];

let service: ServiceUnderTest;
let files: { readonly name: string; readonly content: Buffer }[];

/** @param changed replaced file texts of the example */
async function bundle(changed: Readonly<Record<string, object>> = {}): Promise<Buffer> {
  return zipOf(
    ...files.map(({ name, content }) => ({
      name,
      content: name in changed ? (changed[name] as object) : content,
    })),
  );
}

async function send(bytes: Uint8Array, query = '') {
  const answer = await fetch(`${service.service.url}/api/v2/extensions${query}`, {
    method: 'PUT',
    headers: {
      ...{ authorization: service.authorization, 'content-type': 'application/zip' },
      prefer: 'wait=90',
    },
    body: new Uint8Array(bytes),
  });
  const json: Json = await answer.json();
  return { status: answer.status, data: json.data, errors: json.errors };
}
const dryRun = async (bytes: Uint8Array): Promise<Json> => {
  const { status, data, errors } = await send(bytes, '?dry_run=true');
  expect([status, errors]).toEqual([200, undefined]);
  return data.dry_run;
};

const one = async (query: string) => (await service.database.pool.query(query)).rows[0];
/** The number of findings by type, and the counts of the plan and zones. */
async function state() {
  const { rows } = await service.database.pool.query(
    'select finding, count(*)::integer as count from finding where deleted_at is null group by finding',
  );
  const { tags } = await service.data('GET', 'asset-group-tags?counts=true');
  const { before } = await service.data('POST', 'plan/simulate', {});
  return {
    findings: new Map<string, number>(rows.map(({ finding, count }) => [finding, count])),
    tierZero: tags.find(({ id }: Json) => id === 1).counts.members as number,
    exposure: before as Json[],
  };
}
/** The order does not matter. */
const sorted = (exposures: Json[]): Json[] =>
  exposures.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

beforeAll(async () => {
  const directory = join(EXAMPLES, 'tickets');
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  files = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async ({ parentPath, name }) => {
        const path = join(parentPath, name);
        return { name: path.slice(directory.length + 1), content: await readFile(path) };
      }),
  );
  service = await ServiceUnderTest.start({}, { makesPlans: false });
}, 120_000);
afterAll(() => service?.stop());

test('reports that nothing was analyzed yet', async () => {
  const { effect, not_computed, difference } = await dryRun(await bundle());
  expect([effect, not_computed]).toEqual([null, ['There is no analysis yet: upload a collection first.']]);
  expect(difference).toContainEqual({
    ...{ part: 'derived_relationships', added: ['Tick_MayRun'], removed: [], changed: [] },
  });
});

test('describes what the installation then does, and changes nothing', async () => {
  const data = JSON.parse(await readFile(join(EXAMPLES, 'tickets-data.json'), 'utf8'));
  data.graph.edges.push({ kind: 'Tick_RunsAs', start: { value: 'TICK:GRANT' }, end: { value: SERVICE } });
  await service.upload(...FOREST, data);
  await service.settled();
  const [before, generation] = [await state(), (await one('select max(id) as id from generation')).id];
  const { effect, not_computed, installed_version } = await dryRun(await bundle());
  expect([installed_version, not_computed]).toEqual([null, []]);
  expect(effect.generation).toBe(Number(generation));
  expect(effect.relationships).toEqual(
    [
      ['Tick_Edits', 2],
      ['Tick_MayRun', 1],
      ['Tick_RunsAs', 1],
      ['Tick_SameAs', 1],
    ].map(([kind, relationship_count]) => ({
      ...{ kind, relationship_count, was_traversable: false, is_traversable: true },
    })),
  );
  expect(effect.derived).toEqual([
    { kind: 'Tick_MayRun', relationship_count: 1, error: null },
    { kind: 'Tick_SameAs', relationship_count: 1, error: null },
  ]);
  expect(effect.checks).toEqual([
    { name: 'Tick_AutomationsWithoutOwner', found_count: 1, error: null },
    { name: 'Tick_SharedAgents', found_count: 1, error: null },
  ]);
  expect(effect.zones).toMatchObject([
    {
      ...{ asset_group_tag_id: 1, name: 'Tier Zero', added_count: 1, removed_count: 0 },
      added: [{ object_id: 'TICK:DEPLOY', name: 'DEPLOY', kind: 'Tick_Automation' }],
      ...{ member_count_before: before.tierZero, member_count_after: before.tierZero + 1 },
    },
  ]);
  expect(sorted(effect.before)).toEqual(sorted(before.exposure));
  // Nothing has changed.
  expect([await state(), (await one('select max(id) as id from generation')).id]).toEqual([
    before,
    generation,
  ]);
  expect(await one("select count(*)::integer as count from edge_kind where name = 'Tick_MayRun'")).toEqual({
    count: 0,
  });

  expect((await send(await bundle())).status).toBe(201);
  await service.settled();
  const after = await state();
  expect(after.tierZero).toBe(effect.zones[0].member_count_after);
  expect(sorted(effect.after)).toEqual(sorted(after.exposure));
  const expected = new Map(before.findings);
  for (const { finding, opened_count, closed_count } of effect.findings.types)
    expected.set(finding, (expected.get(finding) ?? 0) + opened_count - closed_count);
  expect(new Map([...expected].filter(([, count]) => count > 0))).toEqual(after.findings);
  expect(effect.findings.types).toContainEqual({
    finding: 'Tick_AutomationIntoTierZero',
    title: 'Automation runs as an account of Tier Zero',
    ...{ opened_count: 1, closed_count: 0 },
  });
  expect(effect.findings.opened_count).toBeGreaterThanOrEqual(4);
}, 200_000);

test('finds nothing to do for an installed bundle', async () => {
  const { effect, difference, installed_version } = await dryRun(await bundle());
  expect([installed_version, difference]).toEqual(['v1.0.0', []]);
  expect(effect).toMatchObject({ relationships: [], zones: [] });
  expect(effect.findings).toMatchObject({ types: [], opened_count: 0, closed_count: 0 });
  expect(sorted(effect.after)).toEqual(sorted(effect.before));
}, 100_000);

test('lists what an update removes', async () => {
  const schema = JSON.parse(files.find(({ name }) => name === 'schema.json')?.content.toString() ?? '');
  const relationship_kinds = schema.relationship_kinds.map((kind: Json) =>
    kind.name === 'Tick_Edits' ? { ...kind, is_traversable: false } : kind,
  );
  const update = await bundle({
    'schema.json': { ...schema, relationship_kinds, schema: { ...schema.schema, version: 'v2.0.0' } },
    'privilege_zone_rules/deployment.json': [],
    'checks/shared-agents.json': [],
    'tests/desk.json': [],
  });
  const { effect, difference, installed_version } = await dryRun(update);
  expect([installed_version, difference]).toEqual([
    'v1.0.0',
    [
      { part: 'relationship_kinds', added: [], removed: [], changed: ['Tick_Edits'] },
      {
        ...{ part: 'privilege_zone_rules', added: [], changed: [] },
        removed: ['Tier Zero: Automations that deploy'],
      },
      { part: 'node_findings', added: [], removed: ['Tick_SharedAgents'], changed: [] },
    ],
  ]);
  expect(effect.relationships).toEqual([
    { kind: 'Tick_Edits', relationship_count: 2, was_traversable: true, is_traversable: false },
  ]);
  expect(effect.zones).toMatchObject([
    { name: 'Tier Zero', added_count: 0, removed_count: 1, removed: [{ object_id: 'TICK:DEPLOY' }] },
  ]);
  expect(effect.findings.types).toContainEqual(
    expect.objectContaining({ finding: 'Tick_SharedAgents', opened_count: 0, closed_count: 1 }),
  );
}, 100_000);

test('reports each part that could not be computed, and why', async () => {
  const broken = await bundle({
    'derived_relationships/may-run.json': {
      kind: 'Tick_MayRun',
      pattern: 'MATCH (a:Tick_Agent)-[:Tick_Approves]->(q), (r:Tick_Automation) WHERE a.name / 0 = 1',
      ...{ start: 'a', end: 'r', reason: 'x' },
    },
    'checks/shared-agents.json': {
      ...{ name: 'Tick_SharedAgents', title: 'Shared', severity: 'low' },
      cypher: 'MATCH (a:Tick_Agent) WITH collect(a.name) AS names UNWIND names AS name RETURN name',
    },
  });
  const { effect, not_computed } = await dryRun(broken);
  expect(effect.derived).toContainEqual(
    expect.objectContaining({ kind: 'Tick_MayRun', error: expect.any(String) }),
  );
  expect(effect.checks).toContainEqual({
    ...{ name: 'Tick_SharedAgents', found_count: 0 },
    error: expect.stringContaining('its first column'),
  });
  expect(not_computed).toEqual([]);
}, 100_000);

test('removing an extension removes everything from its bundle', async () => {
  const { extensions } = await service.data('GET', 'extensions');
  const { id } = extensions.find(({ name }: Json) => name === 'Ticket system');
  const queries = async () =>
    (await service.data('GET', 'saved-queries?scope=public')).map(({ name }: Json) => name).sort();
  expect(await queries()).toEqual(['Automations and their accounts', 'Paths of agents into Tier Zero']);
  expect((await service.call('DELETE', `extensions/${id}`)).status).toBe(204);
  await service.settled();
  expect(await queries()).toEqual([]);
  const { findings } = await state();
  expect([...findings.keys()].filter((name) => name.startsWith('Tick_'))).toEqual([]);
  for (const table of ['saved_query', 'custom_check', 'derived_relationship', 'asset_group_tag_selector'])
    expect(
      await one(`select count(*)::integer as count from ${table} where extension_id is not null`),
    ).toEqual({
      count: 0,
    });
  const left = "source_id = (select id from source where name = 'definitions')";
  expect(await one(`select count(*)::integer as count from edge_set where ${left}`)).toEqual({ count: 0 });
}, 100_000);
