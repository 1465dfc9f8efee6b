/** The evidence of started plans through the real service: which collections prove or contradict a change, and which do not. */

import { ServiceUnderTest, sidOf, twoDomains } from '@clew/service/testing';
import { AdvisoryLock, ServerClient } from '@clew/store';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: answers are checked against their schemas by the service under test.
type Json = any;

let service: ServiceUnderTest;
const LONG = { timeout: 100_000, interval: 100 };
const ACL = 64;

beforeAll(async () => {
  service = await ServiceUnderTest.start();
}, 120_000);
afterAll(() => service.stop());

let collections = 0;

interface CollectedAs {
  /** Methods that the run did not use. */
  readonly without?: number;
  readonly types?: readonly string[];
}

/** Each collection has other descriptions, because equal bytes count as one observation. */
async function collect(
  north: readonly number[],
  { without = 0, types = ['domains', 'groups', 'users'] }: CollectedAs = {},
): Promise<number> {
  const all = twoDomains({ NORTH: north, SOUTH: [1101] }, [1101, 1102, 1103, 1200 + collections++]) as Json[];
  const files = all.filter(({ meta }) => types.includes(meta.type));
  const edited = files.map(({ meta, data }) => ({
    meta: { ...meta, methods: meta.methods & ~without },
    data: data.map((one: Json) => ({
      ...one,
      Properties: { ...one.Properties, description: `collection ${collections}` },
      Aces: (without & ACL) === 0 ? one.Aces : [],
    })),
  }));
  return service.upload(...edited);
}

async function started(name: string, more: object = {}): Promise<number> {
  await vi.waitUntil(async () => (await service.data('GET', 'plan')).computing === null, LONG);
  const { status, json } = await service.call('POST', 'plans/adopt', { name, ...more });
  expect([status, status === 201 ? '' : json]).toEqual([201, '']);
  return (json as Json).data.id;
}

const proofOf = (plan: number): Promise<Json> => service.data('GET', `plans/${plan}/proof`);
const changeOf = (proof: Json, name: string): Json =>
  proof.changes.find(({ title }: Json) => title.includes(`${name}@NORTH`));
const newest = async (): Promise<number> =>
  (await service.database.pool.query('select max(id)::integer as id from generation')).rows[0].id;

/** @returns the proof after the latest analysis was compared with the plan */
async function compared(plan: number): Promise<Json> {
  await vi.waitUntil(async () => (await proofOf(plan)).generation === (await newest()), LONG);
  return proofOf(plan);
}

/** Plans are not compared with analyses until the work is done. */
async function heldBack(work: () => Promise<void>): Promise<void> {
  const lock = new ServerClient(service.database.connection);
  await lock.connect();
  await lock.query('select pg_advisory_lock($1)', [AdvisoryLock.plans]);
  await work().finally(() => lock.end());
}

const contradicted = async (): Promise<Json[]> =>
  (await service.database.pool.query("select plan_id, change from plan_event where kind = 'contradicted'"))
    .rows;

it('contradicts no mark by a collection that is not yet compared, and names all uploads in between', async () => {
  await collect([1101, 1102]);
  const plan = await started('held');
  await compared(plan);
  const { number } = changeOf(await proofOf(plan), 'U1101');
  const uploads: number[] = [];
  await heldBack(async () => {
    await service.call('POST', `plans/${plan}/marks`, { changes: [number], done: true });
    const before = await proofOf(plan);
    uploads.push(await collect([1102]), await collect([1102]));
    const held = await proofOf(plan);
    expect([held.generation, changeOf(held, 'U1101').proof]).toEqual([before.generation, 'said']);
    expect(held.generation).toBeLessThan(await newest());
  });
  const found = changeOf(await compared(plan), 'U1101');
  expect(found.proof).toBe('proved');
  expect(found.text).toContain(
    `first shown by one of the uploads ${uploads.map((id) => `${id} of admin`).join(', ')}`,
  );
  expect(await contradicted()).toEqual([]);
  await service.call('DELETE', `plans/${plan}`);
}, 200_000);

it('takes missing facts as proof only if a collection enumerated their set', async () => {
  await collect([1101, 1102]);
  const plan = await started('missing');
  await service.call('POST', 'clear-database', { deleteRelationships: ['GenericAll'] });
  const isFound = async () => changeOf(await proofOf(plan), 'U1101').proof !== 'open';
  await vi.waitUntil(isFound, LONG);
  const lost = changeOf(await proofOf(plan), 'U1101');
  expect([lost.proof, lost.state]).toEqual(['not-seen', 'not-seen']);
  expect(lost.text).toMatch(/^No proof: not seen again on .* no collection covered them$/);
  expect((await service.data('GET', `plans/adopted/${plan}`)).text).toMatch(
    /2 not seen again, which is not proof|not seen again/,
  );

  // Neither the users alone nor the group without its access list show that the right was removed.
  await collect([], { types: ['users'] });
  expect(changeOf(await compared(plan), 'U1101').state).toBe('not-seen');
  await collect([], { without: ACL });
  expect(changeOf(await compared(plan), 'U1101').state).toBe('not-seen');
  await collect([]);
  const whole = await compared(plan);
  expect([changeOf(whole, 'U1101').proof, changeOf(whole, 'U1102').proof]).toEqual(['proved', 'proved']);
  await service.call('DELETE', `plans/${plan}`);
}, 200_000);

it('contradicts a mark only by a collection that looked at its facts', async () => {
  await collect([1101, 1102]);
  const plan = await started('marked');
  const { number } = changeOf(await proofOf(plan), 'U1101');
  await service.call('POST', `plans/${plan}/marks`, { changes: [number], done: true });
  await collect([1101, 1102], { without: ACL });
  expect(changeOf(await compared(plan), 'U1101').proof).toBe('said');
  await collect([1101, 1102]);
  await compared(plan);
  await vi.waitUntil(async () => changeOf(await proofOf(plan), 'U1101').proof === 'contradicted', LONG);
  await service.call('DELETE', `plans/${plan}`);
}, 200_000);

it('neither proves nor contradicts by an access list what only an OpenGraph file reported', async () => {
  const idOf = (name: number) => ({ value: `${sidOf('NORTH')}-${name}`, match_by: 'id' });
  const right = { kind: 'GenericAll', start: idOf(1103), end: idOf(512) };
  await collect([1101]);
  await service.upload({ graph: { nodes: [], edges: [right] } });
  const plan = await started('of OpenGraph');
  const { number } = changeOf(await proofOf(plan), 'U1103');
  await service.call('POST', `plans/${plan}/marks`, { changes: [number], done: true });
  await collect([1101]);
  const said = await compared(plan);
  expect([changeOf(said, 'U1103').proof, changeOf(said, 'U1103').state]).toEqual(['said', 'open']);
  await service.call('POST', 'clear-database', { deleteRelationships: ['GenericAll'] });
  await vi.waitUntil(async () => changeOf(await compared(plan), 'U1103').state !== 'open', LONG);
  await collect([]);
  const whole = await compared(plan);
  expect(['U1101', 'U1103'].map((name) => changeOf(whole, name).state)).toEqual(['done', 'not-seen']);
  expect(await contradicted()).toEqual([]);
  await service.call('DELETE', `plans/${plan}`);
}, 200_000);

it('promises only cards whose earlier cards were started, and notes events of plans beyond those that are listed', async () => {
  await collect([1101, 1102]);
  await vi.waitUntil(async () => (await service.data('GET', 'plan')).computing === null, LONG);
  const { cards } = await service.data('GET', 'plan?limit=50');
  expect(cards.length).toBeGreaterThan(1);
  const plan = await started('last', { cards: [cards.at(-1).key] });
  const [last] = (await proofOf(plan)).cards;
  expect(last.promised).toEqual({ before: [], after: [] });
  expect(last.text).toBe('no prediction, because cards before it were not started, not reached yet');
  const first = await started('first', { cards: [cards[0].key] });
  expect((await proofOf(first)).cards[0].promised.after).toEqual(cards[0].exposure);

  // A repair that has been overdue for months is not an event of this month.
  await service.call('PATCH', `plans/${plan}/repairs/1`, { due: '2020-01-31' });
  const { pool } = service.database;
  await pool.query("update plan_repair set updated_at = '2020-01-02' where plan_id = $1", [plan]);
  await pool.query("update saved_plan set adopted_at = '2020-01-01' where id = $1", [plan]);
  await pool.query('delete from plan_event');
  const columns =
    'description, created_by, created_at, request, expected, adopted_at, adoption, progress, environments';
  await pool.query(
    `insert into saved_plan (name, ${columns}) select 'copy ' || n, ${columns} from saved_plan, generate_series(1, 120) n where id = $1`,
    [first],
  );
  // The next look follows a comparison.
  await collect([1101, 1102]);
  const overdue = async () =>
    (
      await pool.query(
        "select to_char(happened_at at time zone 'UTC', 'YYYY-MM-DD') as day from plan_event where kind = 'overdue'",
      )
    ).rows;
  await vi.waitUntil(async () => (await overdue()).length > 0, LONG);
  expect(await overdue()).toEqual([{ day: '2020-02-01' }]);
  expect((await proofOf(plan)).months.map(({ month }: Json) => month)).toContain('2020-02');
}, 300_000);

it('waits for the next collection after changed rules, and where files do not say what their run collected', async () => {
  const { pool } = service.database;
  await collect([1101, 1102]);
  const plan = await started('doubted');
  const left = [1101, 1102];
  for (const [name, doubt] of [
    ['rules', "update generation set cause = 'several' where id = (select max(id) from generation)"],
    [
      'fall',
      `insert into relationship_fall (job_id, environment_id, kind_id, before_count, removed_count, names_methods)
       select max(id), '${sidOf('NORTH')}', (select id from edge_kind where name = 'GenericAll'), 2, 1, false from upload_job`,
    ],
  ] as const) {
    const user = `U${left.shift()}`;
    await heldBack(async () => {
      await collect(left);
      await pool.query(doubt);
    });
    expect([name, changeOf(await compared(plan), user).state]).toEqual([name, 'not-seen']);
    await collect(left);
    expect([name, changeOf(await compared(plan), user).state]).toEqual([name, 'done']);
  }
}, 300_000);
