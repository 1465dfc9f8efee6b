/** Tests users' work after all collected data is deleted: it stays, and missing data does not count as a change in the directory. */

import { createLogger } from '@clew/common';
import { emptyGeneration } from '@clew/generation';
import { makeDue } from '@clew/plans/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ServiceUnderTest } from '../test/serviceUnderTest.ts';
import { sidOf, twoDomains } from '../test/twoDomains.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes.
type Json = any;

const NO_SWAPS = { beforeFindings: () => () => {}, onSwap: () => () => {}, beforeSwap: () => () => {} };

let service: ServiceUnderTest;
let finding: Json;
let report: Json;
let view: Json;

const collect = (north: readonly number[]) =>
  service.upload(...twoDomains({ NORTH: north, SOUTH: [1101] }, [1101, 1102, 1103]));
const post = async (path: string, body: object): Promise<Json> => {
  const { status, json } = await service.call('POST', path, body);
  expect([path, status, status === 201 ? '' : json]).toEqual([path, 201, '']);
  return (json as Json).data;
};
const started = async (): Promise<Json> => (await service.data('GET', 'plans/adopted'))[0];
const states = ({ changes }: Json): string[] =>
  changes.map(({ title, state }: Json) => `${title}: ${state}`).sort();
const ofU1102 = (): Promise<Json[]> =>
  service.data('GET', 'attack-paths/findings?finding=T0GenericAll&source_principal_name=U1102@NORTH.EXAMPLE');

beforeAll(async () => {
  service = await ServiceUnderTest.start();
  await collect([1101, 1102]);
  const isPlanned = async () => (await service.call('GET', 'plan')).json.data.computing === null;
  await vi.waitUntil(isPlanned, { timeout: 60_000, interval: 100 });
  await post('plans/adopt', { name: 'Spring' });
  [finding] = await ofU1102();
  const { id: owner_id } = await service.data('GET', 'self');
  await service.call('PUT', 'attack-paths/owner', { owner: owner_id, findings: [finding.id] });
  await service.call('PATCH', `plans/${(await started()).plan_id}/repairs/1`, { owner_id, notes: 'in May' });
  report = await post('reports', { name: 'Board', schedule: 'weekly' });
  view = await post('views', { name: 'Mine', page: 'findings', query: `about=${sidOf('NORTH')}-512` });
  await service.call('PUT', 'inbox/marks', { done: [`opened:${finding.id}`] });
  await collect([1102]);
  await vi.waitUntil(async () => (await started()).done_count > 0, { timeout: 60_000, interval: 100 });
}, 180_000);
afterAll(() => service.stop());

test('clearing the graph closes findings, and keeps the work of users', async () => {
  const before = await started();
  const { issues } = await service.data('GET', `reports/${report.id}`);
  const content = await service.data('GET', `reports/${report.id}/issues/${issues[0].id}`);
  await service.call('POST', 'clear-database', { deleteCollectedGraphData: true });
  const lacks = 'not compared with the latest analysis, which lacks NORTH.EXAMPLE';
  await vi.waitUntil(async () => (await started()).text.includes(lacks), { timeout: 60_000, interval: 100 });

  // Deleting data does not remediate a finding.
  const [closed] = await service.data('GET', `attack-paths/findings?id=eq:${finding.id}`);
  expect(closed).toMatchObject({ status: 'orphaned', owner_name: 'admin' });
  expect(await service.data('GET', 'attack-paths/findings')).toEqual([]);
  // It does not complete a change in a plan either.
  const after = await started();
  expect(states(after)).toEqual(states(before));
  expect([after.done_count, after.now]).toEqual([before.done_count, before.now]);
  expect(after.repairs[0]).toMatchObject({ owner: { name: 'admin' }, notes: 'in May' });
  expect(after.changes.map(({ history }: Json) => history)).toEqual(
    before.changes.map(({ history }: Json) => history),
  );

  expect(await service.data('GET', `reports/${report.id}/issues/${issues[0].id}`)).toEqual(content);
  expect((await service.data('GET', 'views')).map(({ query }: Json) => query)).toEqual([view.query]);
  const { rows } = await service.database.pool.query('select key from inbox_mark');
  expect(rows).toEqual([{ key: `opened:${finding.id}` }]);
});

test('a schedule generates no empty report, which would replace a useful one', async () => {
  const { pool, db } = service.database;
  await pool.query("update report set next_at = now() - interval '1 minute' where id = $1", [report.id]);
  const turn = (id: number) => {
    const current = () => ({ ...emptyGeneration(), id });
    return makeDue({ db, generations: { ...NO_SWAPS, current } }, createLogger('silent'));
  };
  // A process that has not loaded the graph yet has no data.
  await turn(0);
  const inAMinute = new Date(Date.now() + 60_000).toISOString();
  const inADay = new Date(Date.now() + 86_400_000).toISOString();
  const waiting = (await service.data('GET', `reports/${report.id}`)).next_at;
  expect([waiting > inAMinute, waiting < inADay]).toEqual([true, true]);
  await pool.query("update report set next_at = now() - interval '1 minute' where id = $1", [report.id]);
  await turn(7);
  const left = await service.data('GET', `reports/${report.id}`);
  expect(left).toMatchObject({ ended: null, issues: report.issues });
  expect(left.next_at > new Date().toISOString()).toBe(true);
  expect(left.failure.reason).toBe('No data is collected for its environments');
});

test('a later collection finds new findings, and continues the plan', async () => {
  const before = await started();
  await collect([1102]);
  const isCompared = async () => !(await started()).text.includes('not compared');
  await vi.waitUntil(isCompared, { timeout: 60_000, interval: 100 });
  const [again] = await ofU1102();
  expect(again.id).not.toBe(finding.id);
  expect(again).toMatchObject({ status: 'active', owner_id: null });
  expect(states(await started())).toEqual(states(before));
});
