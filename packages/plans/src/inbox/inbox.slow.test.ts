/** The inbox over HTTP: its groups, done rows, and users with limited environments. */

import { HeldRows, ServiceUnderTest, sidOf, twoDomains } from '@clew/service/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes.
type Json = any;

let service: ServiceUnderTest;

const collect = (north: readonly number[], south: readonly number[] = [1101]): Promise<number> =>
  service.upload(...twoDomains({ NORTH: north, SOUTH: south }, [1101, 1102, 1103, 1104]));

async function inbox(query = ''): Promise<Json> {
  const data = await service.data('GET', `inbox${query}`);
  const groups = Object.fromEntries(data.groups.map(({ group, ...rest }: Json) => [group, rest]));
  return { ...data, groups };
}

/** Names of the principals of opened findings; a new member of the zone opens more. */
const opened = async (query = ''): Promise<string[]> =>
  (await inbox(query)).groups.opened.items
    .map((item: Json) => item.finding.source_principal_name)
    .filter((name: string) => name !== '')
    .sort();

const mark = (body: object) => service.call('PUT', 'inbox/marks', body);
const finding = async (name: string): Promise<Json> =>
  (await service.data('GET', `attack-paths/findings?source_principal_name=eq:${name}`))[0];

let uploads: number[];

beforeAll(async () => {
  service = await ServiceUnderTest.start();
  await service.addUser('eve', 'Read-Only');
}, 120_000);
afterAll(() => service.stop());

describe('the inbox', () => {
  it('is empty before the first analysis, and does not count what that one found', async () => {
    expect(await service.data('GET', 'inbox')).toEqual({
      ...{ from: null, to: null, read_before: null, count: 0, groups: [] },
    });
    uploads = [await collect([1101, 1102])];
    await service.addUser('nora', 'User', [sidOf('NORTH')]);
    const { from, to, groups, read_before } = await inbox();
    expect([from, read_before]).toEqual([to, null]);
    for (const name of ['opened', 'closed', 'verified'])
      expect(groups[name]).toMatchObject({ count: 0, items: [] });
  });

  it('has findings that opened and closed, changes of plans that an analysis verified, and uploads', async () => {
    await vi.waitUntil(async () => (await service.data('GET', 'plan')).computing === null, {
      timeout: 60_000,
    });
    const adopted = await service.call('POST', 'plans/adopt', { name: 'Spring' });
    expect(adopted.status).toBe(201);
    uploads.push(await collect([1102, 1103]));
    await vi.waitUntil(async () => (await inbox()).groups.verified.count > 0, { timeout: 60_000 });
    const { groups, count } = await inbox();
    expect(groups.opened.items).toMatchObject([
      { kind: 'opened', by: null, done: false, finding: { source_principal_name: 'U1103@NORTH.EXAMPLE' } },
    ]);
    expect(groups.closed.items).toMatchObject([
      { kind: 'closed', finding: { source_principal_name: 'U1101@NORTH.EXAMPLE', status: 'remediated' } },
    ]);
    expect(groups.verified.items[0]).toMatchObject({
      ...{ kind: 'verified', by: null, plan: { name: 'Spring' }, text: expect.stringContaining('U1101') },
    });
    expect(groups.data.items[0]).toMatchObject({
      ...{ kind: 'upload', upload: uploads[1], by: 'admin', count: 6, failed_count: 0 },
    });
    expect(count).toBe(Object.values(groups).reduce((sum: number, group) => sum + (group as Json).count, 0));
  });

  it('has the repairs of the user that are not done, of all started plans, and counts rows without reading them', async () => {
    expect((await service.call('POST', 'plans/adopt', { name: 'Summer' })).status).toBe(201);
    onTestFinished(async () => {
      await service.database.pool.query(
        "delete from saved_plan where name = 'Summer'; delete from plan_repair",
      );
    });
    const { id } = await service.data('GET', 'self');
    const started = () => service.data('GET', 'plans/adopted');
    for (const { plan_id, repairs } of await started())
      for (const { number } of repairs) {
        const path = `plans/${plan_id}/repairs/${number}`;
        expect((await service.call('PATCH', path, { owner_id: number === 2 ? null : id })).status).toBe(200);
      }
    const plans: Json[] = await started();
    const isOwn = ({ owner, done_count, changes }: Json) => owner !== null && done_count < changes.length;
    const own = plans.flatMap(({ plan_id, name, repairs }) =>
      repairs.filter(isOwn).map(({ number, title }: Json) => [plan_id, name, number, title]),
    );
    expect(plans.map(({ name }) => name)).toEqual(['Summer', 'Spring']);
    expect(plans.flatMap(({ repairs }) => repairs).length).toBeGreaterThan(own.length);
    expect(own.length).toBeGreaterThan(1);
    const waiting = (await inbox()).groups.waiting.items;
    expect(waiting.map(({ plan, repair, text }: Json) => [plan.id, plan.name, repair, text]).sort()).toEqual(
      own.sort(),
    );
    // A past due date is overdue while a change of the repair is open.
    const [[plan, , repair] = []] = own;
    const overdueAt = async (due: string | null) => {
      await service.call('PATCH', `plans/${plan}/repairs/${repair}`, { due });
      const rows: Json[] = (await inbox()).groups.waiting.items;
      return rows.filter(({ overdue }) => overdue).map((row) => [row.plan.id, row.repair, row.due]);
    };
    expect(await overdueAt('2020-01-31')).toEqual([[plan, repair, '2020-01-31']]);
    expect(await overdueAt('2999-01-31')).toEqual([]);
    expect(await overdueAt(null)).toEqual([]);
    for (const limit of [0, 1]) {
      const [all, few] = [await inbox(), await inbox(`?limit=${limit}`)];
      for (const [name, { count, items }] of Object.entries<Json>(few.groups))
        expect([name, count, items.length]).toEqual([
          ...[name, all.groups[name].count, Math.min(limit, all.groups[name].items.length)],
        ]);
      expect([few.count, few.to]).toEqual([all.count, all.to]);
    }
  });

  it('has what waits for the user: assigned findings, expiring acceptances and certifications', async () => {
    const { id, finding: type } = await finding('U1102@NORTH.EXAMPLE');
    const assign = (owner: string | null) =>
      service.call('PUT', 'attack-paths/owner', { owner, findings: [id] });
    await assign('me');
    const other = await finding('U1103@NORTH.EXAMPLE');
    const until = new Date(Date.now() + 3 * 86_400_000).toISOString();
    const body = { risk_type: type, accepted: true, accept_until: until, reason: 'until spring' };
    await service.call('PUT', `attack-paths/${other.id}/acceptance`, body);
    await service.call('PATCH', 'asset-group-tags/1', { require_certify: true });
    const seeds = [{ type: 1, value: `${sidOf('NORTH')}-1104` }];
    await service.call('POST', 'asset-group-tags/1/selectors', { name: 'One more', seeds });
    const waiting = async () => (await inbox()).groups.waiting.items;
    await vi.waitUntil(async () => (await waiting()).length === 3, { timeout: 30_000, interval: 100 });
    expect(await waiting()).toMatchObject([
      { kind: 'assigned', by: 'admin', finding: { id } },
      { kind: 'expires', by: 'admin', finding: { id: other.id } },
      { kind: 'certify', text: 'Tier Zero', zone: 1, count: 1 },
    ]);
    const [{ key }] = await waiting();
    expect((await mark({ done: [key] })).status).toBe(200);
    expect((await waiting()).map(({ kind }: Json) => kind)).toEqual(['expires', 'certify']);
    // After a new assignment, the repair is open again.
    await assign(null);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    await assign('me');
    expect((await waiting()).map(({ kind }: Json) => kind)).toEqual(['assigned', 'expires', 'certify']);
    await service.call('PUT', `attack-paths/${other.id}/acceptance`, { risk_type: type, accepted: false });
    await service.call('PATCH', 'asset-group-tags/1', { require_certify: false });
    await assign(null);
    expect(await waiting()).toEqual([]);
  });

  it('leaves out rows that are done, by row and up to a time, for this user alone', async () => {
    const before = await inbox();
    const { key } = before.groups.opened.items.find(
      ({ finding: one }: Json) => one.relation === 'GenericAll',
    );
    await mark({ done: [key, key] });
    expect(await opened()).toEqual([]);
    const shown = async (query: string): Promise<Json[]> =>
      (await inbox(query)).groups.opened.items.filter((item: Json) => item.key === key);
    expect(await shown('?all=true')).toMatchObject([{ key, done: true }]);
    await mark({ undone: [key] });
    expect(await shown('')).toMatchObject([{ key, done: false }]);
    const read = await mark({ read_before: before.to });
    expect((read.json as Json).data).toEqual({ read_before: before.to });
    const since = '?since=2020-01-01T00:00:00Z';
    const { groups, read_before } = await inbox(since);
    expect(read_before).toBe(before.to);
    expect(await opened(since)).toEqual([]);
    for (const name of ['closed', 'verified']) expect([name, groups[name].count]).toEqual([name, 0]);
    await service.login('eve');
    expect(await opened(since)).toEqual(['U1103@NORTH.EXAMPLE']);
    await service.login('admin');
    await mark({ read_before: null });
    expect(await opened(since)).toEqual(['U1103@NORTH.EXAMPLE']);
  });

  it('shows a user of one environment no row of others, no upload, and nothing that the role cannot do', async () => {
    await collect([1102, 1103], [1101, 1104]);
    expect(await opened()).toEqual(['U1103@NORTH.EXAMPLE', 'U1104@SOUTH.EXAMPLE']);
    await service.call('PATCH', 'asset-group-tags/1', { require_certify: true });
    await service.login('nora');
    const { groups } = await inbox();
    expect(JSON.stringify(groups)).not.toContain('SOUTH');
    expect(await opened()).toEqual(['U1103@NORTH.EXAMPLE']);
    expect([groups.data.items, groups.waiting.items]).toEqual([[], []]);
    // Sees all environments, but may not list uploads.
    await service.login('eve');
    expect((await service.call('GET', 'file-upload')).status).toBe(403);
    expect((await inbox()).groups.data).toMatchObject({ count: 0, items: [] });
    await service.login('admin');
    expect((await inbox()).groups.data.count).toBeGreaterThan(0);
  });

  it('loses no request where findings are assigned while their owner is deleted', async () => {
    await service.addUser('leaver', 'User');
    const users = await service.data('GET', 'bloodhound-users-assignable');
    const idOf = (name: string): string => users.find((one: Json) => one.name === name).id;
    const ids = (await service.data('GET', 'attack-paths/findings?sort_by=id')).map(({ id }: Json) => id);
    const findings = [ids[0], ids[1]];
    const assign = (owner: string, of: readonly number[]) =>
      service.call('PUT', 'attack-paths/owner', { owner: idOf(owner), findings: of });
    // The second row comes first in the table.
    for (const id of findings.toReversed()) expect((await assign('leaver', [id])).status).toBe(200);
    const held = await HeldRows.hold(
      service.database.pool,
      'select from finding_owner where finding_id = $1 for update',
      [findings[0]],
    );
    const assigned = assign('eve', findings);
    await held.untilWaiting(1);
    const deleted = service.call('DELETE', `bloodhound-users/${idOf('leaver')}`);
    await held.untilWaiting(2);
    await held.release();
    expect([(await assigned).status, (await deleted).status]).toEqual([200, 200]);
  });

  it('refuses marks that name no row, and too many', async () => {
    const wrong: readonly object[] = [
      {},
      { done: ['opened'] },
      { done: ["opened:1'; drop table inbox_mark"] },
      { done: [`opened:${'1'.repeat(100)}`] },
      { done: Array(501).fill('opened:1') },
      { done: [7] },
      { read_before: 'yesterday' },
    ];
    for (const body of wrong) expect([body, (await mark(body)).status]).toEqual([body, 400]);
    expect((await service.call('GET', 'inbox?since=yesterday')).status).toBe(400);
    expect((await service.call('GET', 'inbox?limit=-1')).status).toBe(400);
    for (let at = 0; at < 10_400; at += 400)
      await mark({ done: Array.from({ length: 400 }, (_, one) => `opened:${1_000_000 + at + one}`) });
    const { rows } = await service.database.pool.query('select count(*)::integer as count from inbox_mark');
    expect(rows[0].count).toBeLessThanOrEqual(10_000);
  });
});
