/** Which overdue findings a webhook gets that was off. */
import { ServiceUnderTest, twoDomains } from '@clew/service/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { overdueEvents } from './overdueEvents.ts';
import type { WebhookRow } from './webhookEvent.ts';

let service: ServiceUnderTest;

beforeAll(async () => {
  service = await ServiceUnderTest.start({}, { makesPlans: false });
  await service.upload(...twoDomains({ NORTH: [1101, 1102], SOUTH: [1101] }, [1101, 1102, 1103]));
}, 120_000);
afterAll(() => service.stop());

it('a webhook that was off gets findings that became overdue in the last seven days, also if nothing noticed them before', async () => {
  const { pool, db } = service.database;
  const since = new Date(Date.now() - 100 * 86_400_000).toISOString().slice(0, 10);
  await service.call('PUT', 'config', { key: 'findings.service_levels', value: { high: 7, since } });
  const { rows } = await pool.query(
    'select id from finding where severity = 2 and deleted_at is null and part_of_id is null order by id limit 3',
  );
  const [old, fresh, early] = rows.map(({ id }) => id as number);
  for (const [id, days] of [
    [old, 20],
    [fresh, 13],
    [early, 1],
  ])
    await pool.query('update finding set created_at = created_at - make_interval(days => $2) where id = $1', [
      id,
      days,
    ]);
  const off = { minimum_severity: 0, environments: null, overdue_at: `${since}T00:00:00Z` } as WebhookRow;
  const { events } = await overdueEvents(db, off);
  const told = events.flatMap(({ data }) => (data as { findings: { id: number }[] }).findings);
  expect(told.map(({ id }) => id)).toEqual([fresh]);
});
