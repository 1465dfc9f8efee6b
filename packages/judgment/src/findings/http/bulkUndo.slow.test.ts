/** A bulk change names its findings, and can be undone for a day for findings that are still in the state it left them in. */
import { randomUUID } from 'node:crypto';
import type { UserPrincipal } from '@clew/common';
import { collectControllers, type TestCaller, useFindingServer } from '@clew/service/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { testActor } from '../../../test/findings/actor.ts';
import { undoBulkChange } from '../bulkChanges.ts';

const server = useFindingServer();
const { call } = server;
const OF_TYPE = '?finding=T0GenericAll';
const ACCEPTED = { accepted: true, accept_until: '2099-01-01T00:00:00Z', reason: 'The group goes in spring' };

const put = (what: 'acceptance' | 'owner', body: object, query = '') =>
  call(`/api/v2/attack-paths/${what}${query}`, { method: 'PUT', body });
const undo = (id: number, user: TestCaller = 'admin') =>
  call(`/api/v2/attack-paths/bulk-changes/${id}/undo`, { method: 'POST', user });
const list = async () =>
  (await call(`/api/v2/attack-paths/findings${OF_TYPE}&status=neq:remediated&sort_by=id&limit=100`)).json
    .data;
const sql = async (text: string, values: readonly unknown[] = []) =>
  (await server.database.pool.query(text, [...values])).rows;
const state = async () =>
  sql(
    `select id, status, accepted_until, accepted_by, accepted_reason, user_id from finding
     left join finding_owner on finding_id = id where finding = 'T0GenericAll' order by id`,
  );

/** The owner of findings. */
const ANN = randomUUID();

beforeEach(async () => {
  await server.empty();
  await sql('delete from audit_log');
  await sql(
    `insert into user_account (id, principal_name, first_name, last_name, email_address, role_id)
     values ($1, 'Ann', '', '', 'ann@example.com', 3) on conflict do nothing`,
    [ANN],
  );
  await collectControllers(server, [1100, 1101, 1102]);
});

describe('a change of all findings', () => {
  it('needs a filter, or the state of what it meets', async () => {
    for (const [what, body] of [
      ['acceptance', ACCEPTED],
      ['owner', { owner: ANN }],
    ] as const) {
      const refused = await put(what, { ...body, all_matching: true });
      expect([what, refused.status]).toEqual([what, 400]);
      expect(refused.json.errors[0].message).toContain('GetMatchingFindings');
      const { data } = (await call('/api/v2/attack-paths/matching')).json;
      const done = await put(what, { ...body, all_matching: true, expected: data.state });
      expect([done.status, done.json.data.findings]).toEqual([200, data.count]);
    }
  });
});

describe('a request that continues a change', () => {
  const ids = async (): Promise<number[]> => (await list()).map(({ id }: { id: number }) => id);

  it('adds to it, and leaves findings alone that another user changed since', async () => {
    const [first, second, third] = await ids();
    const one = await put('acceptance', { ...ACCEPTED, findings: [first, second] });
    const { bulk_change_id: continues } = one.json.data;
    await put('acceptance', { accepted: false, findings: [second] });
    const body = { ...ACCEPTED, findings: [first, second, third], continues };
    const { status, json } = await put('acceptance', body);
    expect([status, json.data]).toEqual([
      200,
      { findings: 3, changed: 1, remaining: 0, bulk_change_id: continues },
    ]);
    expect((await list()).map((row: { status: string }) => row.status)).toEqual([
      'accepted',
      'active',
      'accepted',
    ]);
    const { data: changes } = (await call('/api/v2/attack-paths/bulk-changes')).json;
    expect(changes.find(({ id }: { id: number }) => id === continues).findings).toBe(3);
    expect((await undo(continues)).json.data).toMatchObject({ restored: 2, kept: 1 });
  });

  it('is refused once the change is undone, and accepts nothing', async () => {
    const [first, second] = await ids();
    const one = await put('acceptance', { ...ACCEPTED, findings: [first] });
    const { bulk_change_id: continues } = one.json.data;
    expect((await undo(continues)).status).toBe(200);
    const { status, json } = await put('acceptance', { ...ACCEPTED, findings: [first, second], continues });
    expect([status, json.errors[0].message]).toEqual([
      409,
      'Conflict: admin has undone the change that this request continues, so no more findings were changed: send a new request to change them',
    ]);
    expect((await list()).map((row: { status: string }) => row.status)).toEqual([
      'active',
      'active',
      'active',
    ]);
    expect((await put('acceptance', { ...ACCEPTED, findings: [first, second] })).json.data.changed).toBe(2);
  });

  it('names a change of its own user', async () => {
    const [first] = await ids();
    const owners = await put('owner', { owner: ANN, findings: [first] });
    await sql(
      "insert into bulk_change (id, action, user_id, user_name) overriding system value values (900, 'AcceptFindings', $1, 'Ann')",
      [ANN],
    );
    for (const continues of [owners.json.data.bulk_change_id, 900])
      expect([
        continues,
        (await put('acceptance', { ...ACCEPTED, findings: [first], continues })).status,
      ]).toEqual([continues, 404]);
    for (const continues of [0, -1, 2 ** 31, 'x', null])
      expect((await put('acceptance', { ...ACCEPTED, findings: [first], continues })).status).toBe(400);
  });

  it('begins a change once the earlier one is older than a day, also if its record is deleted', async () => {
    const [first, second] = await ids();
    const { bulk_change_id: continues } = (await put('acceptance', { ...ACCEPTED, findings: [first] })).json
      .data;
    const goOn = async () =>
      (await put('acceptance', { ...ACCEPTED, findings: [first, second], continues })).json.data;
    await sql("update bulk_change set changed_at = changed_at - interval '25 hours'");
    const late = await goOn();
    expect(late).toMatchObject({ findings: 2, changed: 1, bulk_change_id: expect.any(Number) });
    expect(late.bulk_change_id).not.toBe(continues);
    expect(await sql('select from bulk_change where id = $1', [continues])).toEqual([]);
    expect(await goOn()).toMatchObject({ findings: 2, changed: 0, bulk_change_id: null });
  });

  it('with other terms begins a change, which also gives them to the findings of the earlier one', async () => {
    const [first, second, third] = await ids();
    const one = (await put('acceptance', { ...ACCEPTED, findings: [first] })).json.data;
    const reasons = async () => (await state()).map((row) => row.accepted_reason);
    const other = { ...ACCEPTED, reason: 'It goes in fall', continues: one.bulk_change_id };
    const named = (await put('acceptance', { ...other, findings: [first, second] })).json.data;
    expect(named).toMatchObject({ findings: 2, changed: 2, bulk_change_id: expect.any(Number) });
    expect(named.bulk_change_id).not.toBe(one.bulk_change_id);
    expect(await reasons()).toEqual([other.reason, other.reason, null]);
    // Findings that another user changed since keep their terms.
    await put('acceptance', { accepted: false, findings: [second] });
    const last = { ...ACCEPTED, accept_until: '2098-01-01T00:00:00Z', all_matching: true };
    const { data } = (
      await put('acceptance', { ...last, continues: named.bulk_change_id }, `${OF_TYPE}&id=eq:${third}`)
    ).json;
    expect(data).toMatchObject({ findings: 2, changed: 2 });
    expect(await reasons()).toEqual([ACCEPTED.reason, null, ACCEPTED.reason]);
    expect((await undo(data.bulk_change_id)).json.data).toMatchObject({ restored: 2, kept: 0 });
    expect(await reasons()).toEqual([other.reason, null, null]);
  });
});

describe('a change of many findings is undone', () => {
  it('to the acceptance that each had before', async () => {
    const [first] = await list();
    await call(`/api/v2/attack-paths/${first.id}/acceptance`, {
      method: 'PUT',
      body: { risk_type: 'T0GenericAll', accepted: true, reason: 'Before' },
    });
    const before = await state();
    const findings = before.map(({ id }) => id);
    const { data } = (await put('acceptance', { ...ACCEPTED, findings })).json;
    expect(data).toMatchObject({ changed: 3, bulk_change_id: expect.any(Number) });
    expect(await state()).not.toEqual(before);
    const [listed] = (await call('/api/v2/attack-paths/bulk-changes')).json.data;
    expect(listed).toMatchObject({
      ...{ id: data.bulk_change_id, action: 'AcceptFindings', findings: 3, undone_at: null, is_own: true },
      can_undo: true,
    });
    expect((await undo(data.bulk_change_id)).json.data).toEqual({
      ...{ restored: 3, kept: 0, constraints_removed: 0, remaining: 0 },
    });
    expect(await state()).toEqual(before);
    expect((await undo(data.bulk_change_id)).status).toBe(409);
    const [entry] = await sql("select fields from audit_log where action = 'UndoBulkChange'");
    expect(entry.fields).toMatchObject({ bulk_change_id: data.bulk_change_id, restored: 3 });
  });

  it('to the owner that each had before', async () => {
    const [first] = await list();
    await put('owner', { owner: ANN, findings: [first.id] });
    const before = await state();
    expect(before.filter(({ user_id }) => user_id !== null)).toHaveLength(1);
    const { data } = (await put('owner', { owner: null, all_matching: true }, OF_TYPE)).json;
    expect(data.changed).toBe(1);
    expect((await undo(data.bulk_change_id)).json.data).toEqual({
      ...{ restored: 1, kept: 0, constraints_removed: 0, remaining: 0 },
    });
    expect(await state()).toEqual(before);
  });

  it('in several requests, of which the audit log has the total', async () => {
    const { data } = (await put('acceptance', { ...ACCEPTED, all_matching: true }, OF_TYPE)).json;
    const [first] = await list();
    await call(`/api/v2/attack-paths/${first.id}/acceptance`, {
      method: 'PUT',
      body: { risk_type: 'T0GenericAll', accepted: true, reason: 'Since' },
    });
    const user = { userId: ANN, name: 'Ann', environments: null } as unknown as UserPrincipal;
    const oneByOne = { id: data.bulk_change_id, user, stopAt: 0, batch: 1, takeBack: async () => 0 };
    const undone = [];
    for (let request = 0; request < 3; request++)
      undone.push(await undoBulkChange(server.database.db, testActor('Ann'), oneByOne));
    expect(undone.map(({ restored, kept, remaining }) => [restored, kept, remaining])).toEqual([
      [0, 1, 2],
      [1, 0, 1],
      [1, 0, 0],
    ]);
    const entries = await sql("select fields from audit_log where action = 'UndoBulkChange'");
    expect(entries.map(({ fields }) => fields)).toEqual([
      expect.objectContaining({ bulk_change_id: data.bulk_change_id, findings: 3, restored: 2, kept: 1 }),
    ]);
  });

  it('which is said not to restore anything after each finding was changed again', async () => {
    const canUndo = async () => {
      const { data } = (await call('/api/v2/attack-paths/bulk-changes')).json;
      return Object.fromEntries(data.map((one: { id: number; can_undo: boolean }) => [one.id, one.can_undo]));
    };
    const [first, second] = (await list()).map(({ id }: { id: number }) => id);
    const owned = (await put('owner', { owner: ANN, findings: [first] })).json.data.bulk_change_id;
    const accepted = (await put('acceptance', { ...ACCEPTED, findings: [first, second] })).json.data
      .bulk_change_id;
    await put('acceptance', { accepted: false, findings: [first] });
    expect(await canUndo()).toMatchObject({ [owned]: true, [accepted]: true });
    await put('acceptance', { accepted: false, findings: [second] });
    expect(await canUndo()).toMatchObject({ [owned]: true, [accepted]: false });
    expect((await undo(accepted)).json.data).toMatchObject({ restored: 0, kept: 2 });
  });

  it('but not where a finding was changed again since', async () => {
    const { data } = (await put('acceptance', { ...ACCEPTED, all_matching: true }, OF_TYPE)).json;
    const [first] = await list();
    await call(`/api/v2/attack-paths/${first.id}/acceptance`, {
      method: 'PUT',
      body: { risk_type: 'T0GenericAll', accepted: true, reason: 'Since' },
    });
    expect((await undo(data.bulk_change_id)).json.data).toEqual({
      ...{ restored: 2, kept: 1, constraints_removed: 0, remaining: 0 },
    });
    const [one, ...others] = await state();
    expect(one).toMatchObject({ status: 'accepted', accepted_reason: 'Since' });
    for (const other of others) expect(other).toMatchObject({ status: 'active', accepted_reason: null });
  });

  it('for a day, and by users who may change findings', async () => {
    const { data } = (await put('acceptance', { ...ACCEPTED, all_matching: true }, OF_TYPE)).json;
    expect((await undo(data.bulk_change_id, 'reader')).status).toBe(403);
    expect((await undo(data.bulk_change_id, 'elsewhere')).status).toBe(404);
    expect((await undo(2_000_000_000)).status).toBe(404);
    await sql("update bulk_change set changed_at = changed_at - interval '25 hours'");
    expect((await undo(data.bulk_change_id)).status).toBe(404);
    expect((await call('/api/v2/attack-paths/bulk-changes')).json.data).toEqual([]);
    // The next change deletes its record.
    await put('acceptance', { accepted: false, all_matching: true }, OF_TYPE);
    expect(await sql('select id from bulk_change where id = $1', [data.bulk_change_id])).toEqual([]);
  });

  it('and one that changes nothing is not kept', async () => {
    const { data } = (await put('acceptance', { accepted: false, all_matching: true }, OF_TYPE)).json;
    expect(data).toMatchObject({ changed: 0, bulk_change_id: null });
    expect((await call('/api/v2/attack-paths/bulk-changes')).json.count).toBe(0);
  });
});
