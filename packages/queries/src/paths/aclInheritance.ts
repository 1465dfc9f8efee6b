/**
 * The origin of an inherited right: the chain of containers from each ancestor whose access list has the entry down to the object, unless
 * an object in between blocks inheritance. Rule: `docs/rules.md#propagatesacesto`.
 */
import { type AttackGraph, findEdge, hasKind } from '@clew/graph';
import { EdgeKind, NodeKind } from '@clew/model';

/** Facts about inheritance from the store. */
export interface InheritanceFacts {
  /** `isaclprotected`: the object inherits nothing. */
  isProtected(node: number): boolean;
  /** `inheritancehashes`: the object passes these entries on. */
  handsDown(node: number, hash: string): boolean;
}

const PLACES = [NodeKind.Domain, NodeKind.OU, NodeKind.Container];

/** @returns the node itself and all its ancestors, each once */
export function placesAbove(graph: AttackGraph, node: number): readonly number[] {
  const found = new Set([node]);
  for (const place of found) for (const { parent } of parentsOf(graph, place)) found.add(parent);
  return [...found];
}

/** @returns numbers of the Contains edges in all chains that pass the entry to `target`, ascending */
export function inheritanceChains(
  graph: AttackGraph,
  target: number,
  hash: string,
  facts: InheritanceFacts,
): readonly number[] {
  const edges = new Set<number>();
  const climb = (node: number, below: readonly { readonly node: number; readonly edge: number }[]): void => {
    if (facts.isProtected(node)) return;
    for (const { parent, edge } of parentsOf(graph, node)) {
      if (parent === target || below.some((step) => step.node === parent)) continue;
      const chain = [...below, { node: parent, edge }];
      if (facts.handsDown(parent, hash)) for (const step of chain) edges.add(step.edge);
      climb(parent, chain);
    }
  };
  climb(target, []);
  return [...edges].sort((a, b) => a - b);
}

function parentsOf(graph: AttackGraph, node: number): { readonly parent: number; readonly edge: number }[] {
  const { offsets, neighbors, kinds } = graph.in;
  const parents: { parent: number; edge: number }[] = [];
  for (let at = offsets[node]; at < offsets[node + 1]; at++) {
    const parent = neighbors[at];
    if (kinds[at] !== EdgeKind.Contains || !PLACES.some((kind) => hasKind(graph, parent, kind))) continue;
    parents.push({ parent, edge: findEdge(graph, parent, EdgeKind.Contains, node) });
  }
  return parents;
}
