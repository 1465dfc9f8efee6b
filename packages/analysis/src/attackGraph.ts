/**
 * The graph for attack paths: without steps over containment edges and policy links that pass no control on.
 *
 * Rule: `docs/rules.md#notpassedon`.
 */
import { type AttackGraph, giveBackColumns, withMarkedKinds } from '@clew/graph';
import { EdgeKind, LAST_EDGE_KIND } from '@clew/model';

/** Replacement kinds for edges that pass no control on: no filter contains them, so only traversals of all edges follow them. */
export const POWERLESS: ReadonlyMap<number, number> = new Map([
  [EdgeKind.Contains, LAST_EDGE_KIND],
  [EdgeKind.GPLink, LAST_EDGE_KIND - 1],
]);

const KNOWN = new WeakMap<AttackGraph, AttackGraph>();

/** @returns the graph for attack path questions: edges that pass no control on are not steps. Edge numbers are the same */
export function attackGraph(graph: AttackGraph): AttackGraph {
  let view = KNOWN.get(graph);
  if (view === undefined) {
    view = withMarkedKinds(graph, EdgeKind.NotPassedOn, POWERLESS);
    KNOWN.set(graph, view);
    KNOWN.set(view, view);
  }
  return view;
}

/** Releases the memory of a graph and of this view of it. @see giveBackColumns */
export function giveBackGraph(graph: AttackGraph): void {
  const view = KNOWN.get(graph);
  KNOWN.delete(graph);
  if (view !== undefined) giveBackColumns(view);
  giveBackColumns(graph);
}
