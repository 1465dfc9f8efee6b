/** Measuring and reporting for the benchmarks of this package. */

export interface BenchOptions {
  readonly scale: 'small' | 'large';
}

export interface BenchResult {
  readonly name: string;
  readonly figures: Record<string, number | string>;
}

export interface Bench {
  readonly name: string;
  run(options: BenchOptions): Promise<BenchResult[]>;
}

/** @returns the result of `work` and its time in milliseconds. */
export function timed<Result>(work: () => Result): { result: Result; ms: number } {
  const began = performance.now();
  const result = work();
  return { result, ms: round(performance.now() - began) };
}

/** Times each call. @returns 50th and 99th percentile and the longest, in milliseconds. */
export function percentiles(
  calls: number,
  work: (call: number) => void,
): { p50: number; p99: number; max: number } {
  const times = new Float64Array(calls);
  for (let call = 0; call < calls; call++) {
    const began = performance.now();
    work(call);
    times[call] = performance.now() - began;
  }
  times.sort();
  const at = (share: number) => round(times[Math.min(calls - 1, Math.floor(calls * share))]);
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}

/** @throws Error when an answer is wrong: a wrong answer has no speed. */
export function expectEqual(what: string, found: unknown, expected: unknown): void {
  if (!Object.is(found, expected)) throw new Error(`${what}: ${String(found)}, expected ${String(expected)}`);
}

/** Resident memory of the process in MB. */
export function residentMb(): number {
  return Math.round(process.memoryUsage().rss / 2 ** 20);
}

function round(ms: number): number {
  return ms < 10 ? Math.round(ms * 1000) / 1000 : Math.round(ms);
}
