/**
 * The searches before that of all packages, which show cards early: of wide packages; then of those of the plan before or, without one and
 * in the largest graphs, of packages near the nodes that most principals come through.
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

/** Share of the principals that makes a node crowded: some hundreds of nodes at a million objects. */
const CROWDED_SHARE = 0.002;
/**
 * Objects from which near packages are searched before all. At 263,290 objects their cards take 21.5 s of the processor, and those of all 49 s
 * after them, 33 s without them: not worth it. At 1,089,980 they take 70 s, and those of all 164 s without them, which no one waits for.
 */
const MIN_NEAR = 500_000;
/** Three times what a slow machine takes for a million objects. */
const DEFAULT_SEARCH_MS = 600_000;

/** A search with the cards that it found, of packages of which none is settled or banned. */
export interface FirstSearch {
  readonly search: PlanSearch;
  readonly cards: readonly CardSet[];
}

export class FirstSearches {
  readonly #world: AnalyzedWorld;
  readonly #ranked: RankedZone;
  readonly #options: SearchOptions;
  /** The wide packages that were found; nothing before. */
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

  /** Evaluates the cards of the plan before that still have an effect, with this effect. @throws CanceledError */
  *previous(): Steps<FirstSearch | undefined> {
    if (!this.#hasPrevious) return undefined;
    const search = yield* PlanSearch.of(this.#world, this.#ranked, this.#options, 'previous');
    yield;
    const cards = search.previousCards();
    return cards.length === 0 ? undefined : { search, cards };
  }

  /**
   * Finds the cards of packages near the nodes that most principals come through, where there is no plan before. At a million objects they are
   * found in less than half the time that all packages take. @throws CanceledError
   */
  *near(): Steps<FirstSearch | undefined> {
    const named = this.#crowded;
    if (named === undefined || named.isEmpty) return undefined;
    const near = { named, hasMemberships: true };
    const search = yield* PlanSearch.of(this.#world, this.#ranked, this.#options, near);
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

  /** The time of a search begins when it does. */
  newTime(): WorkTime {
    return new WorkTime(this.#options.searchMs ?? DEFAULT_SEARCH_MS);
  }
}
