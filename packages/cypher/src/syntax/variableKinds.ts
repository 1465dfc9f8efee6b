/** Determines which variables of a query can only be nodes, or only relationships. */
import { forEachPart, type Part } from './forEachPart.ts';

export type PartKind = 'node' | 'relationship' | 'any';

/** Items of SET and REMOVE, which name a variable without defining it. */
const OF_CHANGES: ReadonlySet<unknown> = new Set(['key', 'keys', 'labels']);

/** @returns `undefined` for a part that is neither a node nor a relationship pattern */
export const kindOfPattern = (part: Part): 'node' | 'relationship' | undefined =>
  'direction' in part ? 'relationship' : 'labels' in part ? 'node' : undefined;

/** Names that patterns use only as nodes or only as relationships, and that nothing else defines. */
export function variableKinds(query: unknown): ReadonlyMap<string, PartKind> {
  const kinds = new Map<string, PartKind>();
  forEachPart(query, (part) => {
    const { type, variable, name, isAliased } = part;
    if (OF_CHANGES.has(type)) return;
    const named = typeof variable === 'string' ? variable : isAliased === true ? (name as string) : undefined;
    if (named === undefined) return;
    const kind = typeof variable === 'string' ? (kindOfPattern(part) ?? 'any') : 'any';
    kinds.set(named, kinds.has(named) && kinds.get(named) !== kind ? 'any' : kind);
  });
  return kinds;
}
