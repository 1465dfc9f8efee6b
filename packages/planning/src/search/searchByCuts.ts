/**
 * Cards of a kernel that is too large to search as it is: those of the packages that its cuts name. Before a card is taken, cuts at its
 * price are searched for a steeper one; where they name others, it is searched again among more. These cuts are made on the kernel of the
 * packages that the flows over all have used: a hundredth of all. Where no card is left there, the cuts of all are searched again.
 *
 *   all: cuts at some prices -> used -> kernel of the used; named -> kernel of the named -> card -> cuts of the used at its price
 *     -> new names? -> kernel of the named again; no card left -> cuts of all at the least gain -> new names? -> from the start
 *
 * Rule: `docs/plan.md#search`.
 */
import { type Cancel, throwIfCanceled } from '@clew/graph';
import type { Steps } from '../steps.ts';
import type { WorkTime } from '../workTime.ts';
import type { Candidates } from './candidates.ts';
import { NamedByCuts } from './namedByCuts.ts';
import { type FoundSet, SteepestSearch } from './steepestCard.ts';

export interface CutSearchOptions {
  /** Principals that a card must keep out for each unit of its cost. */
  readonly worth: number;
  /** Places of packages that are looked at in any case. */
  readonly seeds: readonly number[];
  readonly maxCards: number;
  readonly isDone: (exposed: readonly number[]) => boolean;
  readonly cancel?: Cancel | undefined;
  readonly time?: WorkTime | undefined;
}

/** How often the cuts are searched for a card that is steeper than one that was found. */
const MAX_ASKED = 3;

export class CutSearch {
  /** Places of packages that are on a card, or nearly were. */
  readonly pool = new Set<number>();
  readonly #all: Candidates;
  readonly #options: CutSearchOptions;
  readonly #cutsOfAll: NamedByCuts;
  /** Places of packages that flows over all have used. */
  readonly #used: Set<number>;
  /** Their kernel. */
  #few: Candidates;
  #cuts: NamedByCuts;
  /** Places. */
  readonly #named: Set<number>;
  readonly #taken: number[] = [];
  #cards = 0;
  /** How often the cuts were searched for the current card. */
  #asked = 0;

  private constructor(
    all: Candidates,
    options: CutSearchOptions,
    cutsOfAll: NamedByCuts,
    named: ReadonlySet<number>,
  ) {
    this.#all = all;
    this.#options = options;
    this.#cutsOfAll = cutsOfAll;
    this.#named = new Set([...options.seeds, ...all.placesOf(named)]);
    this.#used = new Set([...this.#named, ...all.placesOf(this.#cutsOfAll.used)]);
    this.#few = all.restricted(ascending(this.#used));
    this.#cuts = new NamedByCuts(this.#few, options);
  }

  /** @throws CanceledError */
  static *of(all: Candidates, options: CutSearchOptions): Steps<CutSearch> {
    const cuts = new NamedByCuts(all, options);
    yield;
    const named = yield* cuts.atAllPrices(options.worth);
    yield;
    return new CutSearch(all, options, cuts, named);
  }

  /** @throws CanceledError */
  *run(): Steps<void> {
    let isMore = true;
    while (isMore) {
      yield;
      isMore = (yield* this.#searchNamed()) || this.#isMoreOfAll();
    }
    for (const place of this.#taken) this.pool.add(place);
  }

  /** Searches the cuts of all packages at the price of the least gain. @returns whether they name packages that no flow has used */
  #isMoreOfAll(): boolean {
    const { isDone, maxCards, time, worth } = this.#options;
    const taken = new Set(this.#all.labelsOf(this.#taken));
    if (this.#cards >= maxCards || time?.isOver === true || isDone(this.#all.exposedBy(taken))) return false;
    const before = this.#named.size;
    const price = worth > 0 ? 1 / worth : this.#all.costs.reduce((sum, cost) => sum + cost, 0);
    for (const place of this.#all.placesOf(this.#cutsOfAll.at(price, taken))) this.#named.add(place);
    if (this.#named.size === before) return false;
    for (const place of [...this.#named, ...this.#all.placesOf(this.#cutsOfAll.used)]) this.#used.add(place);
    this.#few = this.#all.restricted(ascending(this.#used));
    this.#cuts = new NamedByCuts(this.#few, this.#options);
    return true;
  }

  /** Searches card after card among the named packages. @returns whether there are more to examine now */
  *#searchNamed(): Steps<boolean> {
    const { isDone, maxCards, cancel, time, worth } = this.#options;
    const few = this.#few.restricted(ascending(this.#named));
    const search = new SteepestSearch(few, cancel, time);
    const taken = new Set(few.labelsOf(this.#taken));
    let [left] = few.weigh([taken]);
    let isMore = false;
    while (!isMore && this.#cards < maxCards && time?.isOver !== true && !isDone(few.exposedBy(taken))) {
      throwIfCanceled(cancel);
      const found = search.find({ taken });
      if (found === undefined || (left - found.left) / found.cost < worth) break;
      isMore = this.#isMoreNamed(found, left);
      if (isMore) break;
      for (const label of found.labels) taken.add(label);
      this.#taken.push(...few.placesOf(found.labels));
      left = found.left;
      yield { cards: ++this.#cards, exposed: left };
    }
    for (const place of few.placesOf(search.named)) this.pool.add(place);
    return isMore;
  }

  /** Searches cuts at the price of a card. @param left exposed before it */
  #isMoreNamed(found: FoundSet, left: number): boolean {
    if (this.#asked === MAX_ASKED) {
      this.#asked = 0;
      return false;
    }
    const taken = new Set(this.#few.labelsOf(this.#taken));
    const before = this.#named.size;
    for (const place of this.#few.placesOf(this.#cuts.at(found.cost / (left - found.left), taken)))
      this.#named.add(place);
    const isMore = this.#named.size > before;
    this.#asked = isMore ? this.#asked + 1 : 0;
    return isMore;
  }
}

const ascending = (places: Iterable<number>): number[] => [...places].sort((a, b) => a - b);
