/**
 * Addresses of masked pages. Ids of well-known groups, such as Authenticated Users, begin with the name of the domain:
 * `AURORA.EXAMPLE-S-1-5-11`. Addresses and links of a masked page contain the SID of the domain instead,
 * `S-1-5-21-1-2-3~S-1-5-11`, which the list of environments resolves for anyone who may see the domain. The text of a query keeps
 * its keys until it is sent.
 */
import { isMasked } from './masking.ts';

const nameBySid = new Map<string, string>();
const sidByName = new Map<string, string>();

/** @param environments environments that the user may see */
export function learnDomains(environments: readonly { readonly id: string; readonly name: string }[]): void {
  for (const { id, name } of environments) {
    if (!id.startsWith('S-1-5-21-')) continue;
    nameBySid.set(id, name);
    sidByName.set(name.toUpperCase(), id);
  }
}

/** An id that begins with the name of a domain, or with its SID. */
const NAMED = /(?<![\w.-])((?:[\w-]+\.)*[\w-]+)-(S-1-(?!5-21-)\d+(?:-\d+)+)/gi;
const KEYED = /(S-1-5-21(?:-\d+){3})~(S-1-\d+(?:-\d+)+)/g;

const keyed = (text: string): string =>
  text.replace(NAMED, (id, name: string, rest: string) => {
    const sid = sidByName.get(name.toUpperCase());
    return sid === undefined ? id : `${sid}~${rest}`;
  });

/** @returns the text with ids as the service knows them */
export const realText = (text: string): string =>
  text.replace(KEYED, (key, sid: string, rest: string) => {
    const name = nameBySid.get(sid);
    return name === undefined ? key : `${name}-${rest}`;
  });

/** The parameter with the text of a query, which the page shows; it keeps its keys while names are masked. */
const QUERY = 'q';

/** @param query of an address, with or without its question mark @returns the query with changed values */
function withValues(query: string, change: (value: string, name: string) => string): string {
  const before = [...new URLSearchParams(query)];
  const after = before.map(([name, value]) => [name, change(value, name)]);
  if (after.every(([, value], at) => value === before[at]?.[1])) return query;
  return new URLSearchParams(after).toString();
}

/** @param target path with a query, for a link or the address bar @returns the target, without names while names are masked */
export function shownAddress(target: string): string {
  if (!isMasked()) return target;
  const at = target.indexOf('?');
  return at < 0 ? target : `${target.slice(0, at + 1)}${withValues(target.slice(at + 1), keyed)}`;
}

/** @param search query of the address @returns the query with ids as the service knows them */
export const realSearch = (search: string): string =>
  withValues(search, (value, name) => (name === QUERY && isMasked() ? value : realText(value)));

/** Whether the environments must be known to resolve an address. */
export const hasKeys = (search: string): boolean =>
  withValues(search, (value) => value.replace(KEYED, '')) !== search;
