/**
 * Minimum number of objects of a large graph: cards are shown early, and the thread of a plan keeps its facts for users. In
 * smaller graphs, all cards are found in seconds: 35,816 objects take 2.6 s of CPU time, and 0.6 s to first cards, which are only
 * wide ones. In larger graphs, first cards pay off: 263,290 objects take 26.8 s, and 3.1 s to first cards, on the same machine.
 * Reading the facts again takes 27 s at a million objects, in proportion 1.4 s at this size.
 *
 * Measured: `docs/performance.md#how-long-does-a-plan-take`.
 */
export const MIN_LARGE = 50_000;
