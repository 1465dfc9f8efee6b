/** LRU cache of node sets that are expensive to compute, limited by size in bytes. */
import type { NodeSet } from '@clew/graph';

const MAX_BYTES = 128 * 2 ** 20;
/** Approximate overhead of a set in bytes. */
const BYTES_PER_SET = 200;

export class NodeSetCache {
  /** Least recently used first. */
  readonly #sets = new Map<string, NodeSet>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** @returns the cached set for this key, or a new one from `make` */
  get(key: string, make: () => NodeSet): NodeSet {
    const kept = this.#sets.get(key);
    if (kept !== undefined) {
      // Updated only when eviction is near, because the update takes longer than the rest of a lookup.
      if (this.#bytes > this.#maxBytes / 2) {
        this.#sets.delete(key);
        this.#sets.set(key, kept);
      }
      return kept;
    }
    const made = make();
    this.#sets.set(key, made);
    this.#bytes += made.byteLength + BYTES_PER_SET;
    for (const [oldest, set] of this.#sets) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#sets.delete(oldest);
      this.#bytes -= set.byteLength + BYTES_PER_SET;
    }
    return made;
  }
}
