/** Addresses of a provider at this service, and where browsers go afterwards. */
import { apiError } from '../../operation/apiError.ts';
import { isLoopback } from '../../outgoing/guardedFetch.ts';

/**
 * Where browsers are sent when a sign-in has ended: the reference of the API, which takes the token over, as long as
 * the service has no interface of its own.
 */
const HOME = '/api/v2/docs';

const SLUG = /^[a-z0-9._-]{1,200}$/;

/** Part of the addresses of a provider. @throws ApiError 400 for a name that cannot be one */
export function slugOf(name: string): string {
  const slug = name.trim().toLowerCase().replaceAll(' ', '-');
  if (!SLUG.test(slug) || /^\.+$/.test(slug))
    throw apiError('invalidProvider', {
      reason: 'the name of a provider may have letters from a to z, digits, blanks, and . _ -',
    });
  return slug;
}

export interface ProviderAddresses {
  /** Also names this service towards a SAML provider. */
  readonly root: string;
  readonly login: string;
  readonly callback: string;
  readonly metadata: string;
}

export function addressesOf(publicUrl: string, slug: string): ProviderAddresses {
  const root = `${publicUrl}/api/v2/sso/${slug}`;
  return { root, login: `${root}/login`, callback: `${root}/callback`, metadata: `${root}/metadata` };
}

/**
 * The address that answers of providers are checked against. One that a request names itself is good enough for a
 * trial on the machine itself only: elsewhere an answer that was meant for another service would fit.
 * @throws ApiError 409
 */
export function trustedAddress(configured: string | undefined, fromRequest: string): string {
  if (configured !== undefined) return configured;
  if (isLoopback(new URL(fromRequest).hostname)) return fromRequest;
  throw apiError('publicAddressNeeded');
}

export const homeAddress = (publicUrl: string): string => `${publicUrl}${HOME}`;

/** @param text for people: shown by the page, as text */
export const failureAddress = (publicUrl: string, text: string): string =>
  `${publicUrl}${HOME}?${new URLSearchParams({ error: text })}`;
