/**
 * A plan whose searches were begun before anyone waits for it: they depend on the facts alone, so they may begin while a generation is being
 * published.
 *
 * Rule: `docs/plan.md#where-it-runs`.
 */

import type { SearchOptions } from './planTypes.ts';
import { FirstSearches } from './search/firstSearches.ts';
import type { AnalyzedWorld } from './simulation/simulate.ts';

export class BegunPlan {
  readonly #world: AnalyzedWorld;
  /** Nothing once they were taken: their memory is that of the plan. */
  #searches: FirstSearches | undefined;

  private constructor(world: AnalyzedWorld, searches: FirstSearches) {
    this.#world = world;
    this.#searches = searches;
  }

  /**
   * @param isWideFirst whether cards of wide packages are reported before all are searched
   * @returns nothing for a zone that is not there, or not analyzed
   */
  static of(world: AnalyzedWorld, options: SearchOptions, isWideFirst: boolean): BegunPlan | undefined {
    const searches = FirstSearches.of(world, options, isWideFirst);
    return searches && new BegunPlan(world, searches);
  }

  /** Works one step, of seconds at most. @returns whether more are left @throws CanceledError, after which it must not be used */
  next(): boolean {
    return this.#searches?.next() ?? false;
  }

  /** Ends it: its memory is free. */
  drop(): void {
    this.#searches = undefined;
  }

  /** @returns its searches, once, for the world in which it was begun */
  takeFor(world: AnalyzedWorld): FirstSearches | undefined {
    if (world !== this.#world) return undefined;
    const searches = this.#searches;
    this.drop();
    return searches;
  }
}
