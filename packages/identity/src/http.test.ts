/** Tests identity through the real pipeline, like a client over HTTP. */
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type AuthToken, type LoginAnswer, type RouteContract, routes } from '@clew/api';
import { startTestServer, type TestServer } from '@clew/server/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, addUser, openTestIdentity, type TestIdentity } from '../test/testIdentity.ts';

const STORE: RouteContract = {
  method: 'POST',
  path: '/api/v2/store',
  operationId: 'StoreBytes',
  tag: 'test',
  summary: 'Keeps the bytes of a body once all of it has arrived',
  access: 'any',
  rateClass: 'exempt',
  bodyKind: 'stream',
  responses: { 202: null },
};

let kit: TestIdentity;
let server: TestServer;
let token: { readonly id: string; readonly key: string };
const stored: number[] = [];

beforeAll(async () => {
  kit = await openTestIdentity();
  server = await startTestServer(
    [...routes.filter((route) => route.operationId in kit.identity.handlers), STORE],
    {
      ...kit.identity.handlers,
      async StoreBytes({ stream }) {
        let size = 0;
        for await (const chunk of stream!) size += chunk.length;
        stored.push(size);
        return { status: 202 };
      },
    },
    { authenticator: kit.identity.authenticator },
  );
  const { session_token } = await login(ADMIN.name, ADMIN.password);
  const answer = await request('POST', '/api/v2/tokens', {
    body: '{"token_name":"test"}',
    headers: { authorization: `Bearer ${session_token}` },
  });
  token = ((await answer.json()) as { data: AuthToken }).data;
});
afterAll(async () => {
  await server.close();
  await kit.close();
});

interface Sent {
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

function request(method: string, target: string, { body, headers }: Sent = {}): Promise<Response> {
  const type = { 'content-type': 'application/json' };
  return fetch(server.url + target, { method, body, headers: { ...type, ...headers } });
}

async function login(username: string, secret: string): Promise<LoginAnswer> {
  const body = JSON.stringify({ login_method: 'secret', username, secret });
  const answer = await request('POST', '/api/v2/login', { body });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { data: LoginAnswer }).data;
}

/** The steps of `docs/reference/api.md#signed-requests`. */
function signed(method: string, target: string, body: string | Uint8Array = '', by = token) {
  const date = new Date(kit.clock.time).toISOString();
  const d1 = createHmac('sha256', by.key).update(`${method}${target}`).digest();
  const d2 = createHmac('sha256', d1).update(date.slice(0, 13)).digest();
  const signature = createHmac('sha256', d2).update(body).digest('base64');
  return { authorization: `bhesignature ${by.id}`, requestdate: date, signature };
}

async function expectError(
  answer: Response,
  status: number,
  context: string,
  ...messages: readonly string[]
): Promise<void> {
  expect(await answer.json()).toEqual({
    http_status: status,
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
    request_id: answer.headers.get('requestid'),
    errors: messages.map((message) => ({ context, message })),
  });
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toContain('application/json');
}

describe('a user', () => {
  it('signs in, requests their own data, and signs out', async () => {
    const { session_token, user_id } = await login('ADMIN', ADMIN.password);
    const headers = { authorization: `Bearer ${session_token}` };
    const self = await request('GET', '/api/v2/self', { headers });
    expect(await self.json()).toMatchObject({ data: { id: user_id, roles: [{ name: 'Administrator' }] } });
    const logout = await request('POST', '/api/v2/logout', { headers });
    expect([logout.status, await logout.text()]).toEqual([200, '']);
    expect(logout.headers.get('location')).toBe(`${server.url}/ui`);
    const after = await request('GET', '/api/v2/self', { headers });
    await expectError(after, 401, 'login', 'Token Authorization failed.');
  });

  it.each([
    ['', 400, 'clients', 'request body is empty'],
    ['{"login_method":"secret","username":"x","secret":"y"}', 401, 'login', 'authentication is invalid'],
    ['{"login_method":"otp","username":"x"}', 400, 'clients', 'Login method otp is not supported.'],
  ] as const)('is refused when signing in with %j', async (body, status, context, message) => {
    await expectError(await request('POST', '/api/v2/login', { body }), status, context, message);
  });

  it('learns why the body of a request is not JSON', async () => {
    const answer = await request('POST', '/api/v2/login', { body: '{' });
    const reason = "Expected property name or '}' in JSON at position 1 (line 1 column 2)";
    await expectError(answer, 400, 'clients', 'error unmarshalling JSON payload', reason);
  });

  it('is refused without signing in', async () => {
    await expectError(await request('GET', '/api/v2/self'), 401, 'login', 'not authenticated');
  });

  it('without the permission gets 403', async () => {
    await addUser(kit, { name: 'uploader', role: 'Upload-Only', password: 'p' });
    const { session_token } = await login('uploader', 'p');
    const headers = { authorization: `Bearer ${session_token}` };
    await expectError(await request('GET', '/api/v2/tokens', { headers }), 403, 'clients', 'not authorized');
  });
});

describe('a script', () => {
  const refused = (answer: Response) => expectError(answer, 401, 'login', 'Unauthorized');

  it('signs requests with query and body, and manages its tokens', async () => {
    const body = '{"token_name":"näxt"}';
    const made = await request('POST', '/api/v2/tokens', {
      body,
      headers: signed('POST', '/api/v2/tokens', body),
    });
    const { data } = (await made.json()) as { data: AuthToken };
    const list = '/api/v2/tokens?sort_by=-name&name=~eq%3An%C3%A4xt';
    const listed = await request('GET', list, { headers: signed('GET', list) });
    expect(await listed.json()).toMatchObject({ data: { tokens: [{ id: data.id, name: 'näxt', key: '' }] } });
    const one = `/api/v2/tokens/${data.id}`;
    const self = () => request('GET', '/api/v2/self', { headers: signed('GET', '/api/v2/self', '', data) });
    expect((await self()).status).toBe(200);
    const removed = await request('DELETE', one, { headers: signed('DELETE', one) });
    expect([removed.status, await removed.text()]).toEqual([200, '']);
    await refused(await self());
  });

  it('cannot use its signature for another method, path, query or body', async () => {
    const headers = signed('GET', '/api/v2/self');
    expect((await request('GET', '/api/v2/self', { headers })).status).toBe(200);
    await refused(await request('GET', '/api/v2/tokens', { headers }));
    await refused(await request('GET', '/api/v2/self?x=1', { headers }));
    await refused(await request('POST', '/api/v2/tokens', { headers, body: '{}' }));
    await refused(await request('DELETE', `/api/v2/tokens/${token.id}`, { headers }));
    await refused(
      await request('POST', '/api/v2/tokens', {
        headers: signed('POST', '/api/v2/tokens', '{}'),
        body: '{ }',
      }),
    );
  });

  it('cannot sign for an unknown token, or one that is not a UUID', async () => {
    for (const id of [randomUUID(), 'x']) {
      await refused(
        await request('GET', '/api/v2/self', {
          headers: signed('GET', '/api/v2/self', '', { ...token, id }),
        }),
      );
    }
  });

  it('signs the compressed bytes of a body', async () => {
    const body = new Uint8Array(gzipSync(randomBytes(200_000)));
    const encoding = { 'content-encoding': 'gzip' };
    const headers = { ...encoding, ...signed('POST', '/api/v2/store', body) };
    expect((await request('POST', '/api/v2/store', { headers, body })).status).toBe(202);
    expect(stored.pop()).toBe(200_000);
  });

  it('streams a body of any size, and nothing is stored unless it matches the signature', async () => {
    const body = new Uint8Array(randomBytes(15_000_000));
    const headers = signed('POST', '/api/v2/store', body);
    expect((await request('POST', '/api/v2/store', { headers, body })).status).toBe(202);
    expect(stored.splice(0)).toEqual([15_000_000]);
    body[14_999_999] ^= 1;
    await refused(await request('POST', '/api/v2/store', { headers, body }));
    expect(stored).toEqual([]);
  });
});
