/**
 * Time budget of a search. When it is used up, the search ends with the best result so far, and the plan states this; a bound
 * that ends early is lower, but still valid. It measures the CPU time of this thread, so other programs on the machine do not
 * change a plan.
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

  /** Whether a caller has noticed that the budget is used up. */
  get isCut(): boolean {
    return this.#isCut;
  }
}

/** CPU time of this thread, in milliseconds. */
export function usedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
