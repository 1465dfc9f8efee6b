/** The steepest set of packages so far, and all sets weighed so far. */

const EPSILON = 1e-9;

/** @returns the number of exposed principals for each set */
export type Weigh = (choices: readonly (readonly number[])[]) => number[];

/** The best set so far, and the sets weighed so far. */
export class BestSet {
  set: readonly number[] | undefined;
  left = 0;
  steepness = 0;
  readonly exposed: number;
  readonly #costs: Float64Array;
  readonly #base: readonly number[];
  readonly #tried = new Set<string>();

  constructor(costs: Float64Array, exposed: number, base: readonly number[]) {
    this.#costs = costs;
    this.exposed = exposed;
    this.#base = base;
  }

  /** The price per principal at which the best set breaks even. */
  get price(): number {
    return 1 / this.steepness;
  }

  /** @returns whether one of them is better */
  consider(sets: readonly (readonly number[])[], weigh: Weigh): boolean {
    const fresh: number[][] = [];
    for (const set of sets) {
      const own = [...set].sort((a, b) => a - b);
      const key = own.join();
      if (own.length === 0 || this.#tried.has(key)) continue;
      this.#tried.add(key);
      fresh.push(own);
    }
    if (fresh.length === 0) return false;
    const lefts = weigh(fresh.map((set) => [...this.#base, ...set]));
    let isBetter = false;
    for (const [at, set] of fresh.entries()) isBetter = this.take(set, lefts[at]) || isBetter;
    return isBetter;
  }

  take(set: readonly number[], left: number): boolean {
    const steepness = (this.exposed - left) / costOf(this.#costs, set);
    if (!this.#isBetter(set, steepness)) return false;
    this.set = set;
    this.left = left;
    this.steepness = steepness;
    return true;
  }

  /** Among equally steep sets, prefers fewer packages, then earlier ones. */
  #isBetter(set: readonly number[], steepness: number): boolean {
    if (steepness <= 0) return false;
    if (this.set === undefined) return true;
    const margin = EPSILON * this.steepness;
    if (steepness > this.steepness + margin) return true;
    if (steepness < this.steepness - margin) return false;
    if (set.length !== this.set.length) return set.length < this.set.length;
    const at = set.findIndex((label, place) => label !== this.set?.[place]);
    return at >= 0 && set[at] < this.set[at];
  }
}

export const costOf = (costs: Float64Array, labels: Iterable<number>): number => {
  let sum = 0;
  for (const label of labels) sum += costs[label];
  // Costs have two decimals.
  return Math.round(sum * 100) / 100;
};
