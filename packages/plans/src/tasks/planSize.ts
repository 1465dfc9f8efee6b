/**
 * Objects from which a graph is large: cards are shown early, and the thread that made a plan keeps its facts for users. Below, all cards of
 * a plan are found in seconds: 35,816 objects take 2.6 s of the processor, and 0.6 s to first cards that are wide only. Above, first cards are
 * worth their time: 263,290 objects take 26.8 s, and 3.1 s to these, on the same machine. To read the facts again takes 27 s at a million
 * objects, which is 1.4 s here in proportion.
 *
 * Measured: `docs/performance.md#the-plan`.
 */
export const MIN_LARGE = 50_000;
