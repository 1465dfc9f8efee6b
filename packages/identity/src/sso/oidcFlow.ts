/**
 * Sign-in through an OpenID Connect provider: authorization code with PKCE, state and nonce; the library verifies the ID token's signature,
 * issuer, audience and times. Rule: `docs/reference/api.md#single-sign-on`.
 */

import { guardedFetch, isLoopback, type Networks } from '@clew/common';
import * as oidc from 'openid-client';
import type { ProviderAddresses } from './addresses.ts';
import type { SignInAttempts } from './attempts.ts';
import { type Claims, FAILURE, isEmailAddress, SignInError } from './claims.ts';

const SCOPES = 'openid profile email';
/** After this time, the metadata of a provider is fetched again. */
const FRESH_MS = 10 * 60_000;

export interface OidcParts {
  readonly providerId: number;
  readonly issuer: string;
  readonly clientId: string;
  /** Ids of permitted tenants, if the issuer represents many. */
  readonly tenants: readonly string[];
  readonly addresses: ProviderAddresses;
  readonly attempts: SignInAttempts;
}

/** Parameters returned by the browser, in the query or a form. */
export type ProviderAnswer = URLSearchParams;

/** Signs in at providers, and caches their metadata. */
export class OidcFlow {
  readonly #networks: Networks;
  readonly #fetch: typeof guardedFetch;
  readonly #known = new Map<string, { readonly at: number; readonly made: Promise<oidc.Configuration> }>();

  /** @param fetch replaced in tests */
  constructor(networks: Networks, fetch = guardedFetch) {
    this.#networks = networks;
    this.#fetch = fetch;
  }

  /** @returns the address for the browser, and the state that it must return @throws SignInError */
  async begin(parts: OidcParts): Promise<{ readonly redirect: string; readonly state: string }> {
    const configuration = await this.#configurationOf(parts);
    const state = oidc.randomState();
    const [nonce, verifier] = [oidc.randomNonce(), oidc.randomPKCECodeVerifier()];
    await parts.attempts.begin(parts.providerId, state, { nonce, verifier });
    const url = oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: parts.addresses.callback,
      response_type: 'code',
      // Cookies are only sent with a cross-site form over https.
      ...(parts.addresses.callback.startsWith('https:') ? { response_mode: 'form_post' } : {}),
      access_type: 'offline',
      scope: SCOPES,
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    return { redirect: url.href, state };
  }

  /**
   * @param state that this browser received
   * @throws SignInError
   */
  async end(parts: OidcParts, answer: ProviderAnswer, state: string | undefined): Promise<Claims> {
    const given = answer.get('state');
    if (!answer.has('code') && !answer.has('error'))
      throw wrong('Invalid SSO Provider response: `code` parameter is missing');
    if (given === null) throw wrong('Invalid SSO Provider response: `state` parameter is missing');
    if (state === undefined) throw wrong('Invalid request: `state` is missing');
    if (given !== state) throw wrong('Invalid: `state` do not match');
    const kept = await parts.attempts.take(parts.providerId, state);
    if (kept === undefined) throw wrong('Invalid request: `pkce` is missing');
    const configuration = await this.#configurationOf(parts);
    const url = new URL(parts.addresses.callback);
    url.search = answer.toString();
    let claims: oidc.IDToken | undefined;
    try {
      const tokens = await oidc.authorizationCodeGrant(configuration, url, {
        pkceCodeVerifier: kept.verifier,
        expectedState: state,
        expectedNonce: kept.nonce,
        idTokenExpected: true,
      });
      claims = tokens.claims();
    } catch (error) {
      throw new SignInError(FAILURE.notAuthenticated, reasonOf(error));
    }
    requireTenant(parts, configuration, claims);
    return claimsOf(claims);
  }

  /** Fetches the provider's metadata. @throws SignInError if it is not reachable, or describes another provider */
  async test(parts: OidcParts): Promise<void> {
    await this.#configurationOf(parts);
  }

  /** @throws SignInError if the issuer represents many tenants, and the provider names no permitted one */
  async #configurationOf(parts: OidcParts): Promise<oidc.Configuration> {
    const configuration = await this.#discovered(parts);
    if (standsForTenants(configuration) && parts.tenants.length === 0)
      throw new SignInError(
        FAILURE.misconfigured,
        `${parts.issuer} signs in users of any tenant: list the tenants that can sign in`,
      );
    return configuration;
  }

  #discovered(parts: OidcParts): Promise<oidc.Configuration> {
    const key = JSON.stringify([parts.issuer, parts.clientId]);
    const known = this.#known.get(key);
    if (known !== undefined && Date.now() - known.at < FRESH_MS) return known.made;
    const made = this.#discover(parts);
    this.#known.set(key, { at: Date.now(), made });
    made.catch(() => this.#known.delete(key));
    return made;
  }

  async #discover({ issuer, clientId }: OidcParts): Promise<oidc.Configuration> {
    const url = new URL(issuer);
    const allowsLoopback = isLoopback(url.hostname);
    const limits = { networks: this.#networks, setting: 'CLEW_SSO_NETWORKS' as const, allowsLoopback };
    try {
      const configuration = await oidc.discovery(url, clientId, undefined, oidc.None(), {
        [oidc.customFetch]: (address, init) => this.#fetch(address, init, limits),
        execute: allowsLoopback ? [oidc.allowInsecureRequests] : [],
      });
      configuration[oidc.customFetch] = (address, init) => this.#fetch(address, init, limits);
      // Also verifies the signature of the ID token, although it comes directly from the provider.
      oidc.enableNonRepudiationChecks(configuration);
      return configuration;
    } catch (error) {
      throw new SignInError(FAILURE.misconfigured, reasonOf(error));
    }
  }
}

/** Placeholder of Entra ID in the issuer of `common`, `organizations` and `consumers`. */
const TENANT = '{tenantid}';

const standsForTenants = (configuration: oidc.Configuration): boolean =>
  configuration.serverMetadata().issuer.includes(TENANT);

/** @throws SignInError for a user of a tenant that is not permitted */
function requireTenant(
  { tenants }: OidcParts,
  configuration: oidc.Configuration,
  claims: oidc.IDToken | undefined,
): void {
  if (!standsForTenants(configuration)) return;
  const tenant = String(claims?.tid ?? '').toLowerCase();
  const issuer = configuration.serverMetadata().issuer.replace(TENANT, tenant);
  if (
    !tenants.some((one) => one.toLowerCase() === tenant) ||
    claims?.iss.toLowerCase() !== issuer.toLowerCase()
  )
    throw new SignInError(FAILURE.notAllowed, `the tenant ${tenant} cannot sign in`);
}

const wrong = (text: string): SignInError => new SignInError(text, text);

function reasonOf(error: unknown): string {
  const texts: string[] = [];
  for (let at = error; at instanceof Error && texts.length < 5; at = at.cause) texts.push(at.message);
  return texts.join(': ');
}

function claimsOf(claims: oidc.IDToken | undefined): Claims {
  const text = (name: string): string | undefined => {
    const value = claims?.[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const name = text('preferred_username');
  const email = text('email') ?? (name !== undefined && isEmailAddress(name) ? name : undefined);
  if (email === undefined || !isEmailAddress(email))
    throw new SignInError(FAILURE.noAddress, 'no claim contains an email address');
  // Entra ID does not send it; any value other than true means that the address is not verified.
  if (claims?.email_verified !== undefined && claims.email_verified !== true)
    throw new SignInError(FAILURE.noAddress, 'the provider has not verified the email address');
  const roles = claims?.roles;
  return {
    ...(claims !== undefined && { subject: { issuer: claims.iss, id: claims.sub } }),
    email,
    firstName: text('given_name') ?? text('first_name') ?? text('name'),
    lastName: text('family_name') ?? text('last_name'),
    roles: (Array.isArray(roles) ? roles : [roles]).filter((role) => typeof role === 'string'),
  };
}
