/** Headers of every answer, and the cross-origin rules (`docs/reference/api.md#headers`). */

const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'SAMEORIGIN',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Permissions-Policy':
    'fullscreen=*, unsized-media=*, unoptimized-images=*, geolocation=(), camera=(), microphone=(), payment=()',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
} as const;

const HSTS = { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains; preload' } as const;

export type Headers = Readonly<Record<string, string>>;

/** @param secure whether users reach the service with TLS */
export function securityHeaders(secure: boolean): Headers {
  return secure ? { ...SECURITY_HEADERS, ...HSTS } : SECURITY_HEADERS;
}

/** Both names of the request id: the one that clients use, and the standard one. */
export function requestIdHeaders(requestId: string): Headers {
  return { RequestID: requestId, 'X-Request-Id': requestId };
}

const PREFLIGHT_HEADERS = {
  'Access-Control-Allow-Methods': 'HEAD, GET, POST, PUT, PATCH, DELETE',
  'Access-Control-Allow-Headers':
    'Content-Type, Content-Encoding, Authorization, RequestDate, Signature, Prefer, X-File-Upload-Name, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Clew-View-As',
  'Access-Control-Max-Age': '600',
} as const;

const EXPOSED =
  'RequestID, X-Request-Id, Preference-Applied, Retry-After, Content-Disposition, Location, WWW-Authenticate';

/** @returns headers for a page of this origin; none unless it is configured. Never `*`. */
export function corsHeaders(origin: string | undefined, allowed: readonly string[]): Headers {
  if (allowed.length === 0) return {};
  const vary = { Vary: 'Origin' };
  if (origin === undefined || !allowed.includes(origin)) return vary;
  return {
    ...vary,
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Expose-Headers': EXPOSED,
  };
}

/** @returns headers for a preflight request; `undefined` if the request is not allowed */
export function preflightHeaders(
  method: string,
  headers: Readonly<Record<string, string | undefined>>,
  allowed: readonly string[],
): Headers | undefined {
  const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
  if (!isPreflight || headers.origin === undefined || !allowed.includes(headers.origin)) return undefined;
  return PREFLIGHT_HEADERS;
}
