/**
 * A list of edges for building a graph: parallel columns, appended one at a time or in chunks, in any order and
 * with duplicates. Appending is cheap (11 bytes per edge); lookups are not supported.
 */

/** Parallel columns of equal length. */
export interface EdgeChunk {
  readonly starts: Uint32Array;
  readonly kinds: Uint16Array;
  readonly ends: Uint32Array;
  readonly flags: Uint8Array;
}

const BLOCK_EDGES = 1 << 15;

export class EdgeList {
  readonly #chunks: EdgeChunk[] = [];
  #block = newEdgeChunk(0);
  #used = 0;
  #sealed = 0;

  /** Number of appended edges. */
  get length(): number {
    return this.#sealed + this.#used;
  }

  /**
   * @param kind number of the edge kind, 0 .. 65535
   * @param flags bits of the edge, 0 .. 255
   */
  append(start: number, kind: number, end: number, flags = 0): void {
    if (this.#used === this.#block.starts.length) this.#nextBlock();
    const at = this.#used++;
    this.#block.starts[at] = start;
    this.#block.kinds[at] = kind;
    this.#block.ends[at] = end;
    this.#block.flags[at] = flags;
  }

  /** Adds the chunk without a copy: the caller must not modify it afterward. */
  appendChunk(chunk: EdgeChunk): void {
    const { length } = chunk.starts;
    if (chunk.kinds.length !== length || chunk.ends.length !== length || chunk.flags.length !== length) {
      throw new RangeError('the columns of an edge chunk differ in length');
    }
    if (length === 0) return;
    this.#sealBlock();
    this.#chunks.push(chunk);
    this.#sealed += length;
  }

  appendAll(edges: EdgeList): void {
    for (const chunk of edges.chunks()) this.appendChunk(chunk);
  }

  /** @returns the columns in insertion order: views, valid until the next append */
  chunks(): readonly EdgeChunk[] {
    return this.#used === 0 ? this.#chunks : [...this.#chunks, this.#filledPart()];
  }

  #filledPart(): EdgeChunk {
    return edgeRange(this.#block, 0, this.#used);
  }

  #sealBlock(): void {
    if (this.#used === 0) return;
    this.#chunks.push(this.#filledPart());
    this.#sealed += this.#used;
    // The rest of the block is used for later single edges.
    this.#block = edgeRange(this.#block, this.#used);
    this.#used = 0;
  }

  #nextBlock(): void {
    this.#sealBlock();
    // Blocks start small, because most rules derive a handful of edges.
    this.#block = newEdgeChunk(Math.min(BLOCK_EDGES, Math.max(64, this.#sealed * 2)));
  }
}

/** @returns columns of zeros, to be filled */
export function newEdgeChunk(edges: number): EdgeChunk {
  return {
    starts: new Uint32Array(edges),
    kinds: new Uint16Array(edges),
    ends: new Uint32Array(edges),
    flags: new Uint8Array(edges),
  };
}

/** @returns a view of the edges from index `first` (inclusive) to `end` (exclusive) */
export function edgeRange({ starts, kinds, ends, flags }: EdgeChunk, first: number, end?: number): EdgeChunk {
  return {
    starts: starts.subarray(first, end),
    kinds: kinds.subarray(first, end),
    ends: ends.subarray(first, end),
    flags: flags.subarray(first, end),
  };
}

/** Copies all edges of a chunk into another, starting at index `at`. */
export function copyEdges(from: EdgeChunk, to: EdgeChunk, at: number): void {
  to.starts.set(from.starts, at);
  to.kinds.set(from.kinds, at);
  to.ends.set(from.ends, at);
  to.flags.set(from.flags, at);
}
