/** References to other objects: an object id and the kind the collector knew. */
import { NODE_KINDS } from '@clew/model';

export interface Principal {
  /** Upper case; never empty. */
  readonly id: string;
  readonly kind: string;
}

/** `LocalGroup` and `LocalUser` are the names that collectors of early 2024 have for local groups and accounts. */
const kindByName: ReadonlyMap<string, string> = new Map([
  ...NODE_KINDS.map(({ name }) => [name, name] as const),
  ['LocalGroup', 'ADLocalGroup'],
  ['LocalUser', 'ADLocalUser'],
]);

/**
 * The kind of a principal: an exact name of a kind, else `Base` (`Configuration`). Rule: `docs/reference/collections.md#objects`.
 */
export function principalKind(objectType: unknown): string {
  return kindByName.get(objectType as string) ?? 'Base';
}

/** Collectors write these where they found no id; in upper case, `DOMAIN_SID` also before the end of a SID. */
const WORDS: ReadonlySet<string> = new Set([
  ...['DOMAIN_SID', 'ERR_UNKNOWN', 'NONE', 'NOT FOUND', 'NULL', 'SID', 'UNKNOWN'],
]);

/**
 * Why an id is not that of an object: collectors put a SID together from parts, one of which may be missing, and some take the domain
 * Builtin, which is a part of each computer and domain, for a domain or container of its own; without a kind it is only where the groups of
 * Builtin are. Rule: `docs/reference/collections.md#objects`.
 *
 * @param id in upper case
 * @param kind that the collector gives it
 */
export function idFault(id: string, kind?: string): string | undefined {
  if (isWholeSid(id) && id !== BUILTIN) return undefined;
  if (WORDS.has(id) || id.startsWith('DOMAIN_SID-')) return 'a word stands for an id';
  const [sid] = /(?:^|-)S-1-(?:\d[\dA-Z-]*)?$/.exec(id) ?? [];
  if (sid === undefined) return undefined;
  if (sid === BUILTIN || sid === `-${BUILTIN}`)
    return kind === 'Base' ? undefined : 'the domain Builtin (S-1-5-32) is not an object of the directory';
  return /^-?S-1-\d+(?:-\d+)+$/.test(sid) ? undefined : 'a SID is not whole';
}

const BUILTIN = 'S-1-5-32';
const HYPHEN = 45;
const [ZERO, NINE] = [48, 57];

/** Whether it is `S-1-` and two numbers at least. It is asked of each member of each group: so it is a walk, and no expression. */
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
 * Whether a text has the form of an id: a SID, also after the name of its domain, a GUID, or the name of a foreign principal. Sessions are
 * seen by the names of accounts and hosts, which some collectors write where they found no id.
 *
 * @param id in upper case
 */
export const isIdText = (id: string): boolean =>
  isWholeSid(id) || /(?:^|-)S-\d+(?:-\d+)+$/.test(id) || GUID.test(id) || id.startsWith('DN=');

const GUID = /^\{?[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}\}?$/;
