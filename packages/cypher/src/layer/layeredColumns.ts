/** The columns of a graph with the nodes and edges of a layer, and without those that it removes. */
import { CypherError } from '../cypherError.ts';
import type { Edges, PropertyGraph } from '../graph/propertyGraph.ts';
import type { Budget, Spends } from '../run/budget.ts';
import type { GraphChanges } from './graphChanges.ts';

export interface LayeredColumns {
  readonly nodeCount: number;
  readonly edgeCount: number;
  readonly out: Edges;
  readonly in: Edges;
  /** For each edge, its number in the graph, or the number of edges of the graph plus its place among those that the layer made. */
  readonly origins: Uint32Array;
  /** For each place in `in`, the number of the edge. */
  readonly edgesIn: Uint32Array;
  /** Start of each edge. */
  readonly starts: Uint32Array;
  /** The numbers of types that only the layer has. */
  readonly types: ReadonlyMap<string, number>;
}

/** Types of layers count down from here. Above are numbers that a graph may use for marked kinds; its other kinds count up from 0. */
const LAST_TYPE = 0xf000;
const MAX_TYPES = 1_000;

/** Bytes of the columns per edge, and per node. */
const COLUMN_BYTES = { edge: 24, node: 8 } as const;

export const columnBytes = ({
  edgeCount,
  nodeCount,
}: Pick<LayeredColumns, 'edgeCount' | 'nodeCount'>): number =>
  edgeCount * COLUMN_BYTES.edge + nodeCount * COLUMN_BYTES.node;

/** Makes the columns in the budget of a query, which reserves their bytes. @throws CypherError for too many */
export function boundedColumns(graph: PropertyGraph, changes: GraphChanges, budget: Budget): LayeredColumns {
  const bytes = columnBytes({
    edgeCount: graph.edgeCount + changes.madeEdges.length,
    nodeCount: graph.nodeCount + changes.madeNodes.length,
  });
  const needed = `a layer that makes or removes objects or relationships of this graph needs ${Math.ceil(bytes / 2 ** 20)} MiB, more than a query can use`;
  const isTooLarge = bytes > budget.limits.searchBytes;
  budget.reserve(
    bytes,
    isTooLarge ? needed : `${needed} next to its searches and other clauses: use several queries`,
  );
  const columns = layeredColumns(graph, changes, budget);
  budget.unreserve(bytes - columnBytes(columns));
  return columns;
}

export function layeredColumns(
  graph: PropertyGraph,
  changes: GraphChanges,
  budget: Spends = { spend() {} },
): LayeredColumns {
  const { removedEdges, madeNodes, madeEdges } = changes;
  const nodeCount = graph.nodeCount + madeNodes.length;
  const types = new Map<string, number>();
  const numberOf = (type: string): number => {
    // Some names stand for several types with other names.
    const known = graph.types(type).find((one) => graph.typeName(one) === type) ?? types.get(type);
    if (known !== undefined) return known;
    if (types.size === MAX_TYPES)
      throw new CypherError('limit', `a layer has at most ${MAX_TYPES} types of relationships of its own`);
    const number = LAST_TYPE - types.size;
    types.set(type, number);
    return number;
  };
  const made = madeEdges
    .flatMap((edge, place) =>
      edge === undefined ? [] : [{ ...edge, kind: numberOf(edge.type), origin: graph.edgeCount + place }],
    )
    .sort((a, b) => a.start - b.start || a.end - b.end || a.kind - b.kind || a.origin - b.origin);
  const edgeCount = graph.edgeCount - removedEdges.size + made.length;
  const out: Edges = {
    offsets: new Uint32Array(nodeCount + 1),
    neighbors: new Uint32Array(edgeCount),
    kinds: new Uint16Array(edgeCount),
  };
  const origins = new Uint32Array(edgeCount);
  const starts = new Uint32Array(edgeCount);
  let [at, next] = [0, 0];
  const put = (start: number, end: number, kind: number, origin: number): void => {
    out.neighbors[at] = end;
    out.kinds[at] = kind;
    origins[at] = origin;
    starts[at++] = start;
  };
  for (let node = 0; node < nodeCount; node++) {
    const isOfGraph = node < graph.nodeCount;
    const [begin, end] = isOfGraph ? [graph.out.offsets[node], graph.out.offsets[node + 1]] : [0, 0];
    budget.spend(1 + end - begin);
    const putMade = (isBefore: (edge: (typeof made)[number]) => boolean): void => {
      for (let edge = made[next]; edge?.start === node && isBefore(edge); edge = made[next]) {
        put(node, edge.end, edge.kind, edge.origin);
        next++;
      }
    };
    for (let edge = begin; edge < end; edge++) {
      if (removedEdges.has(edge)) continue;
      const [neighbor, kind] = [graph.out.neighbors[edge], graph.out.kinds[edge]];
      putMade((one) => one.end < neighbor || (one.end === neighbor && one.kind < kind));
      put(node, neighbor, kind, edge);
    }
    putMade(() => true);
    out.offsets[node + 1] = at;
  }
  budget.spend(edgeCount);
  return { nodeCount, edgeCount, out, ...turned(out, starts, nodeCount), origins, starts, types };
}

/** The same edges by their ends. */
function turned(
  { neighbors, kinds }: Edges,
  starts: Uint32Array,
  nodeCount: number,
): Pick<LayeredColumns, 'in' | 'edgesIn'> {
  const offsets = new Uint32Array(nodeCount + 1);
  for (const end of neighbors) offsets[end + 1]++;
  for (let node = 0; node < nodeCount; node++) offsets[node + 1] += offsets[node];
  const filled = offsets.slice(0, nodeCount);
  const edgesIn = new Uint32Array(neighbors.length);
  for (let edge = 0; edge < neighbors.length; edge++) edgesIn[filled[neighbors[edge]]++] = edge;
  return {
    edgesIn,
    in: {
      offsets,
      neighbors: edgesIn.map((edge) => starts[edge]),
      kinds: Uint16Array.from(edgesIn, (edge) => kinds[edge]),
    },
  };
}
