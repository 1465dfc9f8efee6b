/**
 * Tests single sign-on with third-party peers: an OpenID Connect server and a SAML identity provider, and a browser that follows redirects
 * and posts forms.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NOT_DELETED } from '@clew/api';
import type { RunningService } from '@clew/service/testing';
import { startOnTestDatabase } from '@clew/service/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Browser, formOf, type Page } from '../../test/sso/browser.ts';
import { type OidcPeer, startOidcPeer } from '../../test/sso/oidcPeer.ts';
import { type AnswerOptions, makeSamlPeer, type SamlPeer, type SamlUser } from '../../test/sso/samlPeer.ts';

const PASSWORD = 'Correct-Horse-1';
const PUBLIC = 'https://clew.test';

// biome-ignore lint/suspicious/noExplicitAny: answers are held to their contracts by the service itself.
type Json = any;

let directory: string;
let service: RunningService;
let admin: string;
let idp: SamlPeer;
let oidc: OidcPeer;
let count = 0;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clew-sso-'));
  const variables = {
    CLEW_DATA_DIR: join(directory, 'data'),
    CLEW_PORT: '0',
    CLEW_LOG_LEVEL: 'silent',
    CLEW_ADMIN_PASSWORD: PASSWORD,
    CLEW_PUBLIC_URL: PUBLIC,
    CLEW_RATE_LIMIT: '0',
  };
  service = await startOnTestDatabase(variables, { makesPlans: false });
  const login = { login_method: 'secret', username: 'admin', secret: PASSWORD };
  admin = (await call('POST', 'login', login)).json.data.session_token;
  idp = await makeSamlPeer();
  oidc = await startOidcPeer(
    'clew',
    ['acme-oidc', 'renamed'].map((slug) => `${PUBLIC}/api/v2/sso/${slug}/callback`),
  );
});

afterAll(async () => {
  await oidc.stop();
  await service.stop();
  await rm(directory, { recursive: true });
});

async function call(
  method: string,
  path: string,
  body?: unknown,
  token: string | undefined = admin,
): Promise<{ status: number; json: Json; text: string; headers: Headers }> {
  const answer = await fetch(`${service.url}/api/v2/${path}`, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined || body instanceof FormData ? body : JSON.stringify(body),
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type') === 'application/json';
  return {
    status: answer.status,
    json: isJson ? JSON.parse(text) : undefined,
    text,
    headers: answer.headers,
  };
}

const message = ({ json }: { json: Json }): string => json.errors[0].message;

function form(fields: Readonly<Record<string, string | readonly string[]>>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields))
    for (const one of [value].flat())
      if (name === 'metadata') data.append(name, new Blob([one], { type: 'text/xml' }), 'metadata.xml');
      else data.append(name, one);
  return data;
}

const provision = (enabled: boolean, role = 3, byProvider = false) => ({
  'config.auto_provision.enabled': String(enabled),
  'config.auto_provision.default_role_id': String(role),
  'config.auto_provision.role_provision': String(byProvider),
});

const browser = () => new Browser({ [PUBLIC]: service.url });
/** Addresses of all providers in the tests. */
const isAtProvider = (url: URL) => /^(?:idp|new)\.example$/.test(url.hostname);
const isHome = (url: URL) => url.origin === PUBLIC && url.pathname === '/api/v2/docs';

/** The result on the last page: the signed-in user, or the error. */
async function outcome(of: Browser, page: Page): Promise<Json> {
  expect(isHome(page.url)).toBe(true);
  const error = page.url.searchParams.get('error');
  if (error !== null) return { error };
  const token = of.cookie(PUBLIC, 'token');
  return (await call('GET', 'self', undefined, token)).json.data;
}

describe('SAML', () => {
  let id: number;
  let root: string;
  let serviceMetadata: string;

  beforeAll(async () => {
    const created = await call(
      'POST',
      'sso-providers/saml',
      form({ name: 'Acme SAML', metadata: idp.metadata(), ...provision(true, 3, true) }),
    );
    expect(created.status).toBe(200);
    const { data } = created.json;
    root = `${PUBLIC}/api/v2/sso/acme-saml`;
    expect(data).toMatchObject({
      name: 'Acme SAML',
      display_name: 'Acme SAML',
      idp_issuer_uri: idp.entityId,
      idp_sso_uri: `${idp.entityId}/post`,
      principal_attribute_mappings: [],
      sp_issuer_uri: root,
      sp_sso_uri: `${root}/login`,
      sp_metadata_uri: `${root}/metadata`,
      sp_acs_uri: `${root}/callback`,
      deleted_at: NOT_DELETED,
      sso_provider_id: { int32: expect.any(Number), valid: true, Int32: expect.any(Number), Valid: true },
    });
    id = data.sso_provider_id.int32;
    serviceMetadata = (await call('GET', 'sso/acme-saml/metadata', undefined, '')).text;
  });

  /** Signs in like a browser, with an answer to its request. */
  async function signIn(user: SamlUser, options: AnswerOptions = {}, by = idp): Promise<Json> {
    const own = browser();
    const atProvider = await own.open(`${root}/login`, isAtProvider);
    const inResponseTo = await by.readRequest(atProvider.url, serviceMetadata);
    const SAMLResponse = await by.answer(user, serviceMetadata, { inResponseTo, ...options });
    return outcome(own, await own.post(`${root}/callback`, { SAMLResponse }, isHome));
  }

  const post = async (SAMLResponse: string): Promise<Json> => {
    const own = browser();
    return outcome(own, await own.post(`${root}/callback`, { SAMLResponse }, isHome));
  };

  test('creates a user at the first sign-in, and updates the role at the next', async () => {
    const user = { email: 'ada@acme.example', first: 'Ada', last: 'Abel', role: 'BH Auditor' };
    expect(await signIn(user)).toMatchObject({
      principal_name: 'ada@acme.example',
      email_address: 'ada@acme.example',
      first_name: 'Ada',
      last_name: 'Abel',
      roles: [{ name: 'Auditor' }],
      sso_provider_id: id,
      AuthSecret: null,
    });
    expect(await signIn({ ...user, role: 'bh-read-only', first: 'Other' })).toMatchObject({
      first_name: 'Ada',
      roles: [{ name: 'Read-Only' }],
    });
    expect(await signIn({ email: 'bob@acme.example' })).toMatchObject({
      first_name: 'bob@acme.example',
      last_name: 'Last name not found',
      roles: [{ name: 'User' }],
    });
    // An administrator cannot change the role, because the provider sets it.
    const [{ id: userId }] = (await call('GET', 'bloodhound-users?principal_name=eq:ada@acme.example')).json
      .data.users;
    const change = await call('PATCH', `bloodhound-users/${userId}`, { roles: [1] });
    expect([change.status, message(change)]).toEqual([
      400,
      'user attempted to change a role for a SSO Provider with role provision enabled',
    ]);
    const secret = await call('PUT', `bloodhound-users/${userId}/secret`, { secret: PASSWORD });
    expect([secret.status, message(secret)]).toEqual([400, 'Invalid operation, user is SSO']);
  });

  test('accepts responses without a request only if the provider allows them, each once', async () => {
    const unasked = { email: 'carl@acme.example' };
    expect(await post(await idp.answer(unasked, serviceMetadata))).toHaveProperty('error');
    const allow = (value: boolean) =>
      call('PATCH', `sso-providers/${id}`, form({ allow_unsolicited: String(value) }));
    expect((await allow(true)).json.data.allow_unsolicited).toBe(true);
    const SAMLResponse = await idp.answer({ email: 'carl@acme.example' }, serviceMetadata);
    expect(await post(SAMLResponse)).toMatchObject({ principal_name: 'carl@acme.example' });
    expect(await post(SAMLResponse)).toHaveProperty('error');
    // A response to a request is still bound to its browser.
    const inResponseTo = await idp.readRequest(
      (await browser().open(`${root}/login`, isAtProvider)).url,
      serviceMetadata,
    );
    expect(await post(await idp.answer(unasked, serviceMetadata, { inResponseTo }))).toHaveProperty('error');
    expect((await allow(false)).json.data.allow_unsolicited).toBe(false);
  });

  test('sends a form if the provider does not support redirects', async () => {
    const poster = await makeSamlPeer('https://other.example');
    const made = await call(
      'POST',
      'saml/providers',
      form({ name: 'form', metadata: poster.metadata(false) }),
    );
    const page = await browser().open(`${PUBLIC}/api/v2/sso/form/login`);
    expect(page.headers.get('content-security-policy')).toContain('form-action https://other.example;');
    const { action, fields } = formOf(page);
    expect(action.href).toBe('https://other.example/post');
    const own = (await call('GET', 'sso/form/metadata', undefined, '')).text;
    expect(await poster.readPostedRequest(fields, own)).toMatch(/^_[0-9a-f]{40}$/);
    expect((await call('DELETE', `saml/providers/${made.json.data.id}`)).json.data).toEqual({
      affected_user: [],
    });
  });

  test('answers at the previous paths', async () => {
    const to = async (path: string, method = 'GET') => {
      const answer = await fetch(service.url + path, { method, redirect: 'manual' });
      return [answer.status, answer.headers.get('location')];
    };
    for (const version of ['v1', 'v2']) {
      const path = `/api/${version}/login/saml/acme-saml`;
      expect(await to(path)).toEqual([302, '/api/v2/sso/acme-saml/login']);
      expect(await to(`${path}/metadata`)).toEqual([200, null]);
    }
    const acs = await fetch(`${service.url}/api/v2/login/saml/acme-saml/acs`, {
      method: 'POST',
      body: new URLSearchParams({ SAMLResponse: 'x' }),
      redirect: 'manual',
    });
    expect([acs.status, acs.headers.get('location')]).toEqual([307, '/api/v2/sso/acme-saml/callback']);
  });

  test('a response that is too large is refused', async () => {
    const answer = await fetch(`${service.url}/api/v2/sso/acme-saml/callback`, {
      method: 'POST',
      body: new URLSearchParams({ SAMLResponse: 'A'.repeat(600_000) }),
    });
    expect(answer.status).toBe(400);
  });

  test('a changed provider takes effect at once, and a removed one signs in no user', async () => {
    const other = await makeSamlPeer('https://new.example');
    const patch = await call(
      'PATCH',
      `sso-providers/${id}`,
      form({ metadata: other.metadata(), ...provision(false) }),
    );
    expect(patch.json.data).toMatchObject({ idp_issuer_uri: 'https://new.example', name: 'Acme SAML' });
    const ada = { email: 'ada@acme.example' };
    const own = browser();
    const inResponseTo = await other.readRequest(
      (await own.open(`${root}/login`, isAtProvider)).url,
      serviceMetadata,
    );
    const old = await idp.answer(ada, serviceMetadata, { inResponseTo });
    expect(
      await outcome(own, await own.post(`${root}/callback`, { SAMLResponse: old }, isHome)),
    ).toHaveProperty('error');
    expect(await signIn(ada, {}, other)).toMatchObject({ principal_name: 'ada@acme.example' });
    // No more users are created.
    expect(await signIn({ email: 'zoe@acme.example' }, {}, other)).toHaveProperty('error');

    const again = await other.readRequest(
      (await own.open(`${root}/login`, isAtProvider)).url,
      serviceMetadata,
    );
    const SAMLResponse = await other.answer(ada, serviceMetadata, { inResponseTo: again });
    await own.post(`${root}/callback`, { SAMLResponse }, isHome);
    const token = own.cookie(PUBLIC, 'token');
    expect((await call('GET', 'self', undefined, token)).status).toBe(200);
    const removed = await call('DELETE', `sso-providers/${id}`);
    expect(removed.json.data.affected_users.map((user: Json) => user.principal_name)).toEqual(
      expect.arrayContaining(['ada@acme.example', 'bob@acme.example']),
    );
    expect((await call('GET', 'self', undefined, token)).status).toBe(401);
    expect((await fetch(`${service.url}/api/v2/sso/acme-saml/login`, { redirect: 'manual' })).status).toBe(
      404,
    );
  });
});

describe('OpenID Connect', () => {
  let id: number;
  const config = (enabled: boolean, byProvider = true) => ({
    auto_provision: { enabled, default_role_id: 3, role_provision: byProvider },
  });
  const login = `${PUBLIC}/api/v2/sso/acme-oidc/login`;

  beforeAll(async () => {
    const created = await call('POST', 'sso-providers/oidc', {
      name: 'Acme OIDC',
      issuer: oidc.issuer,
      client_id: 'clew',
      config: config(true),
    });
    expect(created.status).toBe(201);
    id = created.json.data.sso_provider_id;
    expect(created.json.data).toMatchObject({ client_id: 'clew', issuer: oidc.issuer });
  });

  beforeEach(() => {
    oidc.subject = `subject ${++count}`;
    oidc.claims = { email: `user${count}@acme.example`, email_verified: true, roles: ['bh-power-user'] };
  });

  /** Up to the final page; over https, the provider answers with a form as requested. */
  async function signIn(
    own = browser(),
    change?: (fields: URLSearchParams) => URLSearchParams,
  ): Promise<Json> {
    const page = await own.open(login, isHome);
    if (isHome(page.url)) return outcome(own, page);
    return outcome(own, await own.submit(page, isHome, change));
  }

  test('creates a user at the first sign-in, and updates the role at the next', async () => {
    const email = 'eva@acme.example';
    oidc.claims = { email, given_name: 'Eva', family_name: 'Ek', roles: ['bh-power-user'] };
    expect(await signIn()).toMatchObject({
      principal_name: email,
      first_name: 'Eva',
      last_name: 'Ek',
      roles: [{ name: 'Power User' }],
      sso_provider_id: id,
    });
    oidc.claims = { ...oidc.claims, roles: ['bh-auditor', 'staff'] };
    expect(await signIn()).toMatchObject({ roles: [{ name: 'Auditor' }] });
    oidc.claims = { preferred_username: email };
    expect(await signIn()).toMatchObject({ principal_name: email, roles: [{ name: 'User' }] });
  });

  test('refuses a user without an address, with an unverified one, or with a password', async () => {
    oidc.claims = { preferred_username: 'no address' };
    expect(await signIn()).toEqual({ error: 'Claims invalid: no valid email address found' });
    oidc.claims = { email: 'x@acme.example', email_verified: false };
    expect(await signIn()).toHaveProperty('error');
    await call('POST', 'bloodhound-users', { principal: 'pw@acme.example', roles: [3], secret: PASSWORD });
    oidc.claims = { email: 'pw@acme.example' };
    expect(await signIn()).toEqual({ error: 'Your user is not allowed, please contact your Administrator' });
  });

  test('binds a user to the subject of its first sign-in, and its address to no other', async () => {
    const email = 'bound@acme.example';
    await call('POST', 'bloodhound-users', {
      principal: email,
      email_address: email,
      roles: [3],
      sso_provider_id: id,
    });
    oidc.subject = 'first';
    oidc.claims = { email, email_verified: true };
    const first = await signIn();
    expect(first).toMatchObject({ principal_name: email });
    // Another account of the provider with the same address.
    oidc.subject = 'second';
    expect(await signIn()).toEqual({ error: 'Your user is not allowed, please contact your Administrator' });
    // The same account with another address, even that of another user.
    oidc.subject = 'first';
    oidc.claims = { email: 'eva@acme.example', email_verified: true };
    expect(await signIn()).toMatchObject({ id: first.id, principal_name: email });
    // After an administrator removes and sets the provider of a user, the user can be linked again.
    const user = `bloodhound-users/${first.id}`;
    expect((await call('PATCH', user, { sso_provider_id: null })).status).toBe(200);
    expect((await call('PATCH', user, { sso_provider_id: id })).status).toBe(200);
    oidc.subject = 'second';
    oidc.claims = { email, email_verified: true };
    expect(await signIn()).toMatchObject({ id: first.id });
  });

  test.each([false, 'false', 'true', 0, 1, null, 'no', []])(
    'refuses an address with the verification status %j',
    async (email_verified) => {
      oidc.claims = { email: `v${count}@acme.example`, email_verified };
      expect(await signIn()).toHaveProperty('error');
    },
  );

  test('refuses answers to no request of this browser', async () => {
    const flip = (name: string, value: string) => (fields: URLSearchParams) => {
      fields.set(name, value);
      return fields;
    };
    expect(await signIn(browser(), flip('state', 'other'))).toEqual({
      error: 'Invalid: `state` do not match',
    });
    expect(await signIn(browser(), flip('code', 'other'))).toHaveProperty('error');
    // The answer of one browser in another.
    const [mine, theirs] = [browser(), browser()];
    const page = await mine.open(login);
    expect(await outcome(theirs, await theirs.submit(page, isHome))).toEqual({
      error: 'Invalid request: `state` is missing',
    });
    // The same answer twice.
    expect(await outcome(mine, await mine.submit(page, isHome))).toHaveProperty('principal_name');
    expect(await outcome(mine, await mine.submit(page, isHome))).toHaveProperty('error');
    const empty = await browser().open(`${PUBLIC}/api/v2/sso/acme-oidc/callback`, isHome);
    expect(empty.url.searchParams.get('error')).toBe(
      'Invalid SSO Provider response: `code` parameter is missing',
    );
  });

  test('is changed only with JSON', async () => {
    const patch = (body: unknown) => call('PATCH', `sso-providers/${id}`, body);
    expect((await patch(form({ name: 'x' }))).status).toBe(400);
    expect((await patch({ issuer: 'no address' })).status).toBe(400);
    expect(
      (
        await patch({
          config: { auto_provision: { enabled: true, default_role_id: 99, role_provision: false } },
        })
      ).status,
    ).toBe(400);
    const listed = async (name: string) => (await call('GET', `sso-providers?name=eq:${name}`)).json.data[0];
    const before = await listed('Acme%20OIDC');
    const changed = (await patch({ name: 'Renamed', config: config(false) })).json.data;
    expect(changed).toMatchObject({ client_id: 'clew' });
    const shown = await listed('Renamed');
    expect(changed.updated_at > before.updated_at).toBe(true);
    expect(shown.created_at).toBe(before.created_at);
    expect(shown).toMatchObject({
      slug: 'renamed',
      type: 'OIDC',
      config: { auto_provision: { enabled: false, default_role_id: 0, role_provision: false } },
    });
    expect((await fetch(`${service.url}/api/v2/sso/acme-oidc/login`, { redirect: 'manual' })).status).toBe(
      404,
    );
    await patch({ name: 'Acme OIDC', config: config(true) });
  });
});

describe('providers', () => {
  const metadata = () => idp.metadata();

  test('have names that are valid in addresses and unique', async () => {
    const first = await call(
      'POST',
      'sso-providers/saml',
      form({ name: 'My IdP', metadata: metadata(), ...provision(false) }),
    );
    expect(first.status).toBe(200);
    for (const [name, status] of [
      ['my-idp', 409],
      ['MY IDP', 409],
      ['a/b', 400],
      ['..', 400],
    ] as const) {
      const answer = await call(
        'POST',
        'sso-providers/saml',
        form({ name, metadata: metadata(), ...provision(false) }),
      );
      expect([name, answer.status]).toEqual([name, status]);
    }
    const list = (await call('GET', 'sso-providers?slug=eq:my-idp')).json.data;
    expect(list).toHaveLength(1);
    // A sign-in page receives names and addresses only.
    const anonymous = (await call('GET', 'sso-providers?slug=eq:my-idp', undefined, '')).json.data;
    expect(Object.keys(anonymous[0]).sort()).toEqual([
      'callback_uri',
      'id',
      'login_uri',
      'name',
      'slug',
      'type',
    ]);
    const certificate = await call('GET', `sso-providers/${list[0].id}/signing-certificate`);
    expect(certificate.text).toMatch(/^-----BEGIN CERTIFICATE-----/);
    expect(certificate.headers.get('content-disposition')).toBe(
      'attachment; filename="my-idp-signing-certificate.pem"',
    );
    expect((await call('DELETE', `sso-providers/${list[0].id}`)).status).toBe(200);
  });

  test.each([
    ['no form', { name: 'x' }, 'the request must be multipart/form-data'],
    ['no name', form({}), 'form is missing "name" parameter'],
    ['two names', form({ name: ['a', 'b'] }), 'expected only one "name" parameter'],
    ['no metadata', form({ name: 'a' }), 'form is missing "metadata" parameter'],
    [
      'no switch',
      form({ name: 'a', metadata: '<a/>' }),
      'form is missing "config.auto_provision.enabled" parameter',
    ],
    [
      'an invalid switch',
      form({ name: 'a', metadata: '<a/>', ...provision(true), 'config.auto_provision.enabled': 'maybe' }),
      '"config.auto_provision.enabled" parameter could not be converted to bool',
    ],
    [
      'a role that is not a number',
      form({ name: 'a', metadata: '<a/>', ...provision(true), 'config.auto_provision.default_role_id': 'x' }),
      '"config.auto_provision.default_role_id" parameter could not be converted to int',
    ],
    [
      'metadata that is not XML',
      form({ name: 'a', metadata: 'hello', ...provision(false) }),
      /^the metadata cannot be used/,
    ],
    [
      'metadata of nobody',
      form({ name: 'a', metadata: '<a/>', ...provision(false) }),
      /describes no identity provider/,
    ],
    [
      'metadata with a document type',
      form({
        name: 'a',
        metadata: '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
        ...provision(false),
      }),
      /document type/,
    ],
  ])('are not created with %s', async (_, body, expected) => {
    const before = (await call('GET', 'sso-providers')).json.data.length;
    const answer = await call('POST', 'sso-providers/saml', body);
    expect([answer.status, message(answer)]).toEqual([
      400,
      typeof expected === 'string' ? expected : expect.stringMatching(expected),
    ]);
    expect((await call('GET', 'sso-providers')).json.data).toHaveLength(before);
  });

  test('that do not exist are 404, however they are named', async () => {
    for (const target of ['sso-providers/4711', 'sso-providers/x'])
      for (const method of ['PATCH', 'DELETE'])
        expect((await call(method, target, method === 'PATCH' ? {} : undefined)).status).toBe(404);
    expect((await call('GET', 'sso-providers/4711/signing-certificate')).status).toBe(404);
    expect((await call('GET', 'sso/none/metadata', undefined, '')).status).toBe(404);
  });

  test('are created and changed with fields in any case', async () => {
    const made = await call(
      'POST',
      'sso-providers/saml',
      form({
        ...{ NAME: 'cased', Metadata: metadata() },
        ...Object.fromEntries(
          Object.entries(provision(true)).map(([name, value]) => [name.toUpperCase(), value]),
        ),
      }),
    );
    expect(made.status).toBe(200);
    const id = made.json.data.sso_provider_id.int32;
    expect((await call('PATCH', `sso-providers/${id}`, form({ Name: 'other case' }))).status).toBe(200);
    const [provider] = (await call('GET', `sso-providers?id=eq:${id}`)).json.data;
    expect([provider.name, provider.config.auto_provision.enabled]).toEqual(['other case', true]);
    await call('DELETE', `sso-providers/${id}`);
  });

  test('with an unknown role or field change nothing', async () => {
    const made = await call(
      'POST',
      'sso-providers/saml',
      form({ name: 'half', metadata: metadata(), ...provision(false) }),
    );
    const id = made.json.data.sso_provider_id.int32;
    for (const body of [
      form({ name: 'other', ...provision(true, 99) }),
      form({ name: 'other', metadata: '<a/>' }),
      form({ name: 'other', color: 'red' }),
      form({ name: 'other', 'config.auto_provision.enabled': 'true' }),
    ])
      expect((await call('PATCH', `sso-providers/${id}`, body)).status).toBe(400);
    expect((await call('GET', `sso-providers?id=eq:${id}`)).json.data[0].name).toBe('half');
    await call('DELETE', `sso-providers/${id}`);
  });
});
