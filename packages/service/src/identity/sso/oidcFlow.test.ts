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
    [
      'half an answer',
      async (_, response) => {
        response.write('{"id_token":');
        response.destroy();
      },
    ],
  ])('%s', async (_, answer) => {
    answerWith = answer;
    await expect(signIn()).rejects.toBeInstanceOf(SignInError);
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
