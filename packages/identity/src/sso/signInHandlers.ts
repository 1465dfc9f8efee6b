/** Signing in through a provider: the redirect to it, and the return. Rule: `docs/reference/api.md#single-sign-on`. */
import { hash } from 'node:crypto';
import {
  ApiError,
  apiError,
  type Handlers,
  type RequestContext,
  recordAudit,
  recordSuccess,
} from '@clew/common';
import type { Db } from '@clew/store';
import type { Clock } from '../clock.ts';
import type { Sessions } from '../sessions.ts';
import { addressesOf, failureAddress, trustedAddress } from './addresses.ts';
import type { SignInAttempts } from './attempts.ts';
import { type Claims, FAILURE, SignInError } from './claims.ts';
import type { OidcFlow, OidcParts } from './oidcFlow.ts';
import { requireProvider, type StoredProvider } from './providers.ts';
import { userOf } from './provision.ts';
import { type SamlParts, samlClaims, samlRequest, serviceProviderMetadata } from './samlFlow.ts';
import type { SigningKeys } from './signingKey.ts';

export interface SignInParts {
  readonly db: Db;
  readonly sessions: Sessions;
  readonly clock: Clock;
  readonly signingKeys: SigningKeys;
  readonly attempts: SignInAttempts;
  readonly oidc: OidcFlow;
  /** Address of the service, if it is configured. */
  readonly publicUrl: string | undefined;
  /** Path of the page that receives the token after a sign-in. */
  readonly home: string;
}

type Operations =
  | 'BeginSingleSignOn'
  | 'EndSingleSignOn'
  | 'PostSingleSignOn'
  | 'GetServiceProviderMetadata'
  | 'BeginSamlLogin'
  | 'PostSamlAssertion'
  | 'GetSamlLoginMetadata';

const STATE_COOKIE = 'state';
const TOKEN_COOKIE = 'token';
/** Field of a form sent by this service. */
const AGAIN = 'again';
/** The page removes the token from its cookie at once. */
const TOKEN_COOKIE_SECONDS = 60;

export function signInHandlers(parts: SignInParts): Handlers<Operations> {
  const { db, attempts, oidc } = parts;

  const metadata = async (slug: string, context: RequestContext) => {
    const provider = await requireProvider(db, (one) => one.slug === slug && one.type === 'SAML');
    const { certificate } = await parts.signingKeys.get();
    const text = serviceProviderMetadata(addressesOf(baseOf(parts, context), provider.slug), certificate);
    return { status: 200, text, mediaType: 'application/samlmetadata+xml' } as const;
  };

  const end = async (slug: string, context: RequestContext, claimsOf: ClaimsReader) => {
    const base = baseOf(parts, context);
    const provider = await requireProvider(db, (one) => one.slug === slug);
    const cookies = [stateCookie(base, '', 0)];
    try {
      const claims = await claimsOf(provider, base);
      const token = await signIn(parts, provider, claims, context, base);
      cookies.push(tokenCookie(base, token));
      return redirection(base + parts.home, cookies);
    } catch (error) {
      const failure = error instanceof SignInError ? error : unexpected(error);
      context.log.warn({ provider: provider.name, reason: failure.reason }, 'refused a single sign-on');
      const fields = { username: '', provider: provider.name };
      await recordAudit(db, context, { action: 'SSOLoginAttempt', status: 'failure', fields });
      return redirection(failureAddress(base + parts.home, failure.message), cookies);
    }
  };

  const oidcClaims =
    (answer: URLSearchParams, context: RequestContext): ClaimsReader =>
    (provider, base) => {
      if (provider.oidc === undefined)
        throw new SignInError(FAILURE.misconfigured, 'an OIDC response for a SAML provider');
      return oidc.end(oidcParts(provider, base, attempts), answer, cookieOf(context, STATE_COOKIE));
    };

  return {
    async BeginSingleSignOn({ params }, context) {
      const base = baseOf(parts, context);
      const provider = await requireProvider(db, ({ slug }) => slug === params.slug);
      try {
        if (provider.type === 'OIDC') {
          const { redirect, state } = await oidc.begin(oidcParts(provider, base, attempts));
          return redirection(redirect, [stateCookie(base, state, attempts.seconds)]);
        }
        const request = await samlRequest(await samlParts(parts, provider, base));
        const cookies = [stateCookie(base, request.id, attempts.seconds)];
        return 'redirect' in request ? redirection(request.redirect, cookies) : formPage(request, cookies);
      } catch (error) {
        if (error instanceof ApiError) throw error;
        const failure = error instanceof SignInError ? error : unexpected(error);
        context.log.warn({ provider: provider.name, reason: failure.reason }, 'cannot start single sign-on');
        return redirection(failureAddress(base + parts.home, failure.message));
      }
    },

    EndSingleSignOn: ({ params, rawQuery }, context) =>
      end(params.slug, context, oidcClaims(rawQuery, context)),

    async PostSingleSignOn({ params, body }, context) {
      if (!(body instanceof FormData))
        throw apiError('invalidProvider', { reason: 'the request must be a form' });
      const fields = new URLSearchParams(
        [...body].filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
      );
      const base = baseOf(parts, context);
      const response = fields.get('SAMLResponse');
      // Over HTTP, browsers send no cookies with a cross-site form, so a page of this site sends the form again.
      if (response !== null && base.startsWith('http:') && !fields.has(AGAIN))
        return formPage({
          action: addressesOf(base, params.slug).callback,
          fields: { SAMLResponse: response, [AGAIN]: '1' },
        });
      return end(params.slug, context, async (provider) => {
        if (provider.type === 'OIDC') return oidcClaims(fields, context)(provider, base);
        if (response === null) throw new SignInError(FAILURE.notAuthenticated, 'the SAMLResponse is missing');
        const asked = cookieOf(context, STATE_COOKIE);
        return samlClaims(await samlParts(parts, provider, base), response, asked);
      });
    },

    GetServiceProviderMetadata: ({ params }, context) => metadata(params.slug, context),
    GetSamlLoginMetadata: ({ params }, context) => metadata(params.slug, context),

    async BeginSamlLogin({ params }) {
      return redirection(`/api/v2/sso/${encodeURIComponent(params.slug)}/login`);
    },

    /** 307: the browser repeats the POST. */
    async PostSamlAssertion({ params }) {
      return {
        status: 307,
        headers: { location: `/api/v2/sso/${encodeURIComponent(params.slug)}/callback` },
      };
    },
  };
}

type ClaimsReader = (provider: StoredProvider, base: string) => Promise<Claims>;

const baseOf = ({ publicUrl }: SignInParts, context: RequestContext): string =>
  trustedAddress(publicUrl, context.publicUrl);

async function samlParts(
  { signingKeys, attempts, clock }: SignInParts,
  { id, slug, saml }: StoredProvider,
  base: string,
): Promise<SamlParts> {
  if (saml === undefined) throw new SignInError(FAILURE.misconfigured, 'the provider has no metadata');
  return {
    providerId: id,
    metadata: saml.metadata,
    principalAttributes: saml.principal_attribute_mappings,
    allowsUnsolicited: saml.allows_unsolicited,
    addresses: addressesOf(base, slug),
    key: await signingKeys.get(),
    attempts,
    clock,
  };
}

function oidcParts({ id, slug, oidc }: StoredProvider, base: string, attempts: SignInAttempts): OidcParts {
  if (oidc === undefined) throw new SignInError(FAILURE.misconfigured, 'the provider has no issuer');
  const { issuer, client_id: clientId, tenants } = oidc;
  return { providerId: id, issuer, clientId, tenants, addresses: addressesOf(base, slug), attempts };
}

/** @returns a session token */
async function signIn(
  { db, sessions, clock }: SignInParts,
  provider: StoredProvider,
  claims: Claims,
  context: RequestContext,
  base: string,
): Promise<string> {
  return db.transaction().execute(async (transaction) => {
    const user = await userOf(transaction, provider, claims);
    const fields = { username: user.principal_name, user_id: user.id, provider: provider.name };
    await recordSuccess(transaction, context, 'SSOLoginAttempt', fields);
    await transaction
      .updateTable('user_account')
      .set({ last_login: new Date(clock.now()) })
      .where('id', '=', user.id)
      .execute();
    return sessions.begin(transaction, user.id, new URL(base).host, {
      clientAddress: context.clientAddress,
      userAgent: (context.headers['user-agent'] ?? '').slice(0, 300),
      method: provider.name,
    });
  });
}

/** Errors of the service or its environment: the user sees no details. */
function unexpected(error: unknown): SignInError {
  return new SignInError(FAILURE.misconfigured, error instanceof Error ? error.message : String(error));
}

function redirection(location: string, cookies: readonly string[] = []) {
  return {
    status: 302,
    headers: {
      location,
      'Cache-Control': 'no-store',
      ...(cookies.length === 0 ? {} : { 'Set-Cookie': [...cookies] }),
    },
  } as const;
}

/** Sent with a cross-site form, which browsers permit only over HTTPS. */
function stateCookie(base: string, state: string, seconds: number): string {
  const site = base.startsWith('https:') ? 'SameSite=None; Secure' : 'SameSite=Lax';
  return `${STATE_COOKIE}=${state}; Path=/api/v2/sso; HttpOnly; Max-Age=${seconds}; ${site}`;
}

/** The page reads it, and sends the token like other clients: no operation reads the cookie. */
function tokenCookie(base: string, token: string): string {
  const secure = base.startsWith('https:') ? '; Secure' : '';
  return `${TOKEN_COOKIE}=${token}; Path=/; Max-Age=${TOKEN_COOKIE_SECONDS}; SameSite=Strict${secure}`;
}

function cookieOf({ headers }: RequestContext, name: string): string | undefined {
  const cookies = (headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
  const value = cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1);
  return value === '' ? undefined : value;
}

const SUBMIT = 'document.forms[0].submit()';

/** A page that posts itself to the provider, with a button for browsers without scripts. */
function formPage(
  { action, fields }: { readonly action: string; readonly fields: Readonly<Record<string, string>> },
  cookies: readonly string[] = [],
) {
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  const text = `<!doctype html><meta charset="utf-8"><title>Sign in</title>
<form method="post" action="${escapeHtml(action)}">${inputs.join('')}<noscript><button>Continue</button></noscript></form>
<script>${SUBMIT}</script>
`;
  const script = `'sha256-${hash('sha256', SUBMIT, 'base64')}'`;
  const policy = `default-src 'none'; script-src ${script}; form-action ${new URL(action).origin}; frame-ancestors 'none'; base-uri 'none'`;
  return {
    status: 200,
    text,
    mediaType: 'text/html; charset=utf-8',
    headers: {
      ...{ 'Content-Security-Policy': policy, 'Cache-Control': 'no-store' },
      ...(cookies.length === 0 ? {} : { 'Set-Cookie': [...cookies] }),
    },
  } as const;
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
