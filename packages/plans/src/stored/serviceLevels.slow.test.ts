/** Service levels over HTTP: due days of findings and repairs, in lists, inbox, posture, reports and webhooks. */

import type { WebhookReceiver } from '@clew/service/testing';
import { ServiceUnderTest, sidOf, startWebhookReceiver, twoDomains } from '@clew/service/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: answers are checked against their schemas by the service under test.
type Json = any;

let service: ServiceUnderTest;
let receiver: WebhookReceiver;

const DAY_MS = 86_400_000;
/** @returns the day (UTC) that many days from now */
const dayIn = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

beforeAll(async () => {
  service = await ServiceUnderTest.start({ CLEW_WEBHOOK_NETWORKS: '127.0.0.0/8' });
  await service.addUser('eve', 'Read-Only');
  receiver = await startWebhookReceiver();
  await service.upload(...twoDomains({ NORTH: [1101, 1102], SOUTH: [1101] }, [1101, 1102, 1103]));
  await vi.waitUntil(async () => (await service.data('GET', 'plan')).computing === null, { timeout: 60_000 });
}, 120_000);
afterAll(async () => {
  receiver.close();
  await service.stop();
});

const KEY = 'findings.service_levels';
const setLevels = (value: object) => service.call('PUT', 'config', { key: KEY, value });
const levels = async (): Promise<Json> => (await service.data('GET', `config?parameter=eq:${KEY}`))[0].value;
const findings = (query = ''): Promise<Json[]> =>
  service.data('GET', `attack-paths/findings?limit=1000${query}`);
/** Accepted or not. */
const findingOf = async (name: string): Promise<Json> => {
  const query = `&source_principal_name=eq:${name}`;
  return [...(await findings(query)), ...(await findings(`${query}&status=eq:accepted`))][0];
};
const U1101 = 'U1101@NORTH.EXAMPLE';
const accept = ({ id, finding }: Json, more: object) =>
  service.call('PUT', `attack-paths/${id}/acceptance`, { risk_type: finding, ...more });
/** Moves the opening of a finding into the past. */
const age = (id: number, days: number) =>
  service.database.pool.query(
    'update finding set created_at = created_at - make_interval(days => $2) where id = $1',
    [id, days],
  );

describe('service levels', () => {
  it('are none at first, so that no finding has a due day', async () => {
    expect(await levels()).toEqual({ critical: 0, high: 0, moderate: 0, low: 0, since: '' });
    const rows = await findings();
    expect(rows.length).toBeGreaterThan(2);
    expect(rows.filter((row) => row.due !== undefined || row.overdue !== undefined)).toEqual([]);
  });

  it.each([
    { critical: -1 },
    { critical: 1.5 },
    { critical: '7' },
    { critical: null },
    { high: 3651 },
    { urgent: 7 },
    { since: '2026-02-30' },
    { since: 'today' },
    { since: '9999-01-01' },
    { since: 7 },
  ])('refuse %j', async (value) => {
    expect((await setLevels(value)).status).toBe(400);
    expect(await levels()).toMatchObject({ critical: 0, since: '' });
  });

  it('count from the day on which they are set, or from the opening of a finding after an earlier day', async () => {
    expect((await setLevels({ high: 7, critical: 30 })).status).toBe(200);
    expect(await levels()).toEqual({ critical: 30, high: 7, moderate: 0, low: 0, since: dayIn(0) });
    const { id, severity } = await findingOf(U1101);
    expect(severity).toBe('high');
    await age(id, 20);
    expect(await findingOf(U1101)).toMatchObject({ due: dayIn(7), overdue: false });
    await setLevels({ since: dayIn(-100) });
    expect(await findingOf(U1101)).toMatchObject({ due: dayIn(-13), overdue: true });
    await setLevels({ high: 20 });
    // Due today is not overdue.
    expect(await findingOf(U1101)).toMatchObject({ due: dayIn(0), overdue: false });
    await setLevels({ high: 7 });
    const due = new Map((await findings()).map((row) => [row.severity, row.due !== undefined]));
    expect([due.get('high'), due.get('moderate'), due.get('low')]).toEqual([
      true,
      due.has('moderate') ? false : undefined,
      due.has('low') ? false : undefined,
    ]);
  });

  it('filter and sort the list', async () => {
    const overdue = await findings('&overdue=eq:true&sort_by=due');
    expect(overdue.length).toBeGreaterThan(0);
    expect(overdue.every((row) => row.overdue && row.due < dayIn(0))).toBe(true);
    const byDue = (await findings('&sort_by=due')).map(({ due }) => due ?? '9999');
    expect(byDue).toEqual(byDue.toSorted());
    const until = (await findings(`&due=lt:${dayIn(0)}T00:00:00Z`)).map(({ id }) => id);
    expect(until.sort()).toEqual(overdue.map(({ id }) => id).sort());
    const { json } = await service.call('GET', 'attack-paths/findings?Accept=text/csv&overdue=eq:true');
    const csv = String(json);
    expect(csv.split('\n')[0]).toMatch(/,Due,ID,ExposureCount,/);
    expect(csv).toContain(dayIn(-13));
  });

  it('give accepted findings no due day, and start again when an acceptance ends', async () => {
    const row = await findingOf(U1101);
    await accept(row, { accepted: true, accept_until: new Date(Date.now() + DAY_MS).toISOString() });
    expect((await findingOf(U1101)).due).toBeUndefined();
    expect((await findings('&overdue=eq:true')).map(({ id }) => id)).not.toContain(row.id);
    // Time is up, and housekeeping did not look yet: the days count from the end.
    const endAt = (at: string) =>
      service.database.pool.query(
        `update finding set accepted_until = clock_timestamp() - interval '${at}' where id = $1`,
        [row.id],
      );
    await endAt('3 days');
    expect(await findingOf(U1101)).toMatchObject({ due: dayIn(4), overdue: false });
    await vi.waitUntil(async () => (await findingOf(U1101)).status === 'active', { timeout: 100_000 });
    await accept(row, { accepted: true });
    await accept(row, { accepted: false });
    expect(await findingOf(U1101)).toMatchObject({ due: dayIn(7), overdue: false });
    // Undoing an acceptance leaves the days as they were.
    await service.database.pool.query('update finding set due_from = null where id = $1', [row.id]);
    const { data } = (
      await service.call('PUT', 'attack-paths/acceptance', { accepted: true, findings: [row.id] })
    ).json as Json;
    expect((await findingOf(U1101)).due).toBeUndefined();
    await service.call('POST', `attack-paths/bulk-changes/${data.bulk_change_id}/undo`);
    expect(await findingOf(U1101)).toMatchObject({ due: dayIn(-13), overdue: true });
  });

  it('count overdue findings in posture and reports, masked without names', async () => {
    const { overdue } = await service.data('GET', 'posture/summary');
    const late = (await findings('&overdue=eq:true')).length;
    expect(overdue).toMatchObject({ critical: 0, high: late });
    const made = async (masked: boolean): Promise<Json> => {
      const body = { name: `Report ${masked}`, audience: 'operations', masked, days: 30, schedule: 'none' };
      const { json } = await service.call('POST', 'reports', body);
      const { id, issues } = (json as Json).data;
      return (await service.data('GET', `reports/${id}/issues/${issues[0].id}`)).content.deadlines;
    };
    const other = await findingOf('U1102@NORTH.EXAMPLE');
    await accept(other, { accepted: true, accept_until: `${dayIn(5)}T12:00:00Z`, reason: 'until spring' });
    const deadlines = await made(false);
    expect(deadlines).toMatchObject({ overdue_count: late, ending_count: 1 });
    expect(deadlines.overdue[0]).toMatchObject({ source: U1101, day: dayIn(-13), by: null });
    expect(deadlines.ending[0]).toMatchObject({ source: 'U1102@NORTH.EXAMPLE', day: dayIn(5), by: 'admin' });
    const masked = await made(true);
    expect(masked).toMatchObject({ overdue_count: late, ending_count: 1 });
    expect(JSON.stringify(masked)).not.toMatch(/EXAMPLE|U110|admin/);
    await accept(other, { accepted: false });
  });

  it('have the inbox tell who may accept risks, and the owner', async () => {
    const waiting = async (user = 'admin'): Promise<Json[]> => {
      const { json } =
        user === 'admin' ? await service.call('GET', 'inbox') : await service.as(user, 'GET', 'inbox');
      const { groups } = (json as Json).data;
      return groups.find(({ group }: Json) => group === 'waiting').items;
    };
    const { id } = await findingOf(U1101);
    const mine = (rows: Json[]) => rows.filter(({ finding }) => finding?.id === id);
    expect(mine(await waiting())).toMatchObject([{ kind: 'overdue', finding: { overdue: true } }]);
    expect(mine(await waiting('eve'))).toEqual([]);
    await service.call('PUT', 'attack-paths/owner', { owner: 'me', findings: [id] });
    expect(mine(await waiting())).toMatchObject([{ kind: 'assigned', finding: { overdue: true } }]);
    await service.call('PUT', 'attack-paths/owner', { owner: null, findings: [id] });
  });

  it('give repairs of a started plan the earliest day of their findings, unless one was set by hand', async () => {
    const { status, json } = await service.call('POST', 'plans/adopt', { name: 'Spring' });
    expect(status).toBe(201);
    const plan = (json as Json).data.id;
    const repairOf = async (name: string): Promise<Json> => {
      const { changes, repairs } = await service.data('GET', `plans/adopted/${plan}`);
      const { number } = changes.find(({ title }: Json) => title.includes(name));
      return repairs.find((one: Json) => one.changes.includes(number));
    };
    const repair = await repairOf(U1101);
    expect(repair).toMatchObject({ due: dayIn(-13), due_by: 'findings', overdue: true });
    const other = await repairOf('U1101@SOUTH');
    expect(other).toMatchObject({ due: dayIn(7), due_by: 'findings', overdue: false });
    const { data } = (
      await service.call('PATCH', `plans/${plan}/repairs/${repair.number}`, { due: dayIn(3) })
    ).json as Json;
    expect(data.repairs[repair.number - 1]).toMatchObject({ due: dayIn(3), due_by: 'user', overdue: false });
    await service.call('PATCH', `plans/${plan}/repairs/${repair.number}`, { due: null });
    expect(await repairOf(U1101)).toMatchObject({ due: dayIn(-13), due_by: 'findings', overdue: true });
    await service.call('PATCH', `plans/${plan}/repairs/${repair.number}`, {
      owner_id: (await service.data('GET', 'self')).id,
    });
    const { groups } = await service.data('GET', 'inbox');
    const own = groups
      .find(({ group }: Json) => group === 'waiting')
      .items.find(({ kind }: Json) => kind === 'repair');
    expect(own).toMatchObject({ due: dayIn(-13), overdue: true });
  });

  it('tell webhooks of findings and repairs that became overdue, once, whatever made them overdue', async () => {
    const add = async (path: string, environments: readonly string[] | null) => {
      const url = receiver.addressOf(path);
      const types = ['finding.overdue', 'repair.overdue'];
      const body = { name: path, url, event_types: types, environments };
      expect((await service.call('POST', 'webhooks', body)).status).toBe(201);
    };
    // It became overdue this day.
    await setLevels({ high: 19 });
    await add('all', null);
    await add('south', [sidOf('SOUTH')]);
    const told = (path: string, type: string): Json[] =>
      receiver.events.filter((event) => event.path === `/${path}` && event.type === type);
    await vi.waitUntil(() => told('all', 'finding.overdue').length > 0, { timeout: 30_000 });
    const [event] = told('all', 'finding.overdue');
    expect(event).toMatchObject({
      timestamp: expect.stringMatching(`^${dayIn(0)}T00:00:00`),
      data: { environment_id: sidOf('NORTH'), due: dayIn(-1), count: 1 },
    });
    expect(event.data.findings).toMatchObject([{ source: U1101, severity: 'high', owner: null }]);
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect([told('all', 'finding.overdue').length, told('south', 'finding.overdue').length]).toEqual([1, 0]);
    // A shorter service level moves the due days of others into the past, also days that were reported before.
    const other = await findingOf('U1101@SOUTH.EXAMPLE');
    await age(other.id, 19);
    await setLevels({ high: 10 });
    await vi.waitUntil(() => told('south', 'finding.overdue').length > 0, { timeout: 30_000 });
    const [late] = told('south', 'finding.overdue');
    expect(late.data).toMatchObject({ environment_id: sidOf('SOUTH'), due: dayIn(-9), count: 1 });
    expect(late.data.findings).toMatchObject([{ id: other.id, due: dayIn(-9) }]);
    // One that was overdue, and is not for a time, is reported again; here because an analysis raised its severity.
    const { pool } = service.database;
    const noticed = async () =>
      (await pool.query('select count(*)::integer from overdue_finding')).rows[0].count;
    const south = () => told('south', 'finding.overdue').length;
    expect(await noticed()).toBeGreaterThan(0);
    await setLevels({ high: 100, critical: 15 });
    await vi.waitUntil(async () => (await noticed()) === 0, { timeout: 30_000 });
    expect(south()).toBe(1);
    await pool.query(`
      with clock as (
        update publication_clock set published_at = greatest(clock_timestamp(), published_at + interval '1 microsecond') returning published_at)
      update finding set severity = 3, updated_at = clock.published_at from clock where id = ${other.id}`);
    await vi.waitUntil(() => south() === 2, { timeout: 30_000 });
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(south()).toBe(2);
    expect(told('south', 'finding.overdue')[1].data).toMatchObject({ due: dayIn(-4), count: 1 });
    await pool.query('update finding set severity = 2 where id = $1', [other.id]);
  });

  it('end when they are set to zero, and a user without the right cannot set them', async () => {
    const asEve = await service.as('eve', 'PUT', 'config', { key: KEY, value: { critical: 1 } });
    expect(asEve.status).toBe(403);
    await setLevels({ critical: 0, high: 0 });
    expect(await levels()).toMatchObject({ critical: 0, since: '' });
    expect((await findings()).filter((row) => row.due !== undefined)).toEqual([]);
  });
});
