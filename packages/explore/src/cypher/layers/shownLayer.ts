/** Finds the parts of an answer that a layer makes or changes, with what the answer shows of them. */
import { type GraphChanges, MADE_NODE_IDS, numberOf, type PropertyGraph, type Value } from '@clew/cypher';
import { storedValue } from './layerContent.ts';
import type { LayeredEdge, LayeredNode, LayeredPart, ShownLayer } from './layeredTypes.ts';

/** @param base the graph below the layer @param graph with the layer @param isTyped whether values keep their types */
export function shownLayer(
  base: PropertyGraph,
  graph: PropertyGraph,
  changes: GraphChanges,
  parts: { readonly nodes: readonly number[]; readonly edges: readonly number[] },
  isTyped: boolean,
): ShownLayer {
  const plain = (value: Value): unknown => (isTyped ? storedValue(value) : plainValue(value));
  const shown = (properties: ReadonlyMap<string, Value>): LayeredPart['properties'] =>
    [...properties].map(([key, value]) => [key, plain(value)]);
  const nodes = new Map<number, LayeredNode>();
  for (const node of parts.nodes) {
    const made = changes.madeNodes[node - base.nodeCount];
    const change = made ?? changes.nodes.get(node);
    if (change === undefined) continue;
    nodes.set(node, {
      id: made === undefined ? base.nodeId(node) : MADE_NODE_IDS + node - base.nodeCount,
      ...{ isMade: made !== undefined, labels: graph.labelsOf(node), properties: shown(change.properties) },
      isReplaced: changes.nodes.get(node)?.isReplaced === true,
    });
  }
  const edges = new Map<number, LayeredEdge>();
  for (const edge of parts.edges) {
    const made = changes.madeEdges[edge - base.edgeCount];
    const change = made ?? changes.edges.get(edge);
    if (change === undefined) continue;
    edges.set(edge, {
      start: made?.start ?? base.startOf(edge),
      end: made?.end ?? base.out.neighbors[edge],
      kind: made?.type ?? base.typeName(base.out.kinds[edge]),
      ...{ isMade: made !== undefined, properties: shown(change.properties) },
      isReplaced: changes.edges.get(edge)?.isReplaced === true,
    });
  }
  return { nodes, edges };
}

/** Names of the properties that a layer sets. */
export const keysOf = ({ nodes, edges, madeNodes, madeEdges }: GraphChanges): ReadonlySet<string> =>
  new Set(
    [...nodes.values(), ...edges.values(), ...madeNodes, ...madeEdges].flatMap((change) =>
      change === undefined ? [] : [...change.properties.keys()],
    ),
  );

/** Makes JSON, in which a time is a text. */
function plainValue(value: Value): unknown {
  if (Array.isArray(value)) return value.map(plainValue);
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? Number(value) : value;
  return numberOf(value) ?? String(value);
}
