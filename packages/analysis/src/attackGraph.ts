/**
 * The graph as attack paths see it: without steps over edges of containment and policy links that pass no control on.
 *
 * Rule: `docs/rules.md#notpassedon`.
 */
import { type AttackGraph, giveBackColumns, withMarkedKinds } from '@clew/graph';
import { EdgeKind, LAST_EDGE_KIND } from '@clew/model';

/** Kinds that edges count as which do not pass control on: no filter has them, and only the ones for all edges follow them. */
export const POWERLESS: ReadonlyMap<number, number> = new Map([
  [EdgeKind.Contains, LAST_EDGE_KIND],
  [EdgeKind.GPLink, LAST_EDGE_KIND - 1],
]);

const KNOWN = new WeakMap<AttackGraph, AttackGraph>();

/** @returns the graph for questions about attack paths: edges that pass nothing on are not steps in it. Edge numbers are the same */
export function attackGraph(graph: AttackGraph): AttackGraph {
  let view = KNOWN.get(graph);
  if (view === undefined) {
    view = withMarkedKinds(graph, EdgeKind.NotPassedOn, POWERLESS);
    KNOWN.set(graph, view);
    KNOWN.set(view, view);
  }
  return view;
}

/** Gives the memory of a graph back, with that of this view of it. @see giveBackColumns */
export function giveBackGraph(graph: AttackGraph): void {
  const view = KNOWN.get(graph);
  KNOWN.delete(graph);
  if (view !== undefined) giveBackColumns(view);
  giveBackColumns(graph);
}
