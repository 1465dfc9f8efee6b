/** What a hostile or broken OpenID Connect provider sends, and where requests to providers may go. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Database } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ForbiddenAddressError, guardedFetch } from '../../outgoing/guardedFetch.ts';
import { systemClock } from '../clock.ts';
import { addressesOf } from './addresses.ts';
import { SignInAttempts } from './attempts.ts';
import { SignInError } from './claims.ts';
import { OidcFlow, type OidcParts } from './oidcFlow.ts';
import { insertOidc } from './providers.ts';

let database: Database;
let server: Server;
let issuer: string;
let parts: OidcParts;
const flow = new OidcFlow([]);
const { privateKey, publicKey } = await generateKeyPair('RS256');
const otherKey = (await generateKeyPair('RS256')).privateKey;

/** How the provider answers at its token endpoint. */
let answerWith: (nonce: string, response: ServerResponse) => Promise<void>;

beforeAll(async () => {
  database = await startTestDatabase();
  const jwk = { ...(await exportJWK(publicKey)), kid: 'key', alg: 'RS256', use: 'sig' };
  server = createServer(async (request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.url === '/.well-known/openid-configuration') {
      const at = (path: string) => `${issuer}/${path}`;
      response.end(
        JSON.stringify({
          issuer,
          authorization_endpoint: at('authorize'),
          token_endpoint: at('token'),
          jwks_uri: at('jwks'),
          id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
        }),
      );
    } else if (request.url === '/jwks') response.end(JSON.stringify({ keys: [jwk] }));
    else if (request.url === '/token') await answerWith(nonce, response);
    else response.writeHead(404).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { id } = await database.db
    .transaction()
    .execute((transaction) => insertOidc(transaction, { name: 'evil', issuer, client_id: 'clew' }));
  const attempts = new SignInAttempts(database.db, systemClock);
  parts = {
    providerId: id,
    issuer,
    clientId: 'clew',
    tenants: [],
    addresses: addressesOf('https://clew.test', 'evil'),
    attempts,
  };
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await database.close();
});

/** Of the request under way. */
let nonce = '';

async function signIn() {
  const { redirect, state } = await flow.begin(parts);
  const asked = new URL(redirect).searchParams;
  nonce = asked.get('nonce') ?? '';
  expect(asked.get('code_challenge_method')).toBe('S256');
  expect(asked.get('response_mode')).toBe('form_post');
  return flow.end(parts, new URLSearchParams({ code: 'x', state }), state);
}

const claims = (more: JWTPayload = {}): JWTPayload => ({
  iss: issuer,
  aud: 'clew',
  sub: 'someone',
  iat: Math.floor(Date.now() / 1000),
  exp: Math.floor(Date.now() / 1000) + 300,
  nonce,
  email: 'someone@acme.example',
  ...more,
});

const signed = (payload: JWTPayload, key = privateKey, kid = 'key') =>
  new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid }).sign(key);

const unsigned = (header: object, payload: JWTPayload, signature = '') =>
  [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.') +
  `.${signature}`;

function tokens(idToken: () => Promise<string> | string): typeof answerWith {
  return async (_, response) =>
    void response.end(JSON.stringify({ access_token: 'a', token_type: 'Bearer', id_token: await idToken() }));
}

test('a token that is right signs in', async () => {
  answerWith = tokens(() => signed(claims({ roles: ['bh-user', 4], given_name: 'A' })));
  expect(await signIn()).toEqual({
    subject: { issuer, id: 'someone' },
    email: 'someone@acme.example',
    firstName: 'A',
    lastName: undefined,
    roles: ['bh-user'],
  });
});

describe('refused is', () => {
  test.each<readonly [string, typeof answerWith]>([
    ['another audience', tokens(() => signed(claims({ aud: 'other' })))],
    ['another issuer', tokens(() => signed(claims({ iss: 'https://evil.example' })))],
    ['one that has expired', tokens(() => signed(claims({ exp: Math.floor(Date.now() / 1000) - 3600 })))],
    ['another nonce', tokens(() => signed(claims({ nonce: 'other' })))],
    ['no nonce', tokens(() => signed(claims({ nonce: undefined })))],
    ['another key', tokens(() => signed(claims(), otherKey))],
    ['a key that is not known', tokens(() => signed(claims(), privateKey, 'unknown'))],
    ['no signature', tokens(() => unsigned({ alg: 'none' }, claims()))],
    ['no signature, though it names a key', tokens(() => unsigned({ alg: 'RS256', kid: 'key' }, claims()))],
    [
      'the public key as a secret',
      tokens(async () => {
        const secret = Buffer.from(JSON.stringify(await exportJWK(publicKey)));
        return new SignJWT(claims()).setProtectedHeader({ alg: 'HS256', kid: 'key' }).sign(secret);
      }),
    ],
    ['no ID token', async (_, response) => void response.end('{"access_token":"a","token_type":"Bearer"}')],
    ['what is no JSON', async (_, response) => void response.end('<html>')],
    ['an error', async (_, response) => void response.writeHead(400).end('{"error":"invalid_grant"}')],
    [
      'a redirection',
      async (_, response) => void response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
    ],
    [
      'an answer without end',
      async (_, response) => {
        const chunk = randomBytes(64 * 1024);
        const send = (): void => {
          if (response.destroyed) return;
          response.write(chunk, () => setImmediate(send));
        };
        send();
      },
    ],
    ['no subject', tokens(() => signed(claims({ sub: undefined })))],
    ['a subject that is not a text', tokens(() => signed(claims({ sub: 7 as never })))],
    [
      'several audiences without the party it was made for',
      tokens(() => signed(claims({ aud: ['clew', 'other'] }))),
    ],
    ['another party it was made for', tokens(() => signed(claims({ aud: ['clew', 'other'], azp: 'other' })))],
    ['no audience', tokens(() => signed(claims({ aud: undefined })))],
    ['an issuer that only looks alike', tokens(() => signed(claims({ iss: `${issuer}/` })))],
    ['no issuer', tokens(() => signed(claims({ iss: undefined })))],
    ['no end', tokens(() => signed(claims({ exp: undefined })))],
    ['an end that is a text', tokens(() => signed(claims({ exp: '9999999999' as never })))],
    ['no time of issue', tokens(() => signed(claims({ iat: undefined })))],
    [
      'one that is not valid yet',
      tokens(() => signed(claims({ nbf: Math.floor(Date.now() / 1000) + 3600 }))),
    ],
    ['a text for a nonce of another type', tokens(() => signed(claims({ nonce: 7 as never })))],
    ['no address', tokens(() => signed(claims({ email: undefined })))],
    ['an address that is not one', tokens(() => signed(claims({ email: 'someone' })))],
    ['an address with a line break', tokens(() => signed(claims({ email: 'some\none@acme.example' })))],
    ['an address in a list', tokens(() => signed(claims({ email: ['someone@acme.example'] as never })))],
    ['an address that is not verified', tokens(() => signed(claims({ email_verified: false })))],
    ['an address that is verified by a text', tokens(() => signed(claims({ email_verified: 'false' })))],
    ['an address that is verified by a number', tokens(() => signed(claims({ email_verified: 0 })))],
    ['none in another spelling', tokens(() => unsigned({ alg: 'nOnE' }, claims()))],
    ['a signature of zeros', tokens(() => unsigned({ alg: 'RS256', kid: 'key' }, claims(), 'A'.repeat(342)))],
    [
      'a key in its header',
      tokens(async () => {
        const { privateKey: own, publicKey: shown } = await generateKeyPair('RS256');
        return new SignJWT(claims())
          .setProtectedHeader({ alg: 'RS256', jwk: (await exportJWK(shown)) as never })
          .sign(own);
      }),
    ],
    [
      'the address of a key in its header',
      tokens(() =>
        new SignJWT(claims())
          .setProtectedHeader({ alg: 'RS256', jku: 'https://evil.example/jwks' })
          .sign(otherKey),
      ),
    ],
    [
      'an extension that has to be understood',
      tokens(() =>
        new SignJWT(claims())
          .setProtectedHeader({ alg: 'RS256', kid: 'key', crit: ['x'], x: 1 })
          .sign(privateKey, { crit: { x: true } }),
      ),
    ],
    ['four parts', tokens(async () => `${await signed(claims())}.AAAA`)],
    ['two parts', tokens(async () => (await signed(claims())).split('.').slice(0, 2).join('.'))],
    ['claims that are a list', tokens(() => unsigned({ alg: 'RS256', kid: 'key' }, [] as never))],
    [
      'a token of another type',
      async (_, response) =>
        void response.end(
          JSON.stringify({ access_token: 'a', token_type: 'mac', id_token: await signed(claims()) }),
        ),
    ],
    [
      'no type of token',
      async (_, response) =>
        void response.end(JSON.stringify({ access_token: 'a', id_token: await signed(claims()) })),
    ],
    [
      'no access token',
      async (_, response) =>
        void response.end(JSON.stringify({ token_type: 'Bearer', id_token: await signed(claims()) })),
    ],
    [
      'a switch of protocols',
      async (_, response) =>
        void response.socket?.write(
          'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
        ),
    ],
    [
      'half an answer',
      async (_, response) => {
        response.write('{"id_token":');
        response.destroy();
      },
    ],
  ])('%s', async (_, answer) => {
    answerWith = answer;
    const failure = await signIn().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SignInError);
    expect((failure as SignInError).reason).toMatch(/\S{3}/);
  });
});

describe('an issuer that stands for many tenants', () => {
  const ENTRA = 'https://login.microsoftonline.com';
  const [OWN, OTHER] = ['11111111-2222-3333-4444-555555555555', '99999999-2222-3333-4444-555555555555'];
  let tenantNonce = '';
  let tid = OWN;
  /** The other side, as Entra ID answers for `organizations`. */
  const entra = new OidcFlow([], async (address) => {
    const { pathname } = new URL(address);
    const json = (body: unknown) => Response.json(body);
    if (pathname.endsWith('/openid-configuration'))
      return json({
        issuer: `${ENTRA}/{tenantid}/v2.0`,
        authorization_endpoint: `${ENTRA}/organizations/oauth2/v2.0/authorize`,
        token_endpoint: `${ENTRA}/organizations/oauth2/v2.0/token`,
        jwks_uri: `${ENTRA}/organizations/keys`,
        id_token_signing_alg_values_supported: ['RS256'],
      });
    if (pathname.endsWith('/keys'))
      return json({ keys: [{ ...(await exportJWK(publicKey)), kid: 'key', alg: 'RS256', use: 'sig' }] });
    const payload = { ...claims({ tid, iss: `${ENTRA}/${tid}/v2.0` }), nonce: tenantNonce };
    return json({ access_token: 'a', token_type: 'Bearer', id_token: await signed(payload) });
  });
  const enter = async (tenants: readonly string[]) => {
    const own = { ...parts, issuer: `${ENTRA}/organizations/v2.0`, tenants };
    const { redirect, state } = await entra.begin(own);
    tenantNonce = new URL(redirect).searchParams.get('nonce') ?? '';
    return entra.end(own, new URLSearchParams({ code: 'x', state }), state);
  };

  test('is refused without a list of those that may sign in', async () => {
    await expect(enter([])).rejects.toMatchObject({ reason: expect.stringContaining('name the tenants') });
  });

  test('signs in users of these tenants, and no others', async () => {
    tid = OWN;
    expect(await enter([OWN.toUpperCase()])).toMatchObject({
      subject: { issuer: `${ENTRA}/${OWN}/v2.0`, id: 'someone' },
    });
    tid = OTHER;
    await expect(enter([OWN])).rejects.toMatchObject({ reason: `the tenant ${OTHER} may not sign in` });
    tid = '';
    await expect(enter([OWN])).rejects.toBeInstanceOf(SignInError);
  });
});

describe('requests to providers', () => {
  const ask = (
    address: string,
    allowsLoopback = false,
    networks: Parameters<typeof guardedFetch>[2]['networks'] = [],
  ) => guardedFetch(address, {}, { setting: 'CLEW_SSO_NETWORKS' as const, allowsLoopback, networks });

  test.each([
    'http://example.com/',
    'https://127.0.0.1/',
    'https://localhost/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://10.0.0.1/',
    'https://192.168.1.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://100.64.0.1/',
    'https://0.0.0.0/',
    'https://2130706433/',
    'https://[fd00::1]/',
    'https://[fe80::1]/',
    'ftp://example.com/',
  ])('do not go to %s', async (address) => {
    await expect(ask(address)).rejects.toBeInstanceOf(ForbiddenAddressError);
  });

  test('go to this machine when the provider is there, and to networks that are named', async () => {
    const answer = await ask(`${issuer}/.well-known/openid-configuration`, true);
    expect(answer.status).toBe(200);
    await expect(ask(`${issuer}/jwks`)).rejects.toBeInstanceOf(ForbiddenAddressError);
  });

  test('are not redirected', async () => {
    answerWith = async (_, response) => void response.writeHead(302, { location: issuer }).end();
    expect((await ask(`${issuer}/token`, true)).status).toBe(302);
  });
});
