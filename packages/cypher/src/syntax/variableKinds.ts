/** Which variables of a query can only be nodes, or only relationships. */
import { forEachPart, type Part } from './forEachPart.ts';

export type PartKind = 'node' | 'relationship' | 'any';

/** @returns nothing for a part that is not a pattern of either */
export const kindOfPattern = (part: Part): 'node' | 'relationship' | undefined =>
  'direction' in part ? 'relationship' : 'labels' in part ? 'node' : undefined;

/** Names that patterns use as one of both, and nothing else gives a meaning to. */
export function variableKinds(query: unknown): ReadonlyMap<string, PartKind> {
  const kinds = new Map<string, PartKind>();
  forEachPart(query, (part) => {
    const { variable, name, isAliased } = part;
    const named = typeof variable === 'string' ? variable : isAliased === true ? (name as string) : undefined;
    if (named === undefined) return;
    const kind = typeof variable === 'string' ? (kindOfPattern(part) ?? 'any') : 'any';
    kinds.set(named, kinds.has(named) && kinds.get(named) !== kind ? 'any' : kind);
  });
  return kinds;
}
