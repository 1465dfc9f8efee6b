/**
 * Finds the cards of a plan on its graph: first the steepest sets of wide packages, then of all packages on the rest, down to the goal;
 * then the steepest cards of all packages found, which are the plan. The result does not depend on the number of requested cards.
 *
 * Rule: `docs/plan.md#order`.
 */
import { type Cancel, throwIfCanceled } from '@clew/graph';
import type { WorkPackage } from '../packages/packageOrder.ts';
import type { Steps } from '../steps.ts';
import type { WorkTime } from '../workTime.ts';
import type { CandidateSource, Candidates } from './candidates.ts';
import { type CardSet, orderCards } from './orderCards.ts';
import { PackageSearch } from './packageSearch.ts';
import { type FoundSet, type SteepestOptions, SteepestSearch } from './steepestCard.ts';

export interface CardOptions {
  /** @param exposed by group @returns whether few enough are exposed for the plan to end */
  readonly isDone: (exposed: readonly number[]) => boolean;
  /** Number of counted principals. */
  readonly counted: number;
  /**
   * Whether a card of narrow packages has the same effect with other sessions, so that it may precede wide ones.
   * @param among packages of later questions
   */
  readonly holds?: (card: readonly number[], before: readonly number[], among: readonly number[]) => boolean;
  /** Cards of an earlier plan, as places of packages. */
  readonly previous?: readonly (readonly number[])[];
  /** Settled cards, as places of packages. */
  readonly fixed?: readonly (readonly number[])[];
  readonly cancel?: Cancel | undefined;
  /** After this limit, cards are built from the packages found so far. */
  readonly time?: WorkTime;
  /** Maximum number of steps of a kernel in which all packages are searched at once. */
  readonly maxStepsAtOnce?: number;
  /** Wide packages that a search of the same graph found; by default they are searched first. */
  readonly wide?: WidePackages | undefined;
  /** Whether the search continues after the last card, regardless of gain and damage, to find decisions for users. */
  readonly isBeyond?: boolean;
  /** Called once with the wide packages. */
  readonly onWide?: (found: WidePackages) => void;
}

/** Wide packages that are worth a card, as places. */
export interface WidePackages {
  readonly taken: readonly number[];
  /** Packages on a card, or close to one. */
  readonly examined: readonly number[];
  /** Exposed principals after all taken packages, by group. */
  readonly exposed: readonly number[];
}

/** Minimum share of the exposed that a wide card keeps out per unit of cost; below it, narrow packages may be better. */
const WIDE_SHARE = 0.004;
/** Minimum share of the principals per unit of cost that counts as a gain. */
const GAIN_SHARE = 0.001;
const MAX_CARDS = 60;
/** A card of narrow packages precedes a wide one if its cost per principal is at most this fraction of the wide card's. */
const NARROW_SHARE = 0.5;

/**
 * @param source all packages, none of them taken
 * @returns the cards after the settled ones @throws CanceledError
 */
export const findCards = (source: CandidateSource, options: CardOptions): Steps<CardSet[]> =>
  new CardFinder(source, options).find();

class CardFinder {
  readonly #all: CandidateSource;
  readonly #options: CardOptions;
  /** Packages found so far. */
  readonly #pool = new Set<number>();

  constructor(source: CandidateSource, options: CardOptions) {
    this.#all = source;
    this.#options = options;
  }

  *find(): Steps<CardSet[]> {
    const fixed = (this.#options.fixed ?? []).flat();
    for (const place of fixed) this.#pool.add(place);
    const { taken, examined, exposed } = this.#options.wide ?? (yield* this.#searchWide(fixed));
    for (const place of examined) this.#pool.add(place);
    const least = this.#options.isBeyond === true ? 0 : this.#options.counted * GAIN_SHARE;
    if (!this.#options.isDone(exposed)) {
      yield;
      const rest = this.#all.restricted(this.#all.places, [...fixed, ...taken]);
      for (const place of (yield* this.#search(rest, least)).pool) this.#pool.add(place);
    }
    yield;
    return this.#cardsOfPool(fixed, least);
  }

  /** Excludes packages that break something: they have separate cards, so a goal met only with such a package is not met yet. */
  *#searchWide(fixed: readonly number[]): Steps<WidePackages> {
    const { packages, places } = this.#all;
    const wide = this.#all.restricted(
      places.filter((place) => packages[place].isWide && !(this.#standsAlone && packages[place].isKept)),
      fixed,
    );
    const [exposed] = wide.weigh([[]]);
    const { taken, pool } = yield* this.#search(wide, exposed * WIDE_SHARE);
    const found = { taken, examined: [...pool], exposed: wide.exposedBy(wide.labelsOf(taken)) };
    this.#options.onWide?.(found);
    return found;
  }

  /** @param worth principals that a card must keep out per unit of cost */
  *#search(candidates: Candidates, worth: number): Steps<PackageSearch> {
    const { isDone, cancel, time, maxStepsAtOnce, previous: seeds = [] } = this.#options;
    const options = { worth, seeds, maxCards: MAX_CARDS, isDone, cancel, time, maxStepsAtOnce };
    const search = yield* PackageSearch.of(candidates, options);
    yield* search.run();
    return search;
  }

  /** Selects the packages of the pool that are worth their cost, wide ones first; then forms their cards. */
  #cardsOfPool(fixed: readonly number[], least: number): CardSet[] {
    const pool = this.#all.restricted([...this.#pool].sort((a, b) => a - b));
    const chosen = this.#chosenOf(pool, fixed, least);
    const few = pool.restricted([...new Set([...chosen, ...fixed])].sort((a, b) => a - b));
    const search = new SteepestSearch(few, this.#options.cancel);
    const base = few.labelsOf(fixed);
    const taken = new Set(base);
    const narrow = labelsWhere(few, ({ isWide }) => !isWide);
    const kept = labelsWhere(few, ({ isKept }) => isKept);
    const cards: (readonly number[])[] = [];
    for (;;) {
      const any = this.#next(search, kept, { taken });
      if (any === undefined) break;
      const isSure = any.labels.every((label) => !narrow.has(label)) || this.#holds(few, any.labels, taken);
      // A card that depends on sessions never precedes a wide one.
      const card = isSure ? any : (search.find({ taken, barred: narrow }) ?? any);
      for (const label of card.labels) taken.add(label);
      cards.push(card.labels);
    }
    return orderCards(few, cards, { base, standsAlone: this.#standsAlone });
  }

  /** @returns the places of the chosen packages */
  #chosenOf(pool: Candidates, fixed: readonly number[], least: number): number[] {
    const { cancel, isDone } = this.#options;
    const search = new SteepestSearch(pool, cancel);
    const taken = new Set(pool.labelsOf(fixed));
    const narrow = labelsWhere(pool, ({ isWide }) => !isWide);
    const kept = labelsWhere(pool, ({ isKept }) => isKept);
    let [left] = pool.weigh([taken]);
    for (let cards = 0; cards < MAX_CARDS && !isDone(pool.exposedBy(taken)); cards++) {
      throwIfCanceled(cancel);
      const any = this.#next(search, kept, { taken, worth: least });
      if (any === undefined) break;
      const isWide = any.labels.every((label) => !narrow.has(label));
      const worth = Math.max(least, left * WIDE_SHARE);
      const wide = isWide ? any : search.find({ taken, barred: narrow, worth });
      const found = this.#better(pool, { any, wide, left, taken, worth });
      if ((left - found.left) / found.cost < least) break;
      for (const label of found.labels) taken.add(label);
      left = found.left;
    }
    return pool.placesOf(taken);
  }

  /** The steepest card. A card that breaks something contains nothing else, and is not the first if another helps. */
  #next(
    search: SteepestSearch,
    kept: ReadonlySet<number>,
    options: Pick<SteepestOptions, 'taken' | 'worth'>,
  ): FoundSet | undefined {
    const harmless = (): FoundSet | undefined => search.find({ ...options, barred: kept });
    if (options.taken.size === 0 && this.#standsAlone) return harmless() ?? search.find(options);
    const any = search.find(options);
    if (any === undefined || any.labels.length === 1 || !this.#standsAlone) return any;
    return any.labels.some((label) => kept.has(label)) ? harmless() : any;
  }

  /** Whether a package that breaks something has a separate card. */
  get #standsAlone(): boolean {
    return this.#options.isBeyond !== true;
  }

  /** Prefers a wide card unless a narrow one costs at most half and does not depend on sessions. */
  #better(
    pool: Candidates,
    {
      any,
      wide,
      left,
      taken,
      worth,
    }: {
      readonly any: FoundSet;
      readonly wide: FoundSet | undefined;
      readonly left: number;
      readonly taken: ReadonlySet<number>;
      /** Principals that a wide card must keep out per unit of cost. */
      readonly worth: number;
    },
  ): FoundSet {
    if (wide === undefined || wide === any) return any;
    const steepness = (set: FoundSet): number => (left - set.left) / set.cost;
    if (steepness(wide) < worth) return any;
    const isHalf = steepness(wide) <= steepness(any) * NARROW_SHARE;
    return isHalf && this.#holds(pool, any.labels, taken) ? any : wide;
  }

  #holds(pool: Candidates, card: readonly number[], before: Iterable<number>): boolean {
    return this.#options.holds?.(pool.placesOf(card), pool.placesOf(before), pool.places) ?? true;
  }
}

function labelsWhere(candidates: Candidates, test: (each: WorkPackage) => boolean): ReadonlySet<number> {
  const { places, packages } = candidates;
  return new Set(places.flatMap((place, label) => (test(packages[place]) ? [label] : [])));
}
