/** The environments and forests that a plan counts. */
import { environments } from '@clew/analysis';
import { namedObjectId, objectIdOf } from '@clew/graph';
import type { PlanState } from './planState.ts';

/** @returns nodes of the environments that are in the graph */
export function environmentNodes(
  { generation, world }: Pick<PlanState, 'generation' | 'world'>,
  ids: readonly string[],
): ReadonlySet<number> {
  const wanted = new Set(ids.map((id) => namedObjectId(generation.graph, id)));
  return new Set(world.environments.filter((node) => wanted.has(objectIdOf(generation.graph, node))));
}

/** @param ids object ids of environments @returns their forests; undefined without ids, which means all */
export function scopeOf(state: PlanState, ids: readonly string[]): string[][] | undefined {
  if (ids.length === 0) return undefined;
  const wanted = new Set(ids.map((id) => namedObjectId(state.generation.graph, id)));
  return forestsOf(state).filter((forest) => forest.some((id) => wanted.has(id)));
}

/** Groups domains of a forest by their trusts; every other environment is a separate group. */
export function forestsOf({ generation, world }: Pick<PlanState, 'generation' | 'world'>): string[][] {
  const { graph } = generation;
  const { nodes, forests } = world.context.use(environments);
  return [...Map.groupBy(nodes, (_, place) => forests[place]).values()].map((nodes) =>
    nodes.map((node) => objectIdOf(graph, node)).sort(),
  );
}
