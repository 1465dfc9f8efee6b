/**
 * Sends invalid answers of providers to the whole service: each is refused, signs in no user, and has its reason in the log. Except in
 * attacks on requests, each answers the request of its browser, so that only the attacked part is wrong. The attacks are in
 * `test/sso/attacks`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningService } from '@clew/service/testing';
import { startOnTestDatabase } from '@clew/service/testing';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OIDC_BROWSERS, OIDC_DISCOVERIES } from '../../test/sso/attacks/oidcBrowsers.ts';
import { OIDC_ANSWERS, OIDC_CLAIMS, OIDC_SIGNATURES } from '../../test/sso/attacks/oidcTokens.ts';
import { SAML_ASSERTIONS } from '../../test/sso/attacks/samlAssertions.ts';
import { PUBLIC, type SamlSide } from '../../test/sso/attacks/samlAttack.ts';
import { SAML_DOCUMENTS } from '../../test/sso/attacks/samlDocuments.ts';
import { SAML_REQUESTS } from '../../test/sso/attacks/samlRequests.ts';
import { SAML_SIGNATURES } from '../../test/sso/attacks/samlSignatures.ts';
import { SAML_WRAPPING } from '../../test/sso/attacks/samlWrapping.ts';
import { Browser } from '../../test/sso/browser.ts';
import { type HostileOidc, startHostileOidc, tokensWith } from '../../test/sso/hostileOidc.ts';
import { makeSamlPeer, type SamlPeer } from '../../test/sso/samlPeer.ts';

const PASSWORD = 'Correct-Horse-1';
const SAML = [...SAML_DOCUMENTS, ...SAML_SIGNATURES, ...SAML_WRAPPING, ...SAML_ASSERTIONS, ...SAML_REQUESTS];
const OIDC = [...OIDC_CLAIMS, ...OIDC_SIGNATURES, ...OIDC_ANSWERS];
const MIN_ATTACKS = 100;

let directory: string;
let service: RunningService;
let admin: string;
let idp: SamlPeer;
let evil: SamlPeer;
let oidc: HostileOidc;
let metadata: string;
const logged: string[] = [];
/** Attacks that were refused with a reason in the log. */
const refusedAttacks = new Set<string>();

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clew-sso-attacks-'));
  const variables = {
    ...{ CLEW_DATA_DIR: join(directory, 'data'), CLEW_PORT: '0', CLEW_RATE_LIMIT: '0' },
    ...{ CLEW_ADMIN_PASSWORD: PASSWORD, CLEW_PUBLIC_URL: PUBLIC },
  };
  const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) });
  service = await startOnTestDatabase(variables, { log, makesPlans: false });
  const login = { login_method: 'secret', username: 'admin', secret: PASSWORD };
  admin = (await call('POST', 'login', JSON.stringify(login))).session_token;
  const entity = 'https://idp.example/saml';
  [idp, evil] = [await makeSamlPeer(entity), await makeSamlPeer(entity)];
  await trust('idp', idp);
  await trust('other', await makeSamlPeer('https://idp.example/other'));
  metadata = await (await fetch(`${service.url}/api/v2/sso/idp/metadata`)).text();
  oidc = await startHostileOidc();
  await trustOidc('oidc', oidc.issuer);
  await trustOidc('second', `${oidc.issuer}/second`);
});
afterAll(async () => {
  oidc.stop();
  await service.stop();
  await rm(directory, { recursive: true });
});
beforeEach(() => {
  logged.length = 0;
});

// biome-ignore lint/suspicious/noExplicitAny: answers of several shapes.
async function call(method: string, path: string, body?: string | FormData): Promise<any> {
  const headers = {
    ...(admin && { authorization: `Bearer ${admin}` }),
    ...(typeof body === 'string' && { 'content-type': 'application/json' }),
  };
  const answer = await fetch(`${service.url}/api/v2/${path}`, { method, headers, body });
  const text = await answer.text();
  return text.startsWith('{') ? JSON.parse(text).data : text;
}

async function trust(name: string, peer: SamlPeer): Promise<void> {
  const form = new FormData();
  form.append('name', name);
  form.append('metadata', new Blob([peer.metadata()], { type: 'text/xml' }), 'metadata.xml');
  form.append('config.auto_provision.enabled', 'true');
  form.append('config.auto_provision.default_role_id', '3');
  form.append('config.auto_provision.role_provision', 'true');
  expect(await call('POST', 'sso-providers/saml', form)).toHaveProperty('id');
}

async function trustOidc(name: string, issuer: string): Promise<void> {
  const auto_provision = { enabled: true, default_role_id: 3, role_provision: true };
  const body = { name, issuer, client_id: 'clew', config: { auto_provision } };
  expect(await call('POST', 'sso-providers/oidc', JSON.stringify(body))).toHaveProperty('id');
}

const users = async (): Promise<number> => (await call('GET', 'bloodhound-users')).users.length;
const rootOf = (provider: string): string => `${PUBLIC}/api/v2/sso/${provider}`;
const atProvider = (url: URL): boolean => url.hostname === 'idp.example' || url.pathname === '/authorize';
const atHome = (url: URL): boolean => url.origin === PUBLIC && url.pathname === '/api/v2/docs';
const newBrowser = (): Browser => new Browser({ [PUBLIC]: service.url });

/** Starts a sign-in. @returns the target of the redirect */
const sentTo = async (provider: string, browser: Browser): Promise<URL> =>
  (await browser.open(`${rootOf(provider)}/login`, atProvider)).url;

/** Delivers the answer of a provider. @returns the error that the user sees */
async function bring(
  provider: string,
  browser: Browser,
  fields: Readonly<Record<string, string>>,
): Promise<string | null> {
  const page = await browser.post(`${rootOf(provider)}/callback`, fields, atHome);
  return page.url.searchParams.get('error');
}

/** Checks that an attack was refused, and its reason in the log. */
async function expectRefusal(
  name: string,
  reason: RegExp,
  attack: () => Promise<string | null>,
  message = 'refused a single sign-on',
): Promise<void> {
  const before = await users();
  const error = await attack();
  expect(error).toMatch(/\S/);
  const refusal = logged.map((line) => JSON.parse(line)).findLast(({ msg }) => msg === message);
  expect(refusal?.reason).toMatch(/\S{3}/);
  expect(refusal?.reason).toMatch(reason);
  expect(await users()).toBe(before);
  refusedAttacks.add(name);
}

describe('a SAML provider', () => {
  const requestOf = async (provider: string, browser: Browser): Promise<string> => {
    const url = await sentTo(provider, browser);
    // The request is for another provider, so it is not signed for this one.
    return idp.readRequest(url, metadata).catch(() => '_unreadable');
  };

  async function begin(): Promise<SamlSide> {
    const browser = newBrowser();
    const inResponseTo = await idp.readRequest(await sentTo('idp', browser), metadata);
    return {
      ...{ browser, inResponseTo, idp, evil, metadata },
      begin: (provider, by = newBrowser()) => requestOf(provider, by),
      bring: async (SAMLResponse) => void (await bring('idp', browser, { SAMLResponse })),
    };
  }

  test('signs in with a valid answer', async () => {
    const { browser, inResponseTo } = await begin();
    const SAMLResponse = await idp.answer({ email: 'ann@acme.example' }, metadata, { inResponseTo });
    expect(await bring('idp', browser, { SAMLResponse })).toBeNull();
    expect(browser.cookie(PUBLIC, 'token')).toMatch(/\S/);
  });

  test.each(SAML)('does not sign in with %s', async (name, make, reason) => {
    const side = await begin();
    const SAMLResponse = await make(side);
    await expectRefusal(`SAML: ${name}`, reason, () => bring('idp', side.browser, { SAMLResponse }));
  });

  test('signs in once with an answer that is sent three times at once', async () => {
    const { inResponseTo } = await begin();
    const SAMLResponse = await idp.answer({ email: 'dora@acme.example' }, metadata, { inResponseTo });
    const cookie = `state=${inResponseTo}`;
    const outcomes = await Promise.all(
      [1, 2, 3].map(async () => {
        const answer = await fetch(`${service.url}/api/v2/sso/idp/callback`, {
          ...{ method: 'POST', redirect: 'manual', headers: { cookie } },
          body: new URLSearchParams({ SAMLResponse }),
        });
        return new URL(answer.headers.get('location') ?? '', PUBLIC).searchParams.get('error');
      }),
    );
    expect(outcomes.filter((error) => error === null)).toHaveLength(1);
  });
});

describe('an OpenID Connect provider', () => {
  async function begin(provider = 'oidc', browser = newBrowser()) {
    const asked = (await sentTo(provider, browser)).searchParams;
    expect([asked.get('code_challenge_method'), asked.get('response_mode')]).toEqual(['S256', 'form_post']);
    oidc.nonce = asked.get('nonce') ?? '';
    return { browser, state: asked.get('state') ?? '' };
  }

  const answerWell = async (): Promise<void> => {
    oidc.answer = tokensWith(await oidc.sign(oidc.claims()));
  };

  test.each(OIDC)('does not sign in with %s', async (name, answer, reason) => {
    const { browser, state } = await begin();
    oidc.answer = await answer(oidc);
    await expectRefusal(`OIDC: ${name}`, reason, () => bring('oidc', browser, { code: 'x', state }));
  });

  test('signs in with a valid token', async () => {
    const { browser, state } = await begin();
    await answerWell();
    expect(await bring('oidc', browser, { code: 'x', state })).toBeNull();
    expect(browser.cookie(PUBLIC, 'token')).toMatch(/\S/);
  });

  test.each(OIDC_BROWSERS)('does not sign in a browser with %s', async (name, brought, reason) => {
    const { browser, state } = await begin();
    await answerWell();
    const fields = await brought({
      state,
      other: async () => (await begin()).state,
      elsewhere: async () => (await begin('second', browser)).state,
      bring: async () => expect(await bring('oidc', browser, { code: 'x', state })).toBeNull(),
    });
    await expectRefusal(`browser: ${name}`, reason, () => bring('oidc', browser, fields));
  });

  test('does not sign in a browser without a state', async () => {
    const { state } = await begin();
    const attack = () => bring('oidc', newBrowser(), { code: 'x', state });
    await expectRefusal('browser: no cookie', /`state` is missing/, attack);
  });

  test.each(OIDC_DISCOVERIES)('does not start if its metadata %s', async (name, answer, reason) => {
    const path = `/discovery${refusedAttacks.size}`;
    const issuer = oidc.issuer + path;
    oidc.discoveries.set(path, answer(oidc, issuer));
    const slug = path.slice(1);
    await trustOidc(slug, issuer);
    const attack = async () => {
      const page = await newBrowser().open(`${rootOf(slug)}/login`, (url) => atHome(url) || atProvider(url));
      return page.url.searchParams.get('error');
    };
    await expectRefusal(`discovery: ${name}`, reason, attack, 'cannot start single sign-on');
  });
});

test('are numerous, and each has its reason in the log', () => {
  const known = SAML.length + OIDC.length + OIDC_BROWSERS.length + 1 + OIDC_DISCOVERIES.length;
  expect(known).toBeGreaterThanOrEqual(MIN_ATTACKS);
  expect(refusedAttacks.size).toBe(known);
});
