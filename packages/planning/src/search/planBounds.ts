/** The bounds of each card: the least cost, packages and changes of any set that leaves at most as many principals exposed. */
import type { Cancel } from '@clew/graph';
import type { PlanBound } from '../planTypes.ts';
import { WorkTime } from '../workTime.ts';
import type { Candidates } from './candidates.ts';
import type { CardSet } from './orderCards.ts';
import { LowerBound } from './planBound.ts';

/** Maximum number of packages in a short list. */
const MAX_SHORT_LIST = 20;
const SHORT_LIST_SHARE = 0.5;
/** Maximum number of prices at which cuts are computed. */
const MAX_PRICES = 8;
/** Time limit of each of the three bounds. Large kernels exceed it; the first cards then have the best bounds. */
const MAX_BOUND_MS = 8_000;
/** Time limit for the remaining costs within cards. */
const MAX_STEPS_MS = 6_000;
/** Costs have two decimals, so a cheaper set is cheaper by at least this amount. */
const MIN_DIFFERENCE = 0.01;
const EPSILON = 1e-6;
/** Maximum number of steps for which all packages are examined for the remaining cost inside a card. */
const MAX_STEPS_INSIDE = 20_000;

export class PlanBounds {
  /** Used for the bounds of the remaining cost inside a card. */
  readonly candidates: Candidates;
  readonly stepTime: WorkTime;
  readonly #cards: readonly CardSet[];
  readonly #cost: LowerBound;
  readonly #packages: LowerBound;
  readonly #changes: LowerBound;
  readonly #exposed: number;
  readonly #alwaysExposed: number;

  /** @param toGoal number of cards to the goal: later cards close one-action paths and are bounded by the same cuts */
  constructor(
    all: Candidates,
    cards: readonly CardSet[],
    {
      toGoal = cards.length,
      cancel,
    }: { readonly toGoal?: number; readonly cancel?: Cancel | undefined } = {},
  ) {
    this.#cards = cards;
    this.#alwaysExposed = all.alwaysExposed;
    [this.#exposed] = all.weigh([[]]);
    const { packages, places } = all;
    const ones = new Float64Array(places.length).fill(1);
    const compound = new Set(places.flatMap((place, label) => (packages[place].isAtomic ? [] : [label])));
    const changesOf = (card: CardSet): number =>
      card.packages.reduce((sum, place) => sum + packages[place].repairs.length, 0);
    const bound = (sizeOf: (card: CardSet) => number, of: object): LowerBound =>
      new LowerBound(all, {
        prices: this.#prices(cards.slice(0, toGoal), sizeOf),
        cancel,
        time: new WorkTime(MAX_BOUND_MS),
        ...of,
      });
    this.#cost = bound(({ cost }) => cost, {});
    this.#packages = bound((card) => card.packages.length, { costs: ones });
    this.#changes = bound(changesOf, { costs: ones, barred: compound });
    this.stepTime = new WorkTime(MAX_STEPS_MS);
    const isSmall = all.network.steps.starts.length <= MAX_STEPS_INSIDE;
    const named = new Set(cards.flatMap((card) => card.packages));
    this.candidates = isSmall
      ? all
      : all.restricted(places.filter((place) => packages[place].isWide || named.has(place)));
  }

  /** @returns the bound for leaving at most as many exposed as this card and all earlier ones */
  of(at: number): PlanBound {
    const { exposedAfter } = this.#cards[at];
    const spent = this.#cards.slice(0, at + 1).reduce((sum, { cost }) => sum + cost, 0);
    const cost = this.#cost.costOf(exposedAfter);
    return {
      cost: Math.floor(cost * 100 + 1e-3) / 100,
      packages: Math.ceil(this.#packages.costOf(exposedAfter) - EPSILON),
      changes: Math.ceil(this.#changes.costOf(exposedAfter) - EPSILON),
      isProvenCheapest: cost > spent - MIN_DIFFERENCE + EPSILON,
    };
  }

  /** Whether no short list keeps out half of the principals that can be kept out. */
  get noShortList(): boolean {
    const half = this.#alwaysExposed + (this.#exposed - this.#alwaysExposed) * SHORT_LIST_SHARE;
    return Math.ceil(this.#packages.costOf(half) - EPSILON) > MAX_SHORT_LIST;
  }

  /** Prices per principal, slightly above that of each card, so that the cut includes the card and all earlier ones. */
  #prices(cards: readonly CardSet[], sizeOf: (card: CardSet) => number): number[] {
    const falls = cards.map((card) => sizeOf(card) / (card.exposedBefore - card.exposedAfter));
    const all = falls.flatMap((price, at) => {
      const next = falls[at + 1] ?? price * 4;
      return next > price ? [price * 1.02, Math.sqrt(price * next)] : [price * 1.02];
    });
    if (all.length === 0) return [MAX_SHORT_LIST / Math.max(1, this.#exposed / 2), this.#packagePrice];
    const step = Math.max(1, all.length / MAX_PRICES);
    return Array.from({ length: Math.min(MAX_PRICES, all.length) }, (_, at) => all[Math.floor(at * step)]);
  }

  /** One package per principal, so that keeping out anyone is worthwhile. */
  readonly #packagePrice = 1;
}
