/**
 * How long a search may take. When its time is over it ends with the best so far, and the plan says so; a bound that ends early is lower,
 * but still valid. It measures the processor time of this thread: other programs on the machine do not change a plan.
 */
export class WorkTime {
  readonly #end: number;
  #isCut = false;

  constructor(ms: number) {
    this.#end = usedMs() + ms;
  }

  get isOver(): boolean {
    if (!this.#isCut && usedMs() >= this.#end) this.#isCut = true;
    return this.#isCut;
  }

  /** Whether a caller has learned that the time is over. */
  get isCut(): boolean {
    return this.#isCut;
  }
}

/** Processor time of this thread. */
export function usedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
