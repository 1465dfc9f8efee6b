/** Nodes and relationships of rows with all stored properties, as `POST /graphs/cypher` returns them with `include_properties`. */
import type { QueryMap, TypedNode, TypedRelationship } from '@clew/common';
import { endOf, startOf } from '@clew/graph';
import { kindNamesOf } from '@clew/queries';
import type { EdgePropertySource, NodePropertySource } from '@clew/store';
import { computedProperties, isTraversable, labelsInOrder } from '../cypher/attackPropertyGraph.ts';
import { typedPartOf } from '../cypher/cells.ts';
import type { ShownLayer } from '../cypher/layers/layeredTypes.ts';
import { readEdges } from '../graphs/render/edgeFacts.ts';
import { nodeKey } from '../graphs/render/graphMap.ts';
import { unifiedGraph } from '../graphs/render/unifiedGraph.ts';
import { layeredParts } from './layeredParts.ts';
import type { ShownGraph, TypedParts } from './shownGraph.ts';

export interface PartSources {
  readonly properties: NodePropertySource;
  readonly edgeProperties: EdgePropertySource;
}

/** @param rows cells of `answerRows.ts` @param layer the changes of a layer in the answer */
export async function typedParts(
  rows: readonly (readonly unknown[])[],
  shown: ShownGraph,
  sources: PartSources,
  layer?: ShownLayer,
): Promise<TypedParts> {
  const found = { nodes: new Set<number>(), edges: new Set<number>() };
  for (const row of rows) for (const value of row) collect(value, found);
  const { nodeCount, edgeCount } = shown.data.graph;
  const nodes = [...found.nodes].filter((node) => node < nodeCount);
  const edges = [...found.edges].filter((edge) => edge < edgeCount).sort((a, b) => a - b);
  const stored = await storedParts(nodes, edges, shown, sources);
  return layer === undefined ? stored : layeredParts(found, layer, shown, stored);
}

async function storedParts(
  found: readonly number[],
  edges: readonly number[],
  { data, generation, visibility }: ShownGraph,
  sources: PartSources,
): Promise<TypedParts> {
  const { graph } = data;
  const seen = new Set([...found, ...edges.flatMap((edge) => [startOf(graph, edge), endOf(graph, edge)])]);
  const details =
    seen.size === 0
      ? new Map()
      : await sources.properties.read([...seen].map((node) => graph.storeIds[node]));
  const stored = edges.length === 0 ? undefined : await readEdges(sources.edgeProperties, data, edges);
  const shown = unifiedGraph(data, generation, visibility, found, edges, details, {
    withProperties: true,
    edgeProperties: stored,
  });
  const nodes = found.map((node): [number, TypedNode] => {
    const { hidden, label, properties } = shown.nodes[nodeKey(data, node)];
    return [
      node,
      {
        type: 'node',
        id: graph.storeIds[node],
        labels: hidden ? kindNamesOf(data, node) : labelsInOrder(data, node),
        properties: hidden
          ? { name: label, hidden }
          : defined({ ...properties, ...computedProperties(data, node) }),
      },
    ];
  });
  const relationships = edges.map((edge, at): [number, TypedRelationship] => [
    edge,
    {
      type: 'relationship',
      id: edge,
      start: graph.storeIds[startOf(graph, edge)],
      end: graph.storeIds[endOf(graph, edge)],
      kind: shown.edges[at].kind,
      properties: defined({ ...shown.edges[at].properties, traversable: isTraversable(data, edge) }),
    },
  ]);
  return { nodes: new Map(nodes), relationships: new Map(relationships) };
}

function collect(value: unknown, found: { readonly nodes: Set<number>; readonly edges: Set<number> }): void {
  if (typeof value !== 'object' || value === null) return;
  const part = typedPartOf(value);
  if (part === undefined) {
    for (const inner of Object.values(value)) collect(inner, found);
    return;
  }
  if (part.type === 'node') found.nodes.add(part.node);
  if (part.type === 'relationship') found.edges.add(part.edge);
  if (part.type !== 'path') return;
  for (const node of part.nodes) found.nodes.add(node);
  for (const edge of part.edges) found.edges.add(edge);
}

const defined = (properties: object = {}): QueryMap =>
  Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined));
