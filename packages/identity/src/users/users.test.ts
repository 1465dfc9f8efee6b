/** Tests users, passwords, second factors and sessions with the API's handlers, on a real database. */
import type { LoginAnswer, User } from '@clew/api';
import type { ApiError, Principal, UserPrincipal } from '@clew/common';
import { roleByName } from '@clew/model';
import { generate } from 'otplib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TestIdentity } from '../../test/testIdentity.ts';
import { ADMIN, addUser, callHandler, jsonOf, openTestIdentity } from '../../test/testIdentity.ts';
import { ExpiryNotice } from '../expiryNotice.ts';
import type { Identity } from '../identity.ts';
import { setPasswordDays } from '../secrets.ts';

const DAY = 24 * 3600_000;
const PASSWORD = 'Correct-Horse-1';
const roleId = (name: Parameters<typeof roleByName>[0]) => roleByName(name).id;

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, held to their contracts over HTTP elsewhere.
type Json = any;

let kit: TestIdentity;
let started: number;
let admin: UserPrincipal;
let count = 0;

beforeAll(async () => {
  kit = await openTestIdentity();
  started = kit.clock.time;
  admin = (await principalOf(await login({ username: ADMIN.name, secret: ADMIN.password }))) as UserPrincipal;
});
afterAll(() => kit.close());
beforeEach(() => {
  kit.clock.time = started;
});

async function call(
  operationId: keyof Identity['handlers'],
  input: Parameters<typeof callHandler>[2],
  principal: Principal = admin,
): Promise<Json> {
  return (jsonOf(await callHandler(kit.identity, operationId, input, principal)) as Json)?.data;
}

async function login(body: object): Promise<LoginAnswer> {
  return call(
    'Login',
    { body: { login_method: 'secret', ...body } },
    { kind: 'anonymous', permissions: new Set() },
  );
}

async function principalOf({ session_token }: LoginAnswer): Promise<Principal | ApiError> {
  const result = await kit.identity.authenticator.begin({
    method: 'GET',
    operationId: 'GetSelf',
    rawTarget: '/api/v2/self',
    headers: { authorization: `Bearer ${session_token}` },
    clientAddress: '192.0.2.7',
    signal: new AbortController().signal,
  });
  return 'refusal' in result ? result.refusal : result.principal;
}

/** A user with a password and a session. */
async function signedIn(role: Parameters<typeof roleByName>[0] = 'User') {
  const name = `user${++count}`;
  const user: User = await call('CreateUser', {
    body: { principal: name, roles: [roleId(role)], secret: PASSWORD, email_address: `${name}@example.com` },
  });
  const answer = await login({ username: name, secret: PASSWORD });
  return {
    name,
    id: user.id,
    params: { user_id: user.id },
    principal: (await principalOf(answer)) as UserPrincipal,
    answer,
  };
}

const auditOf = async (userId: string): Promise<string[]> => {
  const rows = await kit.database.db.selectFrom('audit_log').selectAll().orderBy('id').execute();
  return rows.filter(({ fields }) => fields.user_id === userId).map(({ action }) => action);
};

describe('a user', () => {
  test('is created, read, listed, changed and removed, with an entry in the audit log for each', async () => {
    const user: User = await call('CreateUser', {
      body: {
        principal: 'Ada',
        first_name: 'Ada',
        last_name: 'Abel',
        email_address: 'ada@example.com',
        roles: [roleId('Read-Only')],
        secret: PASSWORD,
        needs_password_reset: true,
      },
    });
    expect(user).toMatchObject({
      principal_name: 'Ada',
      roles: [{ name: 'Read-Only' }],
      AuthSecret: { digest_method: 'argon2id', totp_activated: false },
      all_environments: true,
      is_disabled: false,
    });
    expect(await login({ username: 'ada@EXAMPLE.com', secret: PASSWORD })).toMatchObject({
      auth_expired: true,
    });
    const params = { user_id: user.id };
    await call('UpdateUser', {
      params,
      body: { last_name: 'Byron', first_name: '', roles: [roleId('Auditor')] },
    });
    expect(await call('GetUser', { params })).toMatchObject({
      first_name: 'Ada',
      last_name: 'Byron',
      roles: [{ name: 'Auditor' }],
    });
    const { users } = await call('ListUsers', { search: 'principal_name=eq:Ada&sort_by=-last_login' });
    expect(users).toMatchObject([{ id: user.id, last_name: 'Byron' }]);
    const minimal = await call('ListUsersMinimal', { search: 'email_address=~eq:ada@' });
    expect(minimal.users).toEqual([
      { id: user.id, first_name: 'Ada', last_name: 'Byron', email: 'ada@example.com' },
    ]);
    await call('DeleteUser', { params });
    await expect(call('GetUser', { params })).rejects.toMatchObject({ status: 404 });
    expect(await auditOf(user.id)).toEqual(['CreateUser', 'LoginAttempt', 'UpdateUser', 'DeleteUser']);
  });

  test.each([
    [{ roles: [1, 2] }, 400, 'a user can only have one role'],
    [{ roles: [] }, 400, 'role id is invalid'],
    [{ roles: [4711] }, 400, 'role id is invalid'],
    [{ roles: [roleId('Client-Tasking')] }, 400, 'role id is invalid'],
    [{ secret: 'short-A1' }, 400, /at least 12 characters/],
    [{ secret: 'onlylowercase' }, 400, /an upper case letter, a digit, a special character/],
    [{ secret: 'x'.repeat(1025) }, 400, /at most 1024/],
    [{ principal: ADMIN.name.toUpperCase() }, 409, 'principal name must be unique'],
    [{ email_address: ADMIN.name }, 409, 'email must be unique'],
    [{ sso_provider_id: 4711 }, 404, 'resource not found'],
    [{ saml_provider_id: 'x' }, 400, 'SAML Provider ID must be a number: x'],
    [{ saml_provider_id: '4711' }, 404, 'resource not found'],
    [
      {
        all_environments: true,
        environment_targeted_access_control: { environments: [{ environment_id: 'E1' }] },
      },
      400,
      'cannot specify environments when all_environments is true',
    ],
    [
      { roles: [1], environment_targeted_access_control: { environments: [{ environment_id: 'E1' }] } },
      400,
      'administrators and power users may not have an ETAC list applied to them',
    ],
    [
      { environment_targeted_access_control: { environments: [{ environment_id: 'E3' }] } },
      400,
      'domain or tenant not found: E3',
    ],
  ])('is not created with %j', async (wrong, status, message) => {
    const { length } = (await call('ListUsers', {})).users;
    const body = { principal: `refused${++count}`, roles: [roleId('User')], ...wrong };
    await expect(call('CreateUser', { body })).rejects.toMatchObject({
      status,
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    });
    expect((await call('ListUsers', {})).users).toHaveLength(length);
  });

  test('may be limited to environments, and see all again', async () => {
    const { params } = await signedIn();
    const access = { environments: [{ environment_id: 'e2' }, { environment_id: 'E1' }] };
    await call('UpdateUser', { params, body: { environment_targeted_access_control: access } });
    expect(await call('GetUser', { params })).toMatchObject({
      all_environments: false,
      environment_targeted_access_control: {
        environments: [{ environment_id: 'E1' }, { environment_id: 'E2' }],
      },
    });
    await expect(
      call('UpdateUser', { params, body: { roles: [roleId('Administrator')] } }),
    ).rejects.toMatchObject({ status: 400 });
    await call('UpdateUser', { params, body: { all_environments: true } });
    expect(await call('GetUser', { params })).toMatchObject({ all_environments: true });
    await call('UpdateUser', { params, body: { all_environments: false } });
    expect((await call('GetUser', { params })).environment_targeted_access_control.environments).toEqual([]);
  });

  test('keeps environments that are no longer known, and gets no other unknown one', async () => {
    const id = await addUser(kit, { name: `limited${++count}`, environments: ['GONE'] });
    const limit = (...ids: string[]) =>
      call('UpdateUser', {
        params: { user_id: id },
        body: {
          environment_targeted_access_control: {
            environments: ids.map((environment_id) => ({ environment_id })),
          },
        },
      });
    await expect(limit('GONE', 'ELSE')).rejects.toMatchObject({
      status: 400,
      message: 'domain or tenant not found: ELSE',
    });
    await limit('GONE', 'E1');
    await limit('E1');
    await expect(limit('GONE')).rejects.toMatchObject({ status: 400 });
  });

  test('that is disabled has no session, even when enabled again', async () => {
    const { params, answer, name } = await signedIn();
    await call('UpdateUser', { params, body: { is_disabled: true } });
    expect(await principalOf(answer)).toMatchObject({ status: 401 });
    await expect(login({ username: name, secret: PASSWORD })).rejects.toMatchObject({ status: 403 });
    await call('UpdateUser', { params, body: { is_disabled: false } });
    expect(await principalOf(answer)).toMatchObject({ status: 401 });
    expect(await login({ username: name, secret: PASSWORD })).toHaveProperty('session_token');
  });
});

describe('administrators', () => {
  test.each([
    ['UpdateUser', { is_disabled: true }, 'user attempted to disable themselves'],
    ['UpdateUser', { roles: [3] }, 'user attempted to change own role'],
    ['DeleteUser', undefined, 'User cannot delete themselves'],
  ] as const)('cannot change %s of their own with %j', async (operation, body, message) => {
    await expect(call(operation, { params: { user_id: admin.userId }, body })).rejects.toMatchObject({
      status: 400,
      message,
    });
  });

  test('stay: the last enabled one cannot be removed, disabled or given another role', async () => {
    const second = await signedIn('Administrator');
    const params = { user_id: admin.userId };
    await call('UpdateUser', { params, body: { is_disabled: true } }, second.principal);
    // Both make the same change at once, and one of them must fail.
    const third = await signedIn('Administrator');
    const results = await Promise.allSettled([
      call('DeleteUser', { params: third.params }, second.principal),
      call('DeleteUser', { params: second.params }, third.principal),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const left = results[0].status === 'fulfilled' ? second : third;
    const other = { ...admin, userId: '00000000-0000-4000-8000-000000000000' };
    for (const [operation, body] of [
      ['DeleteUser', undefined],
      ['UpdateUser', { is_disabled: true }],
      ['UpdateUser', { roles: [roleId('User')] }],
    ] as const)
      await expect(call(operation, { params: left.params, body }, other)).rejects.toMatchObject({
        status: 409,
        message: 'the last enabled administrator must stay an administrator',
      });
    await call('UpdateUser', { params, body: { is_disabled: false } }, left.principal);
    await call('DeleteUser', { params: left.params });
  });
});

describe('a password', () => {
  test('is changed by its user with the current one, and other sessions end', async () => {
    const { params, principal, answer, name } = await signedIn();
    const other = await login({ username: name, secret: PASSWORD });
    const set = (body: object) => call('CreateOrSetUserSecret', { params, body }, principal);
    await expect(set({ secret: 'Another-Horse-2' })).rejects.toMatchObject({ status: 403 });
    await expect(set({ secret: 'Another-Horse-2', current_secret: 'x' })).rejects.toMatchObject({
      status: 403,
      message: 'Invalid current password',
    });
    await expect(set({ secret: 'weak', current_secret: PASSWORD })).rejects.toMatchObject({ status: 400 });
    await set({ secret: 'Another-Horse-2', current_secret: PASSWORD });
    expect(await principalOf(answer)).toMatchObject({ kind: 'user' });
    expect(await principalOf(other)).toMatchObject({ status: 401 });
    await expect(login({ username: name, secret: PASSWORD })).rejects.toMatchObject({ status: 401 });
    await login({ username: name, secret: 'Another-Horse-2' });
  });

  test('can be set by an administrator, and by no other user', async () => {
    const [one, two] = [await signedIn(), await signedIn()];
    await expect(
      call('CreateOrSetUserSecret', { params: one.params, body: { secret: PASSWORD } }, two.principal),
    ).rejects.toMatchObject({ status: 403, message: `not authorized for ${one.id}` });
    await call('CreateOrSetUserSecret', {
      params: one.params,
      body: { secret: 'a long passphrase of any letters', needs_password_reset: true },
    });
    expect(await login({ username: one.name, secret: 'a long passphrase of any letters' })).toMatchObject({
      auth_expired: true,
    });
  });

  test('that expired can be changed during sign-in, or in the resulting session', async () => {
    const { params, name } = await signedIn();
    await call('DeleteUserSecret', { params });
    const limited = await login({ username: name, secret: PASSWORD });
    expect(limited.auth_expired).toBe(true);
    const principal = (await principalOf(limited)) as UserPrincipal;
    expect([...principal.permissions]).toEqual(['auth/ManageSelf']);
    await call(
      'CreateOrSetUserSecret',
      { params, body: { secret: 'Another-Horse-2', current_secret: PASSWORD } },
      principal,
    );
    expect(((await principalOf(limited)) as UserPrincipal).permissions.size).toBeGreaterThan(1);

    await call('DeleteUserSecret', { params });
    await expect(
      login({ username: name, secret: 'Another-Horse-2', new_secret: 'weak' }),
    ).rejects.toMatchObject({ status: 400 });
    const changed = await login({ username: name, secret: 'Another-Horse-2', new_secret: 'Third-Horse-33' });
    expect(changed.auth_expired).toBe(false);
    expect(await login({ username: name, secret: 'Third-Horse-33' })).toMatchObject({ auth_expired: false });
  });

  test.each([91, 365, 3650])('of the administrator still works after %i days', async (days) => {
    const own = await openTestIdentity();
    try {
      own.clock.advance(days * DAY);
      const body = { login_method: 'secret', username: ADMIN.name, secret: ADMIN.password };
      const answer = jsonOf(await callHandler(own.identity, 'Login', { body })) as Json;
      expect(answer.data.auth_expired).toBe(true);
      const changed = jsonOf(
        await callHandler(own.identity, 'Login', { body: { ...body, new_secret: 'Another-Horse-2' } }),
      ) as Json;
      expect(changed.data.auth_expired).toBe(false);
    } finally {
      await own.close();
    }
  });
});

describe('a second factor', () => {
  const codeAt = (secret: string, time = kit.clock.time) =>
    generate({ secret, epoch: Math.floor(time / 1000) });

  async function enrolled() {
    const user = await signedIn();
    const { totp_secret: secret, qr_code } = await call(
      'AddUserMfa',
      { params: user.params, body: { secret: PASSWORD } },
      user.principal,
    );
    expect(qr_code).toMatch(/^data:image\/png;base64,/);
    const activate = async (otp: string) =>
      call('ActivateUserMfa', { params: user.params, body: { otp } }, user.principal);
    return { ...user, secret: secret as string, activate };
  }

  const status = (user: { params: { user_id: string }; principal: Principal }) =>
    call('GetMfaActivationStatus', { params: user.params }, user.principal);

  test('is required after a correct one-time password, and each is valid once', async () => {
    const user = await enrolled();
    expect(await status(user)).toEqual({ status: 'pending' });
    // Not activated yet, so the password is enough.
    await login({ username: user.name, secret: PASSWORD });
    await expect(user.activate('000000')).rejects.toMatchObject({ message: 'one time password is invalid' });
    const { recovery_codes } = await user.activate(await codeAt(user.secret));
    expect(recovery_codes).toHaveLength(10);
    expect(await status(user)).toEqual({ status: 'activated' });

    const attempt = (otp?: string) => login({ username: user.name, secret: PASSWORD, otp });
    const refused = { status: 400, message: 'one time password is invalid' };
    await expect(attempt()).rejects.toMatchObject(refused);
    await expect(attempt('123456')).rejects.toMatchObject(refused);
    // The one-time password of the activation was used.
    await expect(attempt(await codeAt(user.secret))).rejects.toMatchObject(refused);
    kit.clock.advance(60_000);
    const otp = await codeAt(user.secret);
    const tries = await Promise.allSettled([attempt(otp), attempt(otp)]);
    expect(tries.map(({ status: outcome }) => outcome).sort()).toEqual(['fulfilled', 'rejected']);
    kit.clock.advance(60_000);
    // A clock that is one step behind.
    await attempt(await codeAt(user.secret, kit.clock.time - 30_000));
    await expect(login({ username: user.name, secret: 'wrong', otp })).rejects.toMatchObject({ status: 401 });
  });

  test('can be replaced by a recovery code, once', async () => {
    const user = await enrolled();
    const { recovery_codes } = await user.activate(await codeAt(user.secret));
    const attempt = (otp: string) => login({ username: user.name, secret: PASSWORD, otp });
    await attempt(recovery_codes[0].toUpperCase().replace('-', ' '));
    await expect(attempt(recovery_codes[0])).rejects.toMatchObject({ status: 400 });
    await attempt(recovery_codes[1]);
  });

  test("is removed with the user's password, or by an administrator with theirs", async () => {
    const user = await enrolled();
    await user.activate(await codeAt(user.secret));
    const remove = (body: object, by: Principal) => call('RemoveUserMfa', { params: user.params, body }, by);
    await expect(remove({ secret: 'wrong' }, user.principal)).rejects.toMatchObject({ status: 400 });
    await expect(remove({ secret: PASSWORD }, (await signedIn()).principal)).rejects.toMatchObject({
      status: 403,
      message: 'must be an admin to disable MFA for another user',
    });
    await expect(remove({ secret: PASSWORD }, admin)).rejects.toMatchObject({ status: 400 });
    expect(await remove({ secret: ADMIN.password }, admin)).toEqual({ status: 'deactivated' });
    await login({ username: user.name, secret: PASSWORD });
    expect(await status(user)).toEqual({ status: 'deactivated' });
  });

  test('can be set up by its user only, with the password', async () => {
    const user = await signedIn();
    const add = (body: object, by: Principal) => call('AddUserMfa', { params: user.params, body }, by);
    await expect(add({ secret: 'wrong' }, user.principal)).rejects.toMatchObject({
      message: 'unable to verify current password',
    });
    await expect(add({ secret: ADMIN.password }, admin)).rejects.toMatchObject({ status: 403 });
    await expect(
      call('ActivateUserMfa', { params: user.params, body: { otp: '123456' } }, user.principal),
    ).rejects.toMatchObject({
      message: 'multi-factor authentication enrollment is required before activation',
    });
  });
});

describe('sessions', () => {
  test('are listed and ended by their user and by administrators', async () => {
    const user = await signedIn();
    const others = [];
    for (let n = 0; n < 2; n++) others.push(await login({ username: user.name, secret: PASSWORD }));
    const list = async () =>
      (await call('ListUserSessions', { params: user.params }, user.principal)).sessions;
    expect(await list()).toMatchObject([
      { is_current: false, client_address: '192.0.2.7', login_method: 'secret' },
      { is_current: false },
      { is_current: true },
    ]);
    const [{ id }] = await list();
    const params = { ...user.params, session_id: id };
    await expect(call('EndUserSession', { params }, (await signedIn()).principal)).rejects.toMatchObject({
      status: 403,
    });
    await call('EndUserSession', { params }, user.principal);
    expect(await principalOf(others[1])).toMatchObject({ status: 401 });
    await expect(call('EndUserSession', { params }, user.principal)).rejects.toMatchObject({ status: 404 });
    await call('EndUserSessions', { params: user.params }, user.principal);
    expect(await principalOf(others[0])).toMatchObject({ status: 401 });
    expect(await principalOf(user.answer)).toMatchObject({ kind: 'user' });
    await call('EndUserSessions', { params: user.params });
    expect(await principalOf(user.answer)).toMatchObject({ status: 401 });
  });
});

describe('failed sign-ins', () => {
  test('are counted by user and address: the tenth one blocks, under any name of the user', async () => {
    const { name } = await signedIn();
    for (let n = 0; n < 10; n++)
      await login({ username: n % 2 === 0 ? name : `${name}@example.com`, secret: 'wrong' }).catch(() => {});
    await expect(login({ username: name, secret: PASSWORD })).rejects.toMatchObject({ status: 429 });
    // Unknown names are counted in the same way, so that the answer reveals nothing.
    for (let n = 0; n < 10; n++) await login({ username: 'no such user', secret: 'wrong' }).catch(() => {});
    await expect(login({ username: 'no such user', secret: 'x' })).rejects.toMatchObject({ status: 429 });
    // Other users are not affected.
    await login({ username: ADMIN.name, secret: ADMIN.password });
    await kit.database.db
      .updateTable('audit_log')
      .set({ created_at: new Date(Date.now() - 16 * 60_000) })
      .where('status', '=', 'failure')
      .execute();
    await login({ username: name, secret: PASSWORD });
  });

  test('at the same time are all counted', async () => {
    const { name } = await signedIn();
    const guesses = Array.from({ length: 200 }, (_, at) =>
      login({ username: name, secret: `guess ${at}` }).catch(({ status }: { status: number }) => status),
    );
    const answers = await Promise.all(guesses);
    expect(answers.filter((status) => status === 401).length).toBeLessThanOrEqual(10);
    expect(answers.filter((status) => status === 429).length).toBeGreaterThanOrEqual(190);
  });

  test('are counted for every check of a secret, and are in the audit log', async () => {
    const { name, params, principal } = await signedIn();
    const wrong = 'not this one';
    const checks = [
      () =>
        call(
          'CreateOrSetUserSecret',
          { params, body: { secret: 'Another-Horse-2', current_secret: wrong } },
          principal,
        ),
      () => call('AddUserMfa', { params, body: { secret: wrong } }, principal),
      () => call('RemoveUserMfa', { params, body: { secret: wrong } }, principal),
      () => login({ username: name, secret: wrong }),
    ];
    const statuses: number[] = [];
    for (let at = 0; at < 40; at++)
      await checks[at % checks.length]().catch(
        ({ status }: { status: number }) => void statuses.push(status),
      );
    expect(statuses.slice(0, 10)).not.toContain(429);
    expect(new Set(statuses.slice(10))).toEqual(new Set([429]));
    const entries = await kit.database.db
      .selectFrom('audit_log')
      .select(['action', 'status'])
      .where('status', '=', 'failure')
      .where((where) => where.eb(where.ref('fields', '->>').key('username' as never), '=', name as never))
      .execute();
    const byAction = Map.groupBy(entries, ({ action }) => action);
    expect([byAction.get('VerifySecret')?.length, byAction.get('LoginAttempt')?.length]).toEqual([8, 2]);
  });

  test.each(['the current password', 'setting a factor up', 'removing it', 'activating it'])(
    'at the same time are all counted, also for %s',
    async (check) => {
      const { params, principal } = await signedIn();
      if (check === 'activating it')
        await call('AddUserMfa', { params, body: { secret: PASSWORD } }, principal);
      const guess = (at: number): Promise<unknown> => {
        const secret = `guess ${at}`;
        if (check === 'the current password')
          return call(
            'CreateOrSetUserSecret',
            { params, body: { secret: 'Another-Horse-2', current_secret: secret } },
            principal,
          );
        if (check === 'activating it')
          return call('ActivateUserMfa', { params, body: { otp: String(100_000 + at) } }, principal);
        const operation = check === 'removing it' ? 'RemoveUserMfa' : 'AddUserMfa';
        return call(operation, { params, body: { secret } }, principal);
      };
      const outcomes = await Promise.allSettled(Array.from({ length: 50 }, (_, at) => guess(at)));
      const statuses = outcomes.map((outcome) =>
        outcome.status === 'rejected' ? outcome.reason.status : 200,
      );
      expect(statuses).not.toContain(200);
      expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(40);
    },
  );

  test('while setting up the second factor are counted, too', async () => {
    const { params, principal } = await signedIn();
    await call('AddUserMfa', { params, body: { secret: PASSWORD } }, principal);
    const statuses: number[] = [];
    for (let at = 0; at < 12; at++)
      await call('ActivateUserMfa', { params, body: { otp: '000000' } }, principal).catch(
        ({ status }: { status: number }) => void statuses.push(status),
      );
    expect(statuses.slice(10)).toEqual([429, 429]);
    expect(statuses.slice(0, 10)).not.toContain(429);
  });

  test('from other addresses lock no user out', async () => {
    const { name } = await signedIn();
    const { db } = kit.database;
    const [last] = await db.selectFrom('audit_log').selectAll().orderBy('id', 'desc').limit(1).execute();
    const { id: _, created_at: __, ...row } = last;
    const fields = JSON.stringify({ username: name });
    await db
      .insertInto('audit_log')
      .values(
        Array.from({ length: 150 }, (_unused, at) => ({
          ...{ ...row, status: 'failure' as const, fields, action: 'LoginAttempt' },
          source_ip_address: `198.51.100.${at}`,
        })),
      )
      .execute();
    // This address is known; an unknown one must wait.
    await login({ username: name, secret: PASSWORD });
    await db
      .updateTable('audit_log')
      .set({ source_ip_address: '192.0.2.8' })
      .where('status', '=', 'success')
      .execute();
    await expect(login({ username: name, secret: PASSWORD })).rejects.toMatchObject({ status: 429 });
  });
});

describe('the log', () => {
  test('announces for two weeks, once a day, that the password of an administrator expires', async () => {
    const said: [string, Json][] = [];
    const log = { warn: (fields: object, message: string) => void said.push([message, fields]) };
    const notice = new ExpiryNotice(kit.database.db, log);
    await notice.say(started + 75 * DAY);
    expect(said).toEqual([]);
    await notice.say(started + 77 * DAY);
    await notice.say(started + 77.5 * DAY);
    expect(said).toEqual([
      [expect.stringContaining('will expire soon'), { user: ADMIN.name, expires: expect.any(String) }],
    ]);
    await notice.say(started + 100 * DAY);
    expect(said[1][0]).toContain('has expired');
  });
});

describe('passwords that do not expire', () => {
  test('stay valid, including existing ones, until expiration is enabled again', async () => {
    const own = await openTestIdentity();
    try {
      const { db } = own.database;
      const body = { login_method: 'secret', username: ADMIN.name, secret: ADMIN.password };
      const isExpired = async () =>
        (jsonOf(await callHandler(own.identity, 'Login', { body })) as Json).data.auth_expired;
      await setPasswordDays(db, 0);
      own.clock.advance(3650 * DAY);
      expect(await isExpired()).toBe(false);
      await setPasswordDays(db, 30);
      expect(await isExpired()).toBe(true);
    } finally {
      await own.close();
    }
  });
});
