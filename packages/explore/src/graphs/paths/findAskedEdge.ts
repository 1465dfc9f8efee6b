/** Finds an edge that a request names by the graph ids of its ends and its kind. */

import { apiError } from '@clew/common';
import type { Generation } from '@clew/generation';
import { findEdgeByStoreIds, NO_EDGE } from '@clew/graph';
import { edgeKindNumber } from '@clew/queries';

export interface EdgeQuery {
  readonly source_node: number;
  readonly target_node: number;
  readonly edge_type: string;
}

/** @returns the edge number @throws the documented errors for an unknown kind and a missing edge */
export function findAskedEdge(
  generation: Generation,
  { source_node, target_node, edge_type }: EdgeQuery,
): number {
  const { graph } = generation;
  const kind = edgeKindNumber(generation, edge_type);
  if (kind === undefined) throw apiError('invalidEdgeKind', { kind: edge_type });
  const edge = findEdgeByStoreIds(graph, source_node, kind, target_node);
  if (edge === NO_EDGE) {
    throw apiError('edgeNotFound', { reason: `${edge_type} from ${source_node} to ${target_node}` });
  }
  return edge;
}
