import { type AttackGraph, findEdge, NO_EDGE } from '@clew/graph';
import { EdgeFlag } from '@clew/model';

/** An edge identified by its ends and kind. */
export interface EdgeRef {
  readonly start: number;
  readonly kind: number;
  readonly end: number;
}

/** @returns false if the edge does not exist */
export function hasFlag(graph: AttackGraph, { start, kind, end }: EdgeRef, flag: number): boolean {
  const edge = findEdge(graph, start, kind, end);
  return edge !== NO_EDGE && (graph.out.flags[edge] & flag) !== 0;
}

/** Whether the access list entry of an edge is inherited from a container. */
export const isInherited = (graph: AttackGraph, ref: EdgeRef): boolean =>
  hasFlag(graph, ref, EdgeFlag.Inherited);
