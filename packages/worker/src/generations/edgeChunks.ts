/** Gathers edges of the store, named by store ids, as chunks of node numbers for the graph builder. */
import { copyEdges, type EdgeChunk, edgeRange, NO_NODE, newEdgeChunk } from '@clew/graph';
import type { CopyRow } from '@clew/store';
import type { PowerlessEdges } from './powerlessEdges.ts';

const CHUNK_EDGES = 1 << 16;

export class EdgeChunks {
  readonly #nodeOf: Uint32Array;
  readonly #take: (chunk: EdgeChunk) => void;
  readonly #powerless: PowerlessEdges;
  #chunk = newEdgeChunk(CHUNK_EDGES);
  #used = 0;

  /**
   * @param nodeOf node number by store id, NO_NODE for a missing node
   * @param take receives each full chunk and owns it
   * @param powerless edges to omit
   */
  constructor(nodeOf: Uint32Array, take: (chunk: EdgeChunk) => void, powerless: PowerlessEdges) {
    this.#nodeOf = nodeOf;
    this.#take = take;
    this.#powerless = powerless;
  }

  /** Adds a row of parallel arrays: start ids, kinds, end ids, flags. Edges of deleted nodes are omitted. */
  addRow(row: CopyRow): void {
    const count = row.arrayLength(0);
    this.#reserve(count);
    const { starts, kinds, ends, flags } = this.#chunk;
    const first = this.#used;
    row.int4Array(0, starts, first);
    row.int2Array(1, kinds, first);
    row.int4Array(2, ends, first);
    row.int2Array(3, flags, first);
    this.#keep(count);
  }

  /** Adds columns by store ids, which are copied. */
  addEdges(edges: EdgeChunk): void {
    for (let at = 0; at < edges.starts.length; at += CHUNK_EDGES) {
      const some = edgeRange(edges, at, at + CHUNK_EDGES);
      this.#reserve(some.starts.length);
      copyEdges(some, this.#chunk, this.#used);
      this.#keep(some.starts.length);
    }
  }

  /** Converts the store ids of the appended edges to node numbers, and omits some edges. */
  #keep(count: number): void {
    const { starts, kinds, ends, flags } = this.#chunk;
    const first = this.#used;
    let at = first;
    for (let from = first; from < first + count; from++) {
      const start = this.#nodeOf[starts[from]] ?? NO_NODE;
      const end = this.#nodeOf[ends[from]] ?? NO_NODE;
      if (start === NO_NODE || end === NO_NODE) continue;
      if (this.#powerless.has(kinds[from] as number, end)) continue;
      starts[at] = start;
      kinds[at] = kinds[from];
      ends[at] = end;
      flags[at] = flags[from];
      at++;
    }
    this.#used = at;
  }

  /** Passes on the remaining edges. */
  finish(): void {
    this.#take(edgeRange(this.#chunk, 0, this.#used));
    this.#used = 0;
  }

  #reserve(count: number): void {
    if (this.#used + count <= this.#chunk.starts.length) return;
    this.finish();
    this.#chunk = newEdgeChunk(Math.max(CHUNK_EDGES, count));
  }
}
