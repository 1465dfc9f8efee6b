/** Times compared within one run, for tests: milliseconds alone say more about the machine than about the code. */

/** Less than this is noise: a collection of garbage, another process. */
const NOISE_MS = 5;
/** Limit between the growth of linear and quadratic time. */
export const LINEAR_BY_EIGHT = 24;
/** Further tries are made where the first ones are too slow: other programs on the machine disturb some. */
const [MIN_TRIES, MAX_TRIES] = [3, 12];

/** @returns milliseconds that this thread has worked: time in which the machine does something else does not count */
export function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** @returns the milliseconds that the work takes of this thread */
export async function timed(work: () => unknown): Promise<number> {
  const startedAt = workedMs();
  await work();
  return workedMs() - startedAt;
}

/**
 * How many times as long something takes when it is eight times as large: about 8 where the time grows with the size,
 * 64 where it grows with its square. The quickest try of each size counts.
 *
 * @param measure gives the milliseconds for a size
 */
export async function growthByEight(
  measure: (size: number) => Promise<number>,
  small: number,
): Promise<number> {
  let [few, many] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const growth = (): number => many / (few + NOISE_MS);
  for (let at = 0; at < MIN_TRIES || (at < MAX_TRIES && growth() >= LINEAR_BY_EIGHT); at++) {
    few = Math.min(few, await measure(small));
    many = Math.min(many, await measure(8 * small));
  }
  return growth();
}
