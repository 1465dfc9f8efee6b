/**
 * Computes a lower bound for the cost of any set that leaves at most a given number of principals exposed, from flows at some
 * prices, over all packages and single changes. `docs/plan.md#bound` has the proof.
 */
import { type Cancel, PricedCut, throwIfCanceled } from '@clew/graph';
import type { WorkTime } from '../workTime.ts';
import type { Candidates } from './candidates.ts';
import { EARLY_ROUNDS, moveShares } from './shareMoves.ts';

export interface BoundOptions {
  /** Labels that are already done, at no cost. */
  readonly taken?: ReadonlySet<number>;
  /** Labels that are not candidates. */
  readonly barred?: ReadonlySet<number>;
  /** Cost of each label; default: the cost of its package. */
  readonly costs?: Float64Array;
  /** Prices per principal. */
  readonly prices: readonly number[];
  readonly rounds?: number;
  readonly cancel?: Cancel | undefined;
  /** After this limit, the bound found so far is used: lower, but still valid. */
  readonly time?: WorkTime | undefined;
}

const ROUNDS = 8;
/** Tolerance for rounding sums of shares, so that a bound is never overstated. */
const EPSILON = 1e-6;

export class LowerBound {
  /** Keyed by price: the least cost of any labels plus the price of the weight that they let through. */
  readonly #flows: (readonly [price: number, flow: number])[] = [];
  readonly #alwaysExposed: number;

  constructor(candidates: Candidates, options: BoundOptions) {
    const {
      taken = new Set(),
      barred,
      costs = candidates.costs,
      prices,
      rounds = ROUNDS,
      cancel,
      time,
    } = options;
    this.#alwaysExposed = candidates.alwaysExposed;
    const cut = new PricedCut(candidates.network, costs, cancel);
    for (const price of prices) {
      let most = 0;
      for (let round = 0; round < rounds && time?.isOver !== true; round++) {
        throwIfCanceled(cancel);
        candidates.work.flows++;
        const flow = cut.run(price, taken, barred);
        // If further rounds add nothing, the bound has converged.
        const isEnough = round > EARLY_ROUNDS && flow < most * (1 + 1e-4);
        most = Math.max(most, flow);
        if (isEnough) break;
        moveShares(cut, round);
      }
      this.#flows.push([price, most]);
    }
  }

  /** @returns a lower bound for the cost of leaving at most this many exposed, including principals that no package keeps out */
  costOf(left: number): number {
    let most = 0;
    for (const [price, flow] of this.#flows)
      most = Math.max(most, flow - price * (left - this.#alwaysExposed));
    return Math.max(0, most - EPSILON);
  }
}
