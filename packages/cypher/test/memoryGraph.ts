/** A graph of labels and properties as tests make them: a list of nodes and a list of edges. */
import type { Edges, LabelSet, PropertyGraph } from '../src/graph/propertyGraph.ts';
import type { Value, ValueMap } from '../src/values/values.ts';

export interface MemoryNode {
  readonly labels: readonly string[];
  readonly properties: ValueMap;
}

export interface MemoryEdge {
  readonly start: number;
  readonly type: string;
  readonly end: number;
  readonly properties: ValueMap;
}

export function memoryGraph(nodes: readonly MemoryNode[], given: readonly MemoryEdge[]): PropertyGraph {
  const typeNames = [...new Set(given.map(({ type }) => type))];
  const typeOf = (name: string): number => typeNames.indexOf(name);
  // Edges of a node are in the order of their other ends; equal ones in the order in which they were added.
  const edges = given.toSorted(
    (a, b) => a.start - b.start || a.end - b.end || typeOf(a.type) - typeOf(b.type),
  );
  const inOrder = edges
    .map((_, edge) => edge)
    .sort((a, b) => edges[a].end - edges[b].end || edges[a].start - edges[b].start || a - b);
  const columns = (order: readonly number[], near: 'start' | 'end', far: 'start' | 'end'): Edges => {
    const offsets = new Uint32Array(nodes.length + 1);
    for (const edge of order) offsets[edges[edge][near] + 1]++;
    for (let node = 0; node < nodes.length; node++) offsets[node + 1] += offsets[node];
    return {
      offsets,
      neighbors: Uint32Array.from(order, (edge) => edges[edge][far]),
      kinds: Uint16Array.from(order, (edge) => typeOf(edges[edge].type)),
    };
  };
  const labels = new Map<string, LabelSet>();
  for (const name of new Set(nodes.flatMap((node) => node.labels))) {
    const members = nodes.flatMap((node, number) => (node.labels.includes(name) ? [number] : []));
    labels.set(name, {
      size: members.length,
      has: (node) => nodes[node].labels.includes(name),
      every: (visit) => members.every(visit),
    });
  }
  const read = (properties: ValueMap, key: string): Value =>
    Object.hasOwn(properties, key) ? properties[key] : null;
  return {
    nodeCount: nodes.length,
    edgeCount: edges.length,
    out: columns(
      edges.map((_, edge) => edge),
      'start',
      'end',
    ),
    in: columns(inOrder, 'end', 'start'),
    edgeAtIn: (place) => inOrder[place],
    startOf: (edge) => edges[edge].start,
    label: (name) => labels.get(name),
    labelsOf: (node) => nodes[node].labels,
    types: (name) => (typeNames.includes(name) ? [typeOf(name)] : []),
    typeName: (type) => typeNames[type],
    labelNames: () => labels.keys(),
    typeNames: () => typeNames,
    nodeProperty: (node, key) => read(nodes[node].properties, key),
    edgeProperty: (edge, key) => read(edges[edge].properties, key),
    nodeProperties: (node) => nodes[node].properties,
    edgeProperties: (edge) => edges[edge].properties,
    nodeId: (node) => node,
    edgeId: (edge) => edge,
    nodeWithId: (id) => (id >= 0 && id < nodes.length ? id : undefined),
  };
}
