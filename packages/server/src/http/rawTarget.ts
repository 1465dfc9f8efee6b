/** The target in the request line, which signatures cover byte for byte; Node.js only accepts ASCII in it. */

/** @returns path and query: scheme and host of the absolute form (RFC 9112, 3.2.2) are removed, the rest is unchanged */
export function stripOrigin(target: string): string {
  const match = /^https?:\/\/[^/?#]*/i.exec(target);
  if (match === null) return target;
  const rest = target.slice(match[0].length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/**
 * Clients may join a base with a trailing slash and a path with a leading one: `//api/v2/self`, `/api/v2//self`.
 * @returns the target with one slash where a base may end
 */
export const withoutJoints = (target: string): string =>
  target.replace(/^\/{2,}/, '/').replace(/^\/api\/+(v\d+)\/+/, '/api/$1/');

const DOCUMENT_OF_ISSUER = /^(\/\.well-known\/oauth-(?:authorization-server|protected-resource))(\/.*)$/s;

/**
 * Clients ask for documents about an address with a path at its host, with the path at the end (RFC 8414 and RFC 9728, section 3.1).
 * @param base path of the service as its users see it, `/clew`; empty without one
 * @returns the target without this path
 */
export function withoutPathOfIssuer(target: string, base: string): string {
  const [, document = '', rest = ''] = DOCUMENT_OF_ISSUER.exec(target) ?? [];
  if (base === '' || !rest.startsWith(base)) return target;
  const after = rest.slice(base.length);
  return after === '' || after.startsWith('/') || after.startsWith('?') ? document + after : target;
}
