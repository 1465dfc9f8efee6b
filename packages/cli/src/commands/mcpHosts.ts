/** Host names under which pages may call `clew mcp --http`: its own, with or without the port. */

/** @returns the allowed values of a `Host` header, in lowercase */
export function hostsOf(host: string, port: number): string[] {
  const names = [host.toLowerCase(), 'localhost', '127.0.0.1'];
  // Browsers omit the default port of the scheme.
  return names.flatMap((name) => [`${name}:${port}`, ...(port === 80 || port === 443 ? [name] : [])]);
}

/** A page of another origin would use the credentials of its visitor. @param origin the header, if any */
export function isForeignOrigin(origin: string | undefined, host: string, port: number): boolean {
  if (origin === undefined) return false;
  const url = URL.parse(origin);
  if (url === null || !/^https?:$/.test(url.protocol)) return true;
  const itsPort = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  return itsPort !== port || ![host.toLowerCase(), 'localhost', '127.0.0.1'].includes(url.hostname);
}
