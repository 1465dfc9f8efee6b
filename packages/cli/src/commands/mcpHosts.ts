/** Under which names pages may ask `clew mcp --http`: those it listens on, whether or not the port is written out. */

/** @returns the allowed values of a `Host` header */
export function hostsOf(host: string, port: number): string[] {
  const names = [host, 'localhost', '127.0.0.1'];
  // Browsers leave out the port that belongs to the scheme.
  return names.flatMap((name) => [`${name}:${port}`, ...(port === 80 || port === 443 ? [name] : [])]);
}

/** A page of another origin asks with the credentials of the user who looks at it. @param origin the header, where there is one */
export function isForeignOrigin(origin: string | undefined, host: string, port: number): boolean {
  if (origin === undefined) return false;
  const url = URL.parse(origin);
  if (url === null || !/^https?:$/.test(url.protocol)) return true;
  const itsPort = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  return itsPort !== port || ![host.toLowerCase(), 'localhost', '127.0.0.1'].includes(url.hostname);
}
