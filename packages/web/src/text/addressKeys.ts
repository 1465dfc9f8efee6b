/**
 * Addresses of masked pages. Groups that every domain has, such as Authenticated Users, have ids that begin with the name of the domain:
 * `AURORA.EXAMPLE-S-1-5-11`. An address and a link of a masked page have the SID of the domain instead, `S-1-5-21-1-2-3~S-1-5-11`, which the
 * list of environments resolves for anyone who may see the domain. The text of a query keeps its keys until it is sent.
 */
import { isMasked } from './masking.ts';

const nameBySid = new Map<string, string>();
const sidByName = new Map<string, string>();

/** @param environments those that the user may see */
export function learnDomains(environments: readonly { readonly id: string; readonly name: string }[]): void {
  for (const { id, name } of environments) {
    if (!id.startsWith('S-1-5-21-')) continue;
    nameBySid.set(id, name);
    sidByName.set(name.toUpperCase(), id);
  }
}

/** An id with the name of a domain, and one with its SID. */
const NAMED = /(?<![\w.-])((?:[\w-]+\.)*[\w-]+)-(S-1-(?!5-21-)\d+(?:-\d+)+)/gi;
const KEYED = /(S-1-5-21(?:-\d+){3})~(S-1-\d+(?:-\d+)+)/g;

const keyed = (text: string): string =>
  text.replace(NAMED, (id, name: string, rest: string) => {
    const sid = sidByName.get(name.toUpperCase());
    return sid === undefined ? id : `${sid}~${rest}`;
  });

/** @returns the text with the ids that the service knows */
export const realText = (text: string): string =>
  text.replace(KEYED, (key, sid: string, rest: string) => {
    const name = nameBySid.get(sid);
    return name === undefined ? key : `${name}-${rest}`;
  });

/** The parameter with the text of a query, which the page shows: while names are masked, it keeps its keys. */
const QUERY = 'q';

/** @param query of an address, with or without its question mark @returns the same with changed values */
function withValues(query: string, change: (value: string, name: string) => string): string {
  const before = [...new URLSearchParams(query)];
  const after = before.map(([name, value]) => [name, change(value, name)]);
  if (after.every(([, value], at) => value === before[at]?.[1])) return query;
  return new URLSearchParams(after).toString();
}

/** @param target path with a query, for a link or the bar of the browser @returns without names while they are masked */
export function shownAddress(target: string): string {
  if (!isMasked()) return target;
  const at = target.indexOf('?');
  return at < 0 ? target : `${target.slice(0, at + 1)}${withValues(target.slice(at + 1), keyed)}`;
}

/** @param search query of the address @returns the same with the ids that the service knows */
export const realSearch = (search: string): string =>
  withValues(search, (value, name) => (name === QUERY && isMasked() ? value : realText(value)));

/** Whether an address can be read only when the environments are known. */
export const hasKeys = (search: string): boolean =>
  withValues(search, (value) => value.replace(KEYED, '')) !== search;
