/**
 * Finds packages by key. A key contains the ids of all subjects, so keys are built only for packages of objects named in the wanted keys:
 * building all keys would make millions of strings.
 */
import { type AttackGraph, findNode, NO_NODE } from '@clew/graph';
import type { WorkPackage } from './packageOrder.ts';

/** Maximum number of space-separated parts of a key: a kind and some ids. */
const MAX_PARTS = 32;

/** @returns the places of the packages, keyed by package key; packages that no longer exist are missing */
export function placesOfKeys(
  graph: AttackGraph,
  packages: readonly WorkPackage[],
  keys: Iterable<string>,
): ReadonlyMap<string, number> {
  const wanted = new Set(keys);
  const places = new Map<string, number>();
  if (wanted.size === 0) return places;
  const isWanted = hasKeyOf(graph, wanted);
  for (const [place, one] of packages.entries()) if (isWanted(one)) places.set(one.key, place);
  return places;
}

/** @returns a predicate for packages that have one of the keys */
export function hasKeyOf(graph: AttackGraph, keys: Iterable<string>): (one: WorkPackage) => boolean {
  const wanted = new Set(keys);
  const named = namedIn(graph, wanted);
  return (one) => one.subjects.every((node) => named.has(node)) && wanted.has(one.key);
}

/** @returns the objects named in the keys; may include others */
export const namedIn = (graph: AttackGraph, keys: Iterable<string>): ReadonlySet<number> =>
  new Set([...keys].flatMap((key) => nodesIn(graph, key)));

/** Nodes whose id is one part of the key or several consecutive parts: ids of other platforms may contain spaces. */
function nodesIn(graph: AttackGraph, key: string): number[] {
  const parts = key.split(' ').slice(0, MAX_PARTS);
  const found: number[] = [];
  for (let first = 0; first < parts.length; first++)
    for (let end = first + 1; end <= parts.length; end++) {
      const node = findNode(graph, parts.slice(first, end).join(' '));
      if (node !== NO_NODE) found.push(node);
    }
  return found;
}
