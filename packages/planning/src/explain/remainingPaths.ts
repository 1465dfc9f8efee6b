/**
 * Lists several distinct attack paths into a zone, easiest first, each with the cheapest repairs that close it. Each path is the easiest one
 * after the repairs of the paths before it, so each needs other repairs. A simulation verifies that the repairs close the path.
 *
 * Rule: `docs/plan.md#what-if`.
 */
import { type EdgeRef, environments } from '@clew/analysis';
import {
  type CheapestSteps,
  cheapestSteps,
  cheapestWay,
  findEdge,
  NO_EDGE,
  NO_STEP,
  type NodeSet,
} from '@clew/graph';
import type { EffortTable } from '@clew/model';
import { changeOf, type Repair, withoutRepeated } from '../repairs/repairs.ts';
import { type AnalyzedWorld, changedWorld, endWorld, rankedZone } from '../simulation/simulate.ts';
import { type EffortPath, placeOf, stepAt } from './easiestPath.ts';
import { type HolderCount, holdersOf } from './leftExposed.ts';
import { type PathCut, PathCuts } from './pathCuts.ts';
import { type EffortQuestion, effortQuestion } from './zoneEfforts.ts';

export interface RemainingPath extends EffortPath, HolderCount {
  /** Undefined if no known repair closes it. */
  readonly cut: PathCut | undefined;
}

export interface RemainingPathOptions<Details> {
  /** Maximum number of paths. */
  readonly count: number;
  readonly costOf: (repair: Repair) => number;
  /** True for repairs that no one can make. */
  readonly isExcluded: (repair: Repair) => boolean;
  readonly table?: EffortTable;
  /** Nodes that no path passes through. */
  readonly blocked?: NodeSet;
  /** Worlds that the caller still uses. */
  readonly kept: readonly AnalyzedWorld[];
  /**
   * Called while both worlds exist: before the repairs of the path, and after them.
   * @param after undefined if no known repair closes the path
   */
  readonly detailsOf: (
    path: RemainingPath,
    before: AnalyzedWorld,
    after: AnalyzedWorld | undefined,
  ) => Details;
}

export interface RemainingPaths<Details> {
  readonly paths: readonly Details[];
  /** Whether no other path remains after the repairs of the listed ones. */
  readonly isComplete: boolean;
}

/** @returns undefined if the zone does not exist or is not analyzed @throws CanceledError, the error of a rule */
export function remainingPaths<Details>(
  world: AnalyzedWorld,
  zone: number,
  options: RemainingPathOptions<Details>,
): RemainingPaths<Details> | undefined {
  if (rankedZone(world, zone) === undefined) return undefined;
  const { count, costOf, isExcluded, kept, detailsOf } = options;
  const paths: Details[] = [];
  /** Last steps of the paths that nothing closes. */
  const banned: EdgeRef[] = [];
  let current = world;
  const replaceBy = (next: AnalyzedWorld): void => {
    if (current !== world) endWorld(current, [...kept, world, next]);
    current = next;
  };
  try {
    for (;;) {
      const path = easiestLeft(current, zone, banned, options);
      if (path === undefined || paths.length === count) return { paths, isComplete: path === undefined };
      const cut = new PathCuts(current, costOf, isExcluded).cheapest(path.steps);
      const next = cut && closedBy(current, cut, path, [...kept, world]);
      paths.push(detailsOf({ ...path, cut: next && cut }, current, next));
      if (next === undefined) banned.push(...path.steps.slice(-1));
      else replaceBy(next);
    }
  } finally {
    if (current !== world) endWorld(current, [...kept, world]);
  }
}

/** @returns the world after the repairs; undefined if the path still exists there */
function closedBy(
  world: AnalyzedWorld,
  { repairs }: PathCut,
  { steps }: EffortPath,
  kept: readonly AnalyzedWorld[],
): AnalyzedWorld | undefined {
  const after = changedWorld(world, withoutRepeated(changeOf(repairs)));
  const isThere = ({ start, kind, end }: EdgeRef): boolean =>
    findEdge(after.context.attackGraph, start, kind, end) !== NO_EDGE;
  if (!steps.every(isThere)) return after;
  endWorld(after, [...kept, world]);
  return undefined;
}

/** @returns the easiest path over all forests; among equally easy ones, that of most principals */
function easiestLeft(
  world: AnalyzedWorld,
  zone: number,
  banned: readonly EdgeRef[],
  { table, blocked }: Pick<RemainingPathOptions<unknown>, 'table' | 'blocked'>,
): Omit<RemainingPath, 'cut'> | undefined {
  const { context, principals } = world;
  const { graph, cancel } = context;
  const { of, forests } = context.use(environments);
  const above = rankedZone(world, zone)?.above;
  const outside = above === undefined ? principals : principals.andNot(above);
  let best: Omit<RemainingPath, 'cut'> | undefined;
  for (const own of Map.groupBy(outside, (node) => forests[of[node]]).values()) {
    const question = effortQuestion(world, zone, of[own[0]], table);
    if (question === undefined) continue;
    const steps = without(world, question.steps, banned);
    const members = blocked === undefined ? question.members : question.members.andNot(blocked);
    const search: CheapestSteps = cheapestSteps(graph, members, steps, cancel, blocked);
    const first = holdersOf(world, { ...question, ...search }, own)
      .map((one) => ({ ...one, effort: search.costs[one.holder] }))
      .reduce<(HolderCount & { effort: number }) | undefined>(
        (easiest, one) => (easiest === undefined || order(one, easiest) < 0 ? one : easiest),
        undefined,
      );
    if (first === undefined || (best !== undefined && order(best, first) <= 0)) continue;
    // A sign-in alone leads some principals into the zone.
    const start = search.costs[first.holder] === 0 ? first.principal : first.holder;
    const places = cheapestWay(graph, search, start) ?? [];
    best = { ...first, steps: places.map((at) => stepAt(graph, steps, at)) };
  }
  return best;
}

const order = (
  one: HolderCount & { readonly effort: number },
  other: HolderCount & { readonly effort: number },
): number => one.effort - other.effort || other.principals - one.principals || one.holder - other.holder;

/** @returns the efforts, with banned steps unusable */
function without(
  { context: { graph } }: AnalyzedWorld,
  steps: EffortQuestion['steps'],
  banned: readonly EdgeRef[],
): EffortQuestion['steps'] {
  if (banned.length === 0) return steps;
  const ofPlace = steps.ofPlace.slice();
  for (const { start, kind, end } of banned) {
    // Another repair may have removed the step in the meantime.
    if (findEdge(graph, start, kind, end) === NO_EDGE) continue;
    ofPlace[placeOf(graph.in, start, kind, end)] = NO_STEP;
  }
  return { ...steps, ofPlace };
}
