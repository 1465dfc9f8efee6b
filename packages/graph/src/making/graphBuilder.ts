/** Builds an attack graph from sorted nodes and unsorted edges. A builder is used once. */

import { type AttackGraph, NO_NODE } from '../columns/attackGraph.ts';
import { NOTHING_DECLARED } from '../columns/declaredKinds.ts';
import { GraphBuildError } from '../columns/graphBuildError.ts';
import { StoreIndex } from '../columns/storeIndex.ts';
import { TextColumnBuilder } from '../columns/textColumn.ts';
import { getOrMake } from '../memo.ts';
import { buildIncoming, buildOutgoing, mergeAdjacency } from './adjacency.ts';
import { type EdgeChunk, EdgeList } from './edgeList.ts';

export interface NodeInput {
  /** The node's id in the store, 0 .. 4,294,967,294. */
  readonly storeId: number;
  /** Text or its UTF-8 bytes. */
  readonly objectId: string | Uint8Array;
  /** Absent or empty for a node without a name. */
  readonly name?: string | Uint8Array;
  /** Kind numbers of the node in stored order. */
  readonly kinds: readonly number[];
  /** Store id of the environment's node; absent if unknown. That node may be added later. */
  readonly environmentStoreId?: number;
}

export interface GraphBuilderOptions {
  /**
   * Flag bits that an edge keeps only if all its duplicates have them; all other bits are combined. Default:
   * `DERIVED_FLAG`, so an edge that is both collected and derived counts as collected.
   */
  readonly unanimousFlags?: number;
}

/** The only flag bit that this package interprets: the edge was derived by analysis. */
export const DERIVED_FLAG = 0b10_0000;

export class GraphBuilder {
  readonly #unanimousFlags: number;
  readonly #objectIds = new TextColumnBuilder();
  readonly #names = new TextColumnBuilder();
  readonly #kindSetNumbers = new Map<string, number>();
  readonly #kindSets: number[][] = [];
  #storeIds = new Uint32Array(1 << 12);
  #kindSetOf = new Uint32Array(1 << 12);
  #environmentStoreIds = new Uint32Array(1 << 12);
  #edges = new EdgeList();
  #nodeCount = 0;

  constructor(options: GraphBuilderOptions = {}) {
    this.#unanimousFlags = options.unanimousFlags ?? DERIVED_FLAG;
  }

  get nodeCount(): number {
    return this.#nodeCount;
  }

  /**
   * Appends a node. Object ids must be in strictly ascending byte order. @returns its number: 0, 1, 2, ...
   * @throws GraphBuildError if the object id is not greater than the previous one
   */
  addNode(node: NodeInput): number {
    const number = this.#nodeCount++;
    if (number === this.#storeIds.length) this.#grow();
    appendTo(this.#objectIds, node.objectId);
    if (number > 0 && this.#objectIds.compareLastTwo() >= 0) {
      throw new GraphBuildError(
        `node ${number} (store id ${node.storeId}) is not in ascending order of object ids`,
      );
    }
    appendTo(this.#names, node.name ?? '');
    this.#storeIds[number] = node.storeId;
    this.#kindSetOf[number] = this.#kindSetNumber(node.kinds);
    this.#environmentStoreIds[number] = node.environmentStoreId ?? NO_NODE;
    return number;
  }

  /** Appends an edge between node numbers. Its ends may be added later. */
  addEdge(start: number, kind: number, end: number, flags = 0): void {
    this.#edges.append(start, kind, end, flags);
  }

  /** Appends edges between node numbers without a copy: the caller must not modify the chunk afterward. */
  addEdges(chunk: EdgeChunk): void {
    this.#edges.appendChunk(chunk);
  }

  /**
   * 10 M edges over 1 M nodes take 1.7 s of CPU time and 300 MB in addition to the graph (packages/graph/bench).
   * @returns the graph, without duplicate edges
   * @throws GraphBuildError if an edge refers to a missing node, or two nodes share a store id
   */
  build(): AttackGraph {
    const storeIds = shared(this.#storeIds.subarray(0, this.#nodeCount));
    const chunks = [...this.#edges.chunks()];
    this.#edges = new EdgeList();
    const out = buildOutgoing(this.#nodeCount, chunks, this.#unanimousFlags);
    return {
      nodeCount: this.#nodeCount,
      edgeCount: out.neighbors.length,
      storeIds,
      objectIds: this.#objectIds.build(),
      names: this.#names.build(),
      kindSetOf: sharedKindSets(this.#kindSetOf.subarray(0, this.#nodeCount), this.#kindSets.length),
      kindSets: this.#kindSets,
      environmentOf: this.#resolveEnvironments(storeIds),
      out,
      in: buildIncoming(out),
      declared: NOTHING_DECLARED,
    };
  }

  #resolveEnvironments(storeIds: Uint32Array): Uint32Array {
    const index = new StoreIndex(storeIds);
    const environmentOf = new Uint32Array(new SharedArrayBuffer(this.#nodeCount * 4));
    for (let node = 0; node < this.#nodeCount; node++) {
      environmentOf[node] = index.nodeOf(this.#environmentStoreIds[node]);
    }
    return environmentOf;
  }

  #kindSetNumber(kinds: readonly number[]): number {
    const key = kinds.join();
    return getOrMake(this.#kindSetNumbers, key, () => this.#kindSets.push([...kinds]) - 1);
  }

  #grow(): void {
    this.#storeIds = grown(this.#storeIds);
    this.#kindSetOf = grown(this.#kindSetOf);
    this.#environmentStoreIds = grown(this.#environmentStoreIds);
  }
}

/**
 * Adds edges between existing nodes, such as derived edges. The result shares node columns with `graph`, which
 * does not change; edge numbers differ.
 * @throws GraphBuildError if an edge refers to a missing node
 */
export function withEdges(
  graph: AttackGraph,
  edges: EdgeList,
  options: GraphBuilderOptions = {},
): AttackGraph {
  const unanimousFlags = options.unanimousFlags ?? DERIVED_FLAG;
  const chunks = [...edges.chunks()];
  const added = buildOutgoing(graph.nodeCount, chunks, unanimousFlags);
  const out = mergeAdjacency(graph.out, added, unanimousFlags);
  return {
    ...graph,
    edgeCount: out.neighbors.length,
    out,
    in: mergeAdjacency(graph.in, buildIncoming(added), unanimousFlags),
  };
}

function appendTo(column: TextColumnBuilder, text: string | Uint8Array): void {
  if (typeof text === 'string') column.append(text);
  else column.appendBytes(text);
}

function grown(column: Uint32Array): Uint32Array<ArrayBuffer> {
  const twice = new Uint32Array(column.length * 2);
  twice.set(column);
  return twice;
}

function shared(column: Uint32Array): Uint32Array {
  const copy = new Uint32Array(new SharedArrayBuffer(column.length * 4));
  copy.set(column);
  return copy;
}

/** Two bytes per node suffice for up to 65,536 combinations of kinds. */
function sharedKindSets(column: Uint32Array, kindSetCount: number): Uint16Array | Uint32Array {
  if (kindSetCount > 0x1_0000) return shared(column);
  const copy = new Uint16Array(new SharedArrayBuffer(column.length * 2));
  copy.set(column);
  return copy;
}
