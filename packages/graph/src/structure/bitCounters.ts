/**
 * Thirty-two bit-sliced counters, one per bit of a word: plane p holds bit p of all counters. Adding a word
 * increments every counter whose bit is set, with ripple carry, in a few operations for all of them.
 */
export class BitCounters {
  readonly #planes = new Int32Array(32);

  /** Adds `weight` (0 .. 2^32 - 1) to each counter whose bit is set in `word`. Counters hold up to 2^32 - 1. */
  add(word: number, weight: number): void {
    const planes = this.#planes;
    for (let left = weight, plane = 0; left !== 0; left >>>= 1, plane++) {
      if ((left & 1) === 0) continue;
      let carry = word;
      for (let at = plane; carry !== 0 && at < 32; at++) {
        const next = planes[at] & carry;
        planes[at] ^= carry;
        carry = next;
      }
    }
  }

  /** @returns the value of the counter for bit `bit`, 0 .. 31 */
  count(bit: number): number {
    let count = 0;
    for (let plane = 31; plane >= 0; plane--) count = count * 2 + ((this.#planes[plane] >>> bit) & 1);
    return count;
  }

  clear(): void {
    this.#planes.fill(0);
  }
}
