/**
 * Finds the principal outside a zone that reaches an object with the least attack effort, within the forest or tenant of the object.
 *
 * Rule: `docs/rules.md#attack-effort`.
 */
import { environments, NO_ENVIRONMENT, stepEfforts } from '@clew/analysis';
import { cheapestSteps, cheapestWay, UNREACHABLE } from '@clew/graph';
import type { EffortTable } from '@clew/model';
import { type AnalyzedWorld, rankedZone } from '../simulation/simulate.ts';
import { type EffortPath, stepAt } from './easiestPath.ts';

/** @param zone excludes its members, and those of more privileged zones, as starts; without it, any node but the object is a start */
export function easiestInto(
  world: AnalyzedWorld,
  target: number,
  { zone, table }: { readonly zone: number | undefined; readonly table?: EffortTable | undefined },
): (EffortPath & { readonly start: number }) | undefined {
  const { context, options, principals } = world;
  const { graph, cancel } = context;
  const { of, forests } = context.use(environments);
  if (of[target] === NO_ENVIRONMENT) return undefined;
  const above = zone === undefined ? undefined : rankedZone(world, zone)?.above;
  const steps = stepEfforts(context, options.now, table);
  const search = cheapestSteps(graph, [target], steps, cancel);
  let start: number | undefined;
  for (const node of above === undefined ? principals : principals.andNot(above)) {
    const effort = search.costs[node];
    if (node === target || effort === UNREACHABLE || forests[of[node]] !== forests[of[target]]) continue;
    if (start === undefined || effort < search.costs[start]) start = node;
  }
  if (start === undefined) return undefined;
  const places = cheapestWay(graph, search, start) ?? [];
  return { start, effort: search.costs[start], steps: places.map((at) => stepAt(graph, steps, at)) };
}
