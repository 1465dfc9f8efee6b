/**
 * Computes the least cost of any set that leaves as few exposed: from flows at some prices, over all packages and single changes.
 * `docs/plan.md#bound` has the proof.
 */
import { type Cancel, PricedCut, throwIfCanceled } from '@clew/graph';
import type { WorkTime } from '../workTime.ts';
import type { Candidates } from './candidates.ts';
import { EARLY_ROUNDS, moveShares } from './shareMoves.ts';

export interface BoundOptions {
  /** Labels that are done already, and cost nothing more. */
  readonly taken?: ReadonlySet<number>;
  /** Labels that do not count as candidates. */
  readonly barred?: ReadonlySet<number>;
  /** Cost of each label; default the cost of its package. */
  readonly costs?: Float64Array;
  /** Prices of one principal. */
  readonly prices: readonly number[];
  readonly rounds?: number;
  readonly cancel?: Cancel | undefined;
  /** When it is over, the bound found so far is used: lower, and still valid. */
  readonly time?: WorkTime | undefined;
}

const ROUNDS = 8;
/** Rounding of sums of shares: a bound is never said higher than it is. */
const EPSILON = 1e-6;

export class LowerBound {
  /** Least cost of any labels plus the price of the weight that they let through, by price. */
  readonly #flows: (readonly [price: number, flow: number])[] = [];
  readonly #lost: number;

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
    this.#lost = candidates.lost;
    const cut = new PricedCut(candidates.network, costs, cancel);
    for (const price of prices) {
      let most = 0;
      for (let round = 0; round < rounds && time?.isOver !== true; round++) {
        throwIfCanceled(cancel);
        candidates.work.flows++;
        const flow = cut.run(price, taken, barred);
        // Once rounds bring nothing more, the bound is as high as it gets.
        const isEnough = round > EARLY_ROUNDS && flow < most * (1 + 1e-4);
        most = Math.max(most, flow);
        if (isEnough) break;
        moveShares(cut, round);
      }
      this.#flows.push([price, most]);
    }
  }

  /** @returns the least cost of leaving no more than these exposed, those that are lost among them */
  costOf(left: number): number {
    let most = 0;
    for (const [price, flow] of this.#flows) most = Math.max(most, flow - price * (left - this.#lost));
    return Math.max(0, most - EPSILON);
  }
}
