/**
 * Working memory of traversals, kept between calls: marking a node visited writes the call's stamp, so nothing
 * has to be cleared. Each call holds its scratch alone (nested and interleaved calls get another), and every
 * thread has its own pool.
 */

export class Scratch {
  readonly nodeCapacity: number;
  /** Per node, the stamp of the last call that visited it; later entries of one call may use higher stamps. */
  readonly stamps: Uint32Array;
  /** Room for each node once. */
  readonly queue: Uint32Array;
  #stamp = 0;

  constructor(nodeCapacity: number) {
    this.nodeCapacity = nodeCapacity;
    this.stamps = new Uint32Array(nodeCapacity);
    this.queue = new Uint32Array(nodeCapacity);
  }

  /** @returns a number that no entry of `stamps` holds. */
  nextStamp(): number {
    if (this.#stamp === 0xffff_ffff) {
      this.stamps.fill(0);
      this.#stamp = 0;
    }
    return ++this.#stamp;
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
