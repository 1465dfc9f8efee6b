/** References to other objects: an object id, and the kind known to the collector. */
import { NODE_KINDS } from '@clew/model';

export interface Principal {
  /** Upper case; never empty. */
  readonly id: string;
  readonly kind: string;
}

/** `LocalGroup` and `LocalUser` are the names in collectors of early 2024. */
const kindByName: ReadonlyMap<string, string> = new Map([
  ...NODE_KINDS.map(({ name }) => [name, name] as const),
  ['LocalGroup', 'ADLocalGroup'],
  ['LocalUser', 'ADLocalUser'],
]);

/** The kind of a principal: an exact kind name, else `Base` (`Configuration`). Rule: `docs/reference/collections.md#objects`. */
export function principalKind(objectType: unknown): string {
  return kindByName.get(objectType as string) ?? 'Base';
}

/** Collectors write these words if they found no id; in upper case, `DOMAIN_SID` also before the end of a SID. */
const WORDS: ReadonlySet<string> = new Set([
  ...['DOMAIN_SID', 'ERR_UNKNOWN', 'NONE', 'NOT FOUND', 'NULL', 'SID', 'UNKNOWN'],
]);

/**
 * Why an id does not identify an object. Collectors build a SID from parts, one of which may be missing. Some treat the domain Builtin,
 * which is a part of each computer and domain, as a separate domain or container; without a kind it is only the location of the Builtin
 * groups. Rule: `docs/reference/collections.md#objects`.
 *
 * @param id in upper case
 * @param kind from the collector
 */
export function idFault(id: string, kind?: string): string | undefined {
  if (isWholeSid(id) && id !== BUILTIN) return undefined;
  if (WORDS.has(id) || id.startsWith('DOMAIN_SID-')) return 'a word is used instead of an ID';
  const [sid] = /(?:^|-)S-1-(?:\d[\dA-Z-]*)?$/.exec(id) ?? [];
  if (sid === undefined) return undefined;
  if (sid === BUILTIN || sid === `-${BUILTIN}`)
    return kind === 'Base' ? undefined : 'the domain Builtin (S-1-5-32) is not an object of the directory';
  return /^-?S-1-\d+(?:-\d+)+$/.test(sid) ? undefined : 'a SID is not whole';
}

const BUILTIN = 'S-1-5-32';
const HYPHEN = 45;
const [ZERO, NINE] = [48, 57];

/** Whether it is `S-1-` and at least two numbers. A loop instead of an expression, because it runs for each member of each group. */
function isWholeSid(id: string): boolean {
  if (!id.startsWith('S-1-')) return false;
  let [numbers, digits] = [0, 0];
  for (let at = 4; at < id.length; at++) {
    const code = id.charCodeAt(at);
    if (code >= ZERO && code <= NINE) digits++;
    else if (code !== HYPHEN || digits === 0) return false;
    else {
      numbers++;
      digits = 0;
    }
  }
  return digits > 0 && numbers > 0;
}

/**
 * Whether a text has the form of an id: a SID, also after its domain name, a GUID, or the name of a foreign principal. Collectors of
 * sessions write names of accounts and hosts if they found no id.
 *
 * @param id in upper case
 */
export const isIdText = (id: string): boolean =>
  isWholeSid(id) || /(?:^|-)S-\d+(?:-\d+)+$/.test(id) || GUID.test(id) || id.startsWith('DN=');

const GUID = /^\{?[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}\}?$/;
