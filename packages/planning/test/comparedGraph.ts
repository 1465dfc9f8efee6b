/** Counts the plan graph and the analysis of the changed facts in the same way, for tests that compare them. */

import { attackSteps, environments, largeDefaultGroups, RULES } from '@clew/analysis';
import { NodeSet, reachableNodes } from '@clew/graph';
import { leaversOf } from '../src/packages/leavers.ts';
import { type PlanGraph, planGraph } from '../src/relaxation/planGraph.ts';
import type { LabelScope } from '../src/relaxation/stepLabels.ts';
import { changeOf } from '../src/repairs/repair.ts';
import { RepairCatalog, ruleKinds } from '../src/repairs/repairs.ts';
import { type AnalyzedWorld, changedWorld, exposuresOf } from '../src/simulation/simulate.ts';
import { finish } from '../src/steps.ts';

export function graphOf(world: AnalyzedWorld, scope: LabelScope): PlanGraph {
  const { context, zones } = world;
  const [{ id, members }] = zones;
  const steps = attackSteps(context.graph);
  const zone = scope === 'wide' ? members : members.andNot(leaversOf(world, id, members, steps));
  return finish(
    planGraph({
      ...{ context, scope, steps, rules: RULES, zone, above: members },
      catalog: new RepairCatalog(context, ruleKinds(), members),
      broad: largeDefaultGroups(context).all,
    }),
  );
}

/** @returns exposed principals by environment after the chosen repairs; environments without any are omitted */
export function exposedAfter(
  { realms, steps }: PlanGraph,
  { context }: AnalyzedWorld,
  choice: readonly number[],
): Counts {
  const { of } = context.use(environments);
  const counts = new Map<number, number>();
  for (const { targets, counted } of realms) {
    const reached = steps.reach(targets, choice);
    counted.forEach((node) => {
      if (reached[node] === 1) counts.set(of[node], (counts.get(of[node]) ?? 0) + 1);
    });
  }
  return sortedCounts(counts);
}

/** @returns the exposed principals that the graph counts */
export function exposedPrincipalsAfter({ realms, steps }: PlanGraph, choice: readonly number[]): NodeSet {
  return NodeSet.union(
    realms[0]?.counted.capacity ?? 0,
    realms.map(({ targets, counted }) => {
      const reached = steps.reach(targets, choice);
      return counted.filter((node) => reached[node] === 1);
    }),
  );
}

/** @returns the exposed principals according to the analysis of a world with a single forest */
export function exposedPrincipals({ context, zones, principals }: AnalyzedWorld): NodeSet {
  const { attackGraph: graph } = context;
  const { members } = zones[0];
  const reached = reachableNodes(graph, members, { direction: 'in', filter: attackSteps(graph) });
  return reached.and(principals).andNot(members);
}

type Counts = readonly (readonly [environment: number, exposed: number])[];

const sortedCounts = (counts: Iterable<readonly [number, number]>): Counts =>
  [...counts].filter(([, exposed]) => exposed > 0).sort(([a], [b]) => a - b);

/** @returns exposed principals by environment according to the analysis of a world */
export const exposedIn = (world: AnalyzedWorld): Counts =>
  sortedCounts(exposuresOf(world).map(({ environment, exposed }) => [environment, exposed]));

/** Sets of repairs of a plan graph, each with the world without the removed relations. @param drawn numbers of any size */
export function* triedSets(
  { repairs }: PlanGraph,
  world: AnalyzedWorld,
  drawn: readonly (readonly number[])[],
) {
  if (repairs.length === 0) return;
  for (const numbers of drawn) {
    const choice = [...new Set(numbers.map((number) => number % repairs.length))];
    const chosen = choice.map((at) => repairs[at]);
    yield { choice, chosen, names: chosen.map(({ id }) => id), after: changedWorld(world, changeOf(chosen)) };
  }
}
