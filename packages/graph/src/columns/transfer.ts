/**
 * A graph as a message to another thread: plain objects and typed arrays over SharedArrayBuffers, which structured
 * cloning passes without a copy.
 */
import type { Adjacency, AttackGraph } from './attackGraph.ts';

/** Version of the column format. Threads of one process always agree; a difference indicates a deployment error. */
const COLUMNS_VERSION = 1;

export interface GraphColumns {
  readonly version: number;
  readonly graph: AttackGraph;
}

/** @returns a value for `postMessage` or `workerData`; the columns are shared, not copied. */
export function exportColumns(graph: AttackGraph): GraphColumns {
  return { version: COLUMNS_VERSION, graph };
}

/**
 * @param columns the result of `exportColumns`, received in this thread
 * @throws TypeError if the columns are inconsistent or not in shared memory
 */
export function importColumns(columns: GraphColumns): AttackGraph {
  if (columns.version !== COLUMNS_VERSION) throw new TypeError(`unknown graph columns ${columns.version}`);
  const { graph } = columns;
  const { nodeCount, edgeCount } = graph;
  expectColumn('storeIds', graph.storeIds, nodeCount);
  expectColumn('objectIds', graph.objectIds.offsets, nodeCount + 1);
  expectColumn('objectIds', graph.objectIds.bytes, graph.objectIds.offsets[nodeCount]);
  expectColumn('names', graph.names.offsets, nodeCount + 1);
  expectColumn('names', graph.names.bytes, graph.names.offsets[nodeCount]);
  expectColumn('kindSetOf', graph.kindSetOf, nodeCount);
  expectColumn('environmentOf', graph.environmentOf, nodeCount);
  expectAdjacency('out', graph.out, nodeCount, edgeCount);
  expectAdjacency('in', graph.in, nodeCount, edgeCount);
  return graph;
}

function expectAdjacency(name: string, adjacency: Adjacency, nodeCount: number, edgeCount: number): void {
  expectColumn(`${name}.offsets`, adjacency.offsets, nodeCount + 1);
  expectColumn(`${name}.neighbors`, adjacency.neighbors, edgeCount);
  expectColumn(`${name}.kinds`, adjacency.kinds, edgeCount);
  expectColumn(`${name}.flags`, adjacency.flags, edgeCount);
}

function expectColumn(name: string, column: Uint8Array | Uint16Array | Uint32Array, length: number): void {
  if (column.length !== length)
    throw new TypeError(`column ${name} has ${column.length} entries, not ${length}`);
  if (!(column.buffer instanceof SharedArrayBuffer)) throw new TypeError(`column ${name} is not shared`);
}
