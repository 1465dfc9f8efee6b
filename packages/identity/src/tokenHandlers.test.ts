import { randomUUID } from 'node:crypto';
import { type AuthToken, NOT_DELETED, ZERO_TIME } from '@clew/api';
import type { UserPrincipal } from '@clew/common';
import { type RoleName, roleByName } from '@clew/model';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addUser, callHandler, jsonOf, openTestIdentity, type TestIdentity } from '../test/testIdentity.ts';

let kit: TestIdentity;
let user: UserPrincipal;
let other: UserPrincipal;
let admin: UserPrincipal;
let auditor: UserPrincipal;

beforeAll(async () => {
  kit = await openTestIdentity();
});
afterAll(() => kit.close());
beforeEach(async () => {
  await kit.database.pool.query('truncate auth_token, audit_log');
  user = await principalOf('User');
  other = await principalOf('User');
  admin = await principalOf('Administrator');
  auditor = await principalOf('Auditor');
});

async function principalOf(role: RoleName): Promise<UserPrincipal> {
  const name = randomUUID();
  const userId = await addUser(kit, { name, role });
  const { permissions } = roleByName(role);
  return { kind: 'user', userId, name, email: null, role, permissions, environments: null };
}

async function create(caller: UserPrincipal, body: object = {}): Promise<AuthToken> {
  return (jsonOf(await callHandler(kit.identity, 'CreateAuthToken', { body }, caller)) as { data: AuthToken })
    .data;
}

async function list(caller: UserPrincipal, search = ''): Promise<AuthToken[]> {
  const answer = await callHandler(kit.identity, 'ListAuthTokens', { search }, caller);
  return (jsonOf(answer) as { data: { tokens: AuthToken[] } }).data.tokens;
}

/** The header of a request signed with the token. */
const begin = (token: AuthToken) =>
  kit.identity.authenticator.begin({
    method: 'GET',
    operationId: 'GetSelf',
    rawTarget: '/api/v2/self',
    headers: {
      authorization: `svcsignature ${token.id}`,
      requestdate: new Date(kit.clock.time).toISOString(),
      signature: Buffer.alloc(32).toString('base64'),
    },
    clientAddress: '192.0.2.7',
    signal: new AbortController().signal,
  });

const names = (tokens: readonly AuthToken[]) => tokens.map((token) => token.name);
const remove = (caller: UserPrincipal, token_id: string) =>
  callHandler(kit.identity, 'DeleteAuthToken', { params: { token_id } }, caller);
const audited = async () =>
  (await kit.database.db.selectFrom('audit_log').selectAll().orderBy('id').execute()).map(
    ({ action, status, actor_id, fields }) => ({ action, status, actor_id, token: fields.token_id }),
  );

describe('creating a token', () => {
  it('may have an expiration, after which its signatures are invalid', async () => {
    const end = new Date(kit.clock.time + 60_000).toISOString();
    const token = await create(user, { expires_at: end });
    expect(token.expires_at).toMatchObject({ time: end.replace('Z', '000Z'), valid: true });
    expect(await begin(token)).toMatchObject({ principal: { kind: 'user' } });
    kit.clock.advance(60_000);
    expect(await begin(token)).toMatchObject({ refusal: { status: 401 } });
    for (const expires_at of [end, 'tomorrow'])
      await expect(create(user, { expires_at })).rejects.toMatchObject({ status: 400 });
    expect((await create(user, { expires_at: null })).expires_at.valid).toBe(false);
  });

  it('shows the key once: 64 random bytes as text', async () => {
    const token = await create(user, { token_name: 'siem' });
    expect(token).toMatchObject({
      user_id: user.userId,
      created_by: user.userId,
      name: 'siem',
      hmac_method: 'hmac-sha2-256',
      last_access: ZERO_TIME,
      deleted_at: NOT_DELETED,
    });
    expect(Buffer.from(token.key, 'base64')).toHaveLength(64);
    expect((await create(user)).key).not.toBe(token.key);
    expect((await list(user)).map(({ id, key }) => [id, key])).toContainEqual([token.id, '']);
  });

  it('keeps the key out of the database as plain text, and out of the audit log', async () => {
    const { key } = await create(user, { token_name: 'siem' });
    const { rows } = await kit.database.pool.query('select * from auth_token, audit_log');
    const text = Buffer.from(
      JSON.stringify(rows, (_, value) =>
        value?.type === 'Buffer' ? Buffer.from(value).toString('latin1') : value,
      ),
    );
    expect(text.includes(key)).toBe(false);
    expect(rows).toHaveLength(1);
  });

  it('for other users needs the permission to manage users', async () => {
    await expect(create(user, { user_id: other.userId })).rejects.toMatchObject({
      status: 403,
      message: 'missing permission to create tokens for other users',
    });
    await expect(create(auditor, { user_id: other.userId })).rejects.toMatchObject({ status: 403 });
    expect(await create(admin, { user_id: other.userId })).toMatchObject({
      user_id: other.userId,
      created_by: admin.userId,
    });
    expect(await create(user, { user_id: user.userId.toUpperCase() })).toMatchObject({
      user_id: user.userId,
    });
  });

  it('needs an existing user', async () => {
    await expect(create(admin, { user_id: randomUUID() })).rejects.toMatchObject({ status: 404 });
  });

  it.each([undefined, '', 'naïve 名前', 'with\0nul', '\ud800', 'x'.repeat(5000)])(
    'accepts the name %j',
    async (token_name) => {
      const { id, name } = await create(user, { token_name });
      expect((await list(user, `id=${id}`))[0].name).toBe(name);
    },
  );

  it('is not for collectors', async () => {
    const client = {
      kind: 'client',
      clientId: randomUUID(),
      name: 'c',
      permissions: new Set<string>(),
      tokenId: '',
    } as const;
    await expect(callHandler(kit.identity, 'CreateAuthToken', { body: {} }, client)).rejects.toMatchObject({
      status: 400,
      message: 'No associated user found with request',
    });
  });

  it('is audited', async () => {
    const { id } = await create(user, { token_name: 'siem' });
    expect(await audited()).toEqual([
      { action: 'CreateAuthToken', status: 'success', actor_id: user.userId, token: id },
    ]);
  });
});

describe('listing tokens', () => {
  beforeEach(async () => {
    await create(user, { token_name: 'b' });
    await create(user, { token_name: 'a' });
    await create(other, { token_name: 'c' });
  });

  it('shows own tokens only, unless the caller may read users', async () => {
    expect(names(await list(user))).toEqual(['b', 'a']);
    expect(names(await list(other))).toEqual(['c']);
    expect(names(await list(admin))).toEqual(['b', 'a', 'c']);
    expect(names(await list(auditor))).toEqual(['b', 'a', 'c']);
  });

  it('filters and sorts', async () => {
    expect(names(await list(admin, 'sort_by=name'))).toEqual(['a', 'b', 'c']);
    expect(names(await list(admin, 'sort_by=-name'))).toEqual(['c', 'b', 'a']);
    expect(names(await list(admin, 'name=~eq:A'))).toEqual(['a']);
    expect(names(await list(admin, `user_id=eq:${other.userId}`))).toEqual(['c']);
    expect(names(await list(admin, `user_id=neq:${other.userId}`))).toEqual(['b', 'a']);
    expect(names(await list(admin, 'deleted_at=eq:null&sort_by=deleted_at'))).toEqual(['b', 'a', 'c']);
    expect(names(await list(admin, 'deleted_at=neq:null'))).toEqual([]);
    expect(
      names(await list(admin, 'last_access=eq:null&hmac_method=hmac-sha2-256&sort_by=-client_id')),
    ).toHaveLength(3);
    expect(names(await list(admin, 'created_at=gt:2100-01-01T00:00:00Z'))).toEqual([]);
  });

  it.each(['key=eq:x', 'key=~eq:A', 'key=x', 'key='])('refuses to filter by %s', async (search) => {
    await expect(list(admin, search)).rejects.toMatchObject({
      status: 400,
      message: 'the specified column cannot be filtered: key',
    });
  });

  it('allows only oneself in filters if one can only see own tokens', async () => {
    expect(names(await list(user, `user_id=eq:${user.userId}`))).toEqual(['b', 'a']);
    await expect(list(user, `user_id=eq:${other.userId}`)).rejects.toMatchObject({
      status: 403,
      message: "filtering tokens by another user's user_id requires admin privileges",
    });
    await expect(list(user, `user_id=neq:${other.userId}`)).rejects.toMatchObject({
      status: 403,
      message: 'non-admin users may only apply the eq operator when filtering by user_id',
    });
    await expect(list(user, `user_id=eq:${user.userId}&user_id=eq:${other.userId}`)).rejects.toMatchObject({
      status: 403,
    });
  });
});

describe('deleting a token', () => {
  it('is allowed for the owner and for user managers', async () => {
    const own = await create(user);
    expect(await remove(user, own.id)).toEqual({ status: 200 });
    const foreign = await create(user);
    expect(await remove(admin, foreign.id)).toEqual({ status: 200 });
    expect(await list(user)).toEqual([]);
  });

  it('of another user is forbidden', async () => {
    const { id } = await create(user);
    for (const caller of [other, auditor]) {
      await expect(remove(caller, id)).rejects.toMatchObject({ status: 403, message: 'Forbidden' });
    }
    expect(await list(user)).toHaveLength(1);
  });

  it('that does not exist (or no longer) is 404', async () => {
    const { id } = await create(user);
    await remove(user, id);
    await expect(remove(user, id)).rejects.toMatchObject({ status: 404, message: 'resource not found' });
    await expect(remove(admin, randomUUID())).rejects.toMatchObject({ status: 404 });
  });

  it('is audited, including the attempt', async () => {
    const { id } = await create(user);
    await remove(other, id).catch(() => {});
    await remove(user, id);
    expect((await audited()).slice(1)).toEqual([
      { action: 'DeleteAuthToken', status: 'failure', actor_id: other.userId, token: id },
      { action: 'DeleteAuthToken', status: 'success', actor_id: user.userId, token: id },
    ]);
  });
});
