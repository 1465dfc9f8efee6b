/**
 * The graph as attack paths see it: without steps over edges of containment and policy links that pass no control on.
 *
 * Rule: `docs/rules.md#notpassedon`.
 */
import { type AttackGraph, withMarkedKinds } from '@clew/graph';
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
