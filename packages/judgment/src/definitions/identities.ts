/**
 * Matches nodes of two kinds that are the same person or machine, by a value that both have. Values shared by several nodes of a kind, and
 * nodes that match two others, are reported as ambiguous and never guessed.
 *
 * Rule: `docs/extensions.md#same-identity`.
 */
import type { IdentityMatcher } from '@clew/graph';

/** A node and one of its identifying values. */
export type Known = readonly [node: number, value: string];

export interface SamePair {
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

export interface Ambiguous {
  readonly start: readonly number[];
  readonly end: readonly number[];
}

export interface Matched {
  /** Each node occurs at most once on either side. */
  readonly pairs: readonly SamePair[];
  readonly ambiguous: readonly Ambiguous[];
}

/** @param starts @param ends in any order; a node may have several values */
export function matchIdentities(starts: Iterable<Known>, ends: Iterable<Known>): Matched {
  const [byStart, byEnd] = [nodesByValue(starts), nodesByValue(ends)];
  const candidates: SamePair[] = [];
  const ambiguous: Ambiguous[] = [];
  for (const [value, from] of byStart) {
    const to = byEnd.get(value);
    if (to === undefined) continue;
    if (from.size === 1 && to.size === 1) {
      const [[start], [end]] = [from, to];
      if (start !== end) candidates.push({ start, end, value });
    } else if (from.size > 1 || to.size > 1) ambiguous.push({ start: ascending(from), end: ascending(to) });
  }
  const [endsOf, startsOf] = [new Map<number, Set<number>>(), new Map<number, Set<number>>()];
  for (const { start, end } of candidates) {
    add(endsOf, start, end);
    add(startsOf, end, start);
  }
  // A node that also has an ambiguous value is uncertain.
  const unsure = new Set(ambiguous.flatMap(({ start, end }) => [...start, ...end]));
  const pairs = new Map<string, SamePair>();
  const reported = new Set<string>();
  for (const pair of candidates) {
    const { start, end } = pair;
    const key = `${start} ${end}`;
    const [itsEnds, itsStarts] = [endsOf.get(start) as Set<number>, startsOf.get(end) as Set<number>];
    if (itsEnds.size === 1 && itsStarts.size === 1) {
      if (!unsure.has(start) && !unsure.has(end) && !pairs.has(key)) pairs.set(key, pair);
      continue;
    }
    const one = { start: ascending(itsStarts), end: ascending(itsEnds) };
    if (reported.has(JSON.stringify(one))) continue;
    reported.add(JSON.stringify(one));
    ambiguous.push(one);
  }
  return { pairs: [...pairs.values()], ambiguous };
}

function nodesByValue(known: Iterable<Known>): Map<string, Set<number>> {
  const nodes = new Map<string, Set<number>>();
  for (const [node, value] of known) add(nodes, value, node);
  return nodes;
}

function add<Key>(sets: Map<Key, Set<number>>, key: Key, value: number): void {
  const set = sets.get(key);
  if (set === undefined) sets.set(key, new Set([value]));
  else set.add(value);
}

const ascending = (nodes: ReadonlySet<number>): number[] => [...nodes].sort((a, b) => a - b);

/** DNS names of domains by NetBIOS name, both in lower case; null if two domains share the name. */
export type DomainNames = ReadonlyMap<string, string | null>;

/** SIDs of domains and of Entra ID: others, such as S-1-5-32-544, exist on many machines. */
const SID = /^S-1-(?:5-21|12-1)(?:-\d{1,10}){4,15}$/;
const GUID = /^\{?([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})\}?$/i;
/** An address, or an account followed by its domain. */
const ADDRESS = /^([^@\s]+)@([^@\s]+)$/u;
const ACCOUNT = /^([^\\@/\s]+)[\\/]([^\\@/]+)$/u;
/** Folds case as directories do. */
const folded = (text: string): string => text.trim().normalize('NFC').toLowerCase();

/**
 * @param domain domain of the account, for values without one
 * @returns the value to compare; undefined if the value identifies no one
 */
export function comparedValue(
  matcher: IdentityMatcher,
  value: string,
  domain: string | undefined,
  domains: DomainNames,
): string | undefined {
  switch (matcher) {
    case 'upn':
      return ADDRESS.test(value.trim()) ? folded(value) : undefined;
    case 'email': {
      const address = value.trim().replace(/^(?:smtp|mailto):/i, '');
      return ADDRESS.test(address) ? folded(address) : undefined;
    }
    case 'sid': {
      const sid = value.trim().toUpperCase();
      return SID.test(sid) ? sid : undefined;
    }
    case 'immutable_id':
      return immutableId(value.trim());
    case 'account_name':
      return accountName(value.trim(), domain?.trim(), domains);
  }
}

/** Base64, which is case-sensitive; a GUID is converted to the bytes that directories use. */
function immutableId(value: string): string | undefined {
  const parts = GUID.exec(value)?.slice(1);
  if (parts === undefined) return value === '' ? undefined : value;
  const [first, second, third, ...others] = parts.map((part) => Buffer.from(part, 'hex'));
  // The first three parts are little-endian numbers.
  return Buffer.concat([first.reverse(), second.reverse(), third.reverse(), ...others]).toString('base64');
}

function accountName(value: string, domain: string | undefined, domains: DomainNames): string | undefined {
  const [, before, behind] = ACCOUNT.exec(value) ?? [];
  const [, account, after] = ADDRESS.exec(value) ?? [];
  const [name, of] =
    before !== undefined ? [behind, before] : account !== undefined ? [account, after] : [value, domain];
  if (!name || !of) return undefined;
  const short = folded(of);
  const full = domains.has(short) ? domains.get(short) : short;
  return full ? `${folded(name)}@${full}` : undefined;
}
