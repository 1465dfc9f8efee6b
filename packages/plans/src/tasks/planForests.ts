/** The environments and forests that a plan counts. */
import { environments } from '@clew/analysis';
import { namedObjectId, objectIdOf } from '@clew/graph';
import type { PlanState } from './planState.ts';

/** @returns nodes of environments that are in the graph */
export function environmentNodes(
  { generation, world }: Pick<PlanState, 'generation' | 'world'>,
  ids: readonly string[],
): ReadonlySet<number> {
  const wanted = new Set(ids.map((id) => namedObjectId(generation.graph, id)));
  return new Set(world.environments.filter((node) => wanted.has(objectIdOf(generation.graph, node))));
}

/** @param ids of environments, by object id @returns their forests; nothing without an id, for all of them */
export function scopeOf(state: PlanState, ids: readonly string[]): string[][] | undefined {
  if (ids.length === 0) return undefined;
  const wanted = new Set(ids.map((id) => namedObjectId(state.generation.graph, id)));
  return forestsOf(state).filter((forest) => forest.some((id) => wanted.has(id)));
}

/** Domains that trust each other inside a forest; anything else is alone. */
export function forestsOf({ generation, world }: Pick<PlanState, 'generation' | 'world'>): string[][] {
  const { graph } = generation;
  const { nodes, forests } = world.context.use(environments);
  return [...Map.groupBy(nodes, (_, place) => forests[place]).values()].map((nodes) =>
    nodes.map((node) => objectIdOf(graph, node)).sort(),
  );
}
