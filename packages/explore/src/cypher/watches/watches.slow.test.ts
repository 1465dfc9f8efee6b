/** Tests watched queries over HTTP, from one generation to the next: new and removed rows, their readers, and a failing query. */
import type { WebhookReceiver } from '@clew/service/testing';
import { PASSWORD, ServiceUnderTest, startWebhookReceiver } from '@clew/service/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { pruneWatches } from './storedWatches.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes.
type Json = any;

let service: ServiceUnderTest;
let receiver: WebhookReceiver;
/** Session tokens and ids by user. */
const users = new Map<string, { readonly id: string; readonly token: string; readonly role: number }>();

beforeAll(async () => {
  service = await ServiceUnderTest.start({ CLEW_WEBHOOK_NETWORKS: '127.0.0.0/8' }, { makesPlans: false });
  receiver = await startWebhookReceiver();
  await collect({ NORTH: [1101], SOUTH: [1101] });
  await addUser('ann');
  await addUser('bob', [idOf('NORTH')]);
});
afterAll(async () => {
  receiver.close();
  await service.stop();
});

const until = (done: () => boolean | Promise<boolean>) =>
  vi.waitUntil(done, { timeout: 100_000, interval: 50 });
const idOf = (domain: string) => `S-1-5-21-${domain === 'NORTH' ? 1 : 2}-7-7`;

/** Domains with three users each, some of whom have full control of the administrators. */
async function collect(
  holders: Readonly<Record<string, readonly number[]>>,
  nameOf = (rid: number) => `USER${rid}`,
): Promise<void> {
  const files = Object.entries(holders).flatMap(([domain, rids]) => {
    const sid = idOf(domain);
    const object = (id: string, name: string, more: object = {}) => ({
      ObjectIdentifier: id,
      Properties: {
        name: `${name}@${domain}.LOCAL`,
        domain: `${domain}.LOCAL`,
        domainsid: sid,
        enabled: true,
      },
      Aces: [],
      ...more,
    });
    const ace = (rid: number) => ({
      ...{
        PrincipalSID: `${sid}-${rid}`,
        PrincipalType: 'User',
        RightName: 'GenericAll',
        IsInherited: false,
      },
    });
    const file = (type: string, data: readonly object[]) => ({
      ...{ meta: { type, version: 6, count: data.length, methods: 0x7ffff }, data },
    });
    return [
      file('domains', [object(sid, domain, { Trusts: [], Links: [], ChildObjects: [] })]),
      file('groups', [object(`${sid}-512`, 'DOMAIN ADMINS', { Members: [], Aces: rids.map(ace) })]),
      file(
        'users',
        [1101, 1102, 1103].map((rid) => object(`${sid}-${rid}`, nameOf(rid))),
      ),
    ];
  });
  await service.upload(...files);
}

async function addUser(name: string, environments?: readonly string[]): Promise<void> {
  const { roles } = await service.data('GET', 'roles');
  const role = roles.find((one: Json) => one.name === 'User').id;
  const { id } = await service.data('POST', 'bloodhound-users', {
    ...{ principal: name, first_name: name, last_name: name, email_address: `${name}@one.example` },
    ...{ roles: [role], secret: PASSWORD, needs_password_reset: false },
    ...(environments && { environment_targeted_access_control: access(environments) }),
  });
  const body = { login_method: 'secret', username: name, secret: PASSWORD };
  const token = (await service.call('POST', 'login', body)).json.data.session_token;
  users.set(name, { id, token, role });
}

const access = (ids: readonly string[]) => ({
  environments: ids.map((environment_id) => ({ environment_id })),
});

async function as(name: string, method: string, path: string, body?: object) {
  const answer = await fetch(`${service.service.url}/api/v2/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${users.get(name)?.token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    body: body && JSON.stringify(body),
  });
  const text = await answer.text();
  return { status: answer.status, json: (text.startsWith('{') ? JSON.parse(text) : undefined) as Json };
}

const HOLDERS = 'MATCH (u:User)-[r:GenericAll]->(g:Group) RETURN u.name AS name, u, r';

async function watch(name: string, title: string, query = HOLDERS): Promise<number> {
  const saved = await as(name, 'POST', 'saved-queries', { name: title, query });
  const { id } = saved.json.data;
  expect((await as(name, 'PUT', `saved-queries/${id}/watch`)).status).toBe(201);
  return id;
}
const stateOf = async (name: string, id: number): Promise<Json> =>
  (await as(name, 'GET', `saved-queries/${id}/watch`)).json.data;
const changesOf = async (name: string, id: number, more = ''): Promise<string[]> =>
  (await as(name, 'GET', `saved-queries/${id}/watch/changes${more}`)).json.data.map(
    ({ type, row }: Json) => `${type} ${row[1].objectid}`,
  );

describe('a watched query', () => {
  it('records new and removed rows since the last generation, and reports them in the feed and to webhooks', async () => {
    const id = await watch('ann', 'Holders');
    expect(await stateOf('ann', id)).toMatchObject({
      ...{ name: 'Holders', ran_at: null, found_at: null, error: null, row_count: 0, last_change: null },
    });
    expect((await as('ann', 'PUT', `saved-queries/${id}/watch`)).status).toBe(200);
    const hook = { name: 'siem', url: receiver.addressOf('hook'), event_types: ['watch.changed'] };
    expect((await service.call('POST', 'webhooks', hook)).status).toBe(201);
    const narrow = { ...hook, name: 'north', environments: [idOf('NORTH')] };
    expect((await service.call('POST', 'webhooks', narrow)).status).toBe(201);
    const { next: begin } = (await as('ann', 'GET', 'changes')).json;

    // Initial rows are not reported.
    await collect({ NORTH: [1101], SOUTH: [1101, 1102] });
    const first = await stateOf('ann', id);
    expect(first).toMatchObject({
      row_count: 3,
      columns: ['name', 'u', 'r'],
      error: null,
      last_change: null,
    });
    expect(first.found_at).toBe(first.ran_at);
    expect(await changesOf('ann', id)).toEqual([]);

    await collect({ NORTH: [1101, 1103], SOUTH: [1102] });
    const [north, south] = [`new ${idOf('NORTH')}-1103`, ['gone', `${idOf('SOUTH')}-1101`].join(' ')];
    expect(await changesOf('ann', id)).toEqual([north, south]);
    expect(await changesOf('ann', id, '?skip=1&limit=1')).toEqual([south]);
    const second = await stateOf('ann', id);
    expect(second).toMatchObject({ row_count: 3, last_change: { new_count: 1, gone_count: 1 } });

    // Changed names do not change rows.
    await collect({ NORTH: [1101, 1103], SOUTH: [1102] }, (rid) => (rid === 1102 ? 'X' : `USER${rid}`));
    const told = (await as('ann', 'GET', `changes?since=${begin}&limit=1000`)).json;
    expect(told.watches).toEqual([
      { query_id: id, name: 'Holders', at: second.last_change.at, new_count: 1, gone_count: 1 },
      { query_id: id, name: 'Holders', at: expect.any(String), new_count: 1, gone_count: 1 },
    ]);
    // In pages, each is reported once, after the findings of its generation.
    const paged: Json[] = [];
    for (let since = begin, more = true; more; ) {
      const page = (await as('ann', 'GET', `changes?since=${since}&limit=1`)).json;
      paged.push(...page.watches);
      [since, more] = [page.next, page.has_more];
    }
    expect(paged).toEqual(told.watches);
    expect((await as('bob', 'GET', `changes?since=${begin}`)).json.watches).toEqual([]);

    await until(() => receiver.events.length >= 2);
    expect(receiver.events.map(({ type }) => type)).toEqual(['watch.changed', 'watch.changed']);
    expect(receiver.events[0].data).toMatchObject({
      ...{ query_id: id, name: 'Holders', owner: 'ann', new_count: 1, gone_count: 1 },
      columns: ['name', 'u', 'r'],
      changes: [
        { type: 'new', row: ['USER1103@NORTH.LOCAL', { objectid: `${idOf('NORTH')}-1103` }, {}] },
        { type: 'gone', row: ['USER1101@SOUTH.LOCAL', {}, {}] },
      ],
    });
    expect((await as('ann', 'DELETE', `saved-queries/${id}/watch`)).status).toBe(204);
    expect((await as('ann', 'GET', `saved-queries/${id}/watch`)).status).toBe(404);
    expect((await as('ann', 'GET', 'saved-queries/watches')).json.data).toEqual([]);
  });

  it('sees the objects visible to its owner, and only the owner can read it', async () => {
    const id = await watch('bob', 'In the north');
    await collect({ NORTH: [1101], SOUTH: [1101] });
    expect(await stateOf('bob', id)).toMatchObject({ row_count: 1 });
    await collect({ NORTH: [1102], SOUTH: [1103] });
    const [north, removed] = [`new ${idOf('NORTH')}-1102`, ['gone', `${idOf('NORTH')}-1101`].join(' ')];
    expect(await changesOf('bob', id)).toEqual([north, removed]);
    expect((await as('ann', 'GET', `saved-queries/${id}/watch`)).status).toBe(404);
    expect((await as('ann', 'PUT', `saved-queries/${id}/watch`)).status).toBe(404);
    expect((await service.call('GET', `saved-queries/${id}/watch/changes`)).status).toBe(404);
    await as('bob', 'PUT', `saved-queries/${id}/permissions`, { public: true });
    expect((await as('ann', 'PUT', `saved-queries/${id}/watch`)).status).toBe(403);
    expect((await as('ann', 'DELETE', `saved-queries/${id}/watch`)).status).toBe(403);

    // A user with changed environments does not see earlier results.
    const { id: user, role } = users.get('bob') as { id: string; role: number };
    const body = {
      ...{ principal: 'bob', first_name: 'bob', last_name: 'bob', email_address: 'bob@one.example' },
      ...{ roles: [role], environment_targeted_access_control: access([idOf('SOUTH')]) },
    };
    expect((await service.call('PATCH', `bloodhound-users/${user}`, body)).status).toBe(200);
    expect(await stateOf('bob', id)).toMatchObject({ found_at: null, row_count: 0, last_change: null });
    expect(await changesOf('bob', id)).toEqual([]);
    await collect({ NORTH: [1101], SOUTH: [1101] });
    expect(await stateOf('bob', id)).toMatchObject({ row_count: 1, last_change: null });
    expect(await changesOf('bob', id)).toEqual([]);
    await collect({ NORTH: [1103], SOUTH: [1101, 1103] });
    expect(await changesOf('bob', id)).toEqual([`new ${idOf('SOUTH')}-1103`]);
  });

  it('keeps its last result with its date while it fails, and starts over after a change of its query', async () => {
    const failing =
      "MATCH (u:User)-[r:GenericAll]->() RETURN u.name, u, CASE WHEN u.name STARTS WITH 'X' THEN 'a' =~ '(\\u0000' END";
    const id = await watch('ann', 'Fails at times', failing);
    await collect({ NORTH: [1101], SOUTH: [1101] });
    const worked = await stateOf('ann', id);
    expect(worked).toMatchObject({ row_count: 2, error: null });
    await collect({ NORTH: [1101, 1102], SOUTH: [1101] }, (rid) => (rid === 1102 ? 'X' : `USER${rid}`));
    const failed = await stateOf('ann', id);
    expect(failed).toMatchObject({ found_at: worked.found_at, row_count: 2, last_change: null });
    // The message contains a character that cannot be stored.
    expect(failed.error).toMatch(/regular expression cannot be used: .*\ufffd/);
    expect(failed.ran_at > failed.found_at).toBe(true);

    const limited = `${HOLDERS} LIMIT 1`;
    await as('ann', 'PUT', `saved-queries/${id}`, { name: 'Limited', query: limited });
    expect(await stateOf('ann', id)).toMatchObject({ name: 'Limited', found_at: null, row_count: 0 });
    await collect({ NORTH: [1101], SOUTH: [1101] });
    expect(await stateOf('ann', id)).toMatchObject({
      ...{ row_count: 1, error: null, last_change: null },
      warnings: ['the query has a LIMIT: rows may appear or disappear because of other rows'],
    });
    await as('ann', 'PUT', `saved-queries/${id}`, { query: 'this is not a query' });
    await collect({ NORTH: [1102], SOUTH: [1101] });
    const unread = await stateOf('ann', id);
    expect(unread.error).toMatch(/^line 1:0/);
    expect((await as('ann', 'GET', 'saved-queries/watches')).json.data).toEqual([unread]);
    expect((await as('ann', 'DELETE', `saved-queries/${id}`)).status).toBe(204);
    expect((await as('ann', 'GET', 'saved-queries/watches')).json.data).toEqual([]);
  });

  it('keeps changes for ninety days, and at most the newest ten thousand', async () => {
    const id = await watch('ann', 'Long ago');
    const { pool } = service.database;
    const note = (count: number, age: string) =>
      pool.query(
        `insert into query_watch_change (query_id, changed_at, is_new, cells)
         select $1, now() - $2::interval, true, jsonb_build_array(number) from generate_series(1, $3) as number`,
        [id, age, count],
      );
    const event = (age: string) =>
      pool.query('insert into query_watch_event values ($1, now() - $2::interval, 1, 0, null)', [id, age]);
    await note(5, '91 days');
    await note(10_020, '1 day');
    await event('91 days');
    await event('1 day');
    await pruneWatches(service.database.db);
    const counted = async (table: string) =>
      (await pool.query(`select count(*)::integer as count from ${table} where query_id = $1`, [id])).rows[0]
        .count;
    expect([await counted('query_watch_change'), await counted('query_watch_event')]).toEqual([10_000, 1]);
    const { rows } = await pool.query(
      'select min((cells ->> 0)::integer) as first from query_watch_change where query_id = $1',
      [id],
    );
    expect(rows[0].first).toBe(21);
    expect((await as('ann', 'DELETE', `saved-queries/${id}`)).status).toBe(204);
    expect(await counted('query_watch_change')).toBe(0);
  });

  it('is limited in number: further ones are refused', async () => {
    for (let count = 0; count < 20; count++) await watch('ann', `Watch ${count}`, 'RETURN 1');
    const { id } = (await as('ann', 'POST', 'saved-queries', { name: 'Another', query: 'RETURN 1' })).json
      .data;
    const refused = await as('ann', 'PUT', `saved-queries/${id}/watch`);
    expect([refused.status, refused.json.errors[0].message]).toEqual([
      409,
      'Conflict: 20 of your queries are already watched: stop watching another one first',
    ]);
  });
});
