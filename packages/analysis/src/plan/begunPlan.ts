/**
 * The searches with which a plan begins: for the cards of wide packages, and the packages of all. They take most of a minute at a million
 * objects and depend on the facts alone, so a plan may begin while its generation is being published.
 *
 * Rule: `docs/plan.md#where-it-runs`.
 */
import { InSteps, type Steps } from './inSteps.ts';
import type { CardSet } from './orderCards.ts';
import { PlanSearch } from './planSearch.ts';
import type { SearchOptions } from './planTypes.ts';
import { type AnalyzedWorld, type RankedZone, rankedZone } from './simulate.ts';
import { WorkTime } from './workTime.ts';

/** Share of the principals of an environment at which a plan ends. */
export const DEFAULT_GOAL = 0.1;
export const DEFAULT_SEARCH_MS = 60_000;

/** A search with the cards that it found. */
interface Found {
  readonly search: PlanSearch;
  readonly cards: readonly CardSet[];
}

export class BegunPlan {
  readonly #world: AnalyzedWorld;
  readonly #isWideFirst: boolean;
  #isTaken = false;
  /** With wide packages alone; worked ahead only where their cards are reported first. */
  readonly wide: InSteps<Found>;
  /** With all packages; no card of it is searched yet. */
  readonly all: InSteps<PlanSearch>;

  private constructor(
    world: AnalyzedWorld,
    ranked: RankedZone,
    options: SearchOptions,
    isWideFirst: boolean,
  ) {
    this.#isWideFirst = isWideFirst;
    this.#world = world;
    this.wide = new InSteps(findWide(world, ranked, options));
    this.all = new InSteps(PlanSearch.inSteps(world, ranked, options, 'all'));
  }

  /** @returns nothing for a zone that is not there, or not analyzed */
  static of(world: AnalyzedWorld, options: SearchOptions, isWideFirst = true): BegunPlan | undefined {
    const ranked = rankedZone(world, options.zone);
    return ranked && new BegunPlan(world, ranked, options, isWideFirst);
  }

  /** @returns itself, once, for the world in which it was begun */
  takeFor(world: AnalyzedWorld): BegunPlan | undefined {
    if (this.#isTaken || world !== this.#world) return undefined;
    this.#isTaken = true;
    return this;
  }

  /** Works one step, of seconds at most. @returns whether more are left @throws CanceledError, after which it must not be taken */
  next(): boolean {
    return (this.#isWideFirst && this.wide.next()) || this.all.next();
  }
}

function* findWide(world: AnalyzedWorld, ranked: RankedZone, options: SearchOptions): Steps<Found> {
  const search = yield* PlanSearch.inSteps(world, ranked, options, 'wide');
  yield;
  const time = new WorkTime(options.searchMs ?? DEFAULT_SEARCH_MS);
  return { search, cards: search.find(DEFAULT_GOAL, { settled: [], banned: new Set(), time }) };
}
