/** Merges sets with equal lists, so that a pair supported by many cases is derived once. */
import { getOrMake, NodeSet } from '@clew/graph';

/**
 * @param listOf the nodes at one end of a case's edges
 * @param setOf the nodes at the other end
 * @returns each distinct list, in order of first appearance, with the union of its sets
 */
export function mergeSets<Case>(
  capacity: number,
  cases: Iterable<Case>,
  listOf: (found: Case) => readonly number[],
  setOf: (found: Case) => NodeSet,
): (readonly [list: readonly number[], set: NodeSet])[] {
  const unions = new Map<string, { list: readonly number[]; words: Uint32Array }>();
  for (const found of cases) {
    const list = listOf(found);
    const key = list.join();
    const union = getOrMake(unions, key, () => ({ list, words: new Uint32Array(Math.ceil(capacity / 32)) }));
    setOf(found).addTo(union.words);
  }
  return [...unions.values()].map(({ list, words }) => [list, NodeSet.ofBitmap(capacity, words)] as const);
}
