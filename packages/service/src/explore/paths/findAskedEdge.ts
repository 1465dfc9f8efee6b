/** Finds an edge that a request names by the graph ids of its ends and its kind. */

import type { Generation } from '@clew/generation';
import { findEdge, findNodeByStoreId, NO_EDGE, NO_NODE } from '@clew/graph';
import { edgeKindByName } from '@clew/model';
import { apiError } from '../../operation/apiError.ts';

export interface EdgeQuery {
  readonly source_node: number;
  readonly target_node: number;
  readonly edge_type: string;
}

/** @returns number of the edge. @throws the documented errors for an unknown kind and a missing edge */
export function findAskedEdge(
  generation: Generation,
  { source_node, target_node, edge_type }: EdgeQuery,
): number {
  const { graph } = generation;
  const kind = edgeKindByName(edge_type)?.id;
  if (kind === undefined) throw apiError('invalidEdgeKind', { kind: edge_type });
  const start = findNodeByStoreId(graph, source_node);
  const end = findNodeByStoreId(graph, target_node);
  const edge = start === NO_NODE || end === NO_NODE ? NO_EDGE : findEdge(graph, start, kind, end);
  if (edge === NO_EDGE) {
    throw apiError('edgeNotFound', { reason: `${edge_type} from ${source_node} to ${target_node}` });
  }
  return edge;
}
