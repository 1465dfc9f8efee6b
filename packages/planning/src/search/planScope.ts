/** The parts of an analyzed world that a plan uses: its targets and principals, by forest or tenant and by environment. */
import { attackSteps, environments, largeDefaultGroups, RULES } from '@clew/analysis';
import { getOrMake, uint32s } from '@clew/graph';
import { leaversOf } from '../packages/leavers.ts';
import type { SearchOptions } from '../planTypes.ts';
import { type PlanGraph, planGraph } from '../relaxation/planGraph.ts';
import type { LabelScope } from '../relaxation/stepLabels.ts';
import { RepairCatalog, ruleKinds } from '../repairs/repairs.ts';
import {
  type AnalyzedWorld,
  exposuresOf,
  type RankedZone,
  tierZeroOf,
  type ZoneExposure,
} from '../simulation/simulate.ts';
import type { Steps } from '../steps.ts';
import type { CountedGroup } from './candidates.ts';

export interface PlanScope {
  readonly graph: PlanGraph;
  /** Indexed by realm. */
  readonly targets: readonly Uint32Array[];
  /** Principals of each environment. */
  readonly groups: readonly (CountedGroup & { readonly environment: number; readonly principals: number })[];
  /** Exposures before any repair. */
  readonly exposures: readonly ZoneExposure[];
  /** Exposures of the zone in a world, in the environments that count. */
  readonly exposuresOf: (world: AnalyzedWorld) => ZoneExposure[];
}

/** @throws CanceledError */
export function* planScope(
  world: AnalyzedWorld,
  { members, above }: RankedZone,
  { zone, environments: asked, isExcluded }: SearchOptions,
  scope: LabelScope = 'all',
): Steps<PlanScope> {
  const { context, zones } = world;
  const isAsked = (environment: number): boolean =>
    asked === undefined || asked.has(world.environments[environment]);
  const exposures = (of: AnalyzedWorld): ZoneExposure[] =>
    exposuresOf(of).filter((exposure) => exposure.zone === zone && isAsked(exposure.environment));
  const steps = attackSteps(context.graph);
  // Removing a membership is not a wide repair.
  const staying = scope === 'wide' ? members : members.andNot(leaversOf(world, zone, members, steps));
  const graph = yield* planGraph({
    ...{ context, steps, zone: staying, above, rules: RULES },
    catalog: new RepairCatalog(context, ruleKinds(), tierZeroOf(zones)),
    broad: largeDefaultGroups(context).all,
    ...{ scope, ...(isExcluded && { isExcluded }) },
  });
  yield;
  const { of } = context.use(environments);
  const before = exposures(world);
  const counted = new Set(before.map(({ environment }) => environment));
  // Exposure is counted per forest, so paths to other environments of the forest count as well.
  const targets = graph.realms.map((realm) =>
    [...realm.environments].some(isAsked) ? realm.targets : new Uint32Array(0),
  );
  const groups = graph.realms.flatMap(({ weights }, realm) => {
    if (targets[realm].length === 0) return [];
    const byEnvironment = new Map<number, Uint32Array>();
    for (let node = 0; node < context.graph.nodeCount; node++) {
      if (weights[node] === 0 || !counted.has(of[node])) continue;
      const own = getOrMake(byEnvironment, of[node], () => uint32s(graph.steps.nodeCount));
      own[node] = weights[node];
    }
    return [...byEnvironment].map(([environment, own]) => ({
      ...{ realm, environment, weights: own },
      principals: own.reduce((sum, weight) => sum + weight, 0),
    }));
  });
  return { graph, targets, groups, exposures: before, exposuresOf: exposures };
}

export const totalOf = (exposures: readonly ZoneExposure[]): number =>
  exposures.reduce((sum, { exposed }) => sum + exposed, 0);
