import { type LoginAnswer, NOT_DELETED } from '@clew/api';
import type { ApiError, Principal, UserPrincipal } from '@clew/common';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestIdentity } from '../test/testIdentity.ts';
import { ADMIN, addUser, callHandler, jsonOf, openTestIdentity } from '../test/testIdentity.ts';
import type { Identity } from './identity.ts';

const HOUR = 3600_000;
const DAY = 24 * HOUR;
const REFUSED = { status: 401, context: 'login', message: 'Token Authorization failed.' };

let kit: TestIdentity;
let started: number;
beforeAll(async () => {
  kit = await openTestIdentity();
  started = kit.clock.time;
  await addUser(kit, { name: 'jane', email: 'jane.doe@example.com', password: 'secret of jane' });
  // The name equals another user's email address.
  await addUser(kit, { name: 'other@example.com', password: 'secret of other' });
  await addUser(kit, { name: 'third', email: 'other@example.com', password: 'secret of third' });
  await addUser(kit, { name: 'sso', email: 'sso@example.com' });
});
afterAll(() => kit.close());
beforeEach(() => {
  kit.clock.time = started;
});

interface Credentials {
  readonly login_method?: string;
  readonly username: string;
  readonly secret?: string;
  readonly otp?: string;
}

async function login(credentials: Credentials): Promise<LoginAnswer> {
  const body = { login_method: 'secret', ...credentials };
  return (jsonOf(await callHandler(kit.identity, 'Login', { body })) as { data: LoginAnswer }).data;
}

async function bearer(token: string, by: Identity = kit.identity): Promise<Principal | ApiError> {
  const result = await by.authenticator.begin({
    method: 'GET',
    operationId: 'GetSelf',
    rawTarget: '/api/v2/self',
    headers: { authorization: `Bearer ${token}` },
    clientAddress: '192.0.2.7',
    signal: new AbortController().signal,
  });
  return 'refusal' in result ? result.refusal : result.principal;
}

const jane = { username: 'jane', secret: 'secret of jane' };

describe('login', () => {
  it('returns a session that the next request can use', async () => {
    const answer = await login(jane);
    expect(answer).toEqual({
      user_id: expect.any(String),
      auth_expired: false,
      auth_expires_at: new Date(started + 90 * DAY).toISOString().replace('Z', '000Z'),
      session_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    });
    expect(await bearer(answer.session_token)).toMatchObject({
      kind: 'user',
      userId: answer.user_id,
      name: 'jane',
      email: 'jane.doe@example.com',
      role: 'User',
      environments: null,
    });
  });

  it('names the service as issuer, and the session, in the token', async () => {
    const { session_token, user_id } = await login(jane);
    const claims = JSON.parse(Buffer.from(session_token.split('.')[1], 'base64url').toString());
    expect(claims).toEqual({
      jti: expect.stringMatching(/^\d+$/),
      sub: user_id,
      iss: 'clew.example',
      iat: started / 1000,
      exp: (started + 8 * HOUR) / 1000,
    });
  });

  it.each(['JANE', 'jane.doe@example.com', 'Jane.Doe@EXAMPLE.com'])(
    'recognizes the user as %s',
    async (username) => {
      expect(await login({ ...jane, username })).toHaveProperty('session_token');
    },
  );

  it('prefers a principal name to an email address', async () => {
    expect(await login({ username: 'other@example.com', secret: 'secret of other' })).toHaveProperty(
      'user_id',
    );
    await expect(login({ username: 'other@example.com', secret: 'secret of third' })).rejects.toMatchObject({
      status: 401,
    });
  });

  it('accepts the method in any case, and ignores a one-time password that is not required', async () => {
    expect(await login({ ...jane, login_method: 'Secret', otp: '123456' })).toHaveProperty('session_token');
  });

  it.each<Credentials>([
    { username: 'nobody', secret: 'secret of jane' },
    { username: 'jane', secret: 'Secret of jane' },
    { username: 'jane', secret: '' },
    { username: 'jane' },
    { username: 'sso', secret: '' },
    { username: 'sso', secret: 'anything' },
    { username: '', secret: '' },
    { username: 'jane\0', secret: 'secret of jane' },
    { username: '\ud800', secret: 'x' },
    { username: "' or true --", secret: 'x' },
    { username: 'j%', secret: 'secret of jane' },
    { username: 'x'.repeat(100_000), secret: 'x'.repeat(100_000) },
  ])('refuses %j with the same answer', async (credentials) => {
    await expect(login(credentials)).rejects.toMatchObject({
      status: 401,
      context: 'login',
      message: 'authentication is invalid',
    });
  });

  it('refuses other methods', async () => {
    await expect(login({ ...jane, login_method: 'otp' })).rejects.toMatchObject({
      status: 400,
      message: 'Login method otp is not supported.',
    });
  });

  it('reveals that a user is disabled only with the right password', async () => {
    const id = await addUser(kit, { name: 'disabled', password: 'secret of disabled' });
    await kit.database.db
      .updateTable('user_account')
      .set({ is_disabled: true })
      .where('id', '=', id)
      .execute();
    await expect(login({ username: 'disabled', secret: 'secret of disabled' })).rejects.toMatchObject({
      status: 403,
      message: 'user disabled',
    });
    await expect(login({ username: 'disabled', secret: 'wrong' })).rejects.toMatchObject({ status: 401 });
  });

  it.each([
    ['success', jane],
    ['a wrong password', { ...jane, secret: 'wrong' }],
    ['an unknown user', { username: 'nobody', secret: 'x' }],
    ['an unknown method', { ...jane, login_method: 'otp' }],
  ])('takes 1.5 to 2 seconds, at random, for %s', async (_, credentials) => {
    const waits = new Set<number>();
    for (let round = 0; round < 3; round++) {
      const before = kit.clock.slept;
      await login(credentials).catch(() => {});
      waits.add(kit.clock.slept - before);
    }
    for (const wait of waits) {
      expect(wait).toBeGreaterThanOrEqual(1500);
      expect(wait).toBeLessThanOrEqual(2000);
    }
    expect(waits.size).toBeGreaterThan(1);
  });

  it('writes one entry to the audit log, without a secret', async () => {
    const entries = () => kit.database.db.selectFrom('audit_log').selectAll().orderBy('id').execute();
    const before = (await entries()).length;
    await login(jane);
    await login({ username: 'nobody', secret: 'hunter2' }).catch(() => {});
    const written = (await entries()).slice(before);
    expect(written.map(({ action, status, fields }) => [action, status, fields.username])).toEqual([
      ['LoginAttempt', 'success', 'jane'],
      ['LoginAttempt', 'failure', 'nobody'],
    ]);
    expect(written[0].commit_id).not.toBe(written[1].commit_id);
    expect(written[0]).toMatchObject({ source_ip_address: '192.0.2.7', actor_id: null });
    expect(JSON.stringify(written)).not.toContain('hunter2');
  });
});

describe('a session', () => {
  it('ends when it expires', async () => {
    const { session_token } = await login(jane);
    kit.clock.advance(8 * HOUR - 1);
    expect(await bearer(session_token)).toMatchObject({ kind: 'user' });
    kit.clock.advance(1);
    expect(await bearer(session_token)).toMatchObject(REFUSED);
  });

  it('ends according to its row, whatever the token contains', async () => {
    const { session_token, user_id } = await login(jane);
    const expires_at = new Date(kit.clock.time + HOUR).toISOString();
    await kit.database.db
      .updateTable('user_session')
      .set({ expires_at })
      .where('user_id', '=', user_id)
      .execute();
    kit.clock.advance(HOUR);
    expect(await bearer(session_token)).toMatchObject(REFUSED);
  });

  it('ends with logout, at once here and within a second elsewhere', async () => {
    const twin = await kit.openTwin();
    const { session_token } = await login(jane);
    const other = await login(jane);
    expect(await bearer(session_token, twin)).toMatchObject({ kind: 'user' });
    const principal = (await bearer(session_token)) as UserPrincipal;
    expect(await callHandler(kit.identity, 'Logout', {}, principal)).toEqual({
      status: 200,
      headers: { location: 'https://clew.example/ui' },
    });
    expect(await bearer(session_token)).toMatchObject(REFUSED);
    expect(await bearer(other.session_token)).toMatchObject({ kind: 'user' });
    kit.clock.advance(1000);
    expect(await bearer(session_token, twin)).toMatchObject(REFUSED);
  });

  it('is not needed for logout', async () => {
    expect(await callHandler(kit.identity, 'Logout', {})).toMatchObject({ status: 200 });
  });

  it('is invalid for a disabled user', async () => {
    const id = await addUser(kit, { name: 'soon disabled', password: 'p' });
    const { session_token } = await login({ username: 'soon disabled', secret: 'p' });
    expect(await bearer(session_token)).toMatchObject({ userId: id });
    await kit.database.db
      .updateTable('user_account')
      .set({ is_disabled: true })
      .where('id', '=', id)
      .execute();
    kit.identity.forget();
    expect(await bearer(session_token)).toMatchObject(REFUSED);
  });

  it('is deleted with its user', async () => {
    const id = await addUser(kit, { name: 'soon deleted', password: 'p' });
    const { session_token } = await login({ username: 'soon deleted', secret: 'p' });
    await kit.database.db.deleteFrom('user_account').where('id', '=', id).execute();
    expect(await bearer(session_token)).toMatchObject(REFUSED);
  });

  it('is invalid if its row belongs to another user', async () => {
    const { session_token, user_id } = await login(jane);
    const id = await addUser(kit, { name: 'thief' });
    await kit.database.db
      .updateTable('user_session')
      .set({ user_id: id })
      .where('user_id', '=', user_id)
      .execute();
    expect(await bearer(session_token)).toMatchObject(REFUSED);
  });

  it('of another installation is refused', async () => {
    const { session_token } = await login(jane);
    const other = await openTestIdentity();
    expect(await bearer(session_token, other.identity)).toMatchObject(REFUSED);
    await other.close();
  });

  it('is refused if its token is invalid or not a token', async () => {
    const { session_token } = await login(jane);
    const [header, payload, signature] = session_token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const none = encode({ alg: 'none', typ: 'JWT' });
    for (const token of [
      `${header}.${encode({ ...claims, jti: String(Number(claims.jti) - 1) })}.${signature}`,
      `${header}.${encode({ ...claims, exp: claims.exp + 3600 })}.${signature}`,
      `${none}.${payload}.`,
      `${none}.${payload}.${signature}`,
      `${header}.${payload}.`,
      `${header}.${payload}`,
      '',
      'x'.repeat(100_000),
    ]) {
      expect(await bearer(token)).toMatchObject(REFUSED);
    }
  });

  it('may only manage its own user after the password has expired, and login reports this', async () => {
    await addUser(kit, { name: 'late', role: 'Administrator', password: 'p' });
    const { session_token } = await login({ username: 'late', secret: 'p' });
    const before = (await bearer(session_token)) as UserPrincipal;
    expect(before.permissions.has('graphdb/Read')).toBe(true);

    kit.clock.advance(90 * DAY);
    const late = await login({ username: 'late', secret: 'p' });
    expect(late.auth_expired).toBe(true);
    const restricted = (await bearer(late.session_token)) as UserPrincipal;
    expect([...restricted.permissions]).toEqual(['auth/ManageSelf']);

    await addUser(kit, { name: 'uploader', role: 'Upload-Only', password: 'p' });
    kit.clock.advance(90 * DAY);
    const uploader = await login({ username: 'uploader', secret: 'p' });
    expect((await bearer(uploader.session_token)) as UserPrincipal).toMatchObject({ permissions: new Set() });
  });

  it('is deleted from the database a month after its end', async () => {
    const count = async () => (await kit.database.db.selectFrom('user_session').selectAll().execute()).length;
    await login(jane);
    expect(await count()).toBeGreaterThan(0);
    kit.clock.advance(400 * DAY);
    const twin = await kit.openTwin();
    await twin.sweep();
    expect(await count()).toBe(0);
  });
});

describe('self', () => {
  it('shows the user with role and permissions, and only the dates of the password', async () => {
    const { session_token, user_id } = await login({ username: ADMIN.name, secret: ADMIN.password });
    const principal = (await bearer(session_token)) as UserPrincipal;
    const { data } = jsonOf(await callHandler(kit.identity, 'GetSelf', {}, principal)) as {
      data: Record<string, never>;
    };
    expect(data).toMatchObject({
      id: user_id,
      principal_name: 'Admin',
      email_address: 'admin@clew.invalid',
      is_disabled: false,
      all_environments: true,
      deleted_at: NOT_DELETED,
      last_login: new Date(started).toISOString().replace('Z', '000Z'),
      AuthSecret: {
        digest_method: 'argon2id',
        totp_activated: false,
        expires_at: new Date(started + 90 * DAY).toISOString().replace('Z', '000Z'),
      },
      roles: [{ name: 'Administrator', permissions: expect.arrayContaining([]) }],
    });
    const text = JSON.stringify(data);
    expect(text).not.toContain('$argon2id');
    expect(text).toContain('ManageUsers');
  });

  it('shows the environments of a user who is limited to some', async () => {
    const userId = await addUser(kit, { name: 'limited', environments: ['S-1-5-21-1'] });
    const principal: UserPrincipal = {
      kind: 'user',
      userId,
      name: 'limited',
      email: null,
      role: 'User',
      permissions: new Set(),
      environments: new Set(['S-1-5-21-1']),
    };
    expect(jsonOf(await callHandler(kit.identity, 'GetSelf', {}, principal))).toMatchObject({
      data: {
        all_environments: false,
        environment_targeted_access_control: { environments: [{ environment_id: 'S-1-5-21-1' }] },
        AuthSecret: null,
      },
    });
  });
});
