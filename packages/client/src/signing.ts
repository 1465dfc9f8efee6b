/**
 * Signs requests with an API token. Rule: `docs/reference/api.md#signed-requests`: a chain of HMAC-SHA-256
 * digests over method and target, the hour of the date, and the body.
 */
import type { RequestBody } from './body.ts';

export interface TokenCredentials {
  readonly tokenId: string;
  /** The key as text, as it was displayed when the token was created. */
  readonly tokenKey: string;
  /** Scheme of the `Authorization` header; default: `svcsignature`. */
  readonly scheme?: string;
}

const HOUR_PREFIX_LENGTH = 13;

/**
 * @param target path and query exactly as they are sent
 * @returns the three headers of a signed request. Reads the body once, chunk by chunk.
 */
export async function signRequest(
  credentials: TokenCredentials,
  method: string,
  target: string,
  body: RequestBody | undefined,
  now: Date,
): Promise<Record<string, string>> {
  const requestDate = now.toISOString();
  const operation = await hmac(encode(credentials.tokenKey), encode(`${method}${target}`));
  const dated = await hmac(operation, encode(requestDate.slice(0, HOUR_PREFIX_LENGTH)));
  const signature = await signBody(dated, body);
  return {
    authorization: `${credentials.scheme ?? 'svcsignature'} ${credentials.tokenId}`,
    requestdate: requestDate,
    signature: btoa(String.fromCharCode(...signature)),
  };
}

type Bytes = Uint8Array<ArrayBuffer>;

const encode = (text: string): Bytes => new TextEncoder().encode(text);

/** Web Crypto is available in Node and browsers. */
async function hmac(key: Bytes, message: Bytes): Promise<Bytes> {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ]);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, message));
}

/** A body that is not in memory is a file, which Node reads chunk by chunk. */
async function signBody(key: Bytes, body: RequestBody | undefined): Promise<Bytes> {
  if (body === undefined) return hmac(key, new Uint8Array());
  if (body.bytes !== undefined) return hmac(key, body.bytes);
  if (body.blob !== undefined) return hmac(key, new Uint8Array(await body.blob.arrayBuffer()));
  const { createHmac } = await import('node:crypto');
  const signature = createHmac('sha256', key);
  for await (const chunk of body.chunks()) signature.update(chunk);
  return new Uint8Array(signature.digest());
}
