/**
 * The target of the request line. Signatures cover it byte for byte; Node.js refuses anything but ASCII in it.
 */

/** @returns path and query: scheme and host of the absolute form (RFC 9112, 3.2.2) are cut off, the rest is untouched. */
export function stripOrigin(target: string): string {
  const match = /^https?:\/\/[^/?#]*/i.exec(target);
  if (match === null) return target;
  const rest = target.slice(match[0].length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/**
 * Clients join a base that ends in a slash with a path that begins with one: `//api/v2/self`, `/api/v2//self`.
 * @returns the target with one slash at the places where a base may end
 */
export const withoutJoints = (target: string): string =>
  target.replace(/^\/{2,}/, '/').replace(/^\/api\/+(v\d+)\/+/, '/api/$1/');
