/** Finds the cheapest repairs that cut an attack path: those that together remove all ways of all relationships of one step. */
import { attackSteps, type EdgeRef } from '@clew/analysis';
import { isPermanent } from '../repairs/permanent.ts';
import { type Repair, RepairCatalog, ruleKinds } from '../repairs/repairs.ts';
import { type AnalyzedWorld, tierZeroOf } from '../simulation/simulate.ts';
import { cheapestCover } from './cheapestCover.ts';
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

  /** @param isExcluded true for repairs that no one can make */
  constructor(
    world: AnalyzedWorld,
    costOf: (repair: Repair) => number,
    isExcluded: (repair: Repair) => boolean = () => false,
  ) {
    this.#world = world;
    this.#costOf = costOf;
    this.#isExcluded = isExcluded;
    this.#catalog = new RepairCatalog(world.context, ruleKinds(), tierZeroOf(world.zones));
  }

  /** Among equally cheap cuts, prefers the one nearest to the zone, because it affects more principals. */
  cheapest(path: readonly EdgeRef[]): PathCut | undefined {
    let best: PathCut | undefined;
    for (const [step, { start, end }] of path.entries()) {
      const cut = this.#ofEnds(start, end);
      if (cut !== undefined && (best === undefined || cut.cost <= best.cost)) best = { ...cut, step };
    }
    return best;
  }

  /** Cuts all ways of all relations between both nodes. @returns undefined if one of them is permanent */
  #ofEnds(start: number, end: number): Omit<PathCut, 'step'> | undefined {
    const { context } = this.#world;
    const { attackGraph } = context;
    const { allows } = attackSteps(attackGraph);
    const { offsets, neighbors, kinds } = attackGraph.out;
    const { repairs: all } = this.#catalog;
    const ways: ReadonlySet<number>[] = [];
    for (let at = offsets[start]; at < offsets[start + 1]; at++) {
      const edge = { start, kind: kinds[at], end };
      if (neighbors[at] !== end || allows[edge.kind] === 0) continue;
      const { ofWays } = repairsAbout(context, this.#catalog, edge);
      if (isPermanent(context, edge) || ofWays.length === 0) return undefined;
      for (const ofWay of ofWays)
        ways.push(new Set([...ofWay].filter((number) => !this.#isExcluded(all[number]))));
    }
    const repairs = cheapestCover(ways, (number) => this.#costOf(all[number]))?.map((number) => all[number]);
    return repairs && { repairs, cost: repairs.reduce((sum, repair) => sum + this.#costOf(repair), 0) };
  }
}
