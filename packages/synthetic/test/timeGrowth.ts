/** Compares times within one run, for tests, because milliseconds depend more on the machine than on the code. */

/** Shorter times are noise, such as a garbage collection or another process. */
const NOISE_MS = 5;
/** Separates linear from quadratic growth. */
export const LINEAR_BY_EIGHT = 24;
/** Repeats slow attempts, because other programs on the machine may disturb them. */
const [MIN_TRIES, MAX_TRIES] = [3, 12];

/** @returns milliseconds of CPU time of this thread; time for which the machine runs other work does not count */
export function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** @returns milliseconds of CPU time that the work needs in this thread */
export async function timed(work: () => unknown): Promise<number> {
  const startedAt = workedMs();
  await work();
  return workedMs() - startedAt;
}

/**
 * Ratio of the times for eight times the size and for the size: about 8 for linear time, 64 for quadratic time. The fastest attempt of each
 * size counts. The first attempt is sufficient if the ratio is at most half of the limit: the code is already compiled, so the smaller size
 * is not slow for that reason.
 *
 * @param measure returns the milliseconds for a size
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
