/** Decisions of second approvers that meet other changes: failures, two approvers, newer acceptances, undoing, deleted users. */
import type { UserPrincipal } from '@clew/common';
import { ServiceUnderTest, sidOf, twoDomains } from '@clew/service/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { AcceptanceRows } from '../../test/findings/acceptanceRows.ts';
import { testActor } from '../../test/findings/actor.ts';
import { approveAcceptance } from './acceptanceDecisions.ts';
import { endAcceptanceRequests } from './acceptanceRequests.ts';
import { undoBulkChange } from './bulkChanges.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are checked against their schemas by the service under test.
type Json = any;

let service: ServiceUnderTest;
const ids = new Map<string, string>();

beforeAll(async () => {
  service = await ServiceUnderTest.start({}, { makesPlans: false });
  for (const name of ['bob', 'nora', 'tom']) ids.set(name, await service.addUser(name, 'Power User'));
  await service.upload(...twoDomains({ NORTH: [1101, 1102], SOUTH: [1101] }, [1101, 1102, 1103]));
}, 120_000);
afterAll(() => service.stop());

const rows = new AcceptanceRows(() => service.database.pool);
const { sql, state, open, entries } = rows;
const asUser = (user: string, method: 'GET' | 'PUT' | 'POST', path: string, body?: object) =>
  user === 'admin' ? service.call(method, path, body) : service.as(user, method, path, body);
const rule = (second_approver: boolean) =>
  service.call('PUT', 'config', { key: 'findings.acceptance', value: { second_approver } });
const LIST = 'attack-paths/acceptance-requests';
const shown = async (id: number): Promise<Json> => (await service.data('GET', `${LIST}?id=eq:${id}`))[0];
const decide = (user: string, id: number, decision: string, continues?: number) =>
  asUser(user, 'PUT', `${LIST}/${id}`, { decision, continues });
const accept = async (user: string, findings: readonly number[], more: object = {}): Promise<Json> => {
  const body = { accepted: true, findings, reason: 'until spring', ...more };
  const { status, json } = await asUser(user, 'PUT', 'attack-paths/acceptance', body);
  expect(status, JSON.stringify(json)).toBe(200);
  return (json as Json).data;
};
/** @returns the number of the request */
const ask = async (user: string, findings: readonly number[], more: object = {}): Promise<number> =>
  (await accept(user, findings, more)).acceptance_request_id;
const CLOSE = "update finding set deleted_at = clock_timestamp(), status = 'remediated' where id = $1";
const REOPEN = "update finding set deleted_at = null, status = 'active' where id = any ($1)";
const approver = (name: string) => ({ userId: ids.get(name), name, environments: null }) as UserPrincipal;
/** Approves one finding per transaction. */
const approveOneByOne = (name: string, id: number) =>
  approveAcceptance(service.database.db, testActor(name), approver(name), {
    ...{ scope: { id, user: ids.get(name) as string, visible: null }, note: '' },
    ...{ stopAt: Date.now() + 100_000, batchSize: 1, check: () => {}, accepted: async () => {} },
  });

/** Does the work while the first batch of an approval waits for the publication clock. @returns the message of its error */
const meanwhile = (name: string, id: number, work: () => Promise<unknown>): Promise<string> =>
  rows.whileWaiting(() => approveOneByOne(name, id), work);

const WAITING =
  "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";

let all: number[] = [];

beforeEach(async () => {
  await rule(false);
  await rows.empty();
  await rule(true);
  all = (await open()).map(({ id }) => id);
  expect(all.length).toBeGreaterThan(2);
});

describe('an approval that fails in the middle', () => {
  it('is continued by any approver at once, and cannot be refused, withdrawn or expire', async () => {
    const id = await ask('admin', all, { reason: 'agreed with @tom' });
    const [, second] = all;
    await sql(
      `create function refuse_one() returns trigger language plpgsql as $$ begin raise 'broken'; end $$`,
    );
    await sql(
      `create trigger refuse_one before update on finding for each row when (new.id = ${second}) execute function refuse_one()`,
    );
    try {
      await expect(approveOneByOne('bob', id)).rejects.toThrow('broken');
    } finally {
      await sql('drop trigger refuse_one on finding');
      await sql('drop function refuse_one');
    }
    expect(await shown(id)).toMatchObject({ state: 'waiting', accepted_count: 1, decided_by: null });
    expect((await decide('nora', id, 'refuse')).status).toBe(409);
    expect((await decide('admin', id, 'withdraw')).status).toBe(409);
    await sql("update acceptance_request set expires_at = clock_timestamp() - interval '1 minute'");
    expect(await endAcceptanceRequests(service.database.db)).toBe(0);
    const { status, json } = await decide('nora', id, 'approve');
    expect([status, (json as Json).data]).toMatchObject([
      200,
      {
        ...{ changed: all.length - 1, remaining: 0 },
        request: { state: 'approved', decided_by: 'nora', accepted_count: all.length, skipped_count: 0 },
      },
    ]);
    // Each of them accepted what it says, and the audit log has the sum.
    expect((await state(all[0] as number))[0].approved_by).toBe('bob');
    expect((await state(second as number))[0].approved_by).toBe('nora');
    expect(await entries('ApproveAcceptance')).toMatchObject([
      { findings: all.length, accepted: all.length, skipped: 0 },
    ]);
    expect(await sql('select user_id, count from mention')).toEqual([
      { user_id: ids.get('tom'), count: all.length },
    ]);
    // One undoing ends all of it.
    const [{ bulk_change_id: change }] = await sql('select bulk_change_id from acceptance_request');
    const undone = await service.call('POST', `attack-paths/bulk-changes/${change}/undo`);
    expect((undone.json as Json).data).toMatchObject({ restored: all.length, kept: 0 });
  });

  it('before its first finding holds no one up, and no one has decided it', async () => {
    const id = await ask('admin', all);
    const failing = approveAcceptance(service.database.db, testActor('bob'), approver('bob'), {
      ...{ scope: { id, user: ids.get('bob') as string, visible: null }, note: '', stopAt: 0 },
      ...{ check: () => {}, accepted: async () => {} },
    });
    expect(await failing).toEqual({
      ...{ changed: 0, remaining: all.length, bulk_change_id: expect.any(Number) },
    });
    expect(await shown(id)).toMatchObject({ state: 'waiting', accepted_count: 0, decided_by: null });
    expect((await decide('nora', id, 'refuse')).status).toBe(200);
    const expiring = await ask('admin', all);
    await sql("update acceptance_request set expires_at = clock_timestamp() - interval '1 minute'");
    expect(await endAcceptanceRequests(service.database.db)).toBe(1);
    expect(await shown(expiring)).toMatchObject({ state: 'expired', decided_by: null });
  });

  it('ends when the end of its acceptances is over', async () => {
    const id = await ask('admin', all);
    await sql(
      "update acceptance_request set accepted_count = 1, accept_until = clock_timestamp() - interval '1 minute'",
    );
    expect((await decide('bob', id, 'approve')).status).toBe(409);
    expect(await endAcceptanceRequests(service.database.db)).toBe(1);
    expect(await entries('ExpireAcceptance')).toMatchObject([{ request_id: id, accepted: 1 }]);
  });
});

describe('an approval that ended early', () => {
  const changeOf = async (id: number): Promise<number> =>
    (await sql('select bulk_change_id from acceptance_request where id = $1', [id]))[0].bulk_change_id;
  const undo = (change: number) => service.call('POST', `attack-paths/bulk-changes/${change}/undo`);
  /** Accepts the first finding. @returns the number of the request */
  const begun = async (): Promise<number> => {
    const id = await ask('admin', all);
    await sql(
      `create function refuse_one() returns trigger language plpgsql as $$ begin raise 'broken'; end $$`,
    );
    await sql(
      `create trigger refuse_one before update on finding for each row when (new.id = ${all[1]}) execute function refuse_one()`,
    );
    await expect(approveOneByOne('bob', id)).rejects.toThrow('broken');
    await sql('drop trigger refuse_one on finding');
    await sql('drop function refuse_one');
    expect(await shown(id)).toMatchObject({ state: 'waiting', accepted_count: 1 });
    return id;
  };
  const approvedIds = async (name: string, id: number): Promise<readonly number[]> => {
    let of: readonly number[] = [];
    await approveAcceptance(service.database.db, testActor(name), approver(name), {
      ...{ scope: { id, user: ids.get(name) as string, visible: null }, note: '' },
      ...{ stopAt: Date.now() + 100_000, check: () => {} },
      accepted: async (_, { ids: accepted }) => {
        of = accepted;
      },
    });
    return of;
  };

  it('waits from the beginning once it is undone, so that it can be approved or refused', async () => {
    const id = await begun();
    const first = await changeOf(id);
    expect(((await undo(first)).json as Json).data).toMatchObject({ restored: 1, kept: 0 });
    expect(await shown(id)).toMatchObject({ state: 'waiting', accepted_count: 0, skipped_count: 0 });
    const { status, json } = await decide('nora', id, 'approve');
    expect([status, (json as Json).data]).toMatchObject([
      200,
      {
        ...{ changed: all.length, remaining: 0 },
        request: { state: 'approved', accepted_count: all.length },
      },
    ]);
    // The second approval has a change of its own, which can be undone.
    const second = await changeOf(id);
    expect(second).not.toBe(first);
    expect(((await undo(second)).json as Json).data).toMatchObject({ restored: all.length, kept: 0 });
    const other = await begun();
    await undo(await changeOf(other));
    expect((await decide('nora', other, 'refuse')).status).toBe(200);
  });

  it('leaves only findings out of the plan that are still accepted', async () => {
    const id = await begun();
    await accept('nora', all.slice(0, 1), { accepted: false, reason: '' });
    expect(await approvedIds('nora', id)).toEqual(all.slice(1));
    expect(await shown(id)).toMatchObject({ state: 'approved', accepted_count: all.length });
  });

  it('is continued after a day, and the rest can be undone for a day', async () => {
    const id = await begun();
    const first = await changeOf(id);
    await sql("update bulk_change set changed_at = changed_at - interval '25 hours'");
    expect((await decide('nora', id, 'approve')).status).toBe(200);
    const second = await changeOf(id);
    expect((await undo(first)).status).toBe(404);
    expect(((await undo(second)).json as Json).data).toMatchObject({ restored: all.length - 1, kept: 0 });
    expect(await state(all[0] as number)).toMatchObject([{ status: 'accepted' }]);
  });

  it('holds up no other change after a day', async () => {
    const id = await begun();
    await sql("update bulk_change set changed_at = changed_at - interval '25 hours'");
    const client = await service.database.pool.connect();
    try {
      await client.query('begin');
      await client.query('select from acceptance_request where id = $1 for update', [id]);
      const assigned = service.call('PUT', 'attack-paths/owner', { owner: 'me', findings: all });
      const late = new Promise((resolve) => setTimeout(() => resolve('late'), 10_000).unref());
      expect(await Promise.race([assigned.then(({ status }) => status), late])).toBe(200);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });

  it('and is undone while it goes on ends there, and says so', async () => {
    const id = await begun();
    const change = await changeOf(id);
    const outcome = await meanwhile('nora', id, () =>
      sql("update bulk_change set undone_at = clock_timestamp(), undone_by = 'tom' where id = $1", [change]),
    );
    expect(outcome).toContain('tom has undone the change');
    expect((await decide('nora', id, 'approve')).status).toBe(200);
  });

  it('and is undone is not continued by its client, and every finding stays open', async () => {
    const id = await begun();
    const first = await changeOf(id);
    expect(((await undo(first)).json as Json).data.restored).toBe(1);
    const { status, json } = await decide('bob', id, 'approve', first);
    expect([status, (json as Json).errors[0].message]).toEqual([
      409,
      'Conflict: admin has undone the change that this request continues, so no more findings were changed: send a new request to change them',
    ]);
    expect(await sql("select id from finding where status = 'accepted'")).toEqual([]);
    expect((await decide('bob', id, 'approve', first + 1000)).status).toBe(400);
    // A new approval is a decision of its own, which the client of the first one does not continue either.
    const again = await decide('nora', id, 'approve');
    expect([again.status, (again.json as Json).data]).toMatchObject([
      200,
      { changed: all.length, bulk_change_id: await changeOf(id) },
    ]);
    expect((await decide('bob', id, 'approve', first)).status).toBe(409);
  });

  it('and is being undone is not continued either, and a new approval has a change of its own', async () => {
    const id = await ask('admin', all);
    await sql(
      `create function refuse_one() returns trigger language plpgsql as $$ begin raise 'broken'; end $$`,
    );
    await sql(
      `create trigger refuse_one before update on finding for each row when (new.id = ${all.at(-1)}) execute function refuse_one()`,
    );
    await expect(approveOneByOne('bob', id)).rejects.toThrow('broken');
    await sql('drop trigger refuse_one on finding');
    await sql('drop function refuse_one');
    const first = await changeOf(id);
    const part = () =>
      undoBulkChange(service.database.db, testActor('tom'), {
        ...{ id: first, user: approver('tom'), stopAt: 0, batch: 1, takeBack: async () => 0 },
      });
    expect(await part()).toMatchObject({ restored: 1, remaining: all.length - 2 });
    // No one sees it as undone yet.
    const listed = await service.data('GET', 'attack-paths/bulk-changes');
    expect(listed.find((one: Json) => one.id === first)).toMatchObject({ undone_at: null, undone_by: null });
    expect((await decide('bob', id, 'approve', first)).status).toBe(409);
    // The others are restored later, so the plan keeps the changes that close them.
    expect(await approvedIds('nora', id)).toEqual([all[0], all.at(-1)]);
    expect(await changeOf(id)).not.toBe(first);
    // The undoing goes on with the findings of its change only.
    for (let left = all.length - 2; left > 0; left--)
      expect(await part()).toMatchObject({ remaining: left - 1 });
    const accepted = await sql(
      "select id from finding where status = 'accepted' and part_of_id is null order by id",
    );
    expect(accepted.map((row) => row.id)).toEqual([all[0], all.at(-1)]);
  });

  it('is undone together with the constraints that its last transaction adds', async () => {
    const id = await begun();
    const change = await changeOf(id);
    let undoing: Promise<{ readonly json: unknown }> | undefined;
    await approveAcceptance(service.database.db, testActor('nora'), approver('nora'), {
      ...{ scope: { id, user: ids.get('nora') as string, visible: null }, note: '' },
      ...{ stopAt: Date.now() + 100_000, check: () => {} },
      accepted: async (transaction, { bulk_change_id }) => {
        expect(bulk_change_id).toBe(change);
        undoing = undo(change);
        await vi.waitUntil(async () => (await sql(WAITING)).length > 0, { timeout: 100_000 });
        await transaction
          .insertInto('plan_constraint')
          .values({
            ...{ subject: 'object', title: 'x', object_id: 'S-1', reason: '', created_by: 'nora' },
            ...{ repair_kind: null, repairs: null, until: null, bulk_change_id },
          })
          .execute();
      },
    });
    const undone = (await undoing) as Json;
    expect(undone.json.data).toMatchObject({
      ...{ restored: all.length, kept: 0, constraints_removed: 1 },
    });
    expect(await sql('select from plan_constraint')).toEqual([]);
  });

  it('expires at the end of its acceptances', async () => {
    const id = await begun();
    await sql(`update acceptance_request set accept_until = date_trunc('day', clock_timestamp()) - interval '1 hour',
      expires_at = clock_timestamp() - interval '3 days'`);
    expect(await endAcceptanceRequests(service.database.db)).toBe(1);
    const { decided_at, accept_until } = await shown(id);
    expect(decided_at).toBe(accept_until);
  });
});

describe('a decision', () => {
  it('in the meantime ends an approval that changed nothing yet', async () => {
    for (const [user, decision, done] of [
      ['nora', 'refuse', 'refused'],
      ['admin', 'withdraw', 'withdrawn'],
    ] as const) {
      const id = await ask('admin', all);
      const outcome = await meanwhile('bob', id, async () =>
        expect((await decide(user, id, decision)).status).toBe(200),
      );
      expect(outcome).toContain(`it is ${done}`);
      expect(await shown(id)).toMatchObject({ state: done, accepted_count: 0 });
    }
  });

  it('of two approvers at once accepts each finding once, and is logged once', async () => {
    const id = await ask('admin', all);
    const none = { changed: 0, remaining: 0 };
    // The second may begin after the first has ended.
    const orDecided = (error: Error) => {
      expect(error.message).toContain('it is approved');
      return none;
    };
    const done = await Promise.all([
      approveOneByOne('bob', id).catch(orDecided),
      approveOneByOne('nora', id).catch(orDecided),
    ]);
    expect(done.reduce((sum, { changed }) => sum + changed, 0)).toBe(all.length);
    expect(await shown(id)).toMatchObject({ state: 'approved', accepted_count: all.length });
    expect(await entries('ApproveAcceptance')).toMatchObject([{ accepted: all.length }]);
    expect((await decide('bob', id, 'approve')).status).toBe(409);
  });

  it('deletes the rows of findings, and the request still names them', async () => {
    for (const [user, decision] of [
      ['bob', 'approve'],
      ['bob', 'refuse'],
      ['admin', 'withdraw'],
    ] as const) {
      const id = await ask('admin', all);
      expect((await decide(user, id, decision)).status).toBe(200);
      expect(await sql('select from acceptance_request_finding')).toEqual([]);
      const request = await shown(id);
      expect(request).toMatchObject({ finding_count: all.length, title: expect.stringMatching(/.+/) });
      expect(request.finding_ids.toSorted()).toEqual(all.toSorted());
      const found = await service.data('GET', `${LIST}?finding=${all[0]}`);
      expect(found[0].id).toBe(id);
    }
  });

  it('is not made by the user who asked with another sign-in', async () => {
    const id = await ask('bob', all);
    await service.signIn('bob');
    expect((await decide('bob', id, 'approve')).status).toBe(403);
    expect(await shown(id)).toMatchObject({ state: 'waiting' });
  });

  it('of an approver with limited environments is about requests within them only', async () => {
    const [north] = await open(sidOf('NORTH'));
    const both = await ask('admin', all);
    const own = await ask('admin', [north.id]);
    await sql('update user_account set environments = $1 where principal_name = $2', [
      [sidOf('NORTH')],
      'tom',
    ]);
    try {
      expect((await decide('tom', both, 'approve')).status).toBe(404);
      expect((await decide('tom', own, 'approve')).status).toBe(200);
    } finally {
      await sql("update user_account set environments = null where principal_name = 'tom'");
    }
  });

  it('accepts parts only in the environments that both users see', async () => {
    const [north] = await open(sidOf('NORTH'));
    const [south] = await open(sidOf('SOUTH'));
    await sql('update finding set part_of_id = $1 where id = $2', [north.id, south.id]);
    await sql('update user_account set environments = $1 where principal_name = $2', [
      [sidOf('NORTH')],
      'tom',
    ]);
    try {
      // The request of a limited user has no finding that the user may not see.
      const hidden = await ask('tom', [north.id, ...(await open(sidOf('SOUTH'))).map(({ id }) => id)]);
      expect(await shown(hidden)).toMatchObject({ finding_count: 1, finding_ids: [north.id] });
      expect((await decide('bob', hidden, 'approve')).status).toBe(200);
      expect(await state(south.id)).toMatchObject([{ status: 'active' }]);
      const seen = await ask('admin', [north.id]);
      expect((await decide('bob', seen, 'approve')).status).toBe(200);
      expect(await state(south.id)).toMatchObject([{ status: 'accepted', approved_by: 'bob' }]);
    } finally {
      await sql('update finding set part_of_id = null where id = $1', [south.id]);
      await sql("update user_account set environments = null where principal_name = 'tom'");
    }
  });
});

describe('an approval', () => {
  it('keeps acceptances that are newer than the request', async () => {
    const [first, second] = all as [number, number];
    const earlier = await ask('admin', [second], { reason: 'before' });
    expect((await decide('bob', earlier, 'approve')).status).toBe(200);
    const id = await ask('admin', all);
    const newer = await ask('nora', [first], { reason: 'newer', accept_until: '2098-01-01T00:00:00Z' });
    expect((await decide('bob', newer, 'approve')).status).toBe(200);
    const { json } = await decide('bob', id, 'approve');
    expect((json as Json).data.request).toMatchObject({
      ...{ state: 'approved', accepted_count: all.length - 1, skipped_count: 1 },
    });
    expect(await state(first)).toMatchObject([{ accepted_reason: 'newer', accepted_by: 'nora' }]);
    // The one that the user who asked saw is replaced.
    expect(await state(second)).toMatchObject([{ accepted_reason: 'until spring', accepted_by: 'admin' }]);
    expect(await entries('ApproveAcceptance')).toMatchObject([{}, {}, { skipped: 1 }]);
  });

  it('of the same terms names its approver', async () => {
    const [one] = all as [number];
    const terms = { accept_until: '2098-01-01T00:00:00Z' };
    await rule(false);
    await accept('admin', [one], terms);
    await rule(true);
    expect(await state(one)).toMatchObject([{ accepted_by: 'admin', approved_by: null }]);
    const id = await ask('nora', [one], terms);
    expect((await decide('bob', id, 'approve')).status).toBe(200);
    expect(await state(one)).toMatchObject([{ accepted_by: 'nora', approved_by: 'bob' }]);
  });

  it('mentions users in the name of the user who asked', async () => {
    const id = await ask('nora', all, { reason: 'agreed with @tom and @nora' });
    expect((await decide('bob', id, 'approve')).status).toBe(200);
    expect(await sql('select user_id, mentioned_by, count from mention')).toEqual([
      { user_id: ids.get('tom'), mentioned_by: 'nora', count: all.length },
    ]);
  });

  it('is undone, but undoing accepts nothing again', async () => {
    const [first, second] = all as [number, number];
    // Two persons agreed to a short acceptance of the first, and then to a longer one.
    const short = await ask('admin', [first], { accept_until: '2097-01-01T00:00:00Z', reason: 'short' });
    await decide('bob', short, 'approve');
    const long = await ask('admin', [first], { reason: 'long' });
    await decide('bob', long, 'approve');
    await rule(false);
    await accept('admin', [second], { reason: 'alone' });
    await rule(true);
    const lastChange = async (): Promise<number> =>
      (await sql('select max(id) as id from bulk_change'))[0].id;
    const undo = async (id: number): Promise<Json> =>
      ((await service.call('POST', `attack-paths/bulk-changes/${id}/undo`)).json as Json).data;
    const [{ bulk_change_id: ofLong }] = await sql(
      'select bulk_change_id from acceptance_request where id = $1',
      [long],
    );
    expect(await undo(ofLong)).toMatchObject({ restored: 1, kept: 0 });
    expect(await state(first)).toMatchObject([{ accepted_reason: 'short', approved_by: 'bob' }]);
    // Ending acceptances needs no approval; undoing that would accept.
    const ended = await accept('nora', [first, second], { accepted: false, reason: '' });
    expect(ended).toMatchObject({ changed: 2 });
    expect(await undo(await lastChange())).toMatchObject({ restored: 0, kept: 2 });
    for (const id of [first, second]) expect(await state(id)).toMatchObject([{ status: 'active' }]);
    await rule(false);
    await accept('admin', [first], { reason: 'alone' });
    await accept('admin', [first], { accepted: false, reason: '' });
    expect(await undo(await lastChange())).toMatchObject({ restored: 1, kept: 0 });
    // Nor does it restore a shorter acceptance that no one approved.
    await accept('admin', [first], { reason: 'alone', accept_until: '2097-01-01T00:00:00Z' });
    await rule(true);
    const approved = await ask('admin', [first], { reason: 'approved' });
    await decide('bob', approved, 'approve');
    expect(await undo(await lastChange())).toMatchObject({ restored: 0, kept: 1 });
    expect(await state(first)).toMatchObject([{ accepted_reason: 'approved' }]);
  });
});

describe('a request', () => {
  it('about no finding is not made', async () => {
    const { status, json } = await service.call(
      'PUT',
      'attack-paths/acceptance?source_principal_name=eq:NO-ONE',
      { accepted: true, all_matching: true },
    );
    expect([status, (json as Json).data]).toEqual([
      200,
      { findings: 0, changed: 0, remaining: 0, bulk_change_id: null },
    ]);
    expect(await service.data('GET', LIST)).toEqual([]);
  });

  it('ends with its last finding, also before housekeeping notes it', async () => {
    const [first, second] = all as [number, number];
    const id = await ask('admin', [first, second]);
    await sql(CLOSE, [first]);
    expect(await shown(id)).toMatchObject({ state: 'waiting' });
    await sql(CLOSE, [second]);
    try {
      expect(await shown(id)).toMatchObject({ state: 'closed', finding_count: 2 });
      expect(await service.data('GET', `${LIST}?state=eq:waiting`)).toEqual([]);
      expect((await decide('bob', id, 'approve')).status).toBe(409);
      await endAcceptanceRequests(service.database.db);
      expect(await shown(id)).toMatchObject({ state: 'closed', decided_by: null });
      expect(await entries('CloseAcceptance')).toMatchObject([{ request_id: id, requested_by: 'admin' }]);
    } finally {
      await sql(REOPEN, [[first, second]]);
    }
  });

  it('of which a finding closed is approved for the others', async () => {
    const [first] = all as [number];
    const id = await ask('admin', all);
    await sql(CLOSE, [first]);
    try {
      const { json } = await decide('bob', id, 'approve');
      expect((json as Json).data).toMatchObject({
        ...{ changed: all.length - 1, remaining: 0 },
        request: { accepted_count: all.length - 1, skipped_count: 1 },
      });
    } finally {
      await sql(REOPEN, [[first]]);
    }
  });

  it('ends with the user who asked', async () => {
    await service.addUser('leaver', 'Power User');
    const id = await ask('leaver', all);
    const [{ id: user }] = await sql("select id from user_account where principal_name = 'leaver'");
    await service.call('DELETE', `bloodhound-users/${user}`);
    expect(await shown(id)).toMatchObject({ state: 'closed', requested_by: 'leaver' });
    expect((await decide('bob', id, 'approve')).status).toBe(409);
    await endAcceptanceRequests(service.database.db);
    expect(await sql('select from acceptance_request_finding')).toEqual([]);
  });

  it('of one user leaves room for those of others', async () => {
    const [first] = all as [number];
    // Two at once are counted one after the other.
    for (let count = 0; count < 99; count++) await ask('nora', [first]);
    const asked = await Promise.all(
      [1, 2, 3, 4].map(() =>
        asUser('nora', 'PUT', 'attack-paths/acceptance', { accepted: true, findings: [first] }),
      ),
    );
    expect(asked.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    await ask('tom', [first]);
    await sql("update acceptance_request set state = 'refused', decided_at = clock_timestamp()");
    await sql(`insert into acceptance_request (user_id, requested_by, expires_at, reason, leave_out_of_plan, finding_count, finding_ids, title,
        environments, state, decided_at)
      select user_id, requested_by, expires_at, reason, false, 1, finding_ids, title, environments, 'refused', clock_timestamp()
      from acceptance_request, generate_series(1, 6) where requested_by = 'nora'`);
    await ask('nora', [first]);
    expect(
      await sql(
        'select requested_by, count(*)::integer from acceptance_request group by requested_by order by requested_by',
      ),
    ).toEqual([
      { requested_by: 'nora', count: 501 },
      { requested_by: 'tom', count: 1 },
    ]);
  }, 60_000);
});
