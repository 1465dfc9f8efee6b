/**
 * Searches that run before the search of all packages, to show cards early: over wide packages; then over the packages of the previous plan
 * or, without one and in the largest graphs, over packages near the most crowded nodes.
 *
 * Rule: `docs/plan.md#search`.
 */
import type { NodeSet } from '@clew/graph';
import { DEFAULT_GOAL } from '@clew/model';
import type { SearchOptions } from '../planTypes.ts';
import type { AnalyzedWorld, RankedZone } from '../simulation/simulate.ts';
import type { Steps } from '../steps.ts';
import { WorkTime } from '../workTime.ts';
import type { CardSet } from './orderCards.ts';
import { type FoundWide, PlanSearch } from './planSearch.ts';

/** Minimum share of principals at a crowded node: some hundreds of nodes in a graph of a million objects. */
const CROWDED_SHARE = 0.002;
/**
 * Minimum number of objects for the search of near packages. At 263,290 objects their cards take 21.5 s of CPU time, and all
 * packages 49 s after them but 33 s without them, so the search is not worthwhile. At 1,089,980 objects they take 70 s, and all
 * packages 164 s without them, which is too long to wait.
 */
const MIN_NEAR = 500_000;
/** Three times the duration on a slow machine for a million objects. */
const DEFAULT_SEARCH_MS = 600_000;

/** A search with the cards that it found; none of its packages is settled or banned. */
export interface FirstSearch {
  readonly search: PlanSearch;
  readonly cards: readonly CardSet[];
}

export class FirstSearches {
  readonly #world: AnalyzedWorld;
  readonly #ranked: RankedZone;
  readonly #options: SearchOptions;
  /** The wide packages found; undefined before the search. */
  foundWide: FoundWide | undefined;
  #crowded: NodeSet | undefined;

  constructor(world: AnalyzedWorld, ranked: RankedZone, options: SearchOptions) {
    this.#world = world;
    this.#ranked = ranked;
    this.#options = options;
  }

  /** @throws CanceledError */
  *wide(): Steps<FirstSearch> {
    const search = yield* PlanSearch.of(this.#world, this.#ranked, this.#options, 'wide');
    yield;
    const time = this.newTime();
    const cards = yield* search.find(DEFAULT_GOAL, { settled: [], banned: new Set(), time });
    this.foundWide = search.foundWide;
    if (!this.#hasPrevious && this.#isLargest)
      this.#crowded = search.crowdedAfter(cards, { share: CROWDED_SHARE, goal: DEFAULT_GOAL });
    return { search, cards };
  }

  /** Evaluates the cards of the previous plan that still have an effect. @throws CanceledError */
  *previous(): Steps<FirstSearch | undefined> {
    if (!this.#hasPrevious) return undefined;
    const search = yield* PlanSearch.of(this.#world, this.#ranked, this.#options, 'previous');
    yield;
    const cards = search.previousCards();
    return cards.length === 0 ? undefined : { search, cards };
  }

  /**
   * Finds cards of packages near the most crowded nodes if there is no previous plan. At a million objects this takes less than half the
   * time of all packages. @throws CanceledError
   */
  *near(): Steps<FirstSearch | undefined> {
    const near = this.#crowded;
    if (near === undefined || near.isEmpty) return undefined;
    const scope = { near, hasMemberships: true };
    const search = yield* PlanSearch.of(this.#world, this.#ranked, this.#options, scope);
    yield;
    const options = { settled: [], banned: new Set<number>(), time: this.newTime(), wide: this.foundWide };
    const cards = yield* search.find(DEFAULT_GOAL, options);
    return cards.length === 0 ? undefined : { search, cards };
  }

  get #isLargest(): boolean {
    return this.#world.context.graph.nodeCount >= (this.#options.minNear ?? MIN_NEAR);
  }

  get #hasPrevious(): boolean {
    return (this.#options.previous ?? []).length > 0;
  }

  /** The time limit of a search starts with the search. */
  newTime(): WorkTime {
    return new WorkTime(this.#options.searchMs ?? DEFAULT_SEARCH_MS);
  }
}
