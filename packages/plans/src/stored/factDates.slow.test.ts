/** Which collections prove or contradict facts of started plans that several sets of a directory can hold, through the real service. */
import { JOB_STATUS } from '@clew/api';
import { collection, computerRecord, groupRecord, userRecord } from '@clew/intake/testing';
import { ServiceUnderTest } from '@clew/service/testing';
import { AdvisoryLock, ServerClient } from '@clew/store';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { ChangeFacts } from '../tasks/startedFacts.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are checked against their schemas by the service under test.
type Json = any;

const LONG = { timeout: 100_000, interval: 100 };
const DOMAIN = 'S-1-5-21-7-7-7';
const [STAFF, ADA, HOST, CONTROLLER] = [1101, 1102, 2001, 1000].map((rid) => `${DOMAIN}-${rid}`) as [
  string,
  string,
  string,
  string,
];
const [UNIT, TEMPLATE, AUTHORITY] = [1, 2, 3].map((at) => `00000000-0000-4000-8000-00000000000${at}`) as [
  string,
  string,
  string,
];
/** A group that the controllers of the domain share. */
const SHARED = 'CORP.LOCAL-S-1-5-32-555';

let service: ServiceUnderTest;

beforeAll(async () => {
  service = await ServiceUnderTest.start();
}, 120_000);
afterAll(() => service.stop());

/** The contents of a collection; each part is left out unless it is named. */
interface Said {
  /** Members that the policies of the unit give. */
  readonly policy?: readonly string[];
  /** Members of the group that controllers share. */
  readonly shared?: readonly string[];
  /** Whether the registry of the authority still has the rights and the agent; missing if it was not read. */
  readonly registry?: boolean;
  readonly unit?: boolean;
  readonly quota?: number;
  readonly deleted?: readonly string[];
}

let collections = 0;
const of = (id: string, type: string) => ({ ObjectIdentifier: id, ObjectType: type });
const named = (name: string, more: object = {}) => ({
  Properties: {
    ...{ name: `${name}@CORP.LOCAL`, domain: 'CORP.LOCAL', domainsid: DOMAIN, enabled: true },
    // Equal bytes count as one observation.
    ...{ description: `collection ${collections}`, ...more },
  },
});

function collect({ policy, shared, registry, unit = true, quota = 10, deleted = [] }: Said): Promise<number> {
  collections++;
  const gone = (id: string) => ({ ObjectIdentifier: id, IsDeleted: true, Properties: {} });
  const right = {
    ...{ PrincipalSID: STAFF, PrincipalType: 'Group' },
    RightName: 'Enroll',
    IsInherited: false,
  };
  const agent = { ...{ Agent: of(STAFF, 'Group'), AccessType: 'AccessAllowedCallback' } };
  const files = [
    collection('domains', {
      ...{ ObjectIdentifier: DOMAIN, Aces: [], ChildObjects: [], Links: [], Trusts: [] },
      Properties: {
        ...{ name: 'CORP.LOCAL', domain: 'CORP.LOCAL', domainsid: DOMAIN, collected: true },
        ...{ machineaccountquota: quota, description: `collection ${collections}` },
      },
    }),
    collection(
      'computers',
      computerRecord(HOST, named('HOST')),
      computerRecord(CONTROLLER, {
        ...named('DC', { isdc: true }),
        ...{ IsDC: true, DomainSID: DOMAIN },
        ...(shared !== undefined && {
          LocalGroups: [
            {
              ...{ ObjectIdentifier: SHARED, Name: 'REMOTE DESKTOP USERS@CORP.LOCAL', Collected: true },
              ...{ Results: shared.map((id) => of(id, 'Group')), LocalNames: [] },
            },
          ],
        }),
      }),
    ),
    collection('groups', groupRecord(STAFF, named('STAFF'))),
    collection(
      'users',
      deleted.includes(ADA)
        ? gone(ADA)
        : userRecord(ADA, { ...named('ADA'), ContainedBy: of(UNIT, 'OU'), Aces: [aceOf(STAFF)] }),
    ),
    collection('certtemplates', {
      ...{ ObjectIdentifier: TEMPLATE, Aces: [], ...named('AGENT') },
    }),
    collection('enterprisecas', {
      ...{ ObjectIdentifier: AUTHORITY, Aces: [], ...named('CA') },
      ...{ HostingComputer: HOST, EnabledCertTemplates: [of(TEMPLATE, 'CertTemplate')] },
      ...(registry !== undefined && {
        CARegistryData: {
          CASecurity: { Collected: true, Data: registry ? [right] : [] },
          EnrollmentAgentRestrictions: {
            Collected: true,
            Restrictions: registry
              ? [{ ...agent, AllTemplates: false, Template: of(TEMPLATE, 'CertTemplate') }]
              : [],
          },
        },
      }),
    }),
    ...(unit
      ? [
          collection('ous', {
            ...{ ObjectIdentifier: UNIT, Aces: [], Links: [], ...named('COMPUTERS') },
            ContainedBy: of(DOMAIN, 'Domain'),
            ChildObjects: [of(ADA, 'User'), of(HOST, 'Computer')],
            ...(policy !== undefined && {
              GPOChanges: {
                ...{ RemoteDesktopUsers: [], DcomUsers: [], PSRemoteUsers: [] },
                LocalAdmins: policy.map((id) => of(id, 'Group')),
                AffectedComputers: [of(HOST, 'Computer')],
              },
            }),
          }),
        ]
      : []),
  ];
  return service.upload(...files);
}

const aceOf = (principal: string) => ({
  ...{ PrincipalSID: principal, PrincipalType: 'Group', RightName: 'GenericAll', IsInherited: false },
});

const newest = async (): Promise<number> =>
  (await service.database.pool.query('select max(id)::integer as id from generation')).rows[0].id;

interface StartedAs {
  readonly progress?: object;
  readonly environments?: readonly string[];
}

/** Starts a plan with one change of these facts. @returns its number */
async function started(
  change: Partial<ChangeFacts>,
  { progress, environments = [DOMAIN] }: StartedAs = {},
): Promise<number> {
  const generation = await newest();
  const at = new Date().toISOString();
  const whole = { title: 'Change', removed: [], properties: [], ...change };
  const adoption = {
    ...{ zone: 1, generation, published_at: at, packages: [{ title: 'Repair', changes: [whole] }] },
    ...{ cards: [], exposure: [], effort: [] },
  };
  const { rows } = await service.database.pool.query(
    `insert into saved_plan (name, description, created_by, request, expected, adopted_at, adoption, progress, environments)
     values ('facts', '', 'admin', '{}', '{}', $1, $2, $3, $4) returning id`,
    [
      ...[at, JSON.stringify(adoption)],
      ...[progress === undefined ? null : JSON.stringify({ generation, published_at: at, ...progress })],
      JSON.stringify(environments),
    ],
  );
  return rows[0].id;
}

const relation = (start: string, kind: string, end: string) => ({
  removed: [{ start, kind, end, flags: 0 }],
});

const planOf = (plan: number): Promise<Json> => service.data('GET', `plans/adopted/${plan}`);

/** @returns its change after the latest analysis was compared with the plan */
async function compared(plan: number): Promise<Json> {
  await vi.waitUntil(async () => (await planOf(plan)).generation === (await newest()), LONG);
  return (await planOf(plan)).changes[0];
}

const statesOf = (plans: readonly number[]): Promise<string[]> =>
  Promise.all(plans.map(async (plan) => (await compared(plan)).state));

async function remove(plans: readonly number[]): Promise<void> {
  await service.database.pool.query('delete from saved_plan where id = any ($1)', [plans]);
}

it('proves facts by the policies of units and by controllers, also in plans of earlier releases', async () => {
  await collect({ policy: [STAFF], shared: [STAFF], registry: true });
  const member = relation(STAFF, 'MemberOfLocalGroup', `${HOST}-544`);
  const title = 'Remove STAFF from Administrators of one computer in the group policy of COMPUTERS';
  const plans = [
    await started({ ...member, reporters: [UNIT] }),
    await started({ ...member, title }),
    // No policy gives the member, and no collection looks at the local groups.
    await started({ ...member, reporters: [] }),
    await started({ ...member, title: 'Remove STAFF from ADMINISTRATORS@HOST' }),
    await started({ ...relation(STAFF, 'MemberOfLocalGroup', SHARED), reporters: [] }),
    await started(relation(STAFF, 'Enroll', AUTHORITY)),
    await started({ ...relation(STAFF, 'DelegatedEnrollmentAgent', TEMPLATE), reporters: [AUTHORITY] }),
    await started(relation(STAFF, 'DelegatedEnrollmentAgent', TEMPLATE)),
  ];
  await collect({ policy: [STAFF], shared: [STAFF], registry: true });
  expect(await statesOf(plans)).toEqual(plans.map(() => 'open'));
  await collect({ policy: [], shared: [], registry: false });
  expect(await statesOf(plans)).toEqual([
    ...['done', 'done', 'not-seen', 'not-seen', 'done', 'done', 'done', 'done'],
  ]);
  await remove(plans);
}, 200_000);

it('contradicts a mark only by a collection that looked at each set that can hold the fact', async () => {
  await collect({ policy: [STAFF], registry: true });
  const plans = [
    await started(relation(STAFF, 'Enroll', AUTHORITY)),
    await started(relation(STAFF, 'DelegatedEnrollmentAgent', TEMPLATE)),
    await started(relation(UNIT, 'Contains', ADA)),
    await started({ ...relation(STAFF, 'MemberOfLocalGroup', `${HOST}-544`), reporters: [UNIT] }),
  ];
  for (const plan of plans) await service.call('POST', `plans/${plan}/marks`, { changes: [1], done: true });
  const evidence = (): Promise<string[]> =>
    Promise.all(plans.map(async (plan) => (await compared(plan)).marked.evidence));
  await collect({ unit: false });
  expect(await evidence()).toEqual(plans.map(() => 'waiting'));
  await collect({ policy: [STAFF], registry: true });
  await vi.waitUntil(async () => (await evidence()).every((one) => one === 'contradicted'), LONG);

  // Jobs that wait have no facts in the store, and others only those of their own date.
  const lock = new ServerClient(service.database.connection);
  await lock.connect();
  const { pool } = service.database;
  const wait = async (status: number, at: string): Promise<void> => {
    await pool.query(`insert into upload_job (status, end_time) select $1, ${at} from sighting`, [status]);
  };
  try {
    for (const one of [AdvisoryLock.generation, AdvisoryLock.ingest])
      await lock.query('select pg_advisory_lock($1)', [one]);
    await wait(JOB_STATUS.ingesting, "max(last_collected) + interval '1 s'");
    await wait(JOB_STATUS.analyzing, "max(last_collected) - interval '1 day'");
    expect(await evidence()).toEqual(plans.map(() => 'contradicted'));
    await wait(JOB_STATUS.analyzing, 'max(last_collected)');
    expect(await evidence()).toEqual(plans.map(() => 'waiting'));
  } finally {
    await lock.end();
    await pool.query(
      'delete from upload_job where id > (select max(id) from upload_job where generation is not null)',
    );
  }
  await remove(plans);
}, 200_000);

it('takes a reported deletion as proof in any later analysis', async () => {
  await collect({});
  const plan = await started(relation(STAFF, 'GenericAll', ADA));
  const lock = new ServerClient(service.database.connection);
  await lock.connect();
  await lock.query('select pg_advisory_lock($1)', [AdvisoryLock.plans]);
  await collect({ deleted: [ADA] });
  await service.database.pool.query(
    "update generation set cause = 'rules' where id = (select max(id) from generation)",
  );
  await lock.end();
  expect((await compared(plan)).state).toBe('done');
  await remove([plan]);
}, 200_000);

it('keeps what earlier releases found done until the old value returns, and later results only with the wanted value', async () => {
  await collect({ quota: 20 });
  const property = { object_id: DOMAIN, key: 'machineaccountquota', old: 10, wanted: 0 };
  const found = {
    ...{ title: 'Change', package: 'Repair', state: 'done', done_count: 1, fact_count: 1, done_facts: [0] },
    history: [{ state: 'done', generation: await newest(), at: new Date().toISOString() }],
  };
  const progressOf = (change: object) => ({
    ...{ changes: [change], package_done_count: 1, before: [], now: [], effort_before: [], effort_now: [] },
  });
  const earlier = await started({ properties: [property] }, { progress: progressOf(found) });
  const own = await started({ properties: [property] }, { progress: progressOf({ ...found, partial: [] }) });
  await collect({ quota: 20 });
  expect(await statesOf([earlier, own])).toEqual(['done', 'undone']);
  const proof = await service.data('GET', `plans/${earlier}/proof`);
  expect(proof.changes[0].text).toContain('machineaccountquota of CORP.LOCAL is now 20, not 0');
  await collect({ quota: 21 });
  expect(await statesOf([earlier])).toEqual(['done']);
  await collect({ quota: 10 });
  expect(await statesOf([earlier])).toEqual(['undone']);
  // Only the wanted value counts after that.
  await collect({ quota: 20 });
  expect(await statesOf([earlier])).toEqual(['undone']);
  await collect({ quota: 0 });
  expect(await statesOf([earlier, own])).toEqual(['done', 'done']);
  await remove([earlier, own]);
}, 200_000);

it('compares other plans if one cannot be compared, and plans whose objects without an environment are missing', async () => {
  await collect({});
  const { pool } = service.database;
  const broken = await started({ removed: [null as never] });
  const plan = await started(relation(STAFF, 'GenericAll', 'NO-SUCH-OBJECT'), { environments: [''] });
  const hasOthers = (
    await pool.query(
      'select exists (select from node where environment_id is null and deleted_at is null) as some',
    )
  ).rows[0].some;
  expect(hasOthers).toBe(true);
  await collect({});
  expect((await compared(plan)).state).toBe('not-seen');
  expect((await planOf(plan)).passed_over).toBeFalsy();
  expect((await planOf(broken)).generation).toBeLessThan(await newest());
  await remove([broken, plan]);
}, 200_000);

it('dates an overdue repair whose change came back by the analysis that found it', async () => {
  await collect({ quota: 0 });
  const property = { object_id: DOMAIN, key: 'machineaccountquota', old: 10, wanted: 0 };
  const plan = await started({ properties: [property] });
  await collect({ quota: 0 });
  expect((await compared(plan)).state).toBe('done');
  const { pool } = service.database;
  await service.call('PATCH', `plans/${plan}/repairs/1`, { due: '2020-01-31' });
  await pool.query("update plan_repair set updated_at = '2020-01-02' where plan_id = $1", [plan]);
  await pool.query("update saved_plan set adopted_at = '2020-01-01' where id = $1", [plan]);
  await collect({ quota: 10 });
  expect((await compared(plan)).state).toBe('undone');
  const overdue = async () =>
    (
      await pool.query(
        `select happened_at = (select published_at from generation where id = $2) as is_exact
         from plan_event where kind = 'overdue' and plan_id = $1`,
        [plan, await newest()],
      )
    ).rows;
  await vi.waitUntil(async () => (await overdue()).length > 0, LONG);
  expect(await overdue()).toEqual([{ is_exact: true }]);
  await remove([plan]);
}, 200_000);
