/**
 * Chooses the next part of a match. Ties are broken by types and names, and not by the order in the query, so
 * equivalent queries have the same plan.
 */
import type { Anchors } from './anchors.ts';
import type { NodeElement, RelationshipElement } from './elements.ts';

/** @returns the node with the fewest candidates */
export function rarest(nodes: readonly NodeElement[], anchors: Anchors): NodeElement | undefined {
  let best: { readonly node: NodeElement; readonly estimate: number } | undefined;
  for (const node of nodes) {
    const { estimate } = anchors.of(node);
    const isBetter =
      best === undefined ||
      estimate < best.estimate ||
      (estimate === best.estimate && node.name < best.node.name);
    if (isBetter) best = { node, estimate };
  }
  return best?.node;
}

interface Rank {
  readonly relationship: RelationshipElement;
  readonly cost: number;
  /** Estimated number of candidates for an end that is not matched yet. */
  readonly estimate: number;
}

/** @returns the cheapest relationship adjacent to the matched parts; `undefined` if no relationship is adjacent */
export function nearest(
  left: Iterable<RelationshipElement>,
  isFound: (node: NodeElement) => boolean,
  anchors: Anchors,
): RelationshipElement | undefined {
  let best: Rank | undefined;
  for (const relationship of left) {
    const cost = costOf(relationship, isFound);
    if (cost === undefined) continue;
    const open = [relationship.from, relationship.to].filter((node) => !isFound(node));
    const estimate = Math.min(...open.map((node) => anchors.alone(node).estimate));
    const rank = { relationship, cost, estimate };
    if (best === undefined || isBefore(rank, best)) best = rank;
  }
  return best?.relationship;
}

function isBefore(a: Rank, b: Rank): boolean {
  if (a.cost !== b.cost) return a.cost < b.cost;
  if (a.estimate !== b.estimate) return a.estimate < b.estimate;
  return textOf(a.relationship) < textOf(b.relationship);
}

const textOf = ({ pattern, from, to, name }: RelationshipElement): string =>
  [pattern.types.toSorted().join('|'), from.name, to.name, name].join(' ');

function costOf(
  { from, to, pattern, isGiven, shortest }: RelationshipElement,
  isFound: (node: NodeElement) => boolean,
): number | undefined {
  const ends = Number(isFound(from)) + Number(isFound(to));
  const isLong = pattern.length !== undefined || shortest !== undefined;
  if (isGiven && !isLong) return 0;
  if (ends === 0) return undefined;
  if (shortest !== undefined) return ends === 2 ? 30 : 40;
  if (isLong) return ends === 2 ? 10 : 20;
  return ends === 2 ? 1 : 5;
}
