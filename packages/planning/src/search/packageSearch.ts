/**
 * Searches the packages of cards: card after card, the steepest set of the named packages. In a small kernel, such as that of wide
 * packages, all packages are named from the start. In a larger one, cuts select the named packages: before a card is taken, cuts at its
 * price are searched for a steeper one, and if they name new packages, the search is repeated with them. These cuts run on the kernel of
 * the packages used by the flows over the whole kernel, about one percent of all. When no card is left there, the cuts of the whole kernel
 * are searched again.
 *
 *   by cuts: cuts of the whole kernel at some prices -> used packages and named packages
 *     -> kernel of the named -> card -> cuts of the used at its price -> if they name new packages: kernel of the named again
 *     -> no card left: cuts of the whole kernel at the least gain -> if they name new packages: from the start
 *   all named: the whole kernel -> card -> the next card
 *
 * Rule: `docs/plan.md#search`.
 */
import { type Cancel, throwIfCanceled } from '@clew/graph';
import type { Steps } from '../steps.ts';
import type { WorkTime } from '../workTime.ts';
import type { Candidates } from './candidates.ts';
import { NamedByCuts } from './namedByCuts.ts';
import { type FoundSet, SteepestSearch } from './steepestCard.ts';

export interface PackageSearchOptions {
  /** Principals that a card must keep out per unit of cost. */
  readonly worth: number;
  /** Sets of places that are always examined, such as cards of an earlier plan. */
  readonly seeds: readonly (readonly number[])[];
  /** Maximum number of steps of a kernel in which all packages are searched at once. Default: `MAX_STEPS_AT_ONCE`. */
  readonly maxStepsAtOnce?: number | undefined;
  readonly maxCards: number;
  readonly isDone: (exposed: readonly number[]) => boolean;
  readonly cancel?: Cancel | undefined;
  readonly time?: WorkTime | undefined;
}

/**
 * Size of a kernel, in steps, up to which all packages are named; beyond it, cuts name them. Below, cuts would halve the search time (10.0
 * s instead of 18.3 s in eleven organizations of 1,000 to 8,000 users), but end one of the eleven plans at 1,940 exposed principals instead
 * of 1,316. Above, hundreds of flows over the whole kernel take minutes.
 *
 * Measured: `docs/plan.md#search`.
 */
const MAX_STEPS_AT_ONCE = 100_000;
/** Maximum number of cut searches for a card steeper than the one found. */
const MAX_ASKED = 3;

/** The cuts that name packages. */
interface Cuts {
  readonly ofAll: NamedByCuts;
  /** Places of packages used by the flows over the whole kernel. */
  readonly used: ReadonlySet<number>;
  /** The kernel of these packages, and its cuts. */
  readonly few: Candidates;
  readonly ofFew: NamedByCuts;
}

export class PackageSearch {
  /** Places of packages that are on a card, or were close to it. */
  readonly pool = new Set<number>();
  /** Places of the packages on cards. */
  readonly taken: number[] = [];
  readonly #all: Candidates;
  readonly #options: PackageSearchOptions;
  /** Places of named packages. */
  readonly #named: Set<number>;
  /** Missing if all packages are named. */
  #cuts: Cuts | undefined;
  #cards = 0;
  /** Number of cut searches for the current card. */
  #asked = 0;

  private constructor(all: Candidates, options: PackageSearchOptions, named: Iterable<number>) {
    this.#all = all;
    this.#options = options;
    this.#named = new Set(named);
  }

  /** @throws CanceledError */
  static *of(all: Candidates, options: PackageSearchOptions): Steps<PackageSearch> {
    const { maxStepsAtOnce = MAX_STEPS_AT_ONCE } = options;
    if (all.network.steps.starts.length <= maxStepsAtOnce) return new PackageSearch(all, options, all.places);
    all.work.way = 'cuts';
    yield;
    const cuts = new NamedByCuts(all, options);
    yield;
    const named = yield* cuts.atAllPrices(options.worth);
    yield;
    const seeds = all.placesOf(all.labelsOf(options.seeds.flat()));
    const search = new PackageSearch(all, options, [...seeds, ...all.placesOf(named)]);
    search.#cuts = search.#cutsOf(cuts, []);
    return search;
  }

  /** @throws CanceledError */
  *run(): Steps<void> {
    let isMore = true;
    while (isMore) {
      yield;
      isMore = (yield* this.#searchNamed()) || this.#isMoreOfAll();
    }
    for (const place of this.taken) this.pool.add(place);
  }

  #cutsOf(ofAll: NamedByCuts, usedBefore: Iterable<number>): Cuts {
    const used = new Set([...usedBefore, ...this.#named, ...this.#all.placesOf(ofAll.used)]);
    const few = this.#all.restricted(ascending(used));
    return { ofAll, used, few, ofFew: new NamedByCuts(few, this.#options) };
  }

  /** Searches the cuts of the whole kernel at the price of the least gain. @returns whether they name packages that no flow has used */
  #isMoreOfAll(): boolean {
    const { isDone, maxCards, time, worth } = this.#options;
    if (this.#cuts === undefined || this.#cards >= maxCards || time?.isOver === true) return false;
    const taken = new Set(this.#all.labelsOf(this.taken));
    if (isDone(this.#all.exposedBy(taken))) return false;
    const { ofAll, used } = this.#cuts;
    const price = worth > 0 ? 1 / worth : this.#all.costs.reduce((sum, cost) => sum + cost, 0);
    if (!this.#isNew(this.#all, ofAll.at(price, taken))) return false;
    this.#cuts = this.#cutsOf(ofAll, used);
    return true;
  }

  /** Searches card after card among the named packages. @returns whether there are new packages to examine */
  *#searchNamed(): Steps<boolean> {
    const { isDone, maxCards, cancel, time, worth } = this.#options;
    const named = this.#cuts?.few.restricted(ascending(this.#named)) ?? this.#all;
    const search = new SteepestSearch(named, cancel, time);
    const seeds = this.#options.seeds.map((places) => named.labelsOf(places));
    const taken = new Set(named.labelsOf(this.taken));
    let [left] = named.weigh([taken]);
    let isMore = false;
    while (!isMore && this.#cards < maxCards && time?.isOver !== true && !isDone(named.exposedBy(taken))) {
      throwIfCanceled(cancel);
      const found = search.find({ taken, seeds });
      if (found === undefined || (left - found.left) / found.cost < worth) break;
      isMore = this.#isMoreNamed(found, left);
      if (isMore) break;
      for (const label of found.labels) taken.add(label);
      this.taken.push(...named.placesOf(found.labels));
      left = found.left;
      yield { cards: ++this.#cards, exposed: left };
    }
    for (const place of named.placesOf(search.named)) this.pool.add(place);
    return isMore;
  }

  /** Searches cuts at the price of a card. @param left exposed principals before it */
  #isMoreNamed(found: FoundSet, left: number): boolean {
    if (this.#cuts === undefined) return false;
    if (this.#asked === MAX_ASKED) {
      this.#asked = 0;
      return false;
    }
    const { few, ofFew } = this.#cuts;
    const taken = new Set(few.labelsOf(this.taken));
    const isMore = this.#isNew(few, ofFew.at(found.cost / (left - found.left), taken));
    this.#asked = isMore ? this.#asked + 1 : 0;
    return isMore;
  }

  /** Names the packages of a cut. @returns whether any of them is new */
  #isNew(candidates: Candidates, labels: Iterable<number>): boolean {
    const before = this.#named.size;
    for (const place of candidates.placesOf(labels)) this.#named.add(place);
    return this.#named.size > before;
  }
}

const ascending = (places: Iterable<number>): number[] => [...places].sort((a, b) => a - b);
