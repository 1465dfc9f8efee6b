/** Selects the part of the graph for an export: environments and kinds that the caller requested and may see. */

import { apiError } from '@clew/common';
import type { Generation } from '@clew/generation';
import { findNamedNode, hasKind, NO_NODE } from '@clew/graph';
import { edgeKindNumber, nodeKindNumber, queryDataOf } from '@clew/queries';
import { isVisible, type Visibility } from '../visibility.ts';

export interface ExportFilter {
  readonly admitsNode: (node: number) => boolean;
  /** Whether the kind of an edge is included, if both ends are. */
  readonly admitsEdgeKind: (kind: number) => boolean;
}

/**
 * @param environments object ids; empty for all
 * @param kinds node kind names select nodes, edge kind names select edges; without names of a sort, all are included
 * @throws ApiError 400 for an unknown environment or kind
 */
export function exportFilter(
  generation: Generation,
  visibility: Visibility,
  environments: readonly string[],
  kinds: readonly string[],
): ExportFilter {
  const data = queryDataOf(generation);
  const { graph } = data;
  const environmentNodes = new Set(environments.map((id) => environmentNode(generation, id)));
  const nodeKinds: number[] = [];
  const edgeKinds: number[] = [];
  for (const name of kinds) {
    const nodeKind = nodeKindNumber(generation, name);
    const edgeKind = edgeKindNumber(generation, name);
    if (nodeKind !== undefined) nodeKinds.push(nodeKind);
    if (edgeKind !== undefined) edgeKinds.push(edgeKind);
    if (nodeKind === undefined && edgeKind === undefined) {
      throw apiError('malformedQueryParameter', { name: 'kind', reason: 'names an unknown kind' });
    }
  }
  return {
    admitsNode: (node) =>
      isVisible(data, visibility, node) &&
      (environments.length === 0 || environmentNodes.has(graph.environmentOf[node])) &&
      (nodeKinds.length === 0 || nodeKinds.some((kind) => hasKind(graph, node, kind))),
    admitsEdgeKind: (kind) => edgeKinds.length === 0 || edgeKinds.includes(kind),
  };
}

/** Any node to which others belong is an environment, collected or not. */
function environmentNode({ graph }: Generation, id: string): number {
  const node = findNamedNode(graph, id);
  if (node === NO_NODE || !graph.environmentOf.includes(node)) {
    throw apiError('malformedQueryParameter', {
      name: 'environment',
      reason: 'names an unknown environment',
    });
  }
  return node;
}
