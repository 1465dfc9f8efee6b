/**
 * The cards of a plan on its graph: the steepest set of wide packages and the next ones, then all packages on the rest, down to the goal;
 * then the steepest cards of all that were found, which are the plan. Nothing here depends on the number of requested cards.
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
  /** @param exposed by group @returns whether so few are exposed that the plan ends */
  readonly isDone: (exposed: readonly number[]) => boolean;
  /** Principals that are counted. */
  readonly counted: number;
  /**
   * Whether cards of narrow packages have the same effect with other sessions, so that they may precede wide ones.
   * @param among packages that later questions are about
   */
  readonly holds?: (card: readonly number[], before: readonly number[], among: readonly number[]) => boolean;
  /** Cards of an earlier plan, as places of packages. */
  readonly previous?: readonly (readonly number[])[];
  /** Cards that are settled, as places of packages. */
  readonly fixed?: readonly (readonly number[])[];
  readonly cancel?: Cancel | undefined;
  /** When it is over, the cards are built of the packages found so far. */
  readonly time?: WorkTime;
  /** Steps of a kernel whose packages are searched at once, all of them. */
  readonly maxStepsAtOnce?: number;
  /** Wide packages that a search of the same graph has found; without them, they are searched first. */
  readonly wide?: WidePackages | undefined;
  /** The search goes on after the last card, whatever a set gains and breaks: for decisions of people. */
  readonly isBeyond?: boolean;
  /** Called once they are found. */
  readonly onWide?: (found: WidePackages) => void;
}

/** Wide packages that are worth a card, as places. */
export interface WidePackages {
  readonly taken: readonly number[];
  /** On a card, or nearly. */
  readonly examined: readonly number[];
  /** Principals that are exposed once all are taken, by group. */
  readonly exposed: readonly number[];
}

/** A wide card keeps out this share of the exposed for each unit of cost at least; below, narrow packages may be better. */
const WIDE_SHARE = 0.004;
/** Less than this share of the principals for each unit of cost does not count as a gain. */
const GAIN_SHARE = 0.001;
const MAX_CARDS = 60;
/** A card of narrow packages goes before a wide one if a principal that it keeps out costs no more than this part. */
const NARROW_SHARE = 0.5;

/**
 * @param source all packages, none of them taken
 * @returns the cards after those that are settled @throws CanceledError
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

  /** Without those that break something: they stand alone on a card, so a goal that a set with one meets is not met yet. */
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

  /** @param worth principals that a card must keep out for each unit of its cost */
  *#search(candidates: Candidates, worth: number): Steps<PackageSearch> {
    const { isDone, cancel, time, maxStepsAtOnce, previous: seeds = [] } = this.#options;
    const options = { worth, seeds, maxCards: MAX_CARDS, isDone, cancel, time, maxStepsAtOnce };
    const search = yield* PackageSearch.of(candidates, options);
    yield* search.run();
    return search;
  }

  /** Packages of the pool that are worth it, wide ones first; then their cards. */
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

  /** @returns places of packages */
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

  /** The steepest card; one that breaks something is not the first where another helps, and stands alone. */
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

  /** Whether what breaks something is on a card of its own. */
  get #standsAlone(): boolean {
    return this.#options.isBeyond !== true;
  }

  /** A wide card goes first unless a narrow one costs half and does not rest on sessions. */
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
      /** Principals that a wide card must keep out for each unit of its cost. */
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
