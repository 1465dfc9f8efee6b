/**
 * Finds packages by their keys. The key of a package has the ids of all its subjects, so that only those of packages of objects that the
 * wanted keys name are built: keys of all packages would be millions of texts.
 */
import { type AttackGraph, findNode, NO_NODE } from '@clew/graph';
import type { WorkPackage } from './packageOrder.ts';

/** Parts of a key between spaces, at most: a kind, and some ids. */
const MAX_PARTS = 32;

/** @returns places of the packages, by key; those that are no more are left out */
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

/** @returns says whether a package has one of the keys */
export function hasKeyOf(graph: AttackGraph, keys: Iterable<string>): (one: WorkPackage) => boolean {
  const wanted = new Set(keys);
  const named = namedIn(graph, wanted);
  return (one) => one.subjects.every((node) => named.has(node)) && wanted.has(one.key);
}

/** @returns the objects that keys name, and perhaps others */
export const namedIn = (graph: AttackGraph, keys: Iterable<string>): ReadonlySet<number> =>
  new Set([...keys].flatMap((key) => nodesIn(graph, key)));

/** Nodes whose ids are a part of the key, or several in a row: ids of other platforms may have spaces. */
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
