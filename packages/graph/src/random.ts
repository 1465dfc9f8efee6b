/** Repeatable random numbers for tests and benchmarks. */

/** mulberry32: small, fast, the same on every machine. @returns a generator of numbers in 0 <= n < 1 */
export function newRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
