/**
 * Checks whether chance is better than the plan: draws sets with the same number of work packages and no higher cost, weighs them on the
 * plan's graph, and measures the best on the analysis of the changed facts.
 */

import { type AnalyzedWorld, changedWorld, changeOf, DEFAULT_COSTS, type Repair } from '@clew/planning';
import { workPackages } from '../../packages/planning/src/packages/workPackages.ts';
import { Candidates } from '../../packages/planning/src/search/candidates.ts';
import { planScope } from '../../packages/planning/src/search/planScope.ts';
import { rankedZone } from '../../packages/planning/src/simulation/simulate.ts';
import { finish } from '../../packages/planning/src/steps.ts';
import { exposedIn, exposuresIn, TIER_ZERO } from './reading.ts';

export interface RandomTry {
  /** Measured number of exposed principals after the best set. */
  readonly exposed: number;
  readonly packages: readonly string[];
  readonly tries: number;
}

interface Asked {
  /** Keys of the packages of the plan that are compared with chance. */
  readonly keys: readonly string[];
  readonly cost: number;
  readonly tries: number;
  readonly seed: number;
}

/** Number of sets that are measured again, because the graph may be slightly wrong. */
const MEASURED = 3;

export function bestOfChance(world: AnalyzedWorld, { keys, cost, tries, seed }: Asked): RandomTry {
  const ranked = rankedZone(world, TIER_ZERO);
  if (ranked === undefined) throw new Error('the zone was not analyzed');
  const { context } = world;
  const { graph, targets, groups } = finish(planScope(world, ranked, { zone: TIER_ZERO }));
  const packages = finish(
    workPackages({
      context,
      repairs: graph.repairs,
      prices: { costs: DEFAULT_COSTS, zone: ranked.above },
    }),
  );
  const candidates = Candidates.of({ steps: graph.steps, targets, groups, packages });
  const draw = randomNumbers(seed);
  const ofPlan = keys.flatMap((key) => packages.findIndex((one) => one.key === key));
  if (ofPlan.includes(-1)) throw new Error('a package of the plan is not a candidate');
  // Pure chance rarely hits a repair that matters, so sets are also drawn from those repairs and from variations of the plan's set.
  const wide = packages.flatMap(({ isWide }, place) => (isWide ? [place] : []));
  const all = packages.map((_, place) => place);
  const sets = Array.from({ length: tries }, (_, at) => {
    const kept = at % 4 === 3 ? withoutSome(ofPlan, draw) : [];
    const pool = at % 2 === 0 ? all : wide.length > keys.length ? wide : all;
    return drawSet(pool, kept, { size: keys.length, cost, costOf: (place) => packages[place].cost, draw });
  });
  const weights = candidates.weigh(sets.map((set) => candidates.labelsOf(set)));
  const best = weights
    .map((weight, at) => ({ weight, set: sets[at] as readonly number[] }))
    .sort((one, other) => one.weight - other.weight)
    .slice(0, MEASURED)
    .map(({ set }) => {
      const repairs = [...new Set(set.flatMap((place) => packages[place].repairs))].map(
        (at) => graph.repairs[at] as Repair,
      );
      const changed = repairs.length === 0 ? world : changedWorld(world, changeOf(repairs));
      return {
        exposed: exposedIn(exposuresIn(changed)),
        packages: set.map((place) => packages[place].key),
        tries,
      };
    })
    .sort((one, other) => one.exposed - other.exposed);
  return best[0] as RandomTry;
}

/** @returns some of them, never all */
function withoutSome(places: readonly number[], draw: () => number): number[] {
  const gone = Math.floor(draw() * places.length);
  return places.filter((_, at) => at !== gone && draw() < 0.8);
}

/** @returns places of packages, at most the requested number and within the cost */
function drawSet(
  pool: readonly number[],
  kept: readonly number[],
  {
    size,
    cost,
    costOf,
    draw,
  }: {
    readonly size: number;
    readonly cost: number;
    readonly costOf: (place: number) => number;
    readonly draw: () => number;
  },
): number[] {
  const set = new Set(kept);
  let left = cost - kept.reduce((sum, place) => sum + costOf(place), 0);
  for (let tries = 0; set.size < size && tries < 20 * size; tries++) {
    const place = pool[Math.floor(draw() * pool.length)];
    if (place === undefined || set.has(place) || costOf(place) > left) continue;
    set.add(place);
    left -= costOf(place);
  }
  return [...set];
}

/** A linear congruential generator, so each run has the same sets. @returns numbers in [0, 1) */
function randomNumbers(seed: number): () => number {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 0x1_0000_0000;
  };
}
