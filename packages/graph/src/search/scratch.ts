/**
 * Working memory of traversals, reused between calls. Marking a node writes a stamp that no earlier call used, so
 * nothing has to be cleared. Each call has exclusive use of its scratch (nested and interleaved calls get another
 * one), and each thread has its own pool.
 */

const MAX_STAMP = 0xffff_ffff;

export class Scratch {
  readonly nodeCapacity: number;
  /** Last stamp written to each node. */
  readonly stamps: Uint32Array;
  /** Has room for each node once. */
  readonly queue: Uint32Array;
  #last: number;

  /** @param lastStamp number of stamps already used, to test stamp overflow */
  constructor(nodeCapacity: number, lastStamp = 0) {
    this.nodeCapacity = nodeCapacity;
    this.stamps = new Uint32Array(nodeCapacity);
    this.queue = new Uint32Array(nodeCapacity);
    this.#last = lastStamp;
  }

  /**
   * Begins a use. At least 4 * nodeCapacity + 16 stamps are available before the next `begin`.
   * @returns a stamp below all stamps of this use; no entry of `stamps` is greater
   */
  begin(): number {
    if (MAX_STAMP - this.#last < 4 * this.nodeCapacity + 16) {
      this.stamps.fill(0);
      this.#last = 0;
    }
    return this.#last;
  }

  /** @returns the next stamp: the last one plus one */
  nextStamp(): number {
    return ++this.#last;
  }
}

const KEPT = 4;
const idle: Scratch[] = [];

/** Runs `work` with scratch for at least `nodeCount` nodes. Scratch must not be used after `work` returns. */
export function withScratch<Result>(nodeCount: number, work: (scratch: Scratch) => Result): Result {
  const last = idle.pop();
  const scratch = last !== undefined && last.nodeCapacity >= nodeCount ? last : new Scratch(nodeCount);
  try {
    return work(scratch);
  } finally {
    if (idle.length < KEPT) idle.push(scratch);
  }
}
