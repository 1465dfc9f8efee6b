/** Rows of the list and the findings that they represent: links between them, the list of a zone, and acceptance of both. */

import { userRecord } from '@clew/intake/testing';
import { useFindingServer, withAccepted } from '@clew/service/testing';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ANN, BOB, DOMAIN, forest } from '../../../test/findings/forest.ts';
import { addSimilarFindings } from '../../../test/findings/similarFindings.ts';
import { expireAcceptances } from '../acceptance.ts';
import { notePlannedFindings } from '../plannedFindings.ts';

const server = useFindingServer();
const { call } = server;

interface Row {
  readonly id: number;
  readonly finding: string;
  readonly status: string;
  readonly asset_group_tag_id: number;
  readonly target_principal_id?: string;
  readonly parts?: readonly string[];
  readonly part_ids?: readonly number[];
  readonly part_count?: number;
  readonly part_of?: string;
  readonly part_of_id?: number;
  readonly accepted_through?: number;
}

const rows = async (query: string): Promise<Row[]> => {
  const { status, json } = await call(`/api/v2/attack-paths/findings?limit=1000&${query}`);
  expect([query, status]).toEqual([query, 200]);
  return json.data;
};
const one = async (id: number): Promise<Row> => (await rows(`id=eq:${id}`))[0] as Row;
const accept = (id: number, body: object) =>
  call(`/api/v2/attack-paths/${id}/acceptance`, { method: 'PUT', body });
const FOR_LONG = { accepted: true, accept_until: '2099-01-01T00:00:00Z', reason: 'It goes in spring' };

/** A row with parts, and the parts. */
async function wholeAndParts(): Promise<{ readonly whole: Row; readonly parts: readonly Row[] }> {
  const whole = (await rows('')).find(({ part_count = 0 }) => part_count > 1);
  if (whole === undefined) throw new Error('no row stands for several');
  return { whole, parts: await rows(`part_of_id=eq:${whole.id}`) };
}

/** Ann's account in Tier Zero has several flags, which one row combines. */
const directory = (bobOverAnn: readonly string[]) =>
  forest({ bobOverAnn }).map((file) => ({
    ...file,
    content: JSON.stringify(file.content).replace(
      '"sensitive":true',
      '"sensitive":false,"pwdneverexpires":true',
    ),
  }));

/** Administrators whose passwords never expire, the first `open` of them not marked as sensitive. */
function administrators(count: number, open: number) {
  const ids = Array.from({ length: count }, (_, at) => `${DOMAIN}-${3000 + at}`);
  const users = ids.map((id, at) =>
    userRecord(id, {
      Properties: {
        ...{ name: `A${at}@CORP.LOCAL`, domain: 'CORP.LOCAL', domainsid: DOMAIN, enabled: true },
        ...{ sensitive: at >= open, pwdneverexpires: true, hasspn: false },
      },
    }),
  );
  const members = ids.map((id) => ({ ObjectIdentifier: id, ObjectType: 'User' }));
  const files = forest().map(({ name, content }) => {
    // biome-ignore lint/suspicious/noExplicitAny: records of every kind.
    const { data, meta } = JSON.parse(JSON.stringify(content)) as any;
    if (name === 'users.json') data.push(...users);
    if (name === 'groups.json') data[0].Members.push(...members);
    return { name, content: { data, meta: { ...meta, count: data.length } } };
  });
  return { files, ids: new Set(ids) };
}

beforeEach(async () => {
  await server.empty();
  await server.collect(...directory(['WriteDacl', 'GenericAll']));
});

describe('a row that represents others', () => {
  it('names them by number, and each of them names it; no part of another row is among them', async () => {
    const { whole, parts } = await wholeAndParts();
    expect(parts.map(({ id }) => id)).toEqual(whole.part_ids);
    expect(parts.length).toBe(whole.part_count);
    for (const part of parts) {
      expect([part.part_of, part.part_of_id]).toEqual([whole.finding, whole.id]);
      expect(whole.parts).toContain(part.finding);
    }
    const all = await rows(`part_of=eq:${whole.finding}`);
    expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining(whole.part_ids as number[]));
    for (const { part_of_id } of all) expect(part_of_id).toBeGreaterThan(0);
  });

  it('is marked in the records of an environment, which the list has completely with parts=true', async () => {
    const { whole } = await wholeAndParts();
    const recordsOf = async (
      finding: string,
    ): Promise<{ id: number; PartOf?: string; PartOfID?: number }[]> =>
      (await call(`/api/v2/domains/${DOMAIN}/details?finding=${finding}&limit=0`)).json.data;
    const records = await recordsOf(whole.parts?.[0] as string);
    const marked = records.filter(({ id }) => whole.part_ids?.includes(id));
    expect(marked.length).toBeGreaterThan(0);
    for (const { PartOf, PartOfID } of marked) expect([PartOf, PartOfID]).toEqual([whole.finding, whole.id]);

    const idsOf = (of: readonly { readonly id: number }[]) => of.map(({ id }) => id).sort((a, b) => a - b);
    const details: number[] = [];
    // Tier Zero, and findings of no zone.
    for (const finding of (await call('/api/v2/attack-path-types')).json.data as string[])
      details.push(...idsOf(await recordsOf(finding)));
    const [all, wholes] = [await rows('parts=true'), await rows('parts=false')];
    expect(idsOf(all)).toEqual(details.sort((a, b) => a - b));
    expect(wholes.length).toBeLessThan(all.length);
    expect(idsOf(wholes)).toEqual(idsOf(await rows('')));
  });

  it('stays out of the list of the zone of a part, which then shows the part', async () => {
    const every = await rows('part_of=neq:');
    const elsewhere: Row[] = [];
    for (const part of every) {
      const whole = await one(part.part_of_id as number);
      const ofZone = (await rows(`asset_group_tag_id=eq:${part.asset_group_tag_id}`)).map(({ id }) => id);
      expect([part.finding, ofZone.includes(part.id)]).toEqual([
        part.finding,
        whole.asset_group_tag_id !== part.asset_group_tag_id,
      ]);
      if (whole.asset_group_tag_id !== part.asset_group_tag_id) elsewhere.push(part);
    }
    expect(elsewhere.length).toBeGreaterThan(0);
    const listed = (await rows('')).map(({ id }) => id);
    for (const part of elsewhere) expect(listed).not.toContain(part.id);
  });

  it('is accepted with its parts, and its end ends it for those that were accepted with it alone', async () => {
    const { whole, parts } = await wholeAndParts();
    const [own, ...others] = parts as [Row, ...Row[]];
    await accept(own.id, { ...FOR_LONG, reason: 'Known by itself' });
    expect((await accept(whole.id, FOR_LONG)).status).toBe(200);
    for (const { id } of others)
      expect(await one(id)).toMatchObject({ status: 'accepted', accepted_through: whole.id });
    expect((await one(own.id)).accepted_through).toBeUndefined();
    // Analyses do not change this.
    await server.collect();
    for (const { id } of others) expect((await one(id)).accepted_through).toBe(whole.id);
    expect((await accept(whole.id, { accepted: false })).status).toBe(200);
    for (const { id } of [whole, ...others]) expect((await one(id)).status).toBe('active');
    expect((await one(own.id)).status).toBe('accepted');
  });

  it('takes its parts along when many are accepted, and when its time is up', async () => {
    const { whole, parts } = await wholeAndParts();
    const body = { ...FOR_LONG, findings: [whole.id] };
    const { json } = await call('/api/v2/attack-paths/acceptance', { method: 'PUT', body });
    expect(json.data).toMatchObject({ findings: 1, changed: 1, remaining: 0 });
    for (const { id } of parts) expect((await one(id)).status).toBe('accepted');
    const { pool, db } = server.database;
    await pool.query(
      "update finding set accepted_until = now() - interval '1 second' where status = 'accepted'",
    );
    expect(await expireAcceptances(db)).toBe(parts.length + 1);
    for (const { id } of parts) {
      const part = await one(id);
      expect([part.status, part.accepted_through]).toEqual(['active', undefined]);
    }
  });

  it('109 accounts accepted by one type leave none of the 74 open that the other type lists', async () => {
    const { files, ids } = administrators(109, 74);
    await server.empty();
    await server.collect(...files);
    const [never, sensitive] = ['T0PasswordNeverExpires', 'T0MarkSensitive'] as const;
    const ofType = async (type: string, status: string) =>
      (await rows(`finding=eq:${type}&status=eq:${status}`)).filter((row) =>
        ids.has(row.target_principal_id as string),
      ).length;
    const counts = async (status: string) => [await ofType(never, status), await ofType(sensitive, status)];
    expect(await counts('active')).toEqual([109, 74]);
    const body = { ...FOR_LONG, all_matching: true };
    const { json } = await call(`/api/v2/attack-paths/acceptance?finding=eq:${never}`, {
      method: 'PUT',
      body,
    });
    expect(json.data).toMatchObject({ findings: 109, changed: 109, remaining: 0 });
    expect([await counts('accepted'), await counts('active')]).toEqual([
      [109, 74],
      [0, 0],
    ]);
  });

  it('leaves a part accepted that a continued request names as well', async () => {
    const { whole, parts } = await wholeAndParts();
    const [part] = parts as [Row];
    const many = async (id: number, more: object) =>
      (
        await call('/api/v2/attack-paths/acceptance', {
          method: 'PUT',
          body: { ...FOR_LONG, findings: [id], ...more },
        })
      ).json.data;
    const { bulk_change_id: continues } = await many(whole.id, {});
    expect((await one(part.id)).accepted_through).toBe(whole.id);
    expect(await many(part.id, { continues })).toMatchObject({ changed: 1, bulk_change_id: continues });
    await accept(whole.id, { accepted: false });
    expect([(await one(whole.id)).status, (await one(part.id)).status]).toEqual(['active', 'accepted']);
  });

  it('ends the acceptance of its parts when it is closed itself', async () => {
    const { whole, parts } = await wholeAndParts();
    await accept(whole.id, FOR_LONG);
    await server.database.pool.query(
      "update finding set status = 'remediated', deleted_at = now(), accepted_until = null where id = $1",
      [whole.id],
    );
    await server.collect(...directory(['WriteDacl']));
    for (const { id } of parts) expect((await one(id)).accepted_through).not.toBe(whole.id);
  });
});

describe('acceptance that leaves changes out of the plan', () => {
  const REPAIR = { kind: 'remove-permission', object_id: ANN, principal_id: BOB, relations: ['GenericAll'] };
  const OTHER = { kind: 'template-subject', object_id: 'T' };

  /** A stored plan with one card of two packages, and the finding that it closes. */
  async function planned(): Promise<Row> {
    const { db, pool } = server.database;
    await pool.query('delete from plan_constraint');
    await pool.query('delete from zone_plan');
    const packages = [REPAIR, OTHER].map((one) => ({ title: `Change ${one.object_id}`, references: [one] }));
    await pool.query(
      `insert into zone_plan (zone, generation, basis, state, published_at, cards, plan, finished_at)
       values (1, 1, 'basis', 'complete', now(), 1, $1, now())`,
      [JSON.stringify({ plan: { asset_group_tag_id: 1, before: [], cards: [{ key: 'K', packages }] } })],
    );
    const finding = {
      environment_id: DOMAIN,
      tag_id: 1,
      finding: 'T0GenericAll',
      source_id: BOB,
      target_id: ANN,
    };
    await notePlannedFindings(db, {
      ...{ cards: [{ key: 'K', after: 0, closed: [finding] }], open: [], shared: [], lowered: [] },
    });
    const [row] = await rows('finding=eq:T0GenericAll');
    return row as Row;
  }
  const put = (id: number, body: object, user: 'planner' | 'admin' | 'elsewhere' = 'planner') =>
    call(`/api/v2/attack-paths/${id}/acceptance`, { method: 'PUT', body, user });
  const constraints = async () =>
    (
      await server.database.pool.query(
        'select title, repairs, reason, until from plan_constraint order by id',
      )
    ).rows;

  it('adds the changes of its card that name its ends, as long as it holds, and only once', async () => {
    const { id } = await planned();
    const { status, json } = await put(id, { ...FOR_LONG, leave_out_of_plan: true });
    expect([status, json.data.Accepted]).toEqual([200, true]);
    expect(json.plan_constraints).toMatchObject([
      { subject: 'repairs', repairs: [REPAIR], title: `Change ${ANN}`, reason: 'It goes in spring' },
    ]);
    expect(await constraints()).toHaveLength(1);
    expect(String((await constraints())[0].until)).toContain('2099-01-01');
    const again = await put(id, { ...FOR_LONG, leave_out_of_plan: true });
    expect([again.json.plan_constraints, (await constraints()).length]).toEqual([[], 1]);
  });

  it('adds nothing unless asked, and nothing for users who may not say what cannot be changed', async () => {
    const { id } = await planned();
    expect((await put(id, FOR_LONG)).json.plan_constraints).toBeUndefined();
    expect((await put(id, { ...FOR_LONG, leave_out_of_plan: true }, 'admin')).status).toBe(403);
    expect((await put(id, { ...FOR_LONG, leave_out_of_plan: true }, 'elsewhere')).status).toBe(403);
    expect(await constraints()).toEqual([]);
  });

  it('is taken back with the change of many findings that made it, by users who may, and nothing else is', async () => {
    const { id } = await planned();
    await server.database.pool.query(
      "insert into plan_constraint (subject, title, object_id, reason, created_by) values ('object', 'Kept', 'S-1', 'own', 'ann')",
    );
    const body = { accepted: true, findings: [id], leave_out_of_plan: true };
    const { json } = await call('/api/v2/attack-paths/acceptance', { method: 'PUT', body, user: 'planner' });
    expect(await constraints()).toHaveLength(2);
    const undo = (user: 'planner' | 'admin') =>
      call(`/api/v2/attack-paths/bulk-changes/${json.data.bulk_change_id}/undo`, { method: 'POST', user });
    expect((await undo('admin')).status).toBe(403);
    const accepted = "select id from finding where status = 'accepted'";
    expect((await server.database.pool.query(accepted)).rows).toEqual([{ id }]);
    const undone = await undo('planner');
    expect([undone.status, undone.json.data]).toEqual([
      200,
      { restored: 1, kept: 0, constraints_removed: 1, remaining: 0 },
    ]);
    expect(await constraints()).toMatchObject([{ title: 'Kept' }]);
  });

  /** Another user asks to accept the finding, and to leave its changes out of the plan. @returns the id of the request */
  async function requestFor(id: number): Promise<number> {
    const { pool } = server.database;
    await pool.query(
      `insert into user_account (id, principal_name, first_name, last_name, email_address, role_id)
       values (gen_random_uuid(), 'asks', '', '', 'asks@example.com', 3) on conflict do nothing`,
    );
    const { rows } = await pool.query(
      `with made as (
         insert into acceptance_request (user_id, requested_by, expires_at, reason, leave_out_of_plan, finding_count, finding_ids, title, environments)
         select id, 'asks', now() + interval '1 day', 'It goes in spring', true, 1, array[$1::integer], '', array[$2]
         from user_account where principal_name = 'asks' returning id)
       insert into acceptance_request_finding (request_id, finding_id) select id, $1 from made returning request_id`,
      [id, DOMAIN],
    );
    return rows[0].request_id;
  }

  it('needs an approver who may, once all findings are accepted', async () => {
    const { id } = await planned();
    const { pool } = server.database;
    const request = await requestFor(id);
    const approve = (user: 'planner' | 'admin') =>
      call(`/api/v2/attack-paths/acceptance-requests/${request}`, {
        ...{ method: 'PUT', body: { decision: 'approve' }, user },
      });
    expect((await approve('admin')).status).toBe(403);
    expect((await one(id)).status).toBe('active');
    const { status, json } = await approve('planner');
    expect([status, json.data.request.state]).toEqual([200, 'approved']);
    expect(await constraints()).toMatchObject([
      { title: `Change ${ANN}`, reason: 'It goes in spring', until: null },
    ]);
    const { rows: changes } = await pool.query('select max(id) as id from bulk_change');
    const undone = await call(`/api/v2/attack-paths/bulk-changes/${changes[0].id}/undo`, {
      ...{ method: 'POST', user: 'planner' },
    });
    expect(undone.json.data).toMatchObject({ restored: 1, constraints_removed: 1 });
    expect(await constraints()).toEqual([]);
  });

  it('that has no room ends the approval all the same, and says so', async () => {
    const { id } = await planned();
    const { pool } = server.database;
    const request = await requestFor(id);
    await pool.query(
      `insert into plan_constraint (subject, title, object_id, reason, created_by)
       select 'object', 'Kept', 'S-1-' || number, 'own', 'ann' from generate_series(1, 1000) as number`,
    );
    const { status, json } = await call(`/api/v2/attack-paths/acceptance-requests/${request}`, {
      ...{ method: 'PUT', body: { decision: 'approve' }, user: 'planner' },
    });
    expect([status, json.data]).toMatchObject([
      200,
      {
        ...{ changed: 1, remaining: 0, request: { state: 'approved', accepted_count: 1 } },
        not_left_out: expect.stringContaining('already 1000 constraints'),
      },
    ]);
    expect((await one(id)).status).toBe('accepted');
    expect(await constraints()).toHaveLength(1000);
    const { rows: entries } = await pool.query(
      "select fields from audit_log where action = 'ApproveAcceptance' order by id desc limit 1",
    );
    expect(entries[0].fields.not_left_out).toContain('already 1000 constraints');
  });

  it('that has no room accepts nothing', async () => {
    const { id } = await planned();
    const { pool } = server.database;
    await pool.query(
      `insert into plan_constraint (subject, title, object_id, reason, created_by)
       select 'object', 'Kept', 'S-1-' || number, 'own', 'ann' from generate_series(1, 1000) as number`,
    );
    await pool.query('delete from audit_log');
    const alone = await put(id, { ...FOR_LONG, leave_out_of_plan: true });
    const many = await call('/api/v2/attack-paths/acceptance', {
      ...{ method: 'PUT', user: 'planner' },
      body: { accepted: true, findings: [id], leave_out_of_plan: true },
    });
    for (const { status, json } of [alone, many])
      expect([status, json.errors[0].message]).toEqual([
        400,
        expect.stringContaining('already 1000 constraints'),
      ]);
    expect((await one(id)).status).toBe('active');
    expect((await pool.query('select from bulk_change_row')).rows).toEqual([]);
    expect(
      (await pool.query("select from audit_log where action in ('AcceptRisk', 'CreatePlanConstraint')")).rows,
    ).toEqual([]);
  });

  /** Adds findings after the planned one. The card closes the last of them only. @returns its number */
  async function plannedLast(count: number): Promise<number> {
    const { id } = await planned();
    const { pool } = server.database;
    await addSimilarFindings(pool, id, count);
    const { rows: moved } = await pool.query(
      `update finding last set plan_card = first.plan_card, plan_package = first.plan_package
       from finding first where first.id = $1 and last.id = (select max(id) from finding) returning last.id`,
      [id],
    );
    await pool.query('update finding set plan_card = null, plan_package = null where id = $1', [id]);
    return moved[0].id;
  }
  const acceptAll = (more: object = {}, headers: Record<string, string> = {}) =>
    call('/api/v2/attack-paths/acceptance?finding=T0GenericAll', {
      ...{ method: 'PUT', user: 'planner', headers },
      body: { ...FOR_LONG, all_matching: true, leave_out_of_plan: true, ...more },
    });
  /** Does the work while a change of the finding has to wait. */
  async function whileLocked<Result>(id: number, work: () => Promise<Result>): Promise<Result> {
    const client = await server.database.pool.connect();
    try {
      await client.query('begin');
      await client.query('select from finding where id = $1 for update', [id]);
      return await work();
    } finally {
      await client.query('rollback');
      client.release();
    }
  }
  const waitForLocks = (count: number) =>
    vi.waitUntil(
      async () => {
        const { rows: waiting } = await server.database.pool.query(
          "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
        );
        return waiting.length >= count;
      },
      { timeout: 100_000 },
    );
  const fillConstraints = () =>
    server.database.pool.query(
      `insert into plan_constraint (subject, title, object_id, reason, created_by)
       select 'object', 'Kept', 'S-1-' || number, 'own', 'ann' from generate_series(1, 1000) as number`,
    );

  it('is about accepted findings only, when the time ends before all are', async () => {
    const last = await plannedLast(2_100);
    const headers = { prefer: 'wait=4' };
    const first = await whileLocked(last, () => acceptAll({}, headers));
    expect([first.status, first.json]).toMatchObject([
      200,
      { data: { findings: 2_101, changed: 2_000, remaining: 101 }, plan_constraints: [] },
    ]);
    expect(await constraints()).toEqual([]);
    const { bulk_change_id: continues } = first.json.data;
    const late = await whileLocked(last, () => acceptAll({ continues }, headers));
    // The transaction that added them ended too late.
    expect(late.json).toMatchObject({ data: { changed: 0, remaining: 101 }, plan_constraints: [] });
    const { json } = await acceptAll({ continues });
    expect(json.data).toMatchObject({ changed: 101, remaining: 0, bulk_change_id: continues });
    expect([json.plan_constraints.length, (await constraints()).length]).toEqual([2, 2]);
    const undone = await call(`/api/v2/attack-paths/bulk-changes/${continues}/undo`, {
      ...{ method: 'POST', user: 'planner' },
    });
    expect(undone.json.data).toMatchObject({ restored: 2_101, constraints_removed: 2 });
  });

  it('that has no room for later findings accepts none, and stops where others took the room since', async () => {
    const last = await plannedLast(2_100);
    await fillConstraints();
    expect((await acceptAll()).status).toBe(400);
    expect((await rows('finding=eq:T0GenericAll&status=accepted')).length).toBe(0);
    await server.database.pool.query('delete from plan_constraint');
    const answer = await whileLocked(last - 2_000, async () => {
      const accepting = acceptAll();
      await waitForLocks(1);
      await fillConstraints();
      return { accepting };
    });
    const { status, json } = await answer.accepting;
    expect([status, json]).toMatchObject([
      200,
      { data: { changed: 2_000, remaining: 101 }, plan_constraints: [] },
    ]);
    const again = await acceptAll({ continues: json.data.bulk_change_id });
    expect([again.status, again.json.errors[0].message]).toEqual([
      400,
      expect.stringContaining('already 1000 constraints'),
    ]);
  });

  it('is taken back also if it began before the undoing', async () => {
    const { id } = await planned();
    const { whole } = await wholeAndParts();
    const body = { ...FOR_LONG, findings: [whole.id] };
    const own = { method: 'PUT', user: 'planner' } as const;
    const begun = await call('/api/v2/attack-paths/acceptance', { ...own, body });
    const { bulk_change_id: continues } = begun.json.data;
    const { accepting, undoing } = await whileLocked(id, async () => {
      const more = { ...FOR_LONG, findings: [id], leave_out_of_plan: true, continues };
      const accepting = call('/api/v2/attack-paths/acceptance', { ...own, body: more });
      await waitForLocks(1);
      const undoing = call(`/api/v2/attack-paths/bulk-changes/${continues}/undo`, {
        ...{ method: 'POST', user: 'planner' },
      });
      await waitForLocks(2);
      return { accepting, undoing };
    });
    expect((await accepting).json.plan_constraints).toHaveLength(1);
    expect((await undoing).json.data).toMatchObject({ kept: 0, remaining: 0, constraints_removed: 1 });
    expect([await constraints(), (await one(id)).status]).toEqual([[], 'active']);
  });

  it('is possible for many at once, and cards then say which of their findings are accepted', async () => {
    const { id } = await planned();
    const body = { accepted: true, findings: [id], leave_out_of_plan: true };
    const { json } = await call('/api/v2/attack-paths/acceptance', { method: 'PUT', body, user: 'planner' });
    expect([json.data.changed, json.plan_constraints.length]).toEqual([1, 1]);
    expect((await constraints())[0].until).toBeNull();
    const plan = { asset_group_tag_id: 1, cards: [{ key: 'K' }] } as never;
    const { db } = server.database;
    expect((await withAccepted(db, plan, null)).cards[0]).toMatchObject({
      accepted_count: 1,
      accepted: [id],
    });
    expect((await withAccepted(db, plan, ['S-1-5-21-9-9-9'])).cards[0]?.accepted_count).toBeUndefined();
    await put(id, { accepted: false });
    expect((await withAccepted(db, plan, null)).cards[0]).toMatchObject({ accepted_count: 0, accepted: [] });
  });
});
