/**
 * Answers of a SAML provider that prove nothing: each is refused, signs no user in, and has its reason in the log. All but those
 * about requests answer the request of the browser that brings them, so that nothing but the attack is wrong.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../config/config.ts';
import type { RunningService } from '../../main.ts';
import { startTested } from '../../testing/startTested.ts';
import { Browser } from './testing/browser.ts';
import { type AnswerOptions, makeSamlPeer, type SamlPeer } from './testing/samlPeer.ts';

const PASSWORD = 'Correct-Horse-1';
const PUBLIC = 'https://clew.test';
const ROOT = `${PUBLIC}/api/v2/sso/idp`;
const ENTITY = 'https://idp.example/saml';
const MALLORY = { email: 'mallory@acme.example', role: 'bh-administrator' };
const EVE = { email: 'eve@acme.example' };

let directory: string;
let service: RunningService;
let admin: string;
let idp: SamlPeer;
let evil: SamlPeer;
let metadata: string;
const logged: string[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clew-saml-'));
  const config = readConfig({
    ...{ CLEW_DATA_DIR: join(directory, 'data'), CLEW_PORT: '0', CLEW_RATE_LIMIT: '0' },
    ...{ CLEW_ADMIN_PASSWORD: PASSWORD, CLEW_PUBLIC_URL: PUBLIC },
  });
  const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) });
  service = await startTested(config, { log });
  const login = { login_method: 'secret', username: 'admin', secret: PASSWORD };
  admin = (await call('POST', 'login', JSON.stringify(login))).session_token;
  [idp, evil] = [await makeSamlPeer(ENTITY), await makeSamlPeer(ENTITY)];
  await trust('idp', idp);
  await trust('other', await makeSamlPeer('https://idp.example/other'));
  metadata = await (await fetch(`${service.url}/api/v2/sso/idp/metadata`)).text();
});
afterAll(async () => {
  await service.stop();
  await rm(directory, { recursive: true });
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

const users = async (): Promise<number> => (await call('GET', 'bloodhound-users')).users.length;
const atProvider = (url: URL): boolean => url.hostname === 'idp.example';
const atHome = (url: URL): boolean => url.origin === PUBLIC && url.pathname === '/api/v2/docs';

const decoded = (response: string): string => Buffer.from(response, 'base64').toString();
const encoded = (xml: string): string => Buffer.from(xml).toString('base64');

/** What an attack has to work with: the request of the browser that will bring the answer. */
interface Request {
  readonly inResponseTo: string;
  readonly browser: Browser;
}
type Attack = (request: Request) => Promise<string>;

const answerWith =
  (options: AnswerOptions, user = MALLORY, by = () => idp): Attack =>
  ({ inResponseTo }) =>
    by().answer(user, metadata, { inResponseTo, ...options });

/** Changes what was signed. */
const tamper =
  (change: (xml: string) => string, user: typeof EVE = EVE): Attack =>
  async ({ inResponseTo }) => {
    const xml = decoded(await idp.answer(user, metadata, { inResponseTo }));
    const changed = change(xml);
    expect(changed, 'the attack changes something').not.toBe(xml);
    return encoded(changed);
  };

/** Is signed like this by the provider itself. */
const signed = (change: (template: string) => string): Attack =>
  answerWith({
    change: (template) => {
      const changed = change(template);
      expect(changed, 'the attack changes something').not.toBe(template);
      return changed;
    },
  });

const SIGNATURE = /<ds:Signature[\s\S]*<\/ds:Signature>/;
const ASSERTION = /<saml:Assertion[\s\S]*<\/saml:Assertion>/;
const assertionOf = (xml: string): string => ASSERTION.exec(xml)?.[0] ?? '';
const forgedOf = (xml: string): string =>
  assertionOf(xml)
    .replace(SIGNATURE, '')
    .replace(/ID="[^"]+"/, 'ID="_forged"')
    .replaceAll('eve@', 'mal@');
const statusOf = (value: string) => (xml: string) =>
  xml.replace('urn:oasis:names:tc:SAML:2.0:status:Success', value);
const STATUS = 'urn:oasis:names:tc:SAML:2.0:status:';
const method = (name: 'SignatureMethod' | 'DigestMethod', algorithm: string) => (xml: string) =>
  xml.replace(new RegExp(`(<ds:${name} Algorithm=")[^"]+`), `$1${algorithm}`);

const ATTACKS: readonly (readonly [string, Attack, RegExp])[] = [
  // What is not an answer.
  ['nothing', async () => '', /refused|SAMLResponse|empty|no XML/i],
  ['what is not base64', async () => '%%%', /refused/],
  ['what is not XML', async () => encoded('hello'), /no XML|refused/],
  ['an empty element', async () => encoded('<a/>'), /not a response/],
  ['a page', async () => encoded('<!doctype html><p>hello</p>'), /document type/],
  ['half an answer', tamper((xml) => xml.slice(0, xml.length / 2)), /refused/],
  ['two documents', tamper((xml) => xml + xml), /refused/],
  [
    'bytes that are not UTF-8',
    async () => Buffer.from([0xff, 0xfe, 0x3c, 0x61]).toString('base64'),
    /refused/,
  ],
  ['UTF-16', tamperBytes((xml) => Buffer.from(`\ufeff${xml}`, 'utf16le')), /refused/],
  ['a zero byte', tamper((xml) => xml.replace('eve@', 'e\0ve@')), /refused|signature/i],
  ['a deep document', async () => encoded('<a>'.repeat(60_000)), /nested too deep/],
  [
    'many attributes',
    async () => encoded(`<a ${Array.from({ length: 9_000 }, (_, at) => `b${at}=""`).join(' ')}/>`),
    /not a response/,
  ],
  [
    'a logout response',
    tamper((xml) => xml.replaceAll('samlp:Response', 'samlp:LogoutResponse')),
    /not a response/,
  ],
  ['the assertion alone', tamper(assertionOf), /not a response|refused/],
  [
    'an answer of SAML 1.1',
    tamper((xml) => xml.replaceAll('SAML:2.0:protocol', 'SAML:1.0:protocol')),
    /not a response/,
  ],
  // Document types and entities.
  [
    'an external entity',
    tamper((xml) => `<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>${xml}`),
    /document type/,
  ],
  [
    'a parameter entity',
    tamper((xml) => `<!DOCTYPE r [<!ENTITY % x SYSTEM "http://127.0.0.1/"> %x;]>${xml}`),
    /document type/,
  ],
  [
    'entities that grow',
    async () =>
      encoded(
        `<!DOCTYPE r [<!ENTITY a "ha">${Array.from({ length: 20 }, (_, at) => `<!ENTITY a${at} "${'&a;'.repeat(50)}">`).join('')}]><r>&a19;</r>`,
      ),
    /document type/,
  ],
  [
    'an entity for a name',
    tamper((xml) =>
      xml
        .replace('<samlp:Response', '<!DOCTYPE a [<!ENTITY n "mal">]><samlp:Response')
        .replaceAll('eve@', '&n;@'),
    ),
    /document type/,
  ],
  ['an unknown entity', tamper((xml) => xml.replace('eve@', '&nobody;eve@')), /refused|signature/i],
  ['a lower-case document type', tamper((xml) => `<!doctype r>${xml}`), /document type/],
  // Status.
  ['a status of failure by the requester', signed(statusOf(`${STATUS}Requester`)), /status is .*Requester/],
  ['a status of failure by the responder', signed(statusOf(`${STATUS}Responder`)), /status is .*Responder/],
  ['a status of failed authentication', signed(statusOf(`${STATUS}AuthnFailed`)), /status is/],
  ['an empty status', signed(statusOf('')), /status is missing/],
  ['no status', signed((xml) => xml.replace(/<samlp:Status>.*<\/samlp:Status>/, '')), /status is missing/],
  [
    'a failure around a success',
    signed((xml) =>
      xml.replace(
        /<samlp:StatusCode [^>]*\/>/,
        `<samlp:StatusCode Value="${STATUS}Responder"><samlp:StatusCode Value="${STATUS}Success"/></samlp:StatusCode>`,
      ),
    ),
    /status is .*Responder/,
  ],
  ['a status that only looks like success', signed(statusOf(`${STATUS}success`)), /status is/],
  // Signatures.
  ['no signature', tamper((xml) => xml.replace(SIGNATURE, '')), /signature/i],
  [
    'an empty signature',
    tamper((xml) => xml.replace(/<ds:SignatureValue>[^<]*/, '<ds:SignatureValue>')),
    /signature/i,
  ],
  [
    'another signature value',
    tamper((xml) =>
      xml.replace(/<ds:SignatureValue>(.)/, (_, first) => `<ds:SignatureValue>${first === 'A' ? 'B' : 'A'}`),
    ),
    /signature/i,
  ],
  [
    'another digest',
    tamper((xml) =>
      xml.replace(/<ds:DigestValue>(.)/, (_, first) => `<ds:DigestValue>${first === 'A' ? 'B' : 'A'}`),
    ),
    /signature/i,
  ],
  [
    'no digest',
    tamper((xml) => xml.replace(/<ds:DigestValue>.*?<\/ds:DigestValue>/, '')),
    /signature|digest/i,
  ],
  [
    'no reference',
    tamper((xml) => xml.replace(/<ds:Reference[\s\S]*<\/ds:Reference>/, '')),
    /signature|reference/i,
  ],
  [
    'a reference to nothing',
    tamper((xml) => xml.replace(/<ds:Reference URI="[^"]*"/, '<ds:Reference URI=""')),
    /signature|reference/i,
  ],
  [
    'a reference to another element',
    tamper((xml) => xml.replace(/<ds:Reference URI="[^"]*"/, '<ds:Reference URI="#_other"')),
    /signature|reference/i,
  ],
  [
    'a reference to a file',
    tamper((xml) => xml.replace(/<ds:Reference URI="[^"]*"/, '<ds:Reference URI="file:///etc/passwd"')),
    /signature|reference/i,
  ],
  [
    'two references',
    tamper((xml) => xml.replace(/<ds:Reference[\s\S]*<\/ds:Reference>/, (one) => one + one)),
    /signature|reference/i,
  ],
  [
    'a signature with SHA-1',
    tamper(method('SignatureMethod', 'http://www.w3.org/2000/09/xmldsig#rsa-sha1')),
    /signed with .*sha1/,
  ],
  [
    'a digest with SHA-1',
    tamper(method('DigestMethod', 'http://www.w3.org/2000/09/xmldsig#sha1')),
    /signed with .*sha1/,
  ],
  [
    'a digest with MD5',
    tamper(method('DigestMethod', 'http://www.w3.org/2001/04/xmldsig-more#md5')),
    /signed with .*md5/,
  ],
  [
    'a signature with a shared secret',
    tamper(method('SignatureMethod', 'http://www.w3.org/2000/09/xmldsig#hmac-sha1')),
    /signed with .*hmac/,
  ],
  [
    'a signature with HMAC-SHA-256',
    tamper(method('SignatureMethod', 'http://www.w3.org/2001/04/xmldsig-more#hmac-sha256')),
    /signed with .*hmac/,
  ],
  ['an unknown algorithm', tamper(method('SignatureMethod', 'urn:none')), /signed with urn:none/],
  ['an algorithm without a name', tamper(method('SignatureMethod', ' ')), /signed with/],
  [
    'a stylesheet as a transformation',
    tamper((xml) =>
      xml.replace(
        /<ds:Transform Algorithm="[^"]*"/,
        '<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xslt-19991116"',
      ),
    ),
    /signature|transform/i,
  ],
  [
    'an XPath filter as a transformation',
    tamper((xml) =>
      xml.replace(
        /<ds:Transform Algorithm="[^"]*"/,
        '<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"',
      ),
    ),
    /signature|transform/i,
  ],
  [
    'another canonical form',
    tamper((xml) =>
      xml.replace(
        /<ds:CanonicalizationMethod Algorithm="[^"]*"/,
        '<ds:CanonicalizationMethod Algorithm="urn:none"',
      ),
    ),
    /signature|canonical/i,
  ],
  ['the key of another provider', answerWith({}, MALLORY, () => evil), /signature/i],
  [
    'a key that the answer brings along',
    async (request) =>
      encoded(
        decoded(await answerWith({}, MALLORY, () => evil)(request))
          .replace('</ds:SignedInfo>', '</ds:SignedInfo>')
          .replace(
            '</ds:Signature>',
            `<ds:KeyInfo><ds:X509Data><ds:X509Certificate>${evil.certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></ds:Signature>`,
          ),
      ),
    /signature/i,
  ],
  [
    'a signature that was moved to the answer',
    tamper((xml) => {
      const signature = SIGNATURE.exec(xml)?.[0] ?? '';
      return xml.replace(SIGNATURE, '').replace('<samlp:Status>', `${signature}<samlp:Status>`);
    }),
    /signature/i,
  ],
  // Other content than was signed.
  ['another user than was signed', tamper((xml) => xml.replaceAll('eve@', 'mal@')), /signature/i],
  [
    'a role that was not signed',
    tamper((xml) =>
      xml.replace(
        '</saml:AttributeStatement>',
        '<saml:Attribute Name="http://schemas.microsoft.com/ws/2008/06/identity/claims/role"><saml:AttributeValue>bh-administrator</saml:AttributeValue></saml:Attribute></saml:AttributeStatement>',
      ),
    ),
    /signature/i,
  ],
  [
    'a longer life than was signed',
    tamper((xml) => xml.replaceAll(/NotOnOrAfter="\d{4}/g, 'NotOnOrAfter="2999')),
    /signature/i,
  ],
  [
    'another audience than was signed',
    tamper((xml) => xml.replace(/<saml:Audience>[^<]*/, '<saml:Audience>x')),
    /signature/i,
  ],
  [
    'no conditions where some were signed',
    tamper((xml) => xml.replace(/<saml:Conditions[\s\S]*<\/saml:Conditions>/, '')),
    /signature/i,
  ],
  [
    'an attribute in another place',
    tamper((xml) => xml.replace(/(<saml:NameID[^>]*>)[^<]*/, '$1mal@acme.example')),
    /signature/i,
  ],
  // Wrapping.
  [
    'a forged assertion before the signed one',
    tamper((xml) => xml.replace('<saml:Assertion', `${forgedOf(xml)}<saml:Assertion`)),
    /2 assertions/,
  ],
  [
    'a forged assertion behind the signed one',
    tamper((xml) => xml.replace('</samlp:Response>', `${forgedOf(xml)}</samlp:Response>`)),
    /2 assertions/,
  ],
  [
    'the signed assertion in an object of a forged one',
    tamper((xml) =>
      xml.replace(
        ASSERTION,
        forgedOf(xml).replace('</saml:Assertion>', `<Object>${assertionOf(xml)}</Object></saml:Assertion>`),
      ),
    ),
    /2 assertions/,
  ],
  [
    'the signed assertion in the subject of a forged one',
    tamper((xml) =>
      xml.replace(ASSERTION, forgedOf(xml).replace('</saml:Subject>', `${assertionOf(xml)}</saml:Subject>`)),
    ),
    /2 assertions/,
  ],
  [
    'the signed assertion in extensions',
    tamper((xml) =>
      xml.replace(ASSERTION, `<samlp:Extensions>${assertionOf(xml)}</samlp:Extensions>${forgedOf(xml)}`),
    ),
    /2 assertions/,
  ],
  [
    'the signed assertion in the signature of a forged one',
    tamper((xml) =>
      xml.replace(
        ASSERTION,
        forgedOf(xml).replace(
          '<saml:Subject>',
          `<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:Object>${assertionOf(xml)}</ds:Object></ds:Signature><saml:Subject>`,
        ),
      ),
    ),
    /2 assertions/,
  ],
  [
    'the whole answer in another one',
    tamper((xml) =>
      xml.replace('<samlp:Status>', `<samlp:Extensions>${xml}</samlp:Extensions><samlp:Status>`),
    ),
    /2 assertions|refused/,
  ],
  [
    'a forged assertion with the id of the signed one',
    tamper((xml) => {
      const id = /<saml:Assertion[^>]*ID="([^"]+)"/.exec(xml)?.[1] ?? '';
      return xml.replace('<saml:Assertion', `${forgedOf(xml).replace('_forged', id)}<saml:Assertion`);
    }),
    /2 assertions/,
  ],
  ['the signed assertion twice', tamper((xml) => xml.replace(ASSERTION, (one) => one + one)), /2 assertions/],
  [
    'a forged assertion in another spelling of the namespace',
    tamper((xml) =>
      xml.replace(
        ASSERTION,
        (one) => `${forgedOf(xml).replaceAll('saml:', 'evil:').replaceAll('xmlns:saml', 'xmlns:evil')}${one}`,
      ),
    ),
    /assertions|refused/,
  ],
  ['no assertion', tamper((xml) => xml.replace(ASSERTION, '')), /0 assertions/],
  [
    'an encrypted assertion without a key',
    tamper((xml) => xml.replace(ASSERTION, '<saml:EncryptedAssertion><x/></saml:EncryptedAssertion>')),
    /0 assertions/,
  ],
  // Comments, which signatures pass over.
  [
    'a comment inside of the name',
    tamper((xml) => xml.replaceAll('acme.example.evil', 'acme.example<!---->.evil'), {
      email: 'eve@acme.example.evil.example',
    }),
    /comments/,
  ],
  ['a comment before everything', tamper((xml) => `<!-- -->${xml}`), /comments/],
  [
    'a processing instruction inside of the name',
    tamper((xml) => xml.replaceAll('eve@', 'eve<?x?>@')),
    /signature|refused/i,
  ],
  // Times.
  [
    'one that is too old',
    answerWith({ issuedAt: Date.now() - 3_600_000 }),
    /expired|too old|NotOnOrAfter|timestamp/i,
  ],
  [
    'one that ended two minutes ago',
    answerWith({ issuedAt: Date.now() - 420_000 }),
    /expired|too old|NotOnOrAfter|timestamp/i,
  ],
  [
    'one of tomorrow',
    answerWith({ issuedAt: Date.now() + 24 * 3_600_000 }),
    /not yet valid|NotBefore|timestamp/i,
  ],
  [
    'one of two minutes ahead',
    answerWith({ issuedAt: Date.now() + 130_000 }),
    /not yet valid|NotBefore|timestamp/i,
  ],
  [
    'a confirmation without an end',
    signed((xml) =>
      xml.replace('SubjectConfirmationData NotOnOrAfter="{NotOnOrAfter}"', 'SubjectConfirmationData'),
    ),
    /no end|parsing NotOnOrAfter/,
  ],
  [
    'an end that is not a time',
    signed((xml) => xml.replaceAll('"{NotOnOrAfter}"', '"soon"')),
    /no end|expired|NotOnOrAfter|Invalid|parsing/i,
  ],
  // For whom it is.
  ['another audience', answerWith({ audience: 'https://other.example' }), /audience/i],
  [
    'the audience of another provider of this service',
    answerWith({ audience: `${PUBLIC}/api/v2/sso/other` }),
    /audience/i,
  ],
  [
    'no audience',
    signed((xml) => xml.replace(/<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/, '')),
    /audience/i,
  ],
  ['another recipient', answerWith({ recipient: 'https://other.example/acs' }), /another recipient/],
  ['no recipient', signed((xml) => xml.replace(' Recipient="{Recipient}"', '')), /another recipient/],
  [
    'no confirmation',
    signed((xml) => xml.replace(/<saml:SubjectConfirmation [\s\S]*<\/saml:SubjectConfirmation>/, '')),
    /recipient|confirmation|subject/i,
  ],
  ['another issuer', answerWith({ issuer: 'https://evil.example' }), /is by https:\/\/evil/],
  [
    'an empty issuer of the assertion',
    signed((xml) =>
      xml.replace(/(ID="\{AssertionID\}"[^>]*>)<saml:Issuer>\{Issuer\}<\/saml:Issuer>/, '$1<saml:Issuer/>'),
    ),
    /is by|issuer/i,
  ],
  [
    'no id of the assertion',
    signed((xml) => xml.replace(' ID="{AssertionID}"', '')),
    /id|signature|reference/i,
  ],
  // Requests.
  ['an answer to another request', answerWith({ inResponseTo: '_never' }), /request of another browser/],
  ['an answer to no request', () => idp.answer(MALLORY, metadata), /answers no request/],
  [
    'an answer whose envelope alone names the request',
    signed((xml) => xml.replace('Recipient="{Recipient}"{Reply}', 'Recipient="{Recipient}"')),
    /answers no request/,
  ],
  [
    'an answer whose assertion names the request of another browser, and whose envelope none',
    async () => {
      const other = await begin();
      return encoded(
        decoded(await idp.answer(MALLORY, metadata, { inResponseTo: other.inResponseTo })).replace(
          /(<samlp:Response[^>]*) InResponseTo="[^"]*"/,
          '$1',
        ),
      );
    },
    /request of another browser/,
  ],
  [
    'an answer to the request of another browser',
    async () => {
      const other = await begin();
      return idp.answer(MALLORY, metadata, { inResponseTo: other.inResponseTo });
    },
    /request of another browser/,
  ],
  [
    'an assertion for two requests',
    signed((xml) =>
      xml.replace(
        /(<saml:SubjectConfirmation [\s\S]*<\/saml:SubjectConfirmation>)/,
        (one) => one + one.replace('{Reply}', ' InResponseTo="_other"'),
      ),
    ),
    /several requests|confirmation|refused/i,
  ],
  [
    'an answer that was used before',
    async (request) => {
      const answer = await idp.answer(EVE, metadata, { inResponseTo: request.inResponseTo });
      await request.browser.post(`${ROOT}/callback`, { SAMLResponse: answer }, atHome);
      return answer;
    },
    /another browser|answered already|used before/,
  ],
  [
    'an answer to the request of another provider',
    async ({ browser }) => {
      const page = await browser.open(`${PUBLIC}/api/v2/sso/other/login`, atProvider);
      return idp.answer(MALLORY, metadata, {
        inResponseTo: await idp.readRequest(page.url, metadata).catch(() => '_unreadable'),
      });
    },
    /another browser|answered already|too old/,
  ],
  // Names.
  [
    'no name and no address',
    signed((xml) =>
      xml.replace(/<saml:NameID[^>]*>\{NameID\}<\/saml:NameID>/, '').replace('{Attributes}', ''),
    ),
    /e-mail address|subject|name/i,
  ],
  ['a name that is not an address', answerWith({}, { email: 'mallory', role: 'x' }), /e-mail address/],
  [
    'an address with a line break',
    answerWith({}, { email: 'mal\nlory@acme.example', role: 'x' }),
    /e-mail address/,
  ],
  [
    'an address with a space',
    answerWith({}, { email: 'mal lory@acme.example', role: 'x' }),
    /e-mail address/,
  ],
  [
    'an address of 400 characters',
    answerWith({}, { email: `${'m'.repeat(400)}@acme.example`, role: 'x' }),
    /e-mail address/,
  ],
  [
    'the address of a user with a password',
    answerWith({}, { email: 'admin', role: 'x' }),
    /e-mail address|elsewhere/,
  ],
];

function tamperBytes(change: (xml: string) => Buffer): Attack {
  return async ({ inResponseTo }) =>
    change(decoded(await idp.answer(EVE, metadata, { inResponseTo }))).toString('base64');
}

async function begin(): Promise<Request> {
  const browser = new Browser({ [PUBLIC]: service.url });
  const page = await browser.open(`${ROOT}/login`, atProvider);
  return { browser, inResponseTo: await idp.readRequest(page.url, metadata) };
}

test('are many', () => {
  expect(ATTACKS.length).toBeGreaterThanOrEqual(95);
});

test('an answer without a fault signs in', async () => {
  const { browser, inResponseTo } = await begin();
  const SAMLResponse = await idp.answer({ email: 'ann@acme.example' }, metadata, { inResponseTo });
  const page = await browser.post(`${ROOT}/callback`, { SAMLResponse }, atHome);
  expect(page.url.searchParams.get('error')).toBeNull();
  expect(browser.cookie(PUBLIC, 'token')).toMatch(/\S/);
});

test.each(ATTACKS)('refuses %s', async (_, attack, reason) => {
  const request = await begin();
  const SAMLResponse = await attack(request);
  const before = await users();
  logged.length = 0;
  const { browser } = request;
  const page = await browser.post(`${ROOT}/callback`, { SAMLResponse }, atHome);
  expect(page.url.searchParams.get('error')).toMatch(/\S/);
  const refusal = logged
    .map((line) => JSON.parse(line))
    .find(({ msg }) => msg === 'refused a single sign-on');
  expect(refusal?.reason).toMatch(reason);
  expect(await users()).toBe(before);
});

test('signs in once with an answer that is brought three times at once', async () => {
  const { browser, inResponseTo } = await begin();
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
  expect(browser).toBeDefined();
});
