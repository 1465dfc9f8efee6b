/**
 * Counts the principals that can still reach the zone at the end of a plan, by the group (or the principal itself) at the start of their
 * easiest path, with the number of its actions and its cheapest cut.
 *
 * Rule: `docs/plan.md#order`.
 */
import { environments } from '@clew/analysis';
import { type CheapestSteps, getOrMake, rowOf, UNREACHABLE } from '@clew/graph';
import { EdgeKind } from '@clew/model';
import type { Repair } from '../repairs/repair.ts';
import { type AnalyzedWorld, rankedZone } from '../simulation/simulate.ts';
import { easiestPath } from './easiestPath.ts';
import { type PathCut, PathCuts } from './pathCuts.ts';
import { type EffortQuestion, effortSearch } from './zoneEfforts.ts';

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
  readonly cut: PathCut | undefined;
}

export interface LeftExposed {
  readonly exposed: number;
  /** Number of principals that need only one action. */
  readonly oneAction: number;
  /** The first holders, by actions, then by principals. */
  readonly holders: readonly LeftHolder[];
  readonly holderCount: number;
}

export interface LeftChanges {
  readonly costOf: (repair: Repair) => number;
  readonly isExcluded?: ((repair: Repair) => boolean) | undefined;
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
 * @param changes cost of a change, and whether constraints exclude it
 * @returns undefined if the zone does not exist or is not analyzed
 */
export function leftExposed(
  world: AnalyzedWorld,
  zone: number,
  counts: (environment: number) => boolean,
  { costOf, isExcluded }: LeftChanges,
): LeftExposed | undefined {
  const ranked = rankedZone(world, zone);
  if (ranked === undefined) return undefined;
  const { of, forests } = world.context.use(environments);
  const outside = world.principals.andNot(ranked.above).filter((node) => counts(of[node]));
  const found: HolderCount[] = [];
  let oneAction = 0;
  // Processes one forest at a time, so that no search runs twice.
  for (const principals of Map.groupBy(outside, (node) => forests[of[node]]).values()) {
    const search = effortSearch(world, zone, of[principals[0]]);
    if (search === undefined) continue;
    found.push(...holdersOf(world, search, principals));
    for (const principal of principals) if (search.costs[principal] <= ONE_ACTION) oneAction++;
  }
  const paths = found.map((one) => {
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
  const cuts = new PathCuts(world, costOf, isExcluded);
  return {
    ...{ exposed: found.reduce((sum, { principals }) => sum + principals, 0), oneAction },
    holders: paths
      .slice(0, MAX_HOLDERS)
      .map(({ steps, sample: _, ...holder }) => ({ ...holder, cut: cuts.cheapest(steps) })),
    holderCount: found.length,
  };
}

type Search = EffortQuestion & CheapestSteps;

export interface HolderCount extends Pick<LeftHolder, 'holder' | 'environment' | 'principals'> {
  /** Some of the principals, at least one. */
  readonly sample: readonly number[];
}

/** Maximum number of principals in a sample. */
const MAX_SAMPLE = 5;

/** Groups the principals that have a path by its holder and their environment. @param principals of one forest */
export function holdersOf(
  world: AnalyzedWorld,
  search: Search,
  principals: Iterable<number>,
): readonly HolderCount[] {
  const { of } = world.context.use(environments);
  const found = new Map<string, HolderCount & { principals: number; sample: number[] }>();
  for (const principal of principals) {
    if (search.costs[principal] === UNREACHABLE) continue;
    const [holder, environment] = [holderOf(world, search, principal), of[principal]];
    const known = getOrMake(found, `${holder} ${environment}`, () => ({
      ...{ holder, environment, sample: [], principals: 0 },
    }));
    known.principals++;
    if (known.sample.length < MAX_SAMPLE) known.sample.push(principal);
  }
  return [...found.values()];
}

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
