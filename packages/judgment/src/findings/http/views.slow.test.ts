/** Saved views over HTTP: owners, readers, limits, and users with limited environments. */

import { type Reply, ServiceUnderTest, sidOf, twoDomains } from '@clew/service/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes.
type Json = any;

let service: ServiceUnderTest;

const as = (name: string, method: string, path: string, body?: object): Promise<Reply> =>
  service.as(name, method, `views${path}`, body);

beforeAll(async () => {
  service = await ServiceUnderTest.start({}, { makesPlans: false });
  await service.addUser('ann', 'User');
  await service.addUser('bob', 'User');
  await service.addUser('eve', 'Read-Only');
  await service.upload(...twoDomains({ NORTH: [], SOUTH: [] }, []));
  await service.addUser('nora', 'User', [sidOf('NORTH')]);
}, 120_000);
afterAll(() => service.stop());

const VIEW = { name: 'Urgent', page: 'findings', query: 'severity=critical&sort=-first_seen' };

const save = async (name: string, more: object = {}): Promise<number> => {
  const { status, json } = await as(name, 'POST', '', { ...VIEW, ...more });
  expect([status, json.errors]).toEqual([201, undefined]);
  return json.data.id;
};

describe('saved views', () => {
  it('belong to who saves them: others see those that are shared, and change none', async () => {
    const id = await save('ann', { columns: ['Target', 'Owner'] });
    expect((await as('bob', 'GET', '')).json.data).toEqual([]);
    for (const [method, body] of [['PATCH', { name: 'Mine' }], ['DELETE']] as const)
      expect((await as('bob', method, `/${id}`, body)).status).toBe(404);
    await as('ann', 'PATCH', `/${id}`, { shared: true, name: ' Most urgent ' });
    expect((await as('bob', 'GET', '')).json.data).toMatchObject([
      {
        ...{ id, name: 'Most urgent', owner: 'ann', is_own: false, shared: true, page: 'findings' },
        ...{ query: VIEW.query, columns: ['Target', 'Owner'] },
      },
    ]);
    for (const [method, body] of [['PATCH', { name: 'Mine' }], ['DELETE']] as const)
      expect((await as('bob', method, `/${id}`, body)).status).toBe(403);
    await as('ann', 'PATCH', `/${id}`, { columns: null, query: '' });
    expect((await as('ann', 'GET', '')).json.data).toMatchObject([
      { columns: null, query: '', is_own: true },
    ]);
    expect((await as('ann', 'DELETE', `/${id}`)).status).toBe(204);
    expect((await as('ann', 'GET', '')).json.data).toEqual([]);
    const { logs } = await service.data('GET', 'audit?action=~eq:View&limit=100');
    expect(new Set(logs.map(({ action }: Json) => action))).toEqual(
      new Set(['CreateView', 'UpdateView', 'DeleteView']),
    );
  });

  it('are kept by readers for themselves, and shared by those who may write queries', async () => {
    const id = await save('eve', { name: 'Mine alone' });
    expect((await as('eve', 'POST', '', { ...VIEW, shared: true })).status).toBe(403);
    expect((await as('eve', 'PATCH', `/${id}`, { shared: true })).status).toBe(403);
    expect((await as('eve', 'PATCH', `/${id}`, { query: 'severity=high' })).status).toBe(200);
  });

  it('are no longer changed for others by an owner who may not share any more', async () => {
    await service.addUser('lea', 'User');
    const id = await save('lea', { name: 'For all', shared: true });
    const { users } = await service.data('GET', 'bloodhound-users?principal_name=eq:lea');
    const { roles } = await service.data('GET', 'roles');
    const reader = roles.find((one: Json) => one.name === 'Read-Only').id;
    expect((await service.call('PATCH', `bloodhound-users/${users[0].id}`, { roles: [reader] })).status).toBe(
      200,
    );
    await service.signIn('lea');
    expect((await as('lea', 'PATCH', `/${id}`, { query: 'severity=low' })).status).toBe(403);
    expect((await as('lea', 'PATCH', `/${id}`, { shared: false, query: 'severity=low' })).status).toBe(200);
    expect((await as('lea', 'DELETE', `/${id}`)).status).toBe(204);
  });

  it('are created, changed and deleted only with an entry of the audit log', async () => {
    const id = await save('bob', { name: 'Audited' });
    const { pool } = service.database;
    await pool.query(
      "create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$",
    );
    await pool.query(
      'create trigger refuse before insert on audit_log for each row execute function refuse()',
    );
    try {
      for (const [method, path, more] of [
        ['POST', '', { name: 'Unseen' }],
        ['PATCH', `/${id}`, { name: 'Renamed' }],
        ['DELETE', `/${id}`, undefined],
      ] as const)
        expect((await as('bob', method, path, more && { ...VIEW, ...more })).status).toBe(500);
    } finally {
      await pool.query('drop trigger refuse on audit_log; drop function refuse');
    }
    const names = (await as('bob', 'GET', '')).json.data.map(({ name }: Json) => name);
    expect(names).toContain('Audited');
    expect(names).not.toContain('Unseen');
    expect((await as('bob', 'DELETE', `/${id}`)).status).toBe(204);
    expect((await as('bob', 'DELETE', `/${id}`)).status).toBe(404);
  });

  it('name no object of others to users of some environments', async () => {
    await save('ann', { name: 'Plain', shared: true });
    await save('ann', { name: 'Of an object', shared: true, query: 'about=S-1-5-21-62-1-1-512' });
    await save('ann', { name: 'Of a text', shared: true, query: 'severity=high&principal=SVC_SECRET' });
    await save('nora', { name: 'Own', query: 'principal=ADA' });
    const names = (await as('nora', 'GET', '')).json.data.map(({ name }: Json) => name);
    expect(names).toEqual(['Own', 'Plain']);
    expect((await as('bob', 'GET', '')).json.data.length).toBe(3);
  });

  it('are kept for each page, and of pages that a user may not open no one else sees one', async () => {
    await service.addUser('kim', 'User');
    const own = await save('kim', { page: 'posture', query: 'days=90&view=trend', shared: true });
    const of = (await as('kim', 'GET', '?page=posture')).json.data;
    expect(of.map(({ id, page }: Json) => [id, page])).toEqual([[own, 'posture']]);
    expect((await as('kim', 'GET', '?page=fix')).json.data).toEqual([]);
    expect((await as('kim', 'GET', '?page=passwords')).status).toBe(400);
    // A name is unique per page.
    await save('kim', { page: 'fix', query: 'goal=5' });
    const audit = { ...VIEW, name: 'Sign-ins', page: 'audit', query: 'actor=ann', shared: true };
    expect((await as('bob', 'POST', '', audit)).status).toBe(403);
    const make = async (body: object): Promise<number> =>
      ((await service.call('POST', 'views', body)).json as Json).data.id;
    const id = await make(audit);
    const plain = await make({
      ...audit,
      name: 'All',
      query: 'queries=true',
    });
    expect((await as('bob', 'GET', '?page=audit')).json.data).toEqual([]);
    expect((await as('bob', 'DELETE', `/${id}`)).status).toBe(404);
    await service.addUser('max', 'Auditor');
    const shown = (await as('max', 'GET', '?page=audit')).json.data;
    expect(shown.map((view: Json) => view.id)).toEqual([plain, id]);
    const pages = {
      fix: ['goal=5', 'env=S-1-5-21-62-1-1'],
      changes: ['days=7&kind=waiting', 'env=S-1-5-21-62-1-1'],
      posture: ['compare=2026-01-01..2026-02-01', 'env=S-1-5-21-62-1-1'],
      certification: ['state=0&tag=1', 'name=SVC'],
      zones: ['tag=2&from=2026-01-01', 'who=ann'],
    };
    for (const [page, [harmless, naming]] of Object.entries(pages)) {
      await save('ann', { page, name: 'Harmless', query: harmless, shared: true });
      await save('ann', { page, name: 'Naming', query: naming, shared: true });
      const seen = (await as('nora', 'GET', `?page=${page}`)).json.data;
      const others = seen.filter(({ owner }: Json) => owner === 'ann');
      expect([page, others.map(({ name }: Json) => name)]).toEqual([page, ['Harmless']]);
    }
  });

  it('refuse an invalid view, a duplicate name and too many', async () => {
    const wrong: readonly object[] = [
      { name: '  ' },
      { name: 'x'.repeat(61) },
      { name: 'A\u0000' },
      { page: 'passwords' },
      { query: 'x'.repeat(4001) },
      { columns: Array(41).fill('Target') },
      { columns: [7] },
      { shared: 'yes' },
    ];
    for (const more of wrong)
      expect([more, (await as('bob', 'POST', '', { ...VIEW, ...more })).status]).toEqual([more, 400]);
    const id = await save('bob', { name: 'Kept' });
    expect((await as('bob', 'POST', '', { ...VIEW, name: ' Kept ' })).status).toBe(409);
    const other = await save('bob', { name: 'Other' });
    expect((await as('bob', 'PATCH', `/${other}`, { name: 'Kept' })).status).toBe(409);
    expect((await as('bob', 'PATCH', `/${id}`, { page: 'explore', name: 'Kept' })).json.data.page).toBe(
      'findings',
    );
    for (let at = 0; at < 98; at++) await save('bob', { name: `View ${at}` });
    const full = await as('bob', 'POST', '', { ...VIEW, name: 'One more' });
    expect([full.status, full.json.errors[0].message]).toEqual([
      409,
      'Conflict: you already have 100 views: delete one of them first',
    ]);
  });

  it('go with their owner', async () => {
    const { users } = await service.data('GET', 'bloodhound-users?principal_name=eq:ann');
    await service.call('DELETE', `bloodhound-users/${users[0].id}`);
    const owners = (await as('eve', 'GET', '')).json.data.map(({ owner }: Json) => owner);
    expect(owners).not.toContain('ann');
  });
});
