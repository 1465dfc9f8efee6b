/**
 * Determines the address of the client, and the address of the service as that client sees it. Only headers from trusted proxies are used
 * (`docs/reference/api.md#rate-limits` and `docs/reference/api.md#headers`).
 */
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

export type TrustedProxies =
  /** The number of proxies in front of the service, if it is reachable only through them. 0 trusts none. */
  | { readonly count: number }
  /** The networks of the proxies. */
  | { readonly networks: readonly (readonly [Address, number])[] };

/** @returns the number of trusted proxies, or of their networks */
export const proxyCount = (trusted: TrustedProxies): number =>
  'count' in trusted ? trusted.count : trusted.networks.length;

export interface Peer {
  /** Address of the TCP connection. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** @returns whether the peer of the connection is a trusted proxy */
export function isTrustedProxy(address: string, trusted: TrustedProxies): boolean {
  return 'count' in trusted ? trusted.count > 0 : isProxyNetwork(address, trusted);
}

/** @returns whether an address is in one of the named networks of proxies */
export function isProxyNetwork(address: string, trusted: TrustedProxies): boolean {
  if ('count' in trusted) return false;
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return trusted.networks.some(
    ([network, bits]) => parsed.kind() === network.kind() && parsed.match(network as never, bits),
  );
}

/**
 * For a count of N, the entry N places from the right of `X-Forwarded-For` (the first if it has fewer); for networks, the rightmost entry
 * that is not a proxy. A value that is not an address counts as the peer.
 */
export function clientAddress(peer: Peer, trusted: TrustedProxies): string {
  const direct = normalizeAddress(peer.address) ?? peer.address;
  if (!isTrustedProxy(direct, trusted)) return direct;
  const hops = (peer.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((hop) => hop.trim())
    .filter((hop) => hop !== '');
  if (hops.length === 0) return direct;
  const named =
    'count' in trusted
      ? hops[Math.max(0, hops.length - trusted.count)]
      : (hops.findLast((hop) => !isTrustedProxy(hop, trusted)) ?? hops[0]);
  return normalizeAddress(named) ?? direct;
}

/** @returns the plain form (`10.0.0.1` for `::ffff:10.0.0.1`), or `undefined` for a text that is not an address */
function normalizeAddress(text: string): string | undefined {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text;
  return ipaddr.isValid(bare) ? ipaddr.process(bare).toString() : undefined;
}

/** @returns the base address without a trailing slash, from the configuration or else from the request */
export function publicUrl(
  peer: Peer,
  options: { readonly publicUrl?: string; readonly trustedProxies: TrustedProxies },
): string {
  if (options.publicUrl !== undefined) return options.publicUrl;
  const forwarded = isTrustedProxy(peer.address, options.trustedProxies);
  const scheme = forwarded && peer.headers['x-forwarded-proto'] === 'https' ? 'https' : 'http';
  const host = (forwarded && peer.headers['x-forwarded-host']) || peer.headers.host || 'localhost';
  return URL.parse(`${scheme}://${host}`)?.origin ?? `${scheme}://localhost`;
}

const FORWARDING_HEADERS = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'] as const;

/** @returns whether the request was made on this machine, without a proxy */
export function isLocal(peer: Peer): boolean {
  const address = normalizeAddress(peer.address);
  return (
    address !== undefined &&
    ipaddr.process(address).range() === 'loopback' &&
    FORWARDING_HEADERS.every((name) => peer.headers[name] === undefined)
  );
}
