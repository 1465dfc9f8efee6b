/** Finds the object named in a request. */
import { findNamedNode, hasKind, NO_NODE } from '@clew/graph';
import { NodeKind, type NodeKindName } from '@clew/model';
import type { QueryData } from './queryData.ts';

/**
 * @param objectId in any case: ids are stored in upper case
 * @returns the node, or `undefined` if no node with this id has the kind
 */
export function findEntity(data: QueryData, objectId: string, kind?: NodeKindName): number | undefined {
  const node = findNamedNode(data.graph, objectId);
  if (node === NO_NODE) return undefined;
  return kind === undefined || hasKind(data.graph, node, NodeKind[kind]) ? node : undefined;
}
