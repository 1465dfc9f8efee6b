/**
 * Lists several distinct attack paths into a zone, easiest first, each with the cheapest repairs that close it. Each path is the easiest one
 * after the repairs of the paths before it, so each needs other repairs. A simulation verifies that the repairs close the path.
 *
 * No repair helps the start of a path that no known repair closes, so other paths from its nodes are not listed. Paths of other starts
 * through these nodes are, if a repair closes them before they get there.
 *
 * Rule: `docs/plan.md#what-if`.
 */
import { attackSteps, type EdgeRef } from '@clew/analysis';
import { throwIfCanceled } from '@clew/graph';
import { changeOf, type Repair, withoutRepeated } from '../repairs/repair.ts';
import { type AnalyzedWorld, changedWorld, endWorld, rankedZone } from '../simulation/simulate.ts';
import type { EffortPath } from './easiestPath.ts';
import type { HolderCount } from './leftExposed.ts';
import { type PathCut, PathCuts } from './pathCuts.ts';
import { type PathStart, type PathStartOptions, pathStarts } from './pathStarts.ts';

/**
 * Why a path stays: no known repair closes it; none does, but some members could leave the group at its start; or only repairs that no one
 * can make would close it.
 */
export type StayReason = 'unknown' | 'members' | 'excluded';

export interface RemainingPath extends EffortPath, HolderCount {
  /** Undefined if no known repair closes it. */
  readonly cut: PathCut | undefined;
  /** Undefined if a repair closes it. */
  readonly stays: StayReason | undefined;
}

export interface RemainingPathOptions<Details> extends PathStartOptions {
  /** Maximum number of paths. */
  readonly count: number;
  readonly costOf: (repair: Repair) => number;
  /** True for repairs that no one can make. */
  readonly isExcluded: (repair: Repair) => boolean;
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
  /**
   * The paths that remain after the repairs of the listed ones: none, only paths without a known repair, or more than `count`,
   * `MAX_EXAMINED` or `MAX_FUTILE` allow to examine.
   */
  readonly end: 'none' | 'open' | 'more';
  /** Principals that still reach the zone after these repairs. */
  readonly left: number;
  /** Reasons of the paths that are known to stay, including unlisted ones. */
  readonly reasons: ReadonlySet<StayReason>;
}

/** Maximum number of starts to examine until the next path that a repair closes. */
const MAX_EXAMINED = 200;
/** Maximum number of simulations of one question that close no listed path. Each can take a second. */
const MAX_FUTILE = 50;

/** @returns undefined if the zone does not exist or is not analyzed @throws CanceledError, the error of a rule */
export function remainingPaths<Details>(
  world: AnalyzedWorld,
  zone: number,
  options: RemainingPathOptions<Details>,
): RemainingPaths<Details> | undefined {
  if (rankedZone(world, zone) === undefined) return undefined;
  const { count, kept, detailsOf } = options;
  const paths: Details[] = [];
  let stays: StayingPath[] = [];
  let current = world;
  const futile = { left: MAX_FUTILE };
  try {
    for (;;) {
      const starts = pathStarts(current, zone, options);
      // A repair can also end a path that it was not made for.
      stays = stays.filter(({ steps }) => !isClosed(current, steps));
      const found = nextPaths(current, starts, stays, {
        ...{ ...options, kept: [...kept, world], count: count - paths.length, futile },
      });
      for (const path of found.open) paths.push(detailsOf(path, current, undefined));
      stays.push(...found.stays);
      if (found.closed === undefined) {
        const left = starts.reduce((sum, { principals }) => sum + principals, 0);
        const reasons = new Set(stays.map(({ reason }) => reason));
        return { paths, end: left === 0 ? 'none' : found.isComplete ? 'open' : 'more', left, reasons };
      }
      const { path, after } = found.closed;
      paths.push(detailsOf(path, current, after));
      if (current !== world) endWorld(current, [...kept, world, after]);
      current = after;
    }
  } finally {
    if (current !== world) endWorld(current, [...kept, world]);
  }
}

interface StayingPath {
  readonly steps: EffortPath['steps'];
  readonly reason: StayReason;
}

interface NextPaths {
  /** Paths to list that no known repair closes. */
  readonly open: readonly RemainingPath[];
  /** All paths that were found to stay. */
  readonly stays: readonly StayingPath[];
  /** The first path that a repair closes. */
  readonly closed?: { readonly path: RemainingPath; readonly after: AnalyzedWorld };
  /** Whether all starts were examined. */
  readonly isComplete: boolean;
}

interface NextOptions extends RemainingPathOptions<unknown> {
  /** Simulations that may still close no listed path. */
  readonly futile: { left: number };
}

/** Examines starts until a repair closes the path of one. */
function nextPaths(
  world: AnalyzedWorld,
  starts: readonly PathStart[],
  stays: readonly StayingPath[],
  options: NextOptions,
): NextPaths {
  const { count, costOf, isExcluded, kept, futile } = options;
  const cuts = new PathCuts(world, costOf, isExcluded);
  const all = new PathCuts(world, costOf, undefined);
  const stuck = new Set(stays.flatMap(({ steps }) => steps.map(({ start }) => start)));
  const open: RemainingPath[] = [];
  const found: StayingPath[] = [];
  let examined = 0;
  for (const { stepsFrom, ...one } of starts) {
    const { start } = one;
    if (stuck.has(start)) continue;
    throwIfCanceled(world.context.cancel);
    if (open.length === count || ++examined > MAX_EXAMINED) return { open, stays: found, isComplete: false };
    const steps = stepsFrom(start);
    const allowed = cuts.of(steps);
    for (const cut of allowed) {
      if (futile.left === 0) return { open, stays: found, isComplete: false };
      const after = closedBy(world, cut, steps, kept);
      if (after === undefined) {
        futile.left--;
        continue;
      }
      const path = { ...one, steps, cut, stays: undefined };
      return { open, stays: found, closed: { path, after }, isComplete: false };
    }
    const isExcludedOnly = allowed.length === 0 && all.cheapest(steps) !== undefined;
    const reason = isExcludedOnly
      ? 'excluded'
      : canLeave(world, { ...one, stepsFrom }, cuts, options)
        ? 'members'
        : 'unknown';
    // A path that continues along a listed one only repeats it.
    if (!steps.some((step) => stuck.has(step.start)))
      open.push({ ...one, steps, cut: undefined, stays: reason });
    found.push({ steps, reason });
    for (const step of steps) stuck.add(step.start);
  }
  return { open, stays: found, isComplete: true };
}

/** Whether a simulation removes one of some members from the group at the start. */
function canLeave(
  world: AnalyzedWorld,
  { start, holder, sample, stepsFrom }: PathStart,
  cuts: PathCuts,
  { kept, futile }: NextOptions,
): boolean {
  if (start !== holder) return false;
  const rest = stepsFrom(start).length;
  for (const member of sample) {
    const toGroup = stepsFrom(member).slice(0, -rest);
    const cut = cuts.cheapest(toGroup);
    if (cut === undefined || futile.left === 0) continue;
    futile.left--;
    const after = closedBy(world, cut, toGroup, kept);
    if (after === undefined) continue;
    endWorld(after, [...kept, world]);
    return true;
  }
  return false;
}

/** @returns the world after the repairs; undefined if the path still exists there */
function closedBy(
  world: AnalyzedWorld,
  { repairs }: PathCut,
  steps: EffortPath['steps'],
  kept: readonly AnalyzedWorld[],
): AnalyzedWorld | undefined {
  const after = changedWorld(world, withoutRepeated(changeOf(repairs)));
  if (isClosed(after, steps)) return after;
  endWorld(after, [...kept, world]);
  return undefined;
}

/** Whether all relationships between both ends of a step are removed: another kind is the same path for its users. */
function isClosed({ context: { attackGraph } }: AnalyzedWorld, steps: readonly EdgeRef[]): boolean {
  const { allows } = attackSteps(attackGraph);
  const { offsets, neighbors, kinds } = attackGraph.out;
  return !steps.every(({ start, end }) => {
    for (let at = offsets[start]; at < offsets[start + 1]; at++)
      if (neighbors[at] === end && allows[kinds[at]] !== 0) return true;
    return false;
  });
}
