/**
 * Ends of paths that are sets of objects: marked objects, a zone, a kind, users and computers outside the zone of the other end,
 * the results of a saved query, or pasted objects. Addresses contain them as `@owned`, `@tier-zero`, `@outside`, `@label:NAME` (a
 * kind, or `Tag_` and a zone), `@query:NUMBER` and `@list:ID,ID`.
 */
import { kindLook } from '../../graph/kinds.ts';
import { counted } from '../../text/formats.ts';

const TIER_ZERO = 1;

export const OWNED_SET = '@owned';
export const TIER_ZERO_SET = '@tier-zero';
/** Users and computers outside the zone of the other end, and outside Tier Zero. */
export const OUTSIDE_SET = '@outside';

const LABELED = /^@label:(\w{1,200})$/;
const QUERIED = /^@query:(\d{1,9})$/;
const LISTED = /^@list:([^\s,]+(?:,[^\s,]+)*)$/;
/** Maximum length of a list in an address. */
export const MAX_LIST = 6000;

export const isSet = (text: string | undefined): boolean =>
  text === OWNED_SET ||
  text === TIER_ZERO_SET ||
  text === OUTSIDE_SET ||
  LABELED.test(text ?? '') ||
  QUERIED.test(text ?? '') ||
  idsOf(text) !== undefined;

export const labelSet = (label: string): string => `@label:${label}`;
export const querySet = (id: number): string => `@query:${id}`;
/** The label of a zone, as the service names it. For zones with other characters in their names, use a query. */
export const zoneLabel = (name: string): string => `Tag_${name.replaceAll(' ', '_')}`;

/** The set of objects of the zone in the address. @param name of the zone */
export const zoneSetOf = (zone: number, name: string): string =>
  zone === TIER_ZERO ? TIER_ZERO_SET : labelSet(zoneLabel(name));

/** @returns the label of its objects; `undefined` for the objects of a query */
export function labelOf(set: string): string | undefined {
  if (set === OWNED_SET) return 'Tag_Owned';
  if (set === TIER_ZERO_SET) return 'Tag_Tier_Zero';
  return LABELED.exec(set)?.[1];
}

/** @returns the number of the saved query; `undefined` for other sets */
export function queryOf(set: string | undefined): number | undefined {
  const found = QUERIED.exec(set ?? '')?.[1];
  return found === undefined ? undefined : Number(found);
}

/** @param ids of objects; a set longer than {@link MAX_LIST} characters is invalid */
export const listSet = (ids: readonly string[]): string =>
  `@list:${ids.map((id) => encodeURIComponent(id)).join(',')}`;

/** @returns the object ids of a pasted list; `undefined` for other sets */
export function idsOf(set: string | undefined): readonly string[] | undefined {
  if (set === undefined || set.length > MAX_LIST) return undefined;
  try {
    return LISTED.exec(set)?.[1]?.split(',').map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

/** @param queryName name of the saved query, if known */
export function setWords(set: string, queryName?: string): string {
  if (set === OWNED_SET) return 'everything marked as owned';
  if (set === OUTSIDE_SET) return 'any user or computer outside the zone';
  const query = queryOf(set);
  if (query !== undefined) return `results of the query ${queryName ?? query}`;
  const ids = idsOf(set);
  if (ids !== undefined) return counted(ids.length, 'pasted object');
  const label = labelOf(set) ?? '';
  if (label.startsWith('Tag_')) return `any object in ${label.slice(4).replaceAll('_', ' ')}`;
  return `any object of type ${kindLook(label).label}`;
}

/** Collectors name the environment of an object in different properties. */
const inEnvironment = (name: string): string =>
  ['domainsid', 'tenantid', 'environmentid'].map((key) => `${name}.${key} = $env`).join(' OR ');

/** Maximum number of paths in one answer. */
export const MAX_PATHS = 100;

/** Kinds that exposure counts. */
const PRINCIPALS = ['User', 'Computer', 'AZUser', 'AZServicePrincipal', 'AZVM'];
const TIER_ZERO_LABEL = 'Tag_Tier_Zero';

interface SetOptions {
  /** Label of the zone of the other end of `OUTSIDE_SET`. */
  readonly zoneLabel?: string | undefined;
  /** Whether paths avoid the objects of the parameter `around`. */
  readonly isAround?: boolean;
  /** Whether sets are limited to the environment of the parameter `env`; named objects are not limited. */
  readonly isInEnvironment?: boolean;
}

function outside(name: string, zone = TIER_ZERO_LABEL): readonly string[] {
  const zones = [...new Set([TIER_ZERO_LABEL, zone])];
  return [
    `(${PRINCIPALS.map((kind) => `${name}:${kind}`).join(' OR ')})`,
    ...zones.map((label) => `NOT ${name}:\`${label}\``),
  ];
}

/** Shortest paths between sets of objects, or around some objects, require a Cypher query. */
export function setQuery(
  from: string,
  to: string,
  kinds: readonly string[] | undefined,
  { isAround = false, isInEnvironment = false, zoneLabel: zone }: SetOptions = {},
): string {
  const end = (name: string, text: string): string => {
    const label = isSet(text) ? labelOf(text) : undefined;
    return label === undefined ? `(${name})` : `(${name}:\`${label}\`)`;
  };
  const condition = (name: string, text: string, parameter: string): readonly string[] => {
    if (!isSet(text)) return [`${name}.objectid = $${parameter}`];
    const isListed = queryOf(text) !== undefined || idsOf(text) !== undefined;
    return [
      ...(text === OUTSIDE_SET ? outside(name, zone) : []),
      ...(isListed ? [`${name}.objectid IN $${parameter}`] : []),
      ...(isInEnvironment && idsOf(text) === undefined ? [`(${inEnvironment(name)})`] : []),
    ];
  };
  const types = kinds === undefined ? ':ALL_ATTACK_PATHS' : `:${kinds.join('|')}`;
  const conditions = [
    ...condition('s', from, 'from'),
    ...condition('t', to, 'to'),
    's <> t',
    ...(isAround ? ['none(n IN nodes(p) WHERE n.objectid IN $around)'] : []),
  ];
  const search = isSet(from) || isSet(to) ? 'shortestPath' : 'allShortestPaths';
  return `MATCH p = ${search}(${end('s', from)}-[${types}*1..]->${end('t', to)})\nWHERE ${conditions.join(' AND ')}\nRETURN p LIMIT ${MAX_PATHS}`;
}
