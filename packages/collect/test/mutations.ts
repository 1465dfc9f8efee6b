/** Hostile bytes for readers: truncated, flipped, with inserted long numbers, and random ones; equal for the same seed. */

/** @param seeds valid bytes @param use must only throw what the test allows */
export function withMutations(seeds: readonly Buffer[], count: number, use: (bytes: Buffer) => void): void {
  let state = Number(process.env.CLEW_TEST_SEED ?? 20_261_126) >>> 0;
  const below = (limit: number): number => {
    // The generator of Numerical Recipes: its high bits are random enough to choose positions.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  for (let at = 0; at < count; at += 1) {
    const bytes = Buffer.from(seeds[at % seeds.length]);
    const way = below(4);
    if (way === 0) use(bytes.subarray(0, below(bytes.length)));
    else if (way === 1) {
      for (let flips = below(6); flips >= 0; flips -= 1) bytes[below(bytes.length)] = below(256);
      use(bytes);
    } else if (way === 2) {
      if (bytes.length >= 4) bytes.writeUInt32LE(below(2 ** 32), below(Math.min(24, bytes.length - 3)));
      use(bytes);
    } else use(Buffer.from(Array.from({ length: below(200) }, () => below(256))));
  }
}

export interface MutationCounts {
  /** Accepted as valid. */
  readonly read: number;
  readonly refused: number;
}

/** @throws errors of `read` other than `refusal` */
export function readMutations(
  seeds: readonly Buffer[],
  count: number,
  read: (bytes: Buffer) => void,
  refusal: new (...args: never[]) => Error,
): MutationCounts {
  const counts = { read: 0, refused: 0 };
  withMutations(seeds, count, (bytes) => {
    try {
      read(bytes);
      counts.read += 1;
    } catch (error) {
      if (!(error instanceof refusal)) throw error;
      counts.refused += 1;
    }
  });
  return counts;
}
