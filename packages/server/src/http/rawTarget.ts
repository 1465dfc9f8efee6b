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
