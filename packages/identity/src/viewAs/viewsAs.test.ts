/** Ends, rights and credentials of views as another user, with a clock that tests control. */
import type { ApiError, Authentication, Authenticator, Principal, UserPrincipal } from '@clew/common';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { addUser, openTestIdentity, type TestIdentity } from '../../test/testIdentity.ts';
import { activeUser } from '../principals.ts';
import { findUser } from '../users.ts';
import { withViewsAs } from './viewAsAuthentication.ts';
import { ViewsAs } from './viewsAs.ts';

const MINUTE = 60_000;
const TOKEN = '00000000-0000-0000-0000-000000000007';

let kit: TestIdentity;
let views: ViewsAs;
let count = 0;
let viewer: UserPrincipal;
let seenId: string;

beforeAll(async () => {
  kit = await openTestIdentity();
});
afterAll(() => kit.close());
beforeEach(async () => {
  views = new ViewsAs(kit.database.db, kit.clock);
  seenId = await addUser(kit, { name: `seen ${count}`, role: 'Read-Only', environments: ['S-1'] });
  viewer = await principal(await addUser(kit, { name: `viewer ${count++}`, role: 'Administrator' }));
});

async function principal(id: string): Promise<UserPrincipal> {
  const user = await activeUser(kit.database.db, id);
  if (typeof user === 'string') throw new Error(user);
  const { rows } = await kit.database.pool.query(
    `insert into user_session (user_id, created_at, expires_at) values ($1, $2, $3) returning id::integer`,
    [id, at(0), at(8 * 60)],
  );
  return { ...user, sessionId: rows[0].id };
}
const at = (minutes: number): string => new Date(kit.clock.now() + minutes * MINUTE).toISOString();

async function begin(by = viewer, id = seenId, minutes?: number): Promise<string> {
  const user = (await findUser(kit.database.db, id))?.user;
  if (user === undefined) throw new Error('no user');
  const request = { principal: by, requestId: TOKEN, clientAddress: '192.0.2.7', peerAddress: '192.0.2.7' };
  const begun = await kit.database.db
    .transaction()
    .execute((db) => views.begin(db, request, by, user, minutes));
  return begun.id;
}

async function outcome(view: string, by = viewer): Promise<string> {
  views.forget();
  const seen = await views.principalOf(view, by);
  return 'kind' in seen ? seen.name : seen.code;
}

async function endOf(view: string): Promise<readonly string[]> {
  await views.sweep();
  const { rows } = await kit.database.pool.query(
    "select actor_id, fields->>'reason' as reason from audit_log where commit_id = $1 and action = 'EndViewAs'",
    [view],
  );
  for (const { actor_id } of rows) expect(actor_id).toBe(viewer.userId);
  return rows.map(({ reason }) => reason);
}

const change = (sql: string, ...values: unknown[]) => kit.database.pool.query(sql, values);

it('the request is answered as the user, with the rights of the user, for the viewer', async () => {
  const seen = await views.principalOf(await begin(), viewer);
  expect(seen).toMatchObject({
    ...{ kind: 'user', userId: seenId, role: 'Read-Only', environments: new Set(['S-1']) },
    viewedBy: { userId: viewer.userId, name: viewer.name },
  });
  expect(seen).not.toHaveProperty('sessionId');
  expect(seen).not.toHaveProperty('tokenId');
});

it.each<[string, string, () => Promise<unknown>]>([
  [
    'its time was over',
    'viewAsEnded',
    async () => {
      kit.clock.time += 31 * MINUTE;
    },
  ],
  [
    'the user was disabled or deleted',
    'viewAsEnded',
    () => change('update user_account set is_disabled = true where id = $1', seenId),
  ],
  [
    'the user was disabled or deleted',
    'viewAsEnded',
    () => change('delete from user_account where id = $1', seenId),
  ],
  [
    'its viewer was disabled or deleted',
    // Its session is refused before the view is looked at.
    '',
    () => change('update user_account set is_disabled = true where id = $1', viewer.userId),
  ],
  [
    'the session of its viewer ended',
    '',
    () => change('update user_session set ended_at = $2 where id = $1', viewer.sessionId, at(0)),
  ],
])('its end is recorded once: %s', async (reason, refused, end) => {
  const view = await begin();
  expect(await endOf(view)).toEqual([]);
  expect(await outcome(view)).toMatch(/^seen/);
  await end();
  if (refused !== '') expect(await outcome(view)).toBe(refused);
  expect(await endOf(view)).toEqual([reason]);
  expect(await endOf(view)).toEqual([reason]);
  expect(await outcome(view)).toBe('viewAsEnded');
});

it('two processes record an end once', async () => {
  const view = await begin();
  kit.clock.time += 31 * MINUTE;
  const other = new ViewsAs(kit.database.db, kit.clock);
  await Promise.all([views.sweep(), other.sweep()]);
  expect(await endOf(view)).toEqual(['its time was over']);
});

it('ended views are deleted after 30 days', async () => {
  const view = await begin();
  kit.clock.time += 31 * MINUTE;
  await endOf(view);
  kit.clock.time += 30 * 24 * 60 * MINUTE + 1;
  await views.sweep();
  expect((await change('select from view_as where id = $1', view)).rowCount).toBe(0);
});

it('only its viewer uses it, with the same session', async () => {
  const view = await begin();
  const other = await principal(await addUser(kit, { name: `other ${count}`, role: 'Administrator' }));
  expect(await outcome(view, other)).toBe('viewAsEnded');
  expect(await outcome(view, { ...viewer, sessionId: (viewer.sessionId ?? 0) + 1 })).toBe('viewAsEnded');
  const { sessionId: _, ...withoutSession } = viewer;
  expect(await outcome(view, { ...withoutSession, tokenId: TOKEN })).toBe('viewAsEnded');
  expect(await outcome(view, withoutSession)).toBe('viewAsEnded');
  await expect(begin(withoutSession)).rejects.toMatchObject({ code: 'forbidden' });
});

it('gives no right that the viewer does not have, also one that the user gets later', async () => {
  const view = await begin();
  const few = new Set(['auth/ManageUsers', 'graphdb/Read']);
  await expect(begin({ ...viewer, permissions: few })).rejects.toMatchObject({ code: 'viewAsWider' });
  expect(await outcome(view, { ...viewer, permissions: few })).toBe('viewAsWider');
  const without = new Set([...viewer.permissions].filter((one) => one !== 'auth/ManageUsers'));
  expect(await outcome(view, { ...viewer, permissions: without })).toBe('viewAsWider');
  const limited = { ...viewer, environments: new Set(['S-2']) };
  await expect(begin(limited)).rejects.toMatchObject({ code: 'viewAsWider' });
  expect(await outcome(view, limited)).toBe('viewAsWider');
  expect(await outcome(view, { ...viewer, environments: new Set(['S-1', 'S-2']) })).toMatch(/^seen/);
  await change('update user_account set environments = null where id = $1', seenId);
  expect(await outcome(view, { ...viewer, environments: new Set(['S-1', 'S-2']) })).toBe('viewAsWider');
});

it('a view that does not hold is refused only after a valid signature', async () => {
  const refusal = { status: 401 } as ApiError;
  for (const isValid of [true, false]) {
    const inner: Authenticator = {
      begin: async (): Promise<Authentication> => ({
        principal: viewer,
        body: { update: () => {}, finish: async () => (isValid ? undefined : refusal) },
      }),
    };
    const headers = { 'clew-view-as': TOKEN };
    const begun = await withViewsAs(inner, views).begin({
      ...{ method: 'GET', operationId: 'GetSelf', rawTarget: '/api/v2/self', headers, clientAddress: '' },
      signal: new AbortController().signal,
    });
    if ('refusal' in begun) throw begun.refusal;
    expect([...(begun.principal as Principal).permissions]).toEqual([]);
    expect((await begun.body?.finish())?.status).toBe(isValid ? 403 : 401);
  }
});
