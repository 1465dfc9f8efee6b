/** Where browsers may be sent with a code: addresses that only the client reads. */
import { isLoopback } from '@clew/common';

/** @returns why a client may not register the address; `undefined` for https anywhere, and http on the machine of the browser */
export function faultOfRedirect(text: string): string | undefined {
  const url = URL.parse(text);
  // The parser repairs and removes characters: an address is compared as it is written.
  if (url === null || /[^\x21-\x7e]|[\\"<>^`{|}]/.test(text)) return 'it is not an address';
  if (url.hash !== '' || text.includes('#')) return 'it has a fragment';
  if (url.username !== '' || url.password !== '' || text.split(/[/?]/, 3).join('').includes('@'))
    return 'it has a user name';
  if (url.protocol === 'https:') return undefined;
  if (url.protocol === 'http:' && isLoopback(url.hostname)) return undefined;
  return 'it is neither https nor http on a loopback address';
}
