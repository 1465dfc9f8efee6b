/** Gathers edges of the store, named by store ids, as chunks of node numbers for the graph builder. */
import { type EdgeChunk, NO_NODE } from '@clew/graph';
import type { CopyRow } from '@clew/store';
import type { PowerlessEdges } from './powerlessEdges.ts';

const CHUNK_EDGES = 1 << 16;

export class EdgeChunks {
  readonly #nodeOf: Uint32Array;
  readonly #take: (chunk: EdgeChunk) => void;
  readonly #powerless: PowerlessEdges;
  #chunk = emptyChunk(CHUNK_EDGES);
  #used = 0;

  /**
   * @param nodeOf node number by store id, NO_NODE where there is none
   * @param take gets each full chunk, and owns it
   * @param powerless edges to leave out
   */
  constructor(nodeOf: Uint32Array, take: (chunk: EdgeChunk) => void, powerless: PowerlessEdges) {
    this.#nodeOf = nodeOf;
    this.#take = take;
    this.#powerless = powerless;
  }

  /** Takes in a row of parallel arrays: start ids, kinds, end ids, flags. Edges of nodes that are gone are left out. */
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

  /** The same for columns by store ids, which are copied. */
  addEdges(edges: EdgeChunk): void {
    for (let at = 0; at < edges.starts.length; at += CHUNK_EDGES) {
      const end = Math.min(at + CHUNK_EDGES, edges.starts.length);
      this.#reserve(end - at);
      this.#chunk.starts.set(edges.starts.subarray(at, end), this.#used);
      this.#chunk.kinds.set(edges.kinds.subarray(at, end), this.#used);
      this.#chunk.ends.set(edges.ends.subarray(at, end), this.#used);
      this.#chunk.flags.set(edges.flags.subarray(at, end), this.#used);
      this.#keep(end - at);
    }
  }

  /** Brings edges that stand behind the others by store ids to node numbers, and leaves some out. */
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

  /** Hands over what is left. */
  finish(): void {
    const { starts, kinds, ends, flags } = this.#chunk;
    this.#take({
      starts: starts.subarray(0, this.#used),
      kinds: kinds.subarray(0, this.#used),
      ends: ends.subarray(0, this.#used),
      flags: flags.subarray(0, this.#used),
    });
    this.#used = 0;
  }

  #reserve(count: number): void {
    if (this.#used + count <= this.#chunk.starts.length) return;
    this.finish();
    this.#chunk = emptyChunk(Math.max(CHUNK_EDGES, count));
  }
}

function emptyChunk(edges: number): EdgeChunk {
  return {
    starts: new Uint32Array(edges),
    kinds: new Uint16Array(edges),
    ends: new Uint32Array(edges),
    flags: new Uint8Array(edges),
  };
}
