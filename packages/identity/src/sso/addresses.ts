/** Addresses of a provider in this service, and the pages to which browsers return. */
import { apiError, isLoopback } from '@clew/common';

const SLUG = /^[a-z0-9._-]{1,200}$/;

/** Part of the addresses of a provider. @throws ApiError 400 for an invalid name */
export function slugOf(name: string): string {
  const slug = name.trim().toLowerCase().replaceAll(' ', '-');
  if (!SLUG.test(slug) || /^\.+$/.test(slug))
    throw apiError('invalidProvider', {
      reason: 'the name of a provider can contain letters from a to z, digits, spaces, and . _ -',
    });
  return slug;
}

export interface ProviderAddresses {
  /** Also the entity id of this service for a SAML provider. */
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
 * The address against which answers of providers are checked. The address in a request is only accepted on the local machine, for trying it
 * out: elsewhere, an answer for another service would match.
 * @throws ApiError 409
 */
export function trustedAddress(configured: string | undefined, fromRequest: string): string {
  if (configured !== undefined) return configured;
  if (isLoopback(new URL(fromRequest).hostname)) return fromRequest;
  throw apiError('publicAddressNeeded');
}

/** @param text shown to the user as plain text on the page */
export const failureAddress = (home: string, text: string): string =>
  `${home}?${new URLSearchParams({ error: text })}`;
