/** A real SAML identity provider: creates metadata, reads signed requests, and answers them. */
import { generate } from 'selfsigned';

// Its types would add browser types to the whole project, so it is imported without types.
const LIBRARY: string = 'samlify';
// biome-ignore lint/suspicious/noExplicitAny: a library without types, see above.
const samlify: any = await import(LIBRARY);

samlify.setSchemaValidator({ validate: async () => 'not of interest here' });

const POST = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST';
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const ATTRIBUTES = [
  ['email', 'urn:oid:0.9.2342.19200300.100.1.3'],
  ['first', 'urn:oid:2.5.4.42'],
  ['last', 'urn:oid:2.5.4.4'],
  ['role', 'http://schemas.microsoft.com/ws/2008/06/identity/claims/role'],
] as const;

export interface SamlUser {
  readonly email: string;
  readonly first?: string;
  readonly last?: string;
  readonly role?: string;
}

/** Contents of a response besides its user; correct by default. */
export interface AnswerOptions {
  readonly inResponseTo?: string;
  readonly audience?: string;
  readonly recipient?: string;
  readonly issuer?: string;
  /** Milliseconds since the epoch. */
  readonly issuedAt?: number;
  readonly id?: string;
  /** Changes the response before it is signed; parts in braces are filled in later. */
  readonly change?: (template: string) => string;
}

export interface SamlPeer {
  readonly entityId: string;
  /** XML with or without the redirect binding. */
  metadata(withRedirect?: boolean): string;
  /** Verifies the signature of a redirected request. @returns its id */
  readRequest(url: URL, serviceMetadata: string): Promise<string>;
  /** @returns the id of a request sent as a form */
  readPostedRequest(fields: URLSearchParams, serviceMetadata: string): Promise<string>;
  /** Value of `SAMLResponse` with a signed assertion. */
  answer(user: SamlUser, serviceMetadata: string, options?: AnswerOptions): Promise<string>;
  readonly certificate: string;
}

const TEMPLATE = `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="{ID}" Version="2.0" IssueInstant="{IssueInstant}" Destination="{Destination}"{Reply}><saml:Issuer>{Issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status><saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="{AssertionID}" Version="2.0" IssueInstant="{IssueInstant}"><saml:Issuer>{Issuer}</saml:Issuer><saml:Subject><saml:NameID Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress">{NameID}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="{NotOnOrAfter}" Recipient="{Recipient}"{Reply}/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="{NotBefore}" NotOnOrAfter="{NotOnOrAfter}"><saml:AudienceRestriction><saml:Audience>{Audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="{IssueInstant}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>{Attributes}</saml:Assertion></samlp:Response>`;

export async function makeSamlPeer(
  entityId = 'https://idp.example/saml',
  algorithm = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
): Promise<SamlPeer> {
  const keys = await generate([{ name: 'commonName', value: 'idp' }], { keySize: 2048, algorithm: 'sha256' });
  const provider = (withRedirect: boolean) =>
    samlify.IdentityProvider({
      entityID: entityId,
      privateKey: keys.private,
      signingCert: keys.cert,
      isAssertionEncrypted: false,
      wantAuthnRequestsSigned: true,
      requestSignatureAlgorithm: algorithm,
      nameIDFormat: ['urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'],
      singleSignOnService: [
        ...(withRedirect ? [{ Binding: REDIRECT, Location: `${entityId}/redirect` }] : []),
        { Binding: POST, Location: `${entityId}/post` },
      ],
      loginResponseTemplate: { context: TEMPLATE, attributes: [] },
    });
  const idp = provider(true);
  return {
    entityId,
    certificate: keys.cert.replaceAll(/-----[A-Z ]+-----|\s/g, ''),
    metadata: (withRedirect = true) => provider(withRedirect).getMetadata(),
    async readRequest(url, serviceMetadata) {
      const service = samlify.ServiceProvider({ metadata: serviceMetadata });
      const query = Object.fromEntries(url.searchParams);
      const octetString = ['SAMLRequest', 'RelayState', 'SigAlg']
        .filter((name) => url.searchParams.has(name))
        .map((name) => `${name}=${encodeURIComponent(url.searchParams.get(name) ?? '')}`)
        .join('&');
      const { extract } = await idp.parseLoginRequest(service, 'redirect', { query, octetString });
      return extract.request.id;
    },
    async readPostedRequest(fields, serviceMetadata) {
      const service = samlify.ServiceProvider({ metadata: serviceMetadata });
      const { extract } = await idp.parseLoginRequest(service, 'post', { body: Object.fromEntries(fields) });
      return extract.request.id;
    },
    async answer(user, serviceMetadata, options = {}) {
      const service = samlify.ServiceProvider({ metadata: serviceMetadata });
      const [acs] = /Location="([^"]+)"/.exec(serviceMetadata)?.slice(1) ?? [];
      const [audience] = /entityID="([^"]+)"/.exec(serviceMetadata)?.slice(1) ?? [];
      const now = options.issuedAt ?? Date.now();
      const at = (milliseconds: number) => new Date(now + milliseconds).toISOString();
      const attributes = ATTRIBUTES.filter(([name]) => user[name] !== undefined).map(
        ([name, id]) =>
          `<saml:Attribute Name="${id}"><saml:AttributeValue>${escapeXml(user[name] ?? '')}</saml:AttributeValue></saml:Attribute>`,
      );
      const values: Readonly<Record<string, string>> = {
        ID: `_${crypto.randomUUID()}`,
        AssertionID: options.id ?? `_${crypto.randomUUID()}`,
        IssueInstant: at(0),
        NotBefore: at(-1000),
        NotOnOrAfter: at(300_000),
        Destination: options.recipient ?? acs,
        Recipient: options.recipient ?? acs,
        Audience: options.audience ?? audience,
        Issuer: options.issuer ?? entityId,
        NameID: escapeXml(user.email),
        Reply: options.inResponseTo === undefined ? '' : ` InResponseTo="${options.inResponseTo}"`,
        Attributes:
          attributes.length === 0
            ? ''
            : `<saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement>`,
      };
      const { context } = await idp.createLoginResponse(
        service,
        undefined as never,
        'post',
        {},
        (template: string) => ({
          id: values.ID,
          context: (options.change ?? ((same) => same))(template).replaceAll(
            /\{(\w+)\}/g,
            (_: string, name: string) => values[name] ?? '',
          ),
        }),
      );
      return context;
    },
  };
}

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
