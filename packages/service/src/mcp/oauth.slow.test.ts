/**
 * Signing in by browser at a running service: the official client with its own OAuth, a browser that signs in over HTTP and decides, and
 * everything that can be wrong in it.
 */
import { createHash } from 'node:crypto';
import { newClient, REVISION_MODES } from '@clew/mcp/testing';
import {
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MARKS, markedFile, signsOf } from '../../test/markedEnvironments.ts';
import { ServiceUnderTest } from '../../test/serviceUnderTest.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are held to their contracts by the service under test.
type Json = any;

const REDIRECT = 'http://127.0.0.1:33418/callback';
const REDIRECT_OF_NAME = 'http://localhost:33418/callback';
let test: ServiceUnderTest;
let url: URL;

beforeAll(async () => {
  test = await ServiceUnderTest.start();
  url = new URL('/api/v2/mcp', test.service.url);
  await test.upload(markedFile());
  await test.settled();
  await test.addUser('NORTH', 'User', [MARKS.NORTH.id]);
}, 200_000);
afterAll(() => test.stop());

/** A browser opens the address: the user signs in and decides. */
async function browse(user: string, address: URL, approved = true): Promise<URL> {
  expect(address.href.startsWith(`${test.service.url}/ui/authorize?`)).toBe(true);
  const decided = { ...Object.fromEntries(address.searchParams), approved };
  const { status, json } = await test.as(user, 'POST', 'oauth/decisions', decided);
  expect([status, status === 200 ? '' : json]).toEqual([200, '']);
  return new URL(json.data.redirect_to);
}

class Assistant implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT;
  readonly clientMetadata = {
    client_name: 'Test Assistant',
    redirect_uris: [REDIRECT],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  };
  asked: URL | undefined;
  stored: OAuthTokens | undefined;
  #client: OAuthClientInformationMixed | undefined;
  #verifier = '';
  #discovered: OAuthDiscoveryState | undefined;
  state = () => 'state-of-test';
  clientInformation = () => this.#client;
  saveClientInformation = (client: OAuthClientInformationMixed) => {
    this.#client = client;
  };
  tokens = () => this.stored;
  saveTokens = (tokens: OAuthTokens) => {
    this.stored = tokens;
  };
  redirectToAuthorization = (address: URL) => {
    this.asked = address;
  };
  saveCodeVerifier = (verifier: string) => {
    this.#verifier = verifier;
  };
  codeVerifier = () => this.#verifier;
  saveDiscoveryState = (state: OAuthDiscoveryState) => {
    this.#discovered = state;
  };
  discoveryState = () => this.#discovered;
  invalidateCredentials = () => {
    this.stored = undefined;
  };
}

const transportOf = (authProvider: Assistant) => new StreamableHTTPClientTransport(url, { authProvider });
const clientOf = async (assistant: Assistant, mode: (typeof REVISION_MODES)[number] = 'auto') => {
  const client = newClient(mode);
  await client.connect(transportOf(assistant));
  return client;
};

async function signedIn(user: string, mode: (typeof REVISION_MODES)[number] = 'auto'): Promise<Assistant> {
  const assistant = new Assistant();
  const transport = transportOf(assistant);
  await expect(newClient(mode).connect(transport)).rejects.toThrow(UnauthorizedError);
  const back = await browse(user, assistant.asked as URL);
  expect(back.searchParams.get('state')).toBe('state-of-test');
  expect(back.searchParams.get('iss')).toBe(test.service.url);
  // The client refuses a code whose issuer is another one, or none.
  const mixedUp = new URLSearchParams({
    ...Object.fromEntries(back.searchParams),
    iss: 'https://evil.example',
  });
  await expect(transport.finishAuth(mixedUp)).rejects.toThrow(/issuer/i);
  await transport.finishAuth(back.searchParams);
  return assistant;
}

describe('the official client', () => {
  it('is listed with its uses to the user, who ends it; no other user sees or ends it', async () => {
    const assistant = await signedIn('NORTH');
    const id = (await test.as('NORTH', 'GET', 'self')).json.data.id;
    const own = `bloodhound-users/${id}/assistants`;
    const listed = async (): Promise<Json[]> => (await test.as('NORTH', 'GET', own)).json.data.assistants;
    const before = await listed();
    expect(before[0]).toMatchObject({
      client_name: 'Test Assistant',
      redirect_uri: REDIRECT,
      last_used_at: null,
    });
    expect(Date.parse(before[0].expires_at) - Date.parse(before[0].created_at)).toBe(90 * 24 * 3600_000);
    expect(Object.keys(before[0]).sort()).toEqual([
      'client_name',
      'created_at',
      'expires_at',
      'id',
      'last_used_at',
      'redirect_uri',
    ]);
    const client = await clientOf(assistant);
    expect(Date.now() - Date.parse((await listed())[0].last_used_at)).toBeLessThan(60_000);
    await test.addUser('STRANGER', 'User', []);
    const one = `${own}/${before[0].id}`;
    expect((await test.as('STRANGER', 'GET', own)).status).toBe(403);
    expect((await test.as('STRANGER', 'DELETE', one)).status).toBe(403);
    const stranger = (await test.as('STRANGER', 'GET', 'self')).json.data.id;
    expect(
      (await test.as('STRANGER', 'DELETE', `bloodhound-users/${stranger}/assistants/${before[0].id}`)).status,
    ).toBe(404);
    expect((await client.callTool({ name: 'ping', arguments: {} })).isError).not.toBe(true);
    expect((await test.as('NORTH', 'DELETE', one)).status).toBe(200);
    expect((await test.as('NORTH', 'DELETE', one)).status).toBe(404);
    expect((await listed()).map((grant) => grant.id)).not.toContain(before[0].id);
    await expect(client.callTool({ name: 'ping', arguments: {} })).rejects.toThrow();
    const logs: Json[] = (await test.data('GET', 'audit?action=eq:EndUserAssistant')).logs;
    expect(logs[0]).toMatchObject({ actor_name: 'NORTH', fields: { client_name: 'Test Assistant' } });
  });

  it.each(REVISION_MODES)(
    'finds out where to sign in, signs in by browser, and asks for the user, beginning with %s',
    async (mode) => {
      const assistant = await signedIn('NORTH', mode);
      const client = await clientOf(assistant, mode);
      const { content } = await client.callTool({
        name: 'search_objects',
        arguments: { text: 'MARK', limit: 50 },
      });
      const text = JSON.stringify(content);
      expect(text).toContain(MARKS.NORTH.word);
      for (const sign of [...signsOf('SOUTH'), ...signsOf('CLOUD')]) expect(text).not.toContain(sign);
      expect((await client.listPrompts()).prompts.length).toBeGreaterThan(3);
      // Its access token is over: it gets another by itself.
      const before = assistant.stored as OAuthTokens;
      await test.database.pool.query(
        "update oauth_token set expires_at = now() - interval '1 minute' where kind = 'access'",
      );
      await new Promise((resolve) => setTimeout(resolve, 1_100));
      expect((await client.callTool({ name: 'ping', arguments: {} })).isError).not.toBe(true);
      expect(assistant.stored?.access_token).not.toBe(before.access_token);
      expect(assistant.stored?.refresh_token).not.toBe(before.refresh_token);
      await client.close();
    },
  );

  it('its tokens are good for nothing else, and end with the sessions of the user', async () => {
    const assistant = await signedIn('NORTH');
    const { access_token } = assistant.stored as OAuthTokens;
    const ask = (path: string, method = 'GET', body?: object) =>
      fetch(new URL(path, test.service.url), {
        ...{ method, body: body && JSON.stringify(body) },
        headers: {
          ...{ authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
        },
      });
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    expect((await ask('/api/v2/mcp', 'POST', ping)).status).toBe(200);
    expect((await ask('/api/v2/self')).status).toBe(401);
    expect((await ask('/api/v2/tokens', 'POST', { token_name: 'x' })).status).toBe(401);
    expect((await ask('/api/v2/oauth/decisions', 'POST', {})).status).toBe(401);
    const { id } = (await test.as('NORTH', 'GET', 'self')).json.data;
    expect((await test.call('DELETE', `bloodhound-users/${id}/sessions`)).status).toBeLessThan(300);
    expect((await ask('/api/v2/mcp', 'POST', ping)).status).toBe(401);
    await test.signIn('NORTH');
  });
});

describe('hostile requests', () => {
  const post = async (path: string, body: string | URLSearchParams, headers: Record<string, string> = {}) => {
    const answer = await fetch(new URL(path, test.service.url), { method: 'POST', body, headers });
    const text = await answer.text();
    return { status: answer.status, json: (text.startsWith('{') ? JSON.parse(text) : text) as Json };
  };
  const register = (body: object) =>
    post('/api/v2/oauth/register', JSON.stringify(body), { 'content-type': 'application/json' });
  const exchange = (fields: Record<string, string>) =>
    post('/api/v2/oauth/token', new URLSearchParams(fields));
  const VERIFIER = 'a-verifier-of-forty-three-characters-or-more';
  const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

  let client_id: string;
  beforeAll(async () => {
    const redirect_uris = [REDIRECT, REDIRECT_OF_NAME];
    client_id = (await register({ client_name: 'A <b>name</b>', redirect_uris })).json.client_id;
  });
  const request = (more: object = {}) => ({
    ...{ response_type: 'code', client_id, redirect_uri: REDIRECT, state: 's' },
    ...{ code_challenge: CHALLENGE, code_challenge_method: 'S256', resource: url.href },
    ...more,
  });
  const decide = (more: object) => test.as('NORTH', 'POST', 'oauth/decisions', request(more));
  const codeOf = async (): Promise<string> =>
    new URL((await decide({ approved: true })).json.data.redirect_to).searchParams.get('code') as string;

  it.each([
    ['http://assistant.example/'],
    ['http://localhost.evil.example/'],
    ['http://localhost@evil.example/'],
    ['javascript:alert(1)'],
    ['https://assistant.example/#x'],
    ['cursor://callback'],
  ])('registers no client with the address %s', async (uri) => {
    const { status, json } = await register({ redirect_uris: [REDIRECT, uri] });
    expect([status, json.error]).toEqual([400, 'invalid_redirect_uri']);
  });

  it('registers nothing of a wrong shape or size', async () => {
    for (const body of [
      {},
      { redirect_uris: [] },
      { redirect_uris: 'x' },
      { redirect_uris: Array(11).fill(REDIRECT) },
    ])
      expect((await register(body)).status).toBe(400);
    expect((await register({ redirect_uris: [REDIRECT], client_name: 'x'.repeat(201) })).status).toBe(400);
    expect((await register({ redirect_uris: [`https://a.example/${'x'.repeat(2_000)}`] })).status).toBe(400);
    expect((await register({ redirect_uris: [REDIRECT], more: 'x'.repeat(1_100_000) })).status).toBe(400);
  });

  it.each([
    ['another client', { client_id: '00000000-0000-4000-8000-000000000000' }],
    ['a client that is none', { client_id: "' or true --" }],
    ['an address that only begins the same', { redirect_uri: `${REDIRECT}/more` }],
    ['an address in another case', { redirect_uri: REDIRECT.replace('callback', 'Callback') }],
    ['a port that is none', { redirect_uri: REDIRECT.replace('33418', '99999') }],
    ['another loopback address', { redirect_uri: REDIRECT.replace('127.0.0.1', '127.0.0.2') }],
    ['another port of a name', { redirect_uri: REDIRECT_OF_NAME.replace('33418', '33419') }],
    ['an address of another site', { redirect_uri: 'https://evil.example/' }],
    ['no PKCE', { code_challenge: undefined }],
    ['a plain challenge', { code_challenge_method: 'plain' }],
    ['a challenge that is none', { code_challenge: 'x' }],
    ['a token in the address', { response_type: 'token' }],
    ['another resource', { resource: 'https://other.example/api/v2/mcp' }],
  ])('never sends a browser anywhere for a request with %s', async (_, more) => {
    for (const approved of [undefined, true, false]) {
      const { status, json } = await decide({ ...more, approved });
      expect([status, JSON.stringify(json)]).toEqual([400, expect.not.stringContaining('redirect_to')]);
    }
  });

  it('shows who asks before the decision, and takes back a refusal', async () => {
    const { data } = (await decide({})).json;
    expect(data).toEqual({ client_name: 'A <b>name</b>', redirect_uri: REDIRECT, redirect_to: null });
    const refused = new URL((await decide({ approved: false })).json.data.redirect_to);
    expect(Object.fromEntries(refused.searchParams)).toEqual({
      ...{ error: 'access_denied', state: 's', iss: test.service.url },
    });
  });

  it('no one decides without a session: neither strangers nor tokens', async () => {
    const body = JSON.stringify(request({ approved: true }));
    const headers = { 'content-type': 'application/json' };
    expect((await post('/api/v2/oauth/decisions', body, headers)).status).toBe(401);
    const { id, key } = (await test.as('NORTH', 'POST', 'tokens', { token_name: 'x' })).json.data;
    const authorization = `Bearer ${id}.${key}`;
    expect((await post('/api/v2/oauth/decisions', body, { ...headers, authorization })).status).toBe(401);
  });

  it.each([
    ['another verifier', { code_verifier: 'b'.repeat(43) }],
    ['no verifier', { code_verifier: '' }],
    ['the challenge', { code_verifier: CHALLENGE }],
    ['another address', { redirect_uri: `${REDIRECT}?` }],
  ])('a code with %s gives nothing, and neither does the right request after it', async (_, wrong) => {
    const right = {
      ...{ grant_type: 'authorization_code', client_id, code: await codeOf() },
      ...{ redirect_uri: REDIRECT, code_verifier: VERIFIER, resource: url.href },
    };
    for (const fields of [{ ...right, ...wrong }, right])
      expect(await exchange(fields)).toMatchObject({ status: 400, json: { error: 'invalid_grant' } });
  });

  it('a program may listen on another port, and exchanges the code with the address that got it', async () => {
    const redirect_uri = REDIRECT.replace('33418', '33419');
    const codeOfPort = async () => {
      const { status, json } = await decide({ approved: true, redirect_uri });
      expect([status, json.data.redirect_to]).toEqual([
        200,
        expect.stringMatching(`^${redirect_uri}\\?code=`),
      ]);
      return new URL(json.data.redirect_to).searchParams.get('code') as string;
    };
    const right = { grant_type: 'authorization_code', client_id, code_verifier: VERIFIER, redirect_uri };
    expect((await exchange({ ...right, code: await codeOfPort() })).status).toBe(200);
    const registered = { ...right, code: await codeOfPort(), redirect_uri: REDIRECT };
    expect((await exchange(registered)).json.error).toBe('invalid_grant');
  });

  it('a code is good once, and its second use ends its tokens; the audit log knows', async () => {
    const right = {
      ...{ grant_type: 'authorization_code', client_id, code: await codeOf() },
      ...{ redirect_uri: REDIRECT, code_verifier: VERIFIER },
    };
    const { status, json } = await exchange(right);
    expect([status, json.token_type, json.expires_in]).toEqual([200, 'Bearer', 900]);
    expect((await exchange(right)).json.error).toBe('invalid_grant');
    const refresh = { grant_type: 'refresh_token', client_id, refresh_token: json.refresh_token };
    expect((await exchange(refresh)).json.error).toBe('invalid_grant');
    const { rows } = await test.database.pool.query(
      "select action, status, fields::text from audit_log where action ~ 'OAuth' order by id",
    );
    const known = rows.map((row) => `${row.action} ${row.status}`);
    for (const action of ['RegisterOAuthClient', 'ApproveOAuthClient', 'RefuseOAuthClient'])
      expect(known).toContain(`${action} success`);
    expect(known).toContain('ExchangeOAuthToken failure');
    const said = JSON.stringify(rows);
    for (const secret of [right.code, json.access_token, json.refresh_token])
      expect(said).not.toContain(secret);
  });

  it('unknown codes and tokens leave nothing in the audit log', async () => {
    const count = async () =>
      (await test.database.pool.query('select count(*)::integer as count from audit_log')).rows[0].count;
    const before = await count();
    for (let guess = 0; guess < 5; guess++) {
      const code = { grant_type: 'authorization_code', client_id, code: `guess-${guess}` };
      expect((await exchange(code)).json.error).toBe('invalid_grant');
      const refresh = { grant_type: 'refresh_token', client_id, refresh_token: `guess-${guess}` };
      expect((await exchange(refresh)).json.error).toBe('invalid_grant');
      expect((await post('/api/v2/oauth/revoke', new URLSearchParams({ token: 'guess' }))).status).toBe(200);
    }
    expect(await count()).toBe(before);
  });

  it('a token that is revoked ends with all others, and an unknown one is ignored', async () => {
    const { json } = await exchange({
      ...{ grant_type: 'authorization_code', client_id, code: await codeOf() },
      ...{ redirect_uri: REDIRECT, code_verifier: VERIFIER },
    });
    const revoke = (token: string) => post('/api/v2/oauth/revoke', new URLSearchParams({ token }));
    expect((await revoke('unknown')).status).toBe(200);
    expect((await revoke(json.refresh_token)).status).toBe(200);
    const authorization = `Bearer ${json.access_token}`;
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    expect(
      (await post('/api/v2/mcp', ping, { authorization, 'content-type': 'application/json' })).status,
    ).toBe(401);
    expect((await post('/api/v2/oauth/revoke', new URLSearchParams())).json.error).toBe('invalid_request');
  });

  it('other requests for tokens are refused in the words of the standard', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await exchange({})).json.error).toBe('unsupported_grant_type');
    expect((await exchange({ grant_type: 'password', client_id })).json.error).toBe('unsupported_grant_type');
    const code = { grant_type: 'authorization_code', code: 'x' };
    expect((await exchange(code)).json.error).toBe('invalid_client');
    expect((await exchange({ ...code, client_id, resource: 'https://other.example' })).json.error).toBe(
      'invalid_target',
    );
    expect((await post('/api/v2/oauth/token', 'grant_type=a&grant_type=b', form)).json.error).toBe(
      'invalid_request',
    );
    expect((await post('/api/v2/oauth/token', 'x'.repeat(70_000), form)).status).toBe(400);
    expect((await post('/api/v2/oauth/token', '{}', { 'content-type': 'application/json' })).status).toBe(
      400,
    );
  });

  it('says where to sign in, in the answer without credentials and in both documents', async () => {
    const base = test.service.url;
    const place = `${base}/.well-known/oauth-protected-resource/api/v2/mcp`;
    const answer = await fetch(url, { method: 'POST', body: '{}' });
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer realm="clew", resource_metadata="${place}"`,
    ]);
    const resource: Json = await (await fetch(place)).json();
    expect(resource).toMatchObject({ resource: url.href, authorization_servers: [base] });
    const server: Json = await (await fetch(`${base}/.well-known/oauth-authorization-server`)).json();
    expect(server).toMatchObject({ issuer: base, code_challenge_methods_supported: ['S256'] });
    // Another name of the service is believed only where it is configured.
    const { status } = await new Promise<{ status: number }>((resolve) => {
      import('node:http').then(({ get }) =>
        get(place, { headers: { host: 'evil.example' } }, (reply) =>
          resolve({ status: reply.statusCode ?? 0 }),
        ),
      );
    });
    expect(status).toBe(409);
  });
});
