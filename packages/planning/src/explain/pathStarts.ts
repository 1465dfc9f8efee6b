/** The starts of the attack paths of all principals outside a zone: the groups that they share, or the principals themselves. */
import { environments, type Kept, WorldMemory } from '@clew/analysis';
import { type CheapestSteps, cheapestSteps, cheapestWay, type NodeSet } from '@clew/graph';
import type { EffortTable } from '@clew/model';
import { type AnalyzedWorld, rankedZone } from '../simulation/simulate.ts';
import { type EffortPath, stepAt } from './easiestPath.ts';
import { type HolderCount, holdersOf } from './leftExposed.ts';
import { effortQuestion } from './zoneEfforts.ts';

export interface PathStart extends HolderCount {
  readonly effort: number;
  /** First node of the path. */
  readonly start: number;
  /** @returns the easiest path from a node of the same forest */
  stepsFrom(node: number): EffortPath['steps'];
}

export interface PathStartOptions {
  readonly table?: EffortTable;
  /** Nodes that no path passes through. */
  readonly blocked?: NodeSet;
}

/** Keyed by forest. Each uses 8 bytes per node; with more forests, a search that is needed again later is repeated. */
const SEARCHES: Kept<number, CheapestSteps> = { name: 'easiest paths of a forest', max: 8 };

/** @returns the starts over all forests, easiest first; among equally easy ones, those of most principals @throws CanceledError */
export function pathStarts(
  world: AnalyzedWorld,
  zone: number,
  { table, blocked }: PathStartOptions,
): PathStart[] {
  const { context, principals } = world;
  const { graph, cancel } = context;
  const { of, forests } = context.use(environments);
  const above = rankedZone(world, zone)?.above;
  const outside = above === undefined ? principals : principals.andNot(above);
  const found: PathStart[] = [];
  const memory = new WorldMemory();
  for (const [forest, own] of Map.groupBy(outside, (node) => forests[of[node]])) {
    const question = effortQuestion(world, zone, of[own[0]], table);
    if (question === undefined) continue;
    const members = blocked === undefined ? question.members : question.members.andNot(blocked);
    const searched = (): CheapestSteps =>
      memory.use(SEARCHES, forest, () => cheapestSteps(graph, members, question.steps, cancel, blocked));
    const stepsFrom = (node: number): EffortPath['steps'] =>
      (cheapestWay(graph, searched(), node) ?? []).map((at) => stepAt(graph, question.steps, at));
    for (const one of holdersOf(world, { ...question, ...searched() }, own)) {
      const effort = searched().costs[one.holder];
      // A sign-in alone leads some principals into the zone.
      const start = effort === 0 ? (one.sample[0] as number) : one.holder;
      found.push({ ...one, effort, start, stepsFrom });
    }
  }
  return found.sort(
    (one, other) =>
      one.effort - other.effort || other.principals - one.principals || one.holder - other.holder,
  );
}
