/**
 * The searches with which a plan begins: for the cards of wide packages; for those of the plan before or, without one and in the largest
 * graphs, of packages near the nodes that most principals come through; then for those of all packages. They take more than a minute at a
 * million objects, and work in steps.
 *
 * Rule: `docs/plan.md#search`.
 */
import type { NodeSet } from '@clew/graph';
import { DEFAULT_GOAL } from '@clew/model';
import { StageTimes } from '../explanation.ts';
import { InSteps, type Steps } from '../inSteps.ts';
import type { PlanOptions, SearchOptions } from '../planTypes.ts';
import { type AnalyzedWorld, type RankedZone, rankedZone } from '../simulation/simulate.ts';
import { WorkTime } from '../workTime.ts';
import type { CardSet } from './orderCards.ts';
import { type FoundWide, PlanSearch } from './planSearch.ts';

/** Share of the principals that makes a node crowded: some hundreds of nodes at a million objects. */
const CROWDED_SHARE = 0.002;
/** Below, those of all packages are not worth waiting for the near ones: at 263,290 objects they take 33 s, and half as long again then. */
const MIN_NEAR = 500_000;
/** Three times what a slow machine takes for a million objects. */
const DEFAULT_SEARCH_MS = 600_000;

/** A search with the cards that it found, of packages of which none is settled or banned. */
export interface FirstSearch {
  readonly search: PlanSearch;
  readonly cards: readonly CardSet[];
}

export class FirstSearches {
  /** Called between cards of the search, once someone waits for the plan. */
  onCard: PlanOptions['onCard'];
  readonly times = new StageTimes();
  readonly #world: AnalyzedWorld;
  readonly #ranked: RankedZone;
  readonly #options: SearchOptions;
  readonly #isWideFirst: boolean;
  #foundWide: FoundWide | undefined;
  #time: WorkTime | undefined;
  readonly #wide: InSteps<FirstSearch>;
  readonly #previous: InSteps<FirstSearch | undefined>;
  readonly #near: InSteps<FirstSearch | undefined>;
  #crowded: NodeSet | undefined;
  readonly #all: InSteps<PlanSearch>;
  readonly #cards: InSteps<readonly CardSet[]>;

  private constructor(
    world: AnalyzedWorld,
    ranked: RankedZone,
    options: SearchOptions,
    isWideFirst: boolean,
  ) {
    this.#world = world;
    this.#ranked = ranked;
    this.#options = options;
    this.#isWideFirst = isWideFirst;
    const { times } = this;
    this.#wide = new InSteps(times.steps('wide', this.#findWide()));
    this.#previous = new InSteps(times.steps('previous', this.#findPrevious()));
    this.#near = new InSteps(times.steps('near', this.#findNear()));
    this.#all = new InSteps(times.steps('graph', PlanSearch.inSteps(world, ranked, options, 'all')));
    this.#cards = new InSteps(times.steps('search', this.#findCards()));
  }

  /**
   * @param isWideFirst whether cards of wide packages are reported before all are searched
   * @returns nothing for a zone that is not there, or not analyzed
   */
  static of(world: AnalyzedWorld, options: SearchOptions, isWideFirst: boolean): FirstSearches | undefined {
    const ranked = rankedZone(world, options.zone);
    return ranked && new FirstSearches(world, ranked, options, isWideFirst);
  }

  /** Works one step, of seconds at most. @returns whether more are left @throws CanceledError, after which they must not be used */
  next(): boolean {
    const isFirst = this.#isWideFirst && (this.#wide.next() || this.#previous.next() || this.#near.next());
    return isFirst || this.#all.next() || this.#cards.next();
  }

  /** The search with wide packages alone. Its memory is free once the caller no longer uses it. @throws CanceledError */
  takeWide(): FirstSearch {
    return this.#wide.take();
  }

  /** The cards of the plan before that still have an effect, with this effect. The same for its memory. @throws CanceledError */
  takePrevious(): FirstSearch | undefined {
    return this.#previous.take();
  }

  /**
   * The cards of packages near the nodes that most principals come through, where there is no plan before. At a million objects they
   * are found in less than half the time that all packages take. The same for its memory. @throws CanceledError
   */
  takeNear(): FirstSearch | undefined {
    return this.#near.take();
  }

  /** The search with all packages. @throws CanceledError */
  get search(): PlanSearch {
    return this.#all.finish();
  }

  /** The first cards of all packages. @throws CanceledError */
  get cards(): readonly CardSet[] {
    return this.#cards.finish();
  }

  /** It began with the search for the cards of all packages. */
  get time(): WorkTime {
    this.#time ??= this.#newTime();
    return this.#time;
  }

  *#findWide(): Steps<FirstSearch> {
    const search = yield* PlanSearch.inSteps(this.#world, this.#ranked, this.#options, 'wide');
    yield;
    const time = this.#newTime();
    const cards = search.find(DEFAULT_GOAL, { settled: [], banned: new Set(), time });
    this.#foundWide = search.foundWide;
    if (!this.#hasPrevious && this.#isLargest)
      this.#crowded = search.crowdedAfter(cards, { share: CROWDED_SHARE, goal: DEFAULT_GOAL });
    return { search, cards };
  }

  *#findPrevious(): Steps<FirstSearch | undefined> {
    if (!this.#hasPrevious) return undefined;
    const search = yield* PlanSearch.inSteps(this.#world, this.#ranked, this.#options, 'previous');
    yield;
    const cards = search.previousCards();
    return cards.length === 0 ? undefined : { search, cards };
  }

  *#findNear(): Steps<FirstSearch | undefined> {
    const named = this.#crowded;
    if (named === undefined || named.isEmpty) return undefined;
    const near = { named, hasMemberships: true };
    const search = yield* PlanSearch.inSteps(this.#world, this.#ranked, this.#options, near);
    yield;
    const options = { settled: [], banned: new Set<number>(), time: this.#newTime(), wide: this.#foundWide };
    const cards = yield* search.findInSteps(DEFAULT_GOAL, options);
    return cards.length === 0 ? undefined : { search, cards };
  }

  get #isLargest(): boolean {
    return this.#world.context.graph.nodeCount >= (this.#options.minNear ?? MIN_NEAR);
  }

  get #hasPrevious(): boolean {
    return (this.#options.previous ?? []).length > 0;
  }

  *#findCards(): Steps<readonly CardSet[]> {
    const { search } = this;
    return yield* search.findInSteps(DEFAULT_GOAL, {
      ...{ settled: [], banned: new Set(), time: this.time, wide: this.#foundWide },
      onCard: (done) => this.onCard?.(done),
    });
  }

  #newTime(): WorkTime {
    return new WorkTime(this.#options.searchMs ?? DEFAULT_SEARCH_MS);
  }
}
