/** Builds graphs from literal lists, for tests of this and other packages. */

import type { AttackGraph } from '../src/columns/attackGraph.ts';
import { EdgeProperties } from '../src/columns/edgeProperties.ts';
import type { JsonObject } from '../src/columns/jsonValue.ts';
import { objectIdOf } from '../src/columns/lookup.ts';
import { NodeProperties } from '../src/columns/nodeProperties.ts';
import { encodeText } from '../src/columns/textColumn.ts';
import { GraphBuilder } from '../src/making/graphBuilder.ts';

export { newRandom } from '../src/random.ts';

export interface TestNode {
  readonly id: string;
  /** Default: none. */
  readonly kinds?: readonly number[];
  /** Default: the text property `name`, or none. */
  readonly name?: string;
  /** Object id of the environment's node. */
  readonly environment?: string;
  readonly props?: JsonObject;
}

export type TestEdge = readonly [
  start: string,
  kind: number,
  end: string,
  flags?: number,
  props?: JsonObject,
];

export interface TestGraph {
  readonly graph: AttackGraph;
  readonly properties: NodeProperties;
  readonly edgeProperties: EdgeProperties;
  /** @returns the number of a node by its object id. @throws Error when it is not in the graph */
  node(id: string): number;
  /** @returns object ids of node numbers, in given order. */
  ids(nodes: Iterable<number>): string[];
  /** @returns all edges as [start, kind, end, flags] in the graph's order; of the given kinds only, if any. */
  edges(...kinds: readonly number[]): [string, number, string, number][];
}

/**
 * @param spec nodes in any order; edges between them
 * @returns the graph; a node's store id is its place in `spec.nodes`, from 1
 * @throws Error for an edge or environment that names a node not listed, and for an id listed twice
 */
export function graphOf(spec: { nodes: readonly TestNode[]; edges?: readonly TestEdge[] }): TestGraph {
  const storeIds = new Map(spec.nodes.map((node, at) => [node.id, at + 1]));
  const inOrder = [...spec.nodes].sort((a, b) => Buffer.compare(encodeText(a.id), encodeText(b.id)));
  const builder = new GraphBuilder();
  const numbers = new Map<string, number>();
  const properties = new NodeProperties(inOrder.length);
  for (const node of inOrder) {
    const number = builder.addNode({
      storeId: expectKnown(storeIds, node.id),
      objectId: node.id,
      name: node.name ?? (typeof node.props?.name === 'string' ? node.props.name : ''),
      kinds: node.kinds ?? [],
      environmentStoreId:
        node.environment === undefined ? undefined : expectKnown(storeIds, node.environment),
    });
    numbers.set(node.id, number);
    properties.setAll(number, node.props ?? {});
  }
  const edgeProperties = new EdgeProperties();
  for (const [start, kind, end, flags, props] of spec.edges ?? []) {
    const from = expectKnown(numbers, start);
    const to = expectKnown(numbers, end);
    builder.addEdge(from, kind, to, flags);
    if (props !== undefined) edgeProperties.set(from, kind, to, props);
  }
  const graph = builder.build();
  const ids = (nodes: Iterable<number>) => Array.from(nodes, (node) => objectIdOf(graph, node));
  return {
    graph,
    properties,
    edgeProperties,
    node: (id) => expectKnown(numbers, id),
    ids,
    edges: (...kinds) => literalEdges(graph, ids, kinds),
  };
}

/** @returns all edges of a graph as [start, kind, end, flags], as `TestGraph.edges`. */
function literalEdges(
  graph: AttackGraph,
  ids: (nodes: Iterable<number>) => string[],
  kinds: readonly number[],
): [string, number, string, number][] {
  const edges: [string, number, string, number][] = [];
  const idOf = ids(Array.from({ length: graph.nodeCount }, (_, node) => node));
  for (let node = 0; node < graph.nodeCount; node++) {
    for (let edge = graph.out.offsets[node]; edge < graph.out.offsets[node + 1]; edge++) {
      const kind = graph.out.kinds[edge];
      if (kinds.length > 0 && !kinds.includes(kind)) continue;
      edges.push([idOf[node], kind, idOf[graph.out.neighbors[edge]], graph.out.flags[edge]]);
    }
  }
  return edges;
}

function expectKnown(numbers: ReadonlyMap<string, number>, id: string): number {
  const number = numbers.get(id);
  if (number === undefined) throw new Error(`the test graph has no node ${id}`);
  return number;
}
