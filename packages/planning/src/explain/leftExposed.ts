/**
 * Counts the principals that can still reach the zone at the end of a plan, by the group (or the principal itself) at the start of their
 * easiest path, with the number of its actions and its cheapest cut.
 *
 * Rule: `docs/plan.md#order`.
 */
import { attackSteps, type EdgeRef, environments } from '@clew/analysis';
import { rowOf, UNREACHABLE } from '@clew/graph';
import { EdgeKind } from '@clew/model';
import { isPermanent } from '../repairs/permanent.ts';
import { type Repair, RepairCatalog, ruleKinds } from '../repairs/repairs.ts';
import { type AnalyzedWorld, rankedZone, tierZeroOf } from '../simulation/simulate.ts';
import { cheapestCover } from './cheapestCover.ts';
import { easiestPath } from './easiestPath.ts';
import { repairsAbout } from './repairsBehind.ts';
import { type EffortQuestion, effortSearch } from './zoneEfforts.ts';

/** The cheapest removable step of the easiest path. */
export interface LeftCut {
  readonly repairs: readonly Repair[];
  readonly cost: number;
}

export interface LeftHolder {
  /** A group, or the principal itself. */
  readonly holder: number;
  /** Place of the environment. */
  readonly environment: number;
  /** Principals whose easiest path passes through the holder. */
  readonly principals: number;
  /** Number of path steps that need an action; steps that a sign-in follows automatically do not count. */
  readonly actions: number;
  /** Attack effort of the path. */
  readonly effort: number;
  /** Undefined if no known change removes a step of the path. */
  readonly cut: LeftCut | undefined;
}

export interface LeftExposed {
  readonly exposed: number;
  /** Number of principals that need only one action. */
  readonly oneAction: number;
  /** The first holders, by actions, then by principals. */
  readonly holders: readonly LeftHolder[];
  readonly holderCount: number;
}

/** Maximum number of listed holders. */
const MAX_HOLDERS = 10;

/** Relations that a sign-in follows automatically. */
const OF_SIGN_IN: ReadonlySet<number> = new Set([
  ...[EdgeKind.MemberOf, EdgeKind.AZMemberOf, EdgeKind.ClaimSpecialIdentity],
]);

/** One action is enough. */
const ONE_ACTION = 1;

/** @returns 1 for nodes that reach the zone of their forest with one action */
export function oneActionNodes(world: AnalyzedWorld, zone: number): Uint8Array {
  const { nodeCount } = world.context.graph;
  const found = new Uint8Array(nodeCount);
  const { of, forests } = world.context.use(environments);
  for (const forest of new Set(forests)) {
    const search = effortSearch(world, zone, forest);
    if (search === undefined) continue;
    for (let node = 0; node < nodeCount; node++)
      if (search.costs[node] <= ONE_ACTION && (forests[of[node]] ?? forest) === forest) found[node] = 1;
  }
  return found;
}

/**
 * @param counts whether the principals of an environment count, by its place
 * @param costOf cost of a change
 * @returns undefined if the zone does not exist or is not analyzed
 */
export function leftExposed(
  world: AnalyzedWorld,
  zone: number,
  counts: (environment: number) => boolean,
  costOf: (repair: Repair) => number,
): LeftExposed | undefined {
  const ranked = rankedZone(world, zone);
  if (ranked === undefined) return undefined;
  const { of, forests } = world.context.use(environments);
  const outside = world.principals.andNot(ranked.above).filter((node) => counts(of[node]));
  const byHolder = new Map<
    string,
    { readonly holder: number; readonly environment: number; principals: number }
  >();
  let [exposed, oneAction] = [0, 0];
  // Processes one forest at a time, so that no search runs twice.
  for (const principals of Map.groupBy(outside, (node) => forests[of[node]]).values()) {
    const search = effortSearch(world, zone, of[principals[0]]);
    if (search === undefined) continue;
    for (const principal of principals) {
      if (search.costs[principal] === UNREACHABLE) continue;
      exposed++;
      if (search.costs[principal] <= ONE_ACTION) oneAction++;
      const [holder, environment] = [holderOf(world, search, principal), of[principal]];
      const key = `${holder} ${environment}`;
      const known = byHolder.get(key);
      if (known === undefined) byHolder.set(key, { holder, environment, principals: 1 });
      else known.principals++;
    }
  }
  const paths = [...byHolder.values()].map((one) => {
    const steps = easiestPath(world, zone, one.holder, { environment: one.environment })?.steps ?? [];
    const actions = steps.filter(({ effort }) => effort > 0);
    return {
      ...one,
      steps,
      actions: actions.length,
      effort: actions.reduce((sum, { effort }) => sum + effort, 0),
    };
  });
  paths.sort((a, b) => a.effort - b.effort || b.principals - a.principals || a.holder - b.holder);
  const cuts = new Cuts(world, costOf);
  return {
    ...{ exposed, oneAction },
    holders: paths
      .slice(0, MAX_HOLDERS)
      .map(({ steps, ...holder }) => ({ ...holder, cut: cuts.cheapest(steps) })),
    holderCount: byHolder.size,
  };
}

type Search = EffortQuestion & {
  readonly costs: Uint32Array;
  readonly firstPlaces: Uint32Array;
};

/** The last node of the path that a sign-in reaches without an action. */
function holderOf({ context }: AnalyzedWorld, { steps, firstPlaces }: Search, principal: number): number {
  const { offsets, kinds } = context.graph.in;
  let node = principal;
  for (;;) {
    const at = firstPlaces[node];
    if (at === UNREACHABLE || steps.ofPlace[at] > 0 || !OF_SIGN_IN.has(kinds[at])) return node;
    node = rowOf(offsets, at);
  }
}

class Cuts {
  readonly #world: AnalyzedWorld;
  readonly #costOf: (repair: Repair) => number;
  readonly #catalog: RepairCatalog;

  constructor(world: AnalyzedWorld, costOf: (repair: Repair) => number) {
    this.#world = world;
    this.#costOf = costOf;
    this.#catalog = new RepairCatalog(world.context, ruleKinds(), tierZeroOf(world.zones));
  }

  /** Among equally cheap cuts, prefers the one nearest to the zone, because it affects more principals. */
  cheapest(path: readonly EdgeRef[]): LeftCut | undefined {
    let best: LeftCut | undefined;
    for (const { start, end } of path) {
      const cut = this.#ofEnds(start, end);
      if (cut !== undefined && (best === undefined || cut.cost <= best.cost)) best = cut;
    }
    return best;
  }

  /** Cuts all ways of all relations between both nodes. @returns undefined if one of them is permanent */
  #ofEnds(start: number, end: number): LeftCut | undefined {
    const { context } = this.#world;
    const { attackGraph } = context;
    const { allows } = attackSteps(attackGraph);
    const { offsets, neighbors, kinds } = attackGraph.out;
    const ways: ReadonlySet<number>[] = [];
    for (let at = offsets[start]; at < offsets[start + 1]; at++) {
      const edge = { start, kind: kinds[at], end };
      if (neighbors[at] !== end || allows[edge.kind] === 0) continue;
      const { ofWays } = repairsAbout(context, this.#catalog, edge);
      if (isPermanent(context, edge) || ofWays.length === 0) return undefined;
      ways.push(...ofWays);
    }
    const { repairs: all } = this.#catalog;
    const repairs = cheapestCover(ways, (number) => this.#costOf(all[number]))?.map((number) => all[number]);
    return repairs && { repairs, cost: repairs.reduce((sum, repair) => sum + this.#costOf(repair), 0) };
  }
}
