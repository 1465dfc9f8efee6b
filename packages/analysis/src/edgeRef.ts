import { type AttackGraph, findEdge, NO_EDGE } from '@clew/graph';
import { EdgeFlag } from '@clew/model';

/** An edge named by its ends. */
export interface EdgeRef {
  readonly start: number;
  readonly kind: number;
  readonly end: number;
}

/** Whether the entry that an edge stands for comes from a container; false for edges that are not there. */
export function isInherited(graph: AttackGraph, { start, kind, end }: EdgeRef): boolean {
  const edge = findEdge(graph, start, kind, end);
  return edge !== NO_EDGE && (graph.out.flags[edge] & EdgeFlag.Inherited) !== 0;
}
