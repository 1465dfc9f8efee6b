/** Sets of nodes that are expensive to compute and needed again: kept up to a number of bytes. */
import type { NodeSet } from '@clew/graph';

const MAX_BYTES = 128 * 2 ** 20;
/** Approximate bytes for keeping a set, in addition to its members. */
const BYTES_PER_SET = 200;

export class NodeSetCache {
  /** Least recently used first. */
  readonly #sets = new Map<string, NodeSet>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** @returns the set that `make` made for this key, or makes now */
  get(key: string, make: () => NodeSet): NodeSet {
    const kept = this.#sets.get(key);
    if (kept !== undefined) {
      // The order matters once sets are about to be dropped. To keep it always takes longer than the rest of a lookup.
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
