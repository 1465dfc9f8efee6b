/** Objects and relationships of an answer over HTTP, with the changes of a layer. */
import { type CypherResult, type UnifiedEdge, type UnifiedNode, ZERO_TIME } from '@clew/api';
import type { UpdateCounts } from '@clew/cypher';
import type { QueryData } from '@clew/queries';
import type { LayeredNode, LayeredPart, ShownLayer } from './layeredTypes.ts';

interface Shown {
  readonly data: QueryData;
  readonly layer?: ShownLayer | undefined;
  readonly withProperties: boolean;
}

/** The name of a node that a layer made, and what else a cell shows. */
export function madeNode({ id, labels, properties }: LayeredNode) {
  const values = new Map(properties);
  const textOf = (key: string): string => {
    const value = values.get(key);
    return typeof value === 'string' ? value : '';
  };
  const objectid = textOf('objectid');
  return { id, kind: labels[0] ?? '', name: textOf('name') || objectid || `layer ${id}`, objectid };
}

/** @param stored the nodes of the graph, by id @param numbers all nodes of the answer, with those that the layer made */
export function layeredNodes(
  stored: Readonly<Record<string, UnifiedNode>>,
  numbers: readonly number[],
  { data, layer, withProperties }: Shown,
): Record<string, UnifiedNode> {
  const shown = { ...stored };
  for (const number of layer === undefined ? [] : numbers) {
    const change = layer?.nodes.get(number);
    if (change === undefined) continue;
    const key = String(change.id);
    if (number < data.graph.nodeCount) {
      const node = stored[key];
      if (node.hidden !== true) shown[key] = layeredNode(node, change, withProperties);
      continue;
    }
    const { kind, name, objectid } = madeNode(change);
    const bare = { label: name, kind, kinds: [], objectId: objectid, lastSeen: ZERO_TIME };
    shown[key] = layeredNode({ ...bare, isTierZero: false, isOwnedObject: false }, change, withProperties);
  }
  return shown;
}

function layeredNode(node: UnifiedNode, change: LayeredNode, withProperties: boolean): UnifiedNode {
  const own = new Map(change.properties);
  const signOf = (key: string, label: string, before: boolean): boolean => {
    const value = own.get(key);
    return typeof value === 'boolean' ? value : change.labels.includes(label) || before;
  };
  return {
    ...node,
    kinds: [...change.labels],
    isTierZero: signOf('highvalue', 'Tag_Tier_Zero', node.isTierZero),
    isOwnedObject: signOf('owned', 'Tag_Owned', node.isOwnedObject),
    ...(withProperties && { properties: withChanges(node.properties, change) }),
  };
}

/** @param stored the relationships of the graph, in the order of their numbers @param numbers all relationships of the answer */
export function layeredEdges(
  stored: readonly UnifiedEdge[],
  numbers: readonly number[],
  { data, layer, withProperties }: Shown,
): readonly UnifiedEdge[] {
  if (layer === undefined) return stored;
  let next = 0;
  return numbers.map((number): UnifiedEdge => {
    const change = layer.edges.get(number);
    if (number < data.graph.edgeCount) {
      const edge = stored[next++];
      return change === undefined || !withProperties
        ? edge
        : { ...edge, properties: withChanges(edge.properties, change) };
    }
    const { start, end, kind } = change as NonNullable<typeof change>;
    const idOf = (node: number): string =>
      String(node < data.graph.nodeCount ? data.graph.storeIds[node] : layer.nodes.get(node)?.id);
    return {
      ...{ source: idOf(start), target: idOf(end), label: kind, kind, lastSeen: ZERO_TIME },
      ...(withProperties && { properties: withChanges({}, change as LayeredPart) }),
    };
  });
}

/** @param stored properties of the graph */
export function withChanges<Value>(
  stored: Readonly<Record<string, Value>> | undefined,
  { isReplaced, properties }: LayeredPart,
): Record<string, Value> {
  const all = new Map<string, unknown>(isReplaced ? [] : Object.entries(stored ?? {}));
  for (const [key, value] of properties)
    if (value === null) all.delete(key);
    else all.set(key, value);
  return Object.fromEntries(all) as Record<string, Value>;
}

/** Counts of the changes of a query, under the names of the API. */
export function changesOf(counts: UpdateCounts): NonNullable<CypherResult['changes']> {
  const {
    nodesCreated: nodes_created,
    nodesDeleted: nodes_deleted,
    relationshipsCreated: relationships_created,
    relationshipsDeleted: relationships_deleted,
    propertiesSet: properties_set,
    labelsAdded: labels_added,
    labelsRemoved: labels_removed,
  } = counts;
  return {
    ...{ nodes_created, nodes_deleted, relationships_created, relationships_deleted },
    ...{ properties_set, labels_added, labels_removed },
  };
}
