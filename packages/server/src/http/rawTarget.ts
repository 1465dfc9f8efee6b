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
