/**
 * Signs requests with an API token. Rule: `docs/reference/api.md#signed-requests`: a chain of HMAC-SHA-256
 * digests over method and target, the hour of the date, and the body.
 */
import { createHmac } from 'node:crypto';
import type { RequestBody } from './body.ts';

export interface TokenCredentials {
  readonly tokenId: string;
  /** The key as text, as it was shown when the token was made. */
  readonly tokenKey: string;
  /** Scheme word of the `Authorization` header; `svcsignature` when absent. */
  readonly scheme?: string;
}

const HOUR_PREFIX_LENGTH = 13;

/**
 * @param target path and query exactly as they go over the wire
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
  const operation = createHmac('sha256', credentials.tokenKey).update(`${method}${target}`).digest();
  const dated = createHmac('sha256', operation).update(requestDate.slice(0, HOUR_PREFIX_LENGTH)).digest();
  const signature = createHmac('sha256', dated);
  if (body !== undefined) {
    for await (const chunk of body.chunks()) signature.update(chunk);
  }
  return {
    authorization: `${credentials.scheme ?? 'svcsignature'} ${credentials.tokenId}`,
    requestdate: requestDate,
    signature: signature.digest('base64'),
  };
}
