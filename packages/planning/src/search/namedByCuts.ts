/**
 * Selects the packages to examine in a kernel that is too large to search: packages on its minimum cuts, and those that keep most
 * principals out by themselves. Each flow starts from the previous one, so that some dozens of flows name the packages that a
 * search of hundreds would find.
 *
 * Rule: `docs/plan.md#search`.
 */
import { type Cancel, PricedCut, TARGETS, throwIfCanceled } from '@clew/graph';
import type { Steps } from '../steps.ts';
import type { WorkTime } from '../workTime.ts';
import type { Candidates } from './candidates.ts';
import { CARD_ROUNDS, moveShares } from './shareMoves.ts';

export interface NamingOptions {
  readonly cancel?: Cancel | undefined;
  /** After this limit, the packages named so far are the result. */
  readonly time?: WorkTime | undefined;
}

const PRICES = 8;
/** Larger cuts are useless: they cut accounts one by one. */
const MAX_CUT = 10_000;
/** Maximum number of packages named by one cut. */
const MAX_LABELS = 200;
/** Maximum number of labels that keep principals out by themselves. */
const MAX_SINGLES = 100;
/** Minimum share of a label's cost that a flow uses for the label to be near a cut at the price of the flow. */
const MIN_USED = 0.05;
const EPSILON = 1e-9;

export class NamedByCuts {
  readonly #candidates: Candidates;
  readonly #options: NamingOptions;
  readonly #cut: PricedCut;
  /** Labels that may be on other cuts at the prices so far, because flows have used part of their cost. */
  readonly used = new Set<number>();

  constructor(candidates: Candidates, options: NamingOptions) {
    this.#candidates = candidates;
    this.#options = options;
    this.#cut = new PricedCut(candidates.network, candidates.costs, options.cancel);
  }

  /**
   * Computes cuts at prices from that of the steepest possible set to that of the least gain.
   * @param worth principals that a card must keep out per unit of cost
   */
  *atAllPrices(worth: number): Steps<ReadonlySet<number>> {
    const exposed = this.#exposed([]);
    const named = new Set(this.#singles());
    for (const price of this.#pricesOf(exposed, worth)) {
      yield;
      this.#nameAt(price, { exposed, taken: NONE, named });
    }
    return named;
  }

  /**
   * Computes cuts at the price at which a card breaks even: the labels of a steeper card are on the cut.
   * @param taken labels already taken @returns labels; empty if no set is steeper @throws CanceledError
   */
  at(price: number, taken: ReadonlySet<number>): ReadonlySet<number> {
    const named = new Set<number>();
    this.#cut.resetShares();
    this.#nameAt(price, { exposed: this.#exposed(taken), taken, named });
    return named;
  }

  #nameAt(
    price: number,
    {
      exposed,
      taken,
      named,
    }: { readonly exposed: number; readonly taken: ReadonlySet<number>; readonly named: Set<number> },
  ): void {
    const { cancel, time } = this.#options;
    for (let round = 0; round < CARD_ROUNDS && time?.isOver !== true; round++) {
      throwIfCanceled(cancel);
      this.#candidates.work.flows++;
      const flow = this.#cut.run(price, taken);
      // No cut is cheaper than letting all principals through.
      if (flow >= exposed * price * (1 - EPSILON)) return;
      const before = named.size;
      for (const side of ['source', 'target'] as const) this.#name(this.#cut.cutSteps(side), taken, named);
      // If the shares moved once and this round named no new label, further rounds rarely do.
      if (round === CARD_ROUNDS - 1 || (round > 0 && named.size === before)) {
        for (const label of this.#cut.usedLabels(MIN_USED)) this.used.add(label);
        return;
      }
      moveShares(this.#cut, round);
    }
  }

  /** Names the labels of a small cut, and those that remove the steps of a larger one. */
  #name(steps: readonly number[], taken: ReadonlySet<number>, named: Set<number>): void {
    if (steps.length > MAX_CUT) return;
    const labels = this.#cut.labelsOf(steps, taken);
    const few = labels.length <= MAX_LABELS ? labels : this.#cut.cover(steps, taken);
    if (few.length <= MAX_LABELS) for (const label of few) named.add(label);
  }

  #exposed(taken: Iterable<number>): number {
    const [exposed] = this.#candidates.weigh([taken]);
    return exposed - this.#candidates.alwaysExposed;
  }

  #singles(): number[] {
    const { network, costs } = this.#candidates;
    const falls = network.steps.countsOfSingles(TARGETS, network.weights, NONE);
    return Array.from(falls.keys())
      .filter((label) => falls[label] > 0)
      .sort((a, b) => falls[b] / costs[b] - falls[a] / costs[a] || a - b)
      .slice(0, MAX_SINGLES);
  }

  /** Prices per principal, ascending: below the first no set is worth its cost, above the last no further card is needed. */
  #pricesOf(exposed: number, worth: number): number[] {
    const { costs } = this.#candidates;
    if (exposed === 0 || costs.length === 0) return [];
    const least = costs.reduce((min, cost) => Math.min(min, cost), Number.POSITIVE_INFINITY) / exposed;
    // No set that keeps someone out costs more than all packages.
    const dearest = costs.reduce((sum, cost) => sum + cost, 0);
    const most = Math.max(least, worth > 0 ? Math.min(dearest, 1 / worth) : dearest);
    return Array.from({ length: PRICES }, (_, at) => least * (most / least) ** ((at + 1) / PRICES));
  }
}

const NONE: ReadonlySet<number> = new Set();
