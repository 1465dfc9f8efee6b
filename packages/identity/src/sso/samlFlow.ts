/**
 * Sign-in through a SAML provider: the request, and its response. Rule: `docs/reference/api.md#single-sign-on`. The library verifies
 * signatures, audience and times; all other checks are here: status, algorithms, exactly one assertion, issuer, recipient, the request of
 * this browser, and that no assertion is used twice.
 */
import { randomBytes } from 'node:crypto';
import { type Profile, SAML, ValidateInResponseTo } from '@node-saml/node-saml';
import type { Clock } from '../clock.ts';
import type { ProviderAddresses } from './addresses.ts';
import type { SignInAttempts } from './attempts.ts';
import { type Claims, FAILURE, isEmailAddress, SignInError } from './claims.ts';
import { readMetadata } from './samlMetadata.ts';
import { elementsOf, NAMESPACE, parseSamlXml, SamlXmlError } from './samlXml.ts';
import type { SigningKey } from './signingKey.ts';

/** Allowed clock difference between two machines. */
const SKEW_MS = 60_000;

const SIGNATURES: ReadonlySet<string> = new Set([
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha384',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
]);
const DIGESTS: ReadonlySet<string> = new Set([
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmldsig-more#sha384',
  'http://www.w3.org/2001/04/xmlenc#sha512',
]);

const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';
const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const CLAIM = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims';

/** Names of attributes, in order of precedence. */
const ATTRIBUTES = {
  email: ['urn:oid:0.9.2342.19200300.100.1.3', `${CLAIM}/emailaddress`],
  firstName: ['urn:oid:2.5.4.42', `${CLAIM}/givenname`, 'urn:oid:2.5.4.41', `${CLAIM}/name`],
  lastName: ['urn:oid:2.5.4.4', `${CLAIM}/surname`],
  roles: ['http://schemas.microsoft.com/ws/2008/06/identity/claims/role'],
} as const;

export interface SamlParts {
  readonly providerId: number;
  readonly metadata: string;
  /** Names of the attribute with the email address, if not the usual ones. */
  readonly principalAttributes: readonly string[];
  /** Whether to accept responses without a request. */
  readonly allowsUnsolicited: boolean;
  readonly addresses: ProviderAddresses;
  readonly key: SigningKey;
  readonly attempts: SignInAttempts;
  readonly clock: Clock;
}

/** The target for the browser (an address, or a page that posts a form), and the id that the response must name. */
export type SamlRequest = { readonly id: string } & (
  | { readonly redirect: string }
  | { readonly action: string; readonly fields: Readonly<Record<string, string>> }
);

export async function samlRequest(parts: SamlParts): Promise<SamlRequest> {
  const { postUrl, redirectUrl } = readMetadata(parts.metadata);
  const id = `_${randomBytes(20).toString('hex')}`;
  await parts.attempts.begin(parts.providerId, id);
  const saml = librarySettings(parts, {
    entryPoint: redirectUrl ?? postUrl,
    id,
    byForm: redirectUrl === undefined,
  });
  if (redirectUrl !== undefined) return { id, redirect: await saml.getAuthorizeUrlAsync('', undefined, {}) };
  const message = await saml.getAuthorizeMessageAsync('');
  const fields = Object.entries(message).map(([name, value]) => [name, String(value)]);
  return { id, action: postUrl, fields: Object.fromEntries(fields) };
}

/**
 * @param response value of `SAMLResponse` @param asked id of the request of this browser, if any @throws SignInError for an invalid
 * response
 */
export async function samlClaims(
  parts: SamlParts,
  response: string,
  asked: string | undefined,
): Promise<Claims> {
  const { entityId, postUrl } = readMetadata(parts.metadata);
  requireSaneResponse(response);
  let profile: Profile | null;
  try {
    const saml = librarySettings(parts, { entryPoint: postUrl });
    ({ profile } = await saml.validatePostResponseAsync({ SAMLResponse: response }));
  } catch (error) {
    throw refused(error instanceof Error ? error.message : String(error));
  }
  if (profile === null) throw refused('the response has no assertion');
  await requireOwnAssertion(parts, profile, entityId, asked);
  return claimsOf(profile, parts.principalAttributes);
}

/** XML for the administrator of the provider. */
export function serviceProviderMetadata(addresses: ProviderAddresses, certificate: string): string {
  const body = certificate.replaceAll(/-----[A-Z ]+-----|\s/g, '');
  return `<?xml version="1.0" encoding="UTF-8"?>
<md:EntityDescriptor xmlns:md="${NAMESPACE.metadata}" xmlns:ds="${NAMESPACE.signature}" entityID="${escapeXml(addresses.root)}">
  <md:SPSSODescriptor AuthnRequestsSigned="true" WantAssertionsSigned="true" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <md:KeyDescriptor use="signing">
      <ds:KeyInfo><ds:X509Data><ds:X509Certificate>${body}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>
    </md:KeyDescriptor>
    <md:NameIDFormat>${EMAIL_FORMAT}</md:NameIDFormat>
    <md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${escapeXml(addresses.callback)}" index="1" isDefault="true"/>
  </md:SPSSODescriptor>
</md:EntityDescriptor>
`;
}

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const refused = (reason: string): SignInError => new SignInError(FAILURE.notAuthenticated, reason);

function librarySettings(
  { addresses, key, ...parts }: SamlParts,
  {
    entryPoint,
    id = '',
    byForm = false,
  }: {
    readonly entryPoint: string;
    /** Id of the request. */
    readonly id?: string;
    /** Requests are compressed in URLs, but not in forms. */
    readonly byForm?: boolean;
  },
): SAML {
  return new SAML({
    entryPoint,
    skipRequestCompression: byForm,
    issuer: addresses.root,
    callbackUrl: addresses.callback,
    audience: addresses.root,
    idpCert: [...readMetadata(parts.metadata).certificates],
    privateKey: key.privateKey,
    publicCert: key.certificate,
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    identifierFormat: EMAIL_FORMAT,
    disableRequestedAuthnContext: true,
    wantAssertionsSigned: true,
    // The assertion must be signed: providers sign the response, the assertion, or both.
    wantAuthnResponseSigned: false,
    acceptedClockSkewMs: SKEW_MS,
    generateUniqueId: () => id,
    // The library reads it from the outer response, which may be unsigned, so it is checked below.
    validateInResponseTo: ValidateInResponseTo.never,
  });
}

/** Runs before any signature is verified. */
function requireSaneResponse(response: string): void {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(response, 'base64'));
    // Signatures ignore comments, but a parser may end a text at one.
    if (text.includes('<!--')) throw new SamlXmlError('it has comments');
    const document = parseSamlXml(text);
    requireSuccess(document);
    const assertions = elementsOf(document, NAMESPACE.assertion, 'Assertion').length;
    // With a second one, the signed and the used assertion could differ.
    if (assertions !== 1) throw new SamlXmlError(`it has ${assertions} assertions`);
    for (const [name, allowed] of [
      ['SignatureMethod', SIGNATURES],
      ['DigestMethod', DIGESTS],
    ] as const)
      for (const element of elementsOf(document, NAMESPACE.signature, name))
        if (!allowed.has(element.getAttribute('Algorithm') ?? ''))
          throw new SamlXmlError(`it is signed with ${element.getAttribute('Algorithm')}`);
  } catch (error) {
    throw refused(`the response is refused: ${error instanceof Error ? error.message : ''}`);
  }
}

/** @throws SamlXmlError for a response with a failure status */
function requireSuccess(document: ReturnType<typeof parseSamlXml>): void {
  const root = document.documentElement;
  if (root?.namespaceURI !== NAMESPACE.protocol || root.localName !== 'Response')
    throw new SamlXmlError('it is not a response');
  // Reads the outer status; nested ones contain details.
  const [code] = elementsOf(document, NAMESPACE.protocol, 'StatusCode');
  const status = code?.getAttribute('Value') ?? '';
  if (status !== SUCCESS) throw new SamlXmlError(`its status is ${status === '' ? 'missing' : status}`);
}

async function requireOwnAssertion(
  { addresses, attempts, clock, providerId, allowsUnsolicited }: SamlParts,
  profile: Profile,
  entityId: string,
  asked: string | undefined,
): Promise<void> {
  if (profile.issuer !== entityId) throw refused(`the assertion is by ${profile.issuer}`);
  const assertion = parseSamlXml(profile.getAssertionXml?.() ?? '').documentElement;
  const id = assertion?.getAttribute('ID') ?? '';
  if (assertion === null || id === '') throw refused('the assertion has no ID');
  const confirmations = elementsOf(assertion, NAMESPACE.assertion, 'SubjectConfirmationData');
  if (!confirmations.some((one) => one.getAttribute('Recipient') === addresses.callback))
    throw refused('the assertion is for another recipient');
  // The id is part of the signed assertion and bound to the browser: otherwise, this browser could sign in with another user's response.
  const answered = new Set(confirmations.map((one) => one.getAttribute('InResponseTo') ?? ''));
  const [request = ''] = answered;
  if (answered.size > 1) throw refused('the assertion responds to several requests');
  if (request === '' && !allowsUnsolicited) throw refused('the assertion responds to no request');
  if (request !== '' && request !== asked)
    throw refused('the assertion responds to a request from another browser');
  const ends = confirmations.map((one) => Date.parse(one.getAttribute('NotOnOrAfter') ?? ''));
  const until = Math.max(...ends.filter((end) => !Number.isNaN(end)));
  if (!Number.isFinite(until)) throw refused('the assertion has no expiry');
  if (until + SKEW_MS < clock.now()) throw refused('the assertion is too old');
  if (request !== '' && (await attempts.take(providerId, request)) === undefined)
    throw refused('the request was already answered, or is too old');
  if (!(await attempts.useAssertion(profile.issuer, id, until + SKEW_MS)))
    throw refused('the assertion was already used');
}

function claimsOf(profile: Profile, principalAttributes: readonly string[]): Claims {
  const names = principalAttributes.length > 0 ? principalAttributes : ATTRIBUTES.email;
  const email =
    textOf(profile, names) ?? (profile.nameIDFormat === EMAIL_FORMAT ? profile.nameID : undefined);
  if (email === undefined || !isEmailAddress(email))
    throw new SignInError(FAILURE.noAddress, 'no attribute contains an email address');
  return {
    email,
    firstName: textOf(profile, ATTRIBUTES.firstName),
    lastName: textOf(profile, ATTRIBUTES.lastName),
    roles: ATTRIBUTES.roles.flatMap((name) => textsOf(profile[name])),
  };
}

function textOf(profile: Profile, names: readonly string[]): string | undefined {
  for (const name of names) {
    const [text] = textsOf(profile[name]);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** An attribute has one or several values; elements with attributes are objects. */
function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  const text = typeof value === 'object' && value !== null && '_' in value ? value._ : value;
  return typeof text === 'string' && text.trim() !== '' ? [text.trim()] : [];
}
