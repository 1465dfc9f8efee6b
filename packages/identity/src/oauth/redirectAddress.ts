/** Restricts the addresses to which browsers are redirected with a code: only the client may read them. */
import { isLoopback } from '@clew/common';

/**
 * @returns why a client may not register the address; `undefined` for any https address, and for http on the machine of the
 * browser
 */
export function faultOfRedirect(text: string): string | undefined {
  const url = URL.parse(text);
  // The parser normalizes and removes characters, but addresses are compared as written.
  if (url === null || /[^\x21-\x7e]|[\\"<>^`{|}]/.test(text)) return 'it is not an address';
  if (url.hash !== '' || text.includes('#')) return 'it has a fragment';
  if (url.username !== '' || url.password !== '' || text.split(/[/?]/, 3).join('').includes('@'))
    return 'it has a user name';
  if (url.protocol === 'https:') return undefined;
  if (url.protocol === 'http:' && isLoopback(url.hostname)) return undefined;
  return 'it is neither https nor http on a loopback address';
}

/** An address on the machine of the browser: before and after its port. */
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::\d{1,5})?((?:[/?].*)?)$/;

/**
 * Compares addresses as they are written. Programs on the machine of the browser listen on a free port, so the port of a loopback
 * address is not compared (RFC 8252, section 7.3); a name such as `localhost` may be another machine.
 */
export function isRegistered(asked: string, registered: readonly string[]): boolean {
  if (registered.includes(asked)) return true;
  const wanted = withoutPort(asked);
  if (wanted === undefined || faultOfRedirect(asked) !== undefined) return false;
  return registered.some((address) => withoutPort(address) === wanted);
}

function withoutPort(address: string): string | undefined {
  const [, before, after] = LOOPBACK.exec(address) ?? [];
  return before === undefined ? undefined : `${before}${after}`;
}
