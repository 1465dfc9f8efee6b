/** The cheapest repairs that together remove each way of a relationship. */
import type { Clauses } from './removal.ts';

/** Maximum number of search steps; beyond it, the best cover so far is used. */
const MAX_STEPS = 20_000;
/** Maximum number of combinations of choices of several ways; beyond it, a way has only its own cheapest choice. */
const MAX_COMBINATIONS = 64;

/**
 * @param ofWays for each way, its choices
 * @returns undefined if there is no way, or if no repairs remove one of them
 */
export function cheapestRemoval(
  ofWays: readonly (readonly Clauses[])[],
  costOf: (repair: number) => number,
): readonly number[] | undefined {
  if (ofWays.length === 0) return undefined;
  let combined: readonly Clauses[] = [[]];
  for (const choices of ofWays) {
    const kept =
      combined.length * choices.length > MAX_COMBINATIONS ? [cheapestOf(choices, costOf)] : choices;
    combined = combined.flatMap((clauses) => kept.map((choice) => [...clauses, ...choice]));
  }
  return combined.length === 0 ? undefined : cheapestCover(cheapestOf(combined, costOf), costOf);
}

function cheapestOf(choices: readonly Clauses[], costOf: (repair: number) => number): Clauses {
  if (choices.length === 1) return choices[0];
  const costs = choices.map((clauses) =>
    (cheapestCover(clauses, costOf) ?? []).reduce((sum, repair) => sum + costOf(repair), 0),
  );
  return choices[costs.indexOf(Math.min(...costs))];
}

/**
 * A branch-and-bound search. It starts from a greedy cover, so it has a result if it stops early.
 * @param ofWays for each way, the repairs that each remove it alone
 * @returns undefined if there is no way, or if no repair removes one of them
 */
export function cheapestCover(
  ofWays: readonly ReadonlySet<number>[],
  costOf: (repair: number) => number,
): readonly number[] | undefined {
  if (ofWays.length === 0 || ofWays.some((ofWay) => ofWay.size === 0)) return undefined;
  const sumOf = (repairs: readonly number[]): number =>
    repairs.reduce((sum, repair) => sum + costOf(repair), 0);
  const rarestFirst = [...ofWays].sort((a, b) => a.size - b.size);
  let best = greedyCover(rarestFirst, costOf);
  let [bestCost, steps] = [sumOf(best), 0];
  const search = (chosen: readonly number[], cost: number): void => {
    if (++steps > MAX_STEPS || cost >= bestCost) return;
    const open = rarestFirst.find((ofWay) => !chosen.some((repair) => ofWay.has(repair)));
    if (open === undefined) {
      [best, bestCost] = [chosen, cost];
      return;
    }
    for (const repair of [...open].sort((a, b) => costOf(a) - costOf(b)))
      search([...chosen, repair], cost + costOf(repair));
  };
  search([], 0);
  return best;
}

/** Repeatedly selects the repair with the least cost per way that it removes, until every way is removed. */
function greedyCover(
  ofWays: readonly ReadonlySet<number>[],
  costOf: (repair: number) => number,
): readonly number[] {
  const cover: number[] = [];
  let open = ofWays;
  while (open.length > 0) {
    let [found, least] = [-1, Number.POSITIVE_INFINITY];
    for (const repair of new Set(open.flatMap((ofWay) => [...ofWay]))) {
      const price = costOf(repair) / open.filter((ofWay) => ofWay.has(repair)).length;
      if (price < least) [found, least] = [repair, price];
    }
    cover.push(found);
    open = open.filter((ofWay) => !ofWay.has(found));
  }
  return cover;
}
