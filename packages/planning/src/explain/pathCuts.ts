/** Finds the cheapest repairs that cut an attack path: those that together remove all ways of all relationships of one step. */
import { attackSteps, type EdgeRef } from '@clew/analysis';
import { getOrMake } from '@clew/graph';
import { isPermanent } from '../repairs/permanent.ts';
import { isPossible } from '../repairs/possibleChanges.ts';
import type { Repair } from '../repairs/repair.ts';
import { RepairCatalog, ruleKinds } from '../repairs/repairs.ts';
import { type AnalyzedWorld, tierZeroOf } from '../simulation/simulate.ts';
import { cheapestRemoval } from './cheapestCover.ts';
import { type Clauses, choicesOf } from './removal.ts';
import { repairsAbout } from './repairsBehind.ts';

export interface PathCut {
  /** Index of the removed step. */
  readonly step: number;
  readonly repairs: readonly Repair[];
  readonly cost: number;
}

export class PathCuts {
  readonly #world: AnalyzedWorld;
  readonly #costOf: (repair: Repair) => number;
  readonly #isExcluded: (repair: Repair) => boolean;
  readonly #catalog: RepairCatalog;
  /** Keyed by both ends. Paths often share their last steps. */
  readonly #known = new Map<string, Omit<PathCut, 'step'> | undefined>();

  /** @param isExcluded true for repairs that constraints exclude; those that are never possible need not be among them */
  constructor(
    world: AnalyzedWorld,
    costOf: (repair: Repair) => number,
    isExcluded: ((repair: Repair) => boolean) | undefined,
  ) {
    this.#world = world;
    // The search for a cover asks thousands of times for the same costs.
    const costs = new Map<Repair, number>();
    this.#costOf = (repair) => getOrMake(costs, repair, () => costOf(repair));
    this.#isExcluded = (repair) => isExcluded?.(repair) === true || !isPossible(world.context, repair);
    this.#catalog = new RepairCatalog(world.context, ruleKinds(), tierZeroOf(world.zones));
  }

  /** Cheapest first. Among equally cheap cuts, the first is the one nearest to the zone, because it affects more principals. */
  of(path: readonly EdgeRef[]): PathCut[] {
    return path
      .flatMap(({ start, end }, step) => {
        const cut = this.#between(start, end);
        return cut === undefined ? [] : [{ ...cut, step }];
      })
      .sort((a, b) => a.cost - b.cost || b.step - a.step);
  }

  cheapest(path: readonly EdgeRef[]): PathCut | undefined {
    return this.of(path)[0];
  }

  #between(start: number, end: number): Omit<PathCut, 'step'> | undefined {
    const key = `${start} ${end}`;
    if (!this.#known.has(key)) this.#known.set(key, this.#ofEnds(start, end));
    return this.#known.get(key);
  }

  /** Cuts all ways of all relations between both nodes. @returns undefined if one of them is permanent */
  #ofEnds(start: number, end: number): Omit<PathCut, 'step'> | undefined {
    const { context } = this.#world;
    const { attackGraph } = context;
    const { allows } = attackSteps(attackGraph);
    const { offsets, neighbors, kinds } = attackGraph.out;
    const { repairs: all } = this.#catalog;
    const ways: (readonly Clauses[])[] = [];
    for (let at = offsets[start]; at < offsets[start + 1]; at++) {
      const edge = { start, kind: kinds[at], end };
      if (neighbors[at] !== end || allows[edge.kind] === 0) continue;
      const { ofWays } = repairsAbout(context, this.#catalog, edge);
      if (isPermanent(context, edge) || ofWays.length === 0) return undefined;
      for (const ofWay of ofWays) ways.push(choicesOf(ofWay).flatMap((clauses) => this.#usable(clauses)));
    }
    const repairs = cheapestRemoval(ways, (number) => this.#costOf(all[number]))?.map(
      (number) => all[number],
    );
    return repairs && { repairs, cost: repairs.reduce((sum, repair) => sum + this.#costOf(repair), 0) };
  }

  /** @returns the sets without repairs that no one can make; none if one of the sets has only these */
  #usable(clauses: Clauses): [Clauses] | [] {
    const { repairs } = this.#catalog;
    const usable = clauses.map(
      (places) => new Set([...places].filter((number) => !this.#isExcluded(repairs[number]))),
    );
    return usable.some(({ size }) => size === 0) ? [] : [usable];
  }
}
