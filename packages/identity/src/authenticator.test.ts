import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { ApiError, Authentication, Principal, UserPrincipal } from '@clew/common';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addUser, callHandler, jsonOf, openTestIdentity, type TestIdentity } from '../test/testIdentity.ts';
import type { Identity } from './identity.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const UNIFORM = { status: 401, context: 'login', message: 'Unauthorized' };

let kit: TestIdentity;
let userId: string;
let token: { readonly id: string; readonly key: string };
let started: number;

beforeAll(async () => {
  kit = await openTestIdentity();
  started = kit.clock.time;
});
afterAll(() => kit.close());

beforeEach(async () => {
  kit.clock.time = started;
  userId = await addUser(kit, { name: `user-${randomUUID()}`, email: `${randomUUID()}@example.com` });
  token = await makeToken(userId);
});

async function makeToken(owner: string): Promise<{ readonly id: string; readonly key: string }> {
  const caller: Principal = {
    kind: 'user',
    userId: owner,
    name: 'x',
    email: null,
    role: 'User',
    permissions: new Set(),
    environments: null,
  };
  const answer = await callHandler(kit.identity, 'CreateAuthToken', { body: { token_name: 'test' } }, caller);
  return (jsonOf(answer) as { data: typeof token }).data;
}

interface Request {
  readonly method: string;
  readonly target: string;
  readonly body: Uint8Array;
  readonly date: string;
}

/** A second implementation of the steps in `docs/reference/api.md#signed-requests`. */
function sign(request: Request, key = token.key): string {
  const d1 = createHmac('sha256', key)
    .update(Buffer.from(request.method + request.target, 'latin1'))
    .digest();
  const d2 = createHmac('sha256', d1).update(request.date.substring(0, 13)).digest();
  return createHmac('sha256', d2).update(request.body).digest('base64');
}

interface Wire {
  readonly method?: string;
  readonly operation?: string;
  readonly target?: string;
  readonly body?: Uint8Array;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** @returns the principal, or the refusal after the header or the body of the request */
async function authenticate(wire: Wire, by: Identity = kit.identity): Promise<Principal | ApiError> {
  const result: Authentication = await by.authenticator.begin({
    method: wire.method ?? 'GET',
    operationId: wire.operation ?? 'GetSelf',
    rawTarget: wire.target ?? '/api/v2/self',
    headers: wire.headers,
    clientAddress: '192.0.2.7',
    signal: new AbortController().signal,
  });
  if ('refusal' in result) return result.refusal;
  const body = wire.body ?? new Uint8Array();
  // In uneven chunks, like from a network.
  for (let at = 0, size = 1; at < body.length; at += size, size = size * 2 + 1) {
    result.body?.update(body.subarray(at, at + size));
  }
  return (await result.body?.finish()) ?? result.principal;
}

function isoDate(offset = 0): string {
  return new Date(kit.clock.time + offset).toISOString();
}

/** Sends a valid request; if `signedAs` differs from `given`, the signed parts differ from the sent ones. */
function send(given: Partial<Request> = {}, signedAs: Partial<Request> = {}, key?: string, by?: Identity) {
  const honest = { method: 'GET', target: '/api/v2/self', body: new Uint8Array(), date: isoDate() };
  const sent = { ...honest, ...given };
  const signature = sign({ ...honest, ...given, ...signedAs }, key);
  return authenticate(
    {
      ...sent,
      headers: { authorization: `svcsignature ${token.id}`, requestdate: sent.date, signature },
    },
    by,
  );
}

describe('signed requests', () => {
  it('act as the owner of the token', async () => {
    expect(await send()).toMatchObject({ kind: 'user', userId, role: 'User', tokenId: token.id });
  });

  it('verify for any method, target, body, key and date that the specification allows', async () => {
    const instants = fc.integer({ min: -HOUR, max: HOUR });
    const offsets = fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 });
    const fractions = fc.stringMatching(/^(\.\d{1,9})?$/);
    const targets = fc.uint8Array().map((bytes) => `/${Buffer.from(bytes).toString('latin1')}`);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'),
        targets,
        fc.uint8Array({ maxLength: 3000 }),
        instants,
        offsets,
        fractions,
        async (method, target, body, shift, offset, fraction) => {
          const local = new Date(kit.clock.time + shift + offset * MINUTE).toISOString().slice(0, 19);
          const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
          const pad = (value: number) => String(value).padStart(2, '0');
          // Seconds are truncated, which may move the instant out of the window.
          fc.pre(Math.abs(shift) < HOUR - 1000);
          const date = `${local}${fraction}${offset < 0 ? '-' : '+'}${pad(hours)}:${pad(minutes)}`;
          expect(await send({ method, target, body, date })).toMatchObject({ userId });
        },
      ),
      { numRuns: 150 },
    );
  });

  it.each(['svcsignature', 'bhesignature', 'SvcSignature', 'BHESIGNATURE'])('may use %s', async (scheme) => {
    const date = isoDate();
    const signature = sign({ method: 'GET', target: '/api/v2/self', body: new Uint8Array(), date });
    const headers = { authorization: `${scheme} ${token.id.toUpperCase()}`, requestdate: date, signature };
    expect(await authenticate({ headers })).toMatchObject({ userId });
  });

  it('may use only configured scheme words', async () => {
    const other = await openTestIdentity({ signatureSchemes: ['bhesignature'] });
    const headers = { authorization: `svcsignature ${token.id}`, requestdate: isoDate(), signature: '' };
    expect(await authenticate({ headers }, other.identity)).toMatchObject({ status: 401, context: 'login' });
    await other.close();
  });

  it('may be repeated exactly while their date is fresh', async () => {
    const date = isoDate();
    expect(await send({ date })).toMatchObject({ userId });
    kit.clock.advance(HOUR);
    expect(await send({ date })).toMatchObject({ userId });
    kit.clock.advance(1);
    expect(await send({ date })).toMatchObject(UNIFORM);
  });

  it('may be repeated with other minutes of the same hour', async () => {
    expect(await send({ date: '2024-05-01T12:00:00Z' })).toMatchObject({ userId });
    expect(await send({ date: '2024-05-01T12:59:59.999Z' })).toMatchObject({ userId });
  });
});

describe('a wrong part of a signed request is refused with the same message', () => {
  const body = Buffer.from('{"token_name":"x"}');

  it.each<[string, Partial<Request>, Partial<Request>]>([
    ['another method', { method: 'DELETE' }, { method: 'GET' }],
    ['a method in lower case', { method: 'GET' }, { method: 'get' }],
    ['another path', { target: '/api/v2/tokens' }, { target: '/api/v2/self' }],
    ['another query', { target: '/api/v2/search?q=b' }, { target: '/api/v2/search?q=a' }],
    ['a query that was not signed', { target: '/api/v2/search?q=a' }, { target: '/api/v2/search' }],
    ['a query in another order', { target: '/x?a=1&b=2' }, { target: '/x?b=2&a=1' }],
    ['a decoded escape', { target: '/x?a=b%26c' }, { target: '/x?a=b&c' }],
    ['an escape in another case', { target: '/x?a=%2F' }, { target: '/x?a=%2f' }],
    ['a host in the signed target', { target: '/x' }, { target: 'http://host/x' }],
    ['another body', { body }, { body: Buffer.from('{"token_name":"y"}') }],
    ['a body that was not signed', { body }, { body: new Uint8Array() }],
    ['a missing body', { body: new Uint8Array() }, { body }],
    ['a body with a byte more', { body: Buffer.concat([body, Buffer.of(10)]) }, { body }],
    ['another hour', { date: '2024-05-01T12:00:00Z' }, { date: '2024-05-01T11:00:00Z' }],
    [
      'the hour in UTC instead of the own offset',
      { date: '2024-05-01T14:00:00+02:00' },
      { date: '2024-05-01T12' },
    ],
  ])('%s', async (_, given, signedAs) => {
    expect(await send(given)).toMatchObject({ userId });
    expect(await send(given, signedAs)).toMatchObject(UNIFORM);
  });

  it('another key, and the key’s bytes instead of its text', async () => {
    expect(await send({}, {}, randomBytes(64).toString('base64'))).toMatchObject(UNIFORM);
    expect(await send({}, {}, Buffer.from(token.key, 'base64').toString('latin1'))).toMatchObject(UNIFORM);
    expect(await send({}, {}, '')).toMatchObject(UNIFORM);
  });

  it('the key of another token of the same user', async () => {
    const { key } = await makeToken(userId);
    expect(await send({}, {}, key)).toMatchObject(UNIFORM);
  });

  it.each([
    ['too old', -HOUR - 1],
    ['too far ahead', HOUR + 1],
    ['a year old', -365 * 24 * HOUR],
    ['a century ahead', 100 * 365 * 24 * HOUR],
  ])('a date that is %s', async (_, shift) => {
    expect(await send({ date: isoDate(shift) })).toMatchObject(UNIFORM);
  });

  it.each([-HOUR, HOUR])('but not a date %i ms off, at the edge of the window', async (shift) => {
    expect(await send({ date: isoDate(shift) })).toMatchObject({ userId });
  });

  it.each([
    ['authorization', 'svcsignature not-a-uuid'],
    ['authorization', 'svcsignature {54623566-213a-4490-9c68-ac44c39b6590}'],
    ['authorization', 'svcsignature '],
    ['authorization', `svcsignature ${'0'.repeat(5000)}`],
    ['requestdate', undefined],
    ['requestdate', ''],
    ['requestdate', 'today'],
    ['requestdate', '2024-05-01T12:00:00'],
    ['signature', undefined],
    ['signature', ''],
    ['signature', 'AAAA'],
    ['signature', 'not base64!'],
    ['signature', 'A'.repeat(5000)],
  ])('header %s of %j', async (name, value) => {
    const signature = sign({
      method: 'GET',
      target: '/api/v2/self',
      body: new Uint8Array(),
      date: isoDate(),
    });
    const headers = { authorization: `svcsignature ${token.id}`, requestdate: isoDate(), signature };
    expect(await authenticate({ headers })).toMatchObject({ userId });
    expect(await authenticate({ headers: { ...headers, [name]: value } })).toMatchObject(UNIFORM);
  });

  it('an unknown token', async () => {
    const date = isoDate();
    const signature = sign({ method: 'GET', target: '/api/v2/self', body: new Uint8Array(), date });
    const headers = { authorization: `svcsignature ${randomUUID()}`, requestdate: date, signature };
    expect(await authenticate({ headers })).toMatchObject(UNIFORM);
  });
});

describe('the Authorization header', () => {
  it('may be absent for an anonymous request', async () => {
    expect(await authenticate({ headers: {} })).toMatchObject({ kind: 'anonymous' });
  });

  it.each([
    '',
    ' ',
    'Bearer',
    'svcsignature',
    'Bearer a b',
    'Basic YTpi',
    'Negotiate x',
    'bearer  x',
    `${'x'.repeat(9000)} y`,
  ])('of %j is refused', async (authorization) => {
    const refusal = (await authenticate({ headers: { authorization } })) as ApiError;
    expect(refusal).toMatchObject({ status: 401, context: 'login' });
    expect(refusal.message.length).toBeLessThan(100);
  });
});

describe('the token for metrics', () => {
  const metricsToken = 'm'.repeat(32);
  const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` });

  it('can only read metrics', async () => {
    const twin = await kit.openTwin({ metricsToken });
    const at = (operation: string, credential = metricsToken) =>
      authenticate({ operation, headers: bearer(credential) }, twin);
    expect(await at('GetMetrics')).toMatchObject({ kind: 'client', name: 'metrics' });
    for (const operation of ['GetSelf', 'SendMcpMessage'])
      expect(await at(operation)).toMatchObject({ status: 401 });
    expect(await at('GetMetrics', `${metricsToken}m`)).toMatchObject({ status: 401 });
  });

  it('is refused when no token is configured', async () => {
    expect(await authenticate({ operation: 'GetMetrics', headers: bearer('undefined') })).toMatchObject({
      status: 401,
    });
  });
});

describe('the key of a token itself', () => {
  const MCP = 'SendMcpMessage';
  const send = (credential: string, more: Partial<Wire> = {}) =>
    authenticate({ operation: MCP, headers: { authorization: `Bearer ${credential}` }, ...more });

  it('is accepted by the operation for assistants only, whatever target the client signed', async () => {
    const credential = `${token.id}.${token.key}`;
    expect(await send(credential)).toMatchObject({ userId, tokenId: token.id });
    expect(await send(credential, { target: '/clew/api/v2/mcp' })).toMatchObject({ userId });
    expect(await send(credential, { operation: 'GetSelf', target: '/api/v2/mcp' })).toMatchObject({
      status: 401,
    });
  });

  it.each([
    ['that is wrong', () => `${token.id}.${'A'.repeat(86)}==`, 'key does not fit'],
    ['of an unknown token', () => `${randomUUID()}.${token.key}`, 'unknown token or disabled owner'],
  ])('%s is refused, with its reason in the log only', async (_, credential, reason) => {
    kit.logged.length = 0;
    const shown = credential();
    const refusal = (await send(shown)) as ApiError;
    expect(refusal).toMatchObject({ status: 401 });
    expect(refusal.message).not.toContain(reason);
    expect(kit.logged).toMatchObject([
      { msg: 'refused a token', tokenId: shown.slice(0, 36), clientAddress: '192.0.2.7', reason },
    ]);
    expect(JSON.stringify(kit.logged)).not.toContain(shown.slice(37));
  });
});

describe('a captured request', () => {
  /** The captured request, and a copy with its date moved to another instant in the same signed hour. */
  const captured = { date: '2024-05-01T12:10:00Z' };
  const redated = (hoursLater: number, minute = 10) =>
    `2024-05-01T12:${String(minute).padStart(2, '0')}:00-${String(hoursLater).padStart(2, '0')}:00`;

  beforeEach(async () => {
    kit.clock.time = Date.parse(captured.date);
    expect(await send(captured)).toMatchObject({ userId });
  });

  it('expires two hours after its first use, however its offset is changed', async () => {
    for (let hours = 3; hours <= 23; hours++) {
      kit.clock.time = Date.parse(redated(hours));
      expect(await send({ date: redated(hours) }, captured)).toMatchObject(UNIFORM);
    }
  });

  it('is refused at once for an instant more than two hours ahead', async () => {
    kit.clock.advance(90 * MINUTE);
    expect(await send({ date: redated(2, 5) }, captured)).toMatchObject({ userId });
    expect(await send({ date: redated(2, 15) }, captured)).toMatchObject(UNIFORM);
  });

  it('is refused by its arrival time even if its date stays near', async () => {
    kit.clock.advance(2 * HOUR + MINUTE);
    expect(await send({ date: redated(2, 0) }, captured)).toMatchObject(UNIFORM);
  });

  it('is remembered in other processes and after a restart', async () => {
    const twin = await kit.openTwin();
    kit.clock.time = Date.parse(redated(5));
    expect(await send({ date: redated(5) }, captured, token.key, twin)).toMatchObject(UNIFORM);
  });

  it('does not prevent a new identical call', async () => {
    kit.clock.advance(5 * HOUR);
    expect(await send()).toMatchObject({ userId });
  });

  it('is not remembered if its signature did not match', async () => {
    const count = async () =>
      (await kit.database.db.selectFrom('seen_signature').selectAll().execute()).length;
    const before = await count();
    expect(await send({}, { target: '/other' })).toMatchObject(UNIFORM);
    expect(await count()).toBe(before);
  });
});

describe('a token', () => {
  const admin = async (): Promise<UserPrincipal> => ({
    kind: 'user',
    userId,
    name: 'x',
    email: null,
    role: 'User',
    permissions: new Set(['auth/CreateToken']),
    environments: null,
  });

  it('is invalid at once when deleted', async () => {
    expect(await send()).toMatchObject({ userId });
    await callHandler(kit.identity, 'DeleteAuthToken', { params: { token_id: token.id } }, await admin());
    expect(await send()).toMatchObject(UNIFORM);
  });

  it('is invalid within a second in other processes', async () => {
    const twin = await kit.openTwin();
    expect(await send({}, {}, token.key, twin)).toMatchObject({ userId });
    await callHandler(kit.identity, 'DeleteAuthToken', { params: { token_id: token.id } }, await admin());
    kit.clock.advance(1000);
    expect(await send({}, {}, token.key, twin)).toMatchObject(UNIFORM);
  });

  it('is invalid for a body in transit when it was deleted', async () => {
    const date = isoDate();
    const body = randomBytes(100);
    const result = await kit.identity.authenticator.begin({
      method: 'POST',
      operationId: 'CreateAuthToken',
      rawTarget: '/x',
      headers: {
        authorization: `svcsignature ${token.id}`,
        requestdate: date,
        signature: sign({ method: 'POST', target: '/x', body, date }),
      },
      clientAddress: '192.0.2.7',
      signal: new AbortController().signal,
    });
    if ('refusal' in result) throw result.refusal;
    result.body!.update(body);
    await callHandler(kit.identity, 'DeleteAuthToken', { params: { token_id: token.id } }, await admin());
    expect(await result.body!.finish()).toMatchObject(UNIFORM);
  });

  it('is invalid while its owner is disabled', async () => {
    const disable = async (is_disabled: boolean) => {
      await kit.database.db
        .updateTable('user_account')
        .set({ is_disabled })
        .where('id', '=', userId)
        .execute();
      kit.identity.forget();
    };
    expect(await send()).toMatchObject({ userId });
    await disable(true);
    expect(await send()).toMatchObject(UNIFORM);
    await disable(false);
    expect(await send()).toMatchObject({ userId });
  });

  it('is deleted with its owner', async () => {
    expect(await send()).toMatchObject({ userId });
    await kit.database.db.deleteFrom('user_account').where('id', '=', userId).execute();
    kit.identity.forget();
    expect(await send()).toMatchObject(UNIFORM);
  });

  it('does not verify if its encrypted key is moved to another token', async () => {
    const other = await makeToken(userId);
    await kit.database.pool.query(
      'update auth_token set sealed_key = (select sealed_key from auth_token where id = $1) where id = $2',
      [other.id, token.id],
    );
    await expect(send({}, {}, other.key)).rejects.toThrow('cannot be decrypted');
  });

  it('has the permissions and environments of its owner', async () => {
    const limited = await addUser(kit, {
      name: randomUUID(),
      role: 'Read-Only',
      environments: ['S-1-5-21-1'],
    });
    token = await makeToken(limited);
    const principal = (await send()) as UserPrincipal;
    expect([...principal.environments!]).toEqual(['S-1-5-21-1']);
    expect(principal.permissions.has('graphdb/Read')).toBe(true);
    expect(principal.permissions.has('graphdb/Write')).toBe(false);
  });
});
