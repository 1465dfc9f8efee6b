/**
 * Ends of paths that are sets of objects: what is marked, a zone or a kind, or what a saved query finds. The address has them as
 * `@owned`, `@tier-zero`, `@label:NAME` (a kind, or `Tag_` and a zone) and `@query:NUMBER`.
 */
import { kindLook } from '../../graph/kinds.ts';

export const OWNED_SET = '@owned';
export const TIER_ZERO_SET = '@tier-zero';

const LABELED = /^@label:(\w{1,200})$/;
const QUERIED = /^@query:(\d{1,9})$/;

export const isSet = (text: string | undefined): boolean =>
  text === OWNED_SET || text === TIER_ZERO_SET || LABELED.test(text ?? '') || QUERIED.test(text ?? '');

export const labelSet = (label: string): string => `@label:${label}`;
export const querySet = (id: number): string => `@query:${id}`;
/** The service names the label of a zone so. Zones with other characters in their names can be asked for in a query. */
export const zoneLabel = (name: string): string => `Tag_${name.replaceAll(' ', '_')}`;

/** @returns the label of its objects; nothing for the objects of a query */
export function labelOf(set: string): string | undefined {
  if (set === OWNED_SET) return 'Tag_Owned';
  if (set === TIER_ZERO_SET) return 'Tag_Tier_Zero';
  return LABELED.exec(set)?.[1];
}

/** @returns the number of the saved query; nothing for other sets */
export function queryOf(set: string | undefined): number | undefined {
  const found = QUERIED.exec(set ?? '')?.[1];
  return found === undefined ? undefined : Number(found);
}

/** @param queryName of the saved query, as far as it is known */
export function setWords(set: string, queryName?: string): string {
  if (set === OWNED_SET) return 'everything marked as owned';
  const query = queryOf(set);
  if (query !== undefined) return `what the query ${queryName ?? query} finds`;
  const label = labelOf(set) ?? '';
  if (label.startsWith('Tag_')) return `anything in ${label.slice(4).replaceAll('_', ' ')}`;
  return `any object of type ${kindLook(label).label}`;
}

/** Paths of one answer. */
export const MAX_PATHS = 100;

/** Shortest paths between sets of objects, or around some, are a question in Cypher. */
export function setQuery(
  from: string,
  to: string,
  kinds: readonly string[] | undefined,
  isAround = false,
): string {
  const end = (name: string, text: string): string => {
    const label = isSet(text) ? labelOf(text) : undefined;
    return label === undefined ? `(${name})` : `(${name}:\`${label}\`)`;
  };
  const condition = (name: string, text: string, parameter: string): readonly string[] => {
    if (!isSet(text)) return [`${name}.objectid = $${parameter}`];
    return queryOf(text) === undefined ? [] : [`${name}.objectid IN $${parameter}`];
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
