/** Compares times within one run, for tests, because milliseconds depend more on the machine than on the code. */

/** Less than this is noise: a collection of garbage, another process. */
const NOISE_MS = 5;
/** Limit between the growth of linear and quadratic time. */
export const LINEAR_BY_EIGHT = 24;
/** Makes further attempts if the first ones are too slow, because other programs on the machine disturb some. */
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
 * Ratio of the times for eight times the size and for the size: about 8 for linear time, 64 for quadratic time. The
 * quickest attempt of each size counts. The first attempt settles it if the ratio is at most half of the limit: the code has been
 * compiled before, so the smaller size is not slow for that reason.
 *
 * @param measure gives the milliseconds for a size
 * @param limit for the ratio
 */
export async function growthByEight(
  measure: (size: number) => Promise<number>,
  small: number,
  limit = LINEAR_BY_EIGHT,
): Promise<number> {
  await measure(small);
  let [few, many] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const growth = (): number => many / (few + NOISE_MS);
  for (let at = 0; at === 0 || (at < MAX_TRIES && growth() >= (at < MIN_TRIES ? limit / 2 : limit)); at++) {
    few = Math.min(few, await measure(small));
    many = Math.min(many, await measure(8 * small));
  }
  return growth();
}
