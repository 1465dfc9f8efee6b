/** Tests the processing of the claims of an OpenID Connect provider, which tenants may sign in, and where requests to providers may go. */

import { guardedFetch } from '@clew/common';
import { ForbiddenAddressError } from '@clew/common/testing';
import type { Database } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HostileOidc, startHostileOidc, tokensWith } from '../../test/sso/hostileOidc.ts';
import { systemClock } from '../clock.ts';
import { addressesOf } from './addresses.ts';
import { SignInAttempts } from './attempts.ts';
import { SignInError } from './claims.ts';
import { OidcFlow, type OidcParts } from './oidcFlow.ts';
import { insertOidc } from './providers.ts';

let database: Database;
let peer: HostileOidc;
let parts: OidcParts;
const flow = new OidcFlow([]);

beforeAll(async () => {
  database = await startTestDatabase();
  peer = await startHostileOidc();
  const { issuer } = peer;
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
  peer.stop();
  await database.close();
});

// Refused tokens are in `ssoAttacks.slow.test.ts`.
test('a valid token signs in', async () => {
  const { redirect, state } = await flow.begin(parts);
  peer.nonce = new URL(redirect).searchParams.get('nonce') ?? '';
  peer.answer = tokensWith(await peer.sign(peer.claims({ roles: ['bh-user', 4], given_name: 'A' })));
  expect(await flow.end(parts, new URLSearchParams({ code: 'x', state }), state)).toEqual({
    subject: { issuer: peer.issuer, id: 'someone' },
    email: 'someone@acme.example',
    firstName: 'A',
    lastName: undefined,
    roles: ['bh-user'],
  });
});

describe('an issuer for many tenants', () => {
  const ENTRA = 'https://login.microsoftonline.com';
  const [OWN, OTHER] = ['11111111-2222-3333-4444-555555555555', '99999999-2222-3333-4444-555555555555'];
  let tenantNonce = '';
  let tid = OWN;
  /** Answers like Entra ID for `organizations`. */
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
    if (pathname.endsWith('/keys')) return json({ keys: [peer.jwk] });
    const payload = { ...peer.claims({ tid, iss: `${ENTRA}/${tid}/v2.0` }), nonce: tenantNonce };
    return json({ access_token: 'a', token_type: 'Bearer', id_token: await peer.sign(payload) });
  });
  const enter = async (tenants: readonly string[]) => {
    const own = { ...parts, issuer: `${ENTRA}/organizations/v2.0`, tenants };
    const { redirect, state } = await entra.begin(own);
    tenantNonce = new URL(redirect).searchParams.get('nonce') ?? '';
    return entra.end(own, new URLSearchParams({ code: 'x', state }), state);
  };

  test('is refused without a list of permitted tenants', async () => {
    await expect(enter([])).rejects.toMatchObject({ reason: expect.stringContaining('list the tenants') });
  });

  test('signs in users of these tenants only', async () => {
    tid = OWN;
    expect(await enter([OWN.toUpperCase()])).toMatchObject({
      subject: { issuer: `${ENTRA}/${OWN}/v2.0`, id: 'someone' },
    });
    tid = OTHER;
    await expect(enter([OWN])).rejects.toMatchObject({ reason: `the tenant ${OTHER} cannot sign in` });
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
  ])('are not sent to %s', async (address) => {
    await expect(ask(address)).rejects.toBeInstanceOf(ForbiddenAddressError);
  });

  test('are sent to this machine if the provider runs there, and to configured networks', async () => {
    const answer = await ask(`${peer.issuer}/.well-known/openid-configuration`, true);
    expect(answer.status).toBe(200);
    await expect(ask(`${peer.issuer}/jwks`)).rejects.toBeInstanceOf(ForbiddenAddressError);
  });

  test('do not follow redirects', async () => {
    peer.answer = (response) => void response.writeHead(302, { location: peer.issuer }).end();
    expect((await ask(`${peer.issuer}/token`, true)).status).toBe(302);
  });
});
