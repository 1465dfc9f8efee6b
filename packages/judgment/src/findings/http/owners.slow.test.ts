/** Owners of findings over HTTP: of one finding, of many, of all that match a filter, and the required permissions. */
import { randomUUID } from 'node:crypto';
import type { AnswerOf } from '@clew/api';
import { collectControllers, HeldRows, type TestCaller, useFindingServer } from '@clew/service/testing';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

const OTHER = 'S-1-5-21-9-9-9';

const server = useFindingServer();
const { call } = server;

const ids = new Map<string, string>();

/** @param role number of a role @param environments environments that the user may see; default all */
async function addUser(name: string, role = 3, environments?: readonly string[], id: string = randomUUID()) {
  ids.set(name, id);
  await server.database.db
    .insertInto('user_account')
    .values({
      id,
      principal_name: name,
      role_id: role,
      environments: environments ? [...environments] : null,
    })
    .execute();
}

beforeAll(async () => {
  await addUser('Ann');
  await addUser('bob', 4);
  await addUser('norah', 3, [OTHER]);
  await addUser('loader', 6);
  await addUser('former');
  await server.database.pool.query(
    "update user_account set is_disabled = true where principal_name = 'former'",
  );
});
beforeEach(async () => {
  await server.empty();
  await collectControllers(server, [1100, 1101, 1102]);
});

type Rows = AnswerOf<'ListAttackPathFindings'>['data'];

async function list(query = '', user: TestCaller = 'admin'): Promise<Rows> {
  const target = `/api/v2/attack-paths/findings?finding=T0GenericAll&sort_by=id&limit=100${query}`;
  const { status, json, text } = await call(target, { user });
  expect([query, status, status === 200 ? '' : text]).toEqual([query, 200, '']);
  return json.data;
}

const assign = (body: object, query = '', user: TestCaller = 'admin') =>
  call(`/api/v2/attack-paths/owner${query}`, { method: 'PUT', body, user });

const lastEntry = async () =>
  (
    await server.database.pool.query(
      'select action, actor_name, fields from audit_log order by id desc limit 1',
    )
  ).rows[0];

describe('the owner of a finding', () => {
  it('is set, changed and cleared for one, and noted in the audit log', async () => {
    const [first] = await list();
    expect(first).toMatchObject({ owner_id: null, owner_name: null });
    const { status, json } = await assign({ owner: ids.get('Ann'), findings: [first.id] });
    expect([status, json.data]).toMatchObject([
      200,
      { owner: { id: ids.get('Ann'), name: 'Ann' }, findings: 1, changed: 1 },
    ]);
    const [owned] = await list();
    expect(owned).toMatchObject({ owner_id: ids.get('Ann'), owner_name: 'Ann', assigned_by: 'admin' });
    // Clients of feeds do not get the finding again.
    expect([owned.last_seen, owned.changed_by]).toEqual([first.last_seen, first.changed_by]);
    expect(await lastEntry()).toMatchObject({
      ...{ action: 'AssignFindings', actor_name: 'admin' },
      fields: { owner: 'Ann', findings: 1, changed: 1, finding_ids: String(first.id) },
    });
    expect((await assign({ owner: ids.get('Ann'), findings: [first.id] })).json.data.changed).toBe(0);
    expect((await assign({ owner: ids.get('bob'), findings: [first.id] })).json.data.changed).toBe(1);
    expect((await assign({ owner: null, findings: [first.id] })).json.data).toMatchObject({
      ...{ owner: null, findings: 1, changed: 1 },
    });
    const [cleared] = await list();
    expect([cleared.owner_id, 'assigned_at' in cleared]).toEqual([null, false]);
  });

  it('is set for all that match filters, and filters, sorts and exports', async () => {
    const rows = await list();
    const [one] = rows;
    await assign({ owner: ids.get('bob'), findings: [one.id] });
    const all = await assign(
      { owner: ids.get('Ann'), all_matching: true },
      '?finding=T0GenericAll&owner=none&severity=neq:low',
    );
    expect(all.json.data).toMatchObject({ findings: rows.length - 1, changed: rows.length - 1 });
    expect((await lastEntry()).fields.filters).toContain('owner=none');
    expect((await list(`&owner=${ids.get('bob')!.toUpperCase()}`)).map(({ id }) => id)).toEqual([one.id]);
    expect((await list('&owner=neq:none')).length).toBe(rows.length);
    expect(await list('&owner=none')).toEqual([]);
    expect((await list('&owner_name=eq:Ann')).length).toBe(rows.length - 1);
    const sorted = await call('/api/v2/attack-paths/findings?finding=T0GenericAll&sort_by=-owner_name');
    expect(sorted.json.data[0].owner_name).toBe('bob');
    const csv = await call('/api/v2/attack-paths/findings?finding=T0GenericAll&Accept=text/csv');
    const [head, ...lines] = csv.text.trim().split('\n');
    expect(head).toContain(',Owner,ChangedBecause,Due,ID,');
    // Numbers only follow the empty cells.
    expect(lines.filter((line) => /,Ann,,,[\d.,]+$/.test(line.trim()))).toHaveLength(rows.length - 1);
  });

  it('may be the one who asks', async () => {
    const [{ id }] = await list();
    await assign({ owner: null, findings: [id] });
    const { rows } = await server.database.pool.query(
      'select actor_id from audit_log order by id desc limit 1',
    );
    await addUser('admin', 1, undefined, rows[0].actor_id);
    expect((await assign({ owner: 'me', findings: [id] })).json.data.owner.name).toBe('admin');
    expect((await list('&owner=me')).map((row) => row.id)).toEqual([id]);
    expect((await list('&owner=neq:me')).map((row) => row.id)).not.toContain(id);
    expect(await list('&owner=me', 'reader')).toEqual([]);
  });

  it('stays over analyses, and goes with the user', async () => {
    const [first, second] = await list();
    await assign({ owner: ids.get('Ann'), findings: [first.id, second.id] });
    await addUser('leaver');
    await assign({ owner: ids.get('leaver'), findings: [second.id] });
    await collectControllers(server, [1100, 1101, 1102, 1103]);
    const after = await list();
    expect(after.slice(0, 2).map(({ owner_name }) => owner_name)).toEqual(['Ann', 'leaver']);
    expect(after.at(-1)!.owner_id).toBeNull();
    await server.database.pool.query("delete from user_account where principal_name = 'leaver'");
    expect((await list()).slice(0, 2).map(({ owner_name }) => owner_name)).toEqual(['Ann', null]);
  });

  it('is set by some and cleared by others at once', async () => {
    const [first, second] = await list();
    // In the table the second row comes first.
    for (const { id } of [second, first]) await assign({ owner: ids.get('Ann'), findings: [id] });
    const held = await HeldRows.hold(
      server.database.pool,
      'select from finding_owner where finding_id = $1 for update',
      [first.id],
    );
    const findings = [first.id, second.id];
    const set = assign({ owner: ids.get('bob'), findings });
    await held.untilWaiting(1);
    const cleared = assign({ owner: null, findings });
    await held.untilWaiting(2);
    await held.release();
    expect([(await set).status, (await cleared).status]).toEqual([200, 200]);
  });

  it('is one of the users who may look at findings', async () => {
    const [{ id }] = await list();
    for (const owner of [ids.get('loader'), ids.get('former'), randomUUID(), "x' or true --", 'none'])
      expect([owner, (await assign({ owner, findings: [id] })).status]).toEqual([owner, 400]);
    const foreign = await assign({ owner: ids.get('norah'), findings: [id] });
    expect([foreign.status, foreign.json.errors[0].message]).toEqual([
      409,
      'Conflict: norah has no access to the environment of 1 of these findings',
    ]);
  });

  it('is not changed by a user who does not see the finding, or lacks the right', async () => {
    const [{ id }] = await list();
    expect((await assign({ owner: ids.get('Ann'), findings: [id] }, '', 'elsewhere')).status).toBe(404);
    const none = await assign(
      { owner: ids.get('Ann'), all_matching: true },
      '?finding=T0GenericAll',
      'elsewhere',
    );
    expect(none.json.data).toMatchObject({ findings: 0, changed: 0 });
    expect((await assign({ owner: ids.get('Ann'), findings: [id] }, '', 'reader')).status).toBe(403);
    expect((await list())[0].owner_id).toBeNull();
  });

  it('refuses requests that do not say which findings they mean', async () => {
    const [{ id }] = await list();
    const owner = ids.get('Ann');
    const wrong: readonly (readonly [object, string?])[] = [
      [{ owner }],
      [{ owner, all_matching: false }],
      [{ owner, findings: [id], all_matching: true }],
      [{ owner, findings: [id] }, '?severity=critical'],
      [{ findings: [id] }],
      [{ owner, findings: [] }],
      [{ owner, findings: [0] }],
      [{ owner, findings: ['1; drop table finding'] }],
      [{ owner, findings: Array(1001).fill(id) }],
      [{ owner, all_matching: true }, '?owner=somebody'],
      [{ owner, all_matching: true }, '?owner=~eq:me'],
      [{ owner, all_matching: true }, '?nonsense=1'],
    ];
    for (const [body, query] of wrong)
      expect([JSON.stringify(body).slice(0, 80), query, (await assign(body, query)).status]).toEqual([
        ...[JSON.stringify(body).slice(0, 80), query, 400],
      ]);
    expect((await assign({ owner, findings: [2_000_000_000] })).status).toBe(404);
    expect((await list())[0].owner_id).toBeNull();
  });
});
