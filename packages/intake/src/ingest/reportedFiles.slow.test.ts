/** Files as collectors other than the first one write them, each from a report of a user. Names and ids are invented. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ServiceUnderTest, sidOf, twoDomains } from '@clew/service/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes.
type Json = any;

const FIXTURES = join(import.meta.dirname, '../../test/ingest/fixtures');

let service: ServiceUnderTest;

beforeAll(async () => {
  service = await ServiceUnderTest.start({}, { makesPlans: false });
}, 120_000);
afterAll(() => service.stop());

/** @param from beginning of the names of the files */
function filesOf(directory: string, from = ''): Json[] {
  return readdirSync(join(FIXTURES, directory))
    .filter((name) => name.startsWith(from))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(FIXTURES, directory, name), 'utf8')));
}

const environmentOf = async (id: string): Promise<Json> =>
  (await service.data('GET', 'posture/summary')).environments.find((one: Json) => one.environment_id === id);
const exposureOf = async (id: string): Promise<number> => (await environmentOf(id)).exposure;

it('keeps sessions that a second run did not collect', async () => {
  await service.upload(...filesOf('partial-second-run', '1-'));
  const before = await exposureOf('S-1-5-21-301-2026-1128');
  await service.upload(...filesOf('partial-second-run', '2-'));
  expect(before).toBeGreaterThan(0.3);
  expect(await exposureOf('S-1-5-21-301-2026-1128')).toBe(before);
});

it.each([
  ['do not show what their run collected', 'NORTH', 0, 'deprecated'],
  ['show what their run collected', 'SOUTH', 0x40, 'remediated'],
] as const)('reports a large fall after files that %s', async (_, domain, methods, status) => {
  const users = Array.from({ length: 30 }, (__, at) => 1101 + at);
  const filesWith = (holders: readonly number[]): Json[] =>
    twoDomains({ NORTH: [], SOUTH: [], [domain]: holders }, users)
      .map((file: Json) => ({ ...file, meta: { ...file.meta, methods } }))
      .filter(({ data }: Json) => JSON.stringify(data).includes(sidOf(domain)));
  await service.upload(...filesWith(users));
  const { name, exposure: before } = await environmentOf(sidOf(domain));
  const job = await service.upload(...filesWith([1101]));
  const [{ warnings }] = await service.data('GET', `file-upload?id=eq:${job}`);
  const doubt =
    methods === 0 ? '. The files do not show what their run collected, so findings that ended' : '';
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain(
    `29 relationships of ${name} were not reported again and were removed (GenericAll 29 of 30)${doubt}`,
  );
  const { not_reported } = await service.data('GET', 'posture/summary');
  const fall = not_reported.find((one: Json) => one.job_id === job);
  expect(fall).toMatchObject({
    environment_id: sidOf(domain),
    removed_count: 29,
    names_methods: methods > 0,
  });
  const share = (value: number): string => `${Number((value * 100).toFixed(1))}%`;
  expect(fall.text).toContain(
    `Exposure of ${name} fell from ${share(before)} to ${share(await exposureOf(sidOf(domain)))} because 29 relationships`,
  );
  const ended = await service.data(
    'GET',
    `attack-paths/findings?finding=T0GenericAll&environment_id=${sidOf(domain)}&status=neq:active&limit=100`,
  );
  expect(ended).toHaveLength(29);
  expect(new Set(ended.map((one: Json) => one.status))).toEqual(new Set([status]));
});

/** Relationships of the graph as `start -Kind-> end`, and the kinds of objects, from the store. */
async function edgesOf(kind: string): Promise<string[]> {
  const { rows } = await service.database.pool.query(
    'select start_id, kind, end_id from edge where kind = $1 order by 1, 3',
    [kind],
  );
  return rows.map((row) => `${row.start_id} -${row.kind}-> ${row.end_id}`);
}

async function kindsOf(objectId: string): Promise<string[]> {
  const { rows } = await service.database.pool.query(
    `select array(select name from node_kind where node_kind.id = any (kinds) order by node_kind.id) as names
     from node join object_id using (id) where object_id = $1`,
    [objectId],
  );
  return rows[0]?.names;
}

const warningsOf = async (job: number): Promise<string[]> =>
  (await service.data('GET', `file-upload/${job}/completed-tasks`)).flatMap((task: Json) => task.warnings);

const found = async (type: string, domain: string): Promise<string[]> =>
  (await service.data('GET', `attack-paths/findings?finding=${type}&environment_id=${domain}&limit=100`)).map(
    (row: Json) => row.target_principal_name,
  );

it('creates no domain for Builtin', async () => {
  const job = await service.upload(...filesOf('builtin-as-domain'));
  const environments = await service.data('GET', 'available-domains');
  expect(environments.filter(({ id, name }: Json) => id === 'S-1-5-32' || name === '')).toEqual([]);
  expect(await kindsOf('S-1-5-32')).toBeUndefined();
  expect((await warningsOf(job)).join()).toContain(
    'the domain Builtin (S-1-5-32) is not an object of the directory',
  );
});

it('takes the domain of a controller from its SID', async () => {
  await service.upload(...filesOf('controller-without-domain-sid'));
  const [controller, domain] = ['S-1-5-21-304-2026-1128-1000', 'S-1-5-21-304-2026-1128'];
  expect(await edgesOf('DCFor')).toContain(`${controller} -DCFor-> ${domain}`);
  expect((await edgesOf('CoerceToTGT')).filter((edge) => edge.startsWith(controller))).toEqual([]);
});

it('shows a described user as a user, whatever kind an access list has', async () => {
  await service.upload(...filesOf('kind-from-a-mention'));
  const user = 'S-1-5-21-307-2026-1128-1101';
  expect((await kindsOf(user)).filter((kind) => !kind.startsWith('Tag_'))).toEqual(['Base', 'User']);
  expect(await edgesOf('GenericAll')).toContain(`${user} -GenericAll-> S-1-5-21-307-2026-1128-1102`);
});

it('recognizes managed accounts by the suffix of their names', async () => {
  await service.upload(...filesOf('managed-account-without-flag'));
  expect(await found('Kerberoasting', 'S-1-5-21-309-2026-1128')).toEqual(['HUMAN@MSA.EXAMPLE']);
});

it('finds the domain of an authority by its name if its SID is a placeholder', async () => {
  const job = await service.upload(...filesOf('domain-sid-literal'));
  const domain = 'S-1-5-21-319-2026-1128';
  const authority = 'DDDD0000-0000-4000-8000-000000000319';
  expect(await edgesOf('RootCAFor')).toContain(`${authority} -RootCAFor-> ${domain}`);
  const { rows } = await service.database.pool.query(
    `select environment.object_id from node join object_id own on own.id = node.id
     join object_id environment on environment.id = environment_id where own.object_id = $1`,
    [authority],
  );
  expect(rows).toEqual([{ object_id: domain }]);
  expect((await warningsOf(job)).join()).toContain('the domain is determined by its name');
});

it('finds hosts by name: one computer, none, or several', async () => {
  const domain = 'S-1-5-21-77-1-1';
  const object = (rid: number, name: string, more: object = {}) => ({
    ...{ ObjectIdentifier: `${domain}-${rid}`, Aces: [], IsDeleted: false },
    Properties: { name, domain: 'HOSTS.EXAMPLE', domainsid: domain },
    ...more,
  });
  const file = (type: string, data: object[]) => ({
    data,
    meta: { type, version: 6, methods: 0, count: data.length },
  });
  const delegation = ['cifs/web1.hosts.example', 'cifs/twin', 'cifs/away.hosts.example'];
  const computers = [
    object(1001, 'WEB1.HOSTS.EXAMPLE'),
    object(1002, 'TWIN.HOSTS.EXAMPLE'),
    object(1003, 'TWIN.HOSTS.EXAMPLE'),
  ];
  const job = await service.upload(
    file('users', [object(1101, 'A@HOSTS.EXAMPLE', { AllowedToDelegate: delegation })]),
    file('computers', computers),
    file('sessions', [{ UserSID: `${domain}-1101`, ComputerSID: 'WEB1.HOSTS.EXAMPLE', LogonType: 2 }]),
  );
  const own = (edges: readonly string[]): string[] => edges.filter((edge) => edge.includes(domain));
  expect(own(await edgesOf('AllowedToDelegate'))).toEqual([
    `${domain}-1101 -AllowedToDelegate-> ${domain}-1001`,
  ]);
  expect(own(await edgesOf('HasSession'))).toEqual([`${domain}-1001 -HasSession-> ${domain}-1101`]);
  const { rows } = await service.database.pool.query(
    "select object_id from object_id join node using (id) where object_id like '%HOSTS.EXAMPLE'",
  );
  expect(rows.filter(({ object_id }) => !object_id.includes('-S-1-'))).toEqual([]);
  const [{ status, status_message }] = await service.data('GET', `file-upload?id=eq:${job}`);
  expect([status, status_message]).toEqual([2, 'Complete']);
  const warnings = (await warningsOf(job)).join();
  expect(warnings).toContain('several objects match the properties of an edge: end of AllowedToDelegate');
  expect(warnings).toContain(
    'the edge is kept until one arrives: end of AllowedToDelegate with "name" "AWAY.HOSTS',
  );
  // The computer comes later.
  await service.upload(file('computers', [object(1004, 'AWAY.HOSTS.EXAMPLE')]));
  expect(own(await edgesOf('AllowedToDelegate'))).toHaveLength(2);
});

it('limits a role for an administrative unit to its members, if these are known', async () => {
  const [{ data, meta }] = filesOf('role-scoped-to-administrative-unit');
  await service.upload({ data, meta });
  const tenant = '00000314-2026-4000-8000-00000000000A';
  const user = (number: number): string => `00000314-2026-4000-8000-00000000000${number}`;
  const [GLOBAL, SCOPED, WIDE, PLAIN] = [1, 2, 3, 4].map(user) as [string, string, string, string];
  const reaches = async (from: string, to: string): Promise<boolean> =>
    (await service.call('GET', `graphs/shortest-path?start_node=${from}&end_node=${to}`)).status === 200;
  const tierZero = async (): Promise<string[]> => {
    const { rows } = await service.database.pool.query(
      `select object_id from object_id join node using (id)
       where node.id in (select node_id from zone_member where tag_id = 1) and object_id like '00000314-%'`,
    );
    return rows.map(({ object_id }) => object_id);
  };
  expect([await reaches(SCOPED, GLOBAL), await reaches(SCOPED, PLAIN), await reaches(WIDE, PLAIN)]).toEqual([
    ...[false, false, true],
  ]);
  expect(await tierZero()).toContain(GLOBAL);
  expect(await tierZero()).not.toContain(SCOPED);
  const unit = '00000314-2026-4000-8000-000000000090';
  const members = [{ id: PLAIN }];
  await service.upload({
    data: [
      ...data,
      { kind: 'AZAdministrativeUnit', data: { id: unit, displayName: 'Sales', tenantId: tenant, members } },
    ],
    meta,
  });
  expect([await reaches(SCOPED, GLOBAL), await reaches(SCOPED, PLAIN)]).toEqual([false, true]);
  expect(await kindsOf(unit)).toEqual(['AZBase', 'AZAdministrativeUnit']);
  expect(await tierZero()).not.toContain(SCOPED);
  const { rows } = await service.database.pool.query(
    "select node.name from node join object_id using (id) where object_id like 'ADMINISTRATIVEUNITS/%'",
  );
  expect(rows).toEqual([{ name: expect.stringMatching(/^PRIVILEGED AUTHENTICATION ADMINISTRATOR FOR /) }]);
});
