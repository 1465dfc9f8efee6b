/**
 * Shows the effect of a change on the most visible paths: for each environment, the easiest path that the change cuts, of the
 * widest group, with the removed steps marked, and the best remaining path.
 *
 * Rule: `docs/plan.md#paths-in-the-plan`.
 */
import { domains, environments, NO_ENVIRONMENT } from '@clew/analysis';
import { cheapestWay, findEdge, NO_EDGE, UNREACHABLE } from '@clew/graph';
import { EdgeKind, type EffortTable } from '@clew/model';
import { type AnalyzedWorld, rankedZone } from '../simulation/simulate.ts';
import { type EffortPath, type EffortStep, easiestPath, placeOf, stepAt } from './easiestPath.ts';
import { defaultGroups } from './widestGroup.ts';
import { effortSearch } from './zoneEfforts.ts';

export interface CutStep extends EffortStep {
  /** The change removes the step. */
  readonly isCut: boolean;
}

export interface PathChange {
  /** Place of the environment. */
  readonly environment: number;
  /** Start of the paths: the widest group whose path is cut, or else a principal. */
  readonly start: number;
  readonly before: { readonly effort: number; readonly steps: readonly CutStep[] };
  /** Undefined if no path remains. */
  readonly after: EffortPath | undefined;
  /** Domains and tenants outside the forest of the environment, in path order. */
  readonly beforeThrough: readonly number[];
  readonly afterThrough: readonly number[];
}

/** Maximum number of groups to examine in addition to the default ones, most direct members first. */
const MAX_GROUPS = 20;
/** Maximum number of relations to examine on easiest paths of one start. */
const MAX_LOOKED_AT = 10_000;

/**
 * @param after result of `changedWorld` for `before`: node numbers are the same
 * @returns one entry for each environment in which an easiest path is cut @throws CanceledError
 */
export function pathChanges(
  before: AnalyzedWorld,
  after: AnalyzedWorld,
  zone: number,
  table?: EffortTable,
): readonly PathChange[] {
  return before.environments.flatMap((_, environment) => {
    const search = effortSearch(before, zone, environment, table);
    const later = effortSearch(after, zone, environment, table);
    if (search === undefined) return [];
    const starts = startsOf(before, zone, environment, search.costs, later?.costs);
    for (const start of starts) {
      const path = pathWithCut(before, after, search, start);
      if (path === undefined) continue;
      const left = later && easiestPath(after, zone, start, { environment, ...(table && { table }) });
      return [
        {
          ...{ environment, start, before: path, after: left },
          beforeThrough: otherForests(before, environment, path.steps),
          afterThrough: left === undefined ? [] : otherForests(after, environment, left.steps),
        },
      ];
    }
    return [];
  });
}

/** Default groups first; then other groups, and one principal, whose paths get harder. */
function startsOf(
  world: AnalyzedWorld,
  zone: number,
  environment: number,
  costs: Uint32Array,
  later: Uint32Array | undefined,
): number[] {
  const { context } = world;
  const { of } = context.use(environments);
  const isHarder = (node: number): boolean =>
    of[node] === environment && (later?.[node] ?? UNREACHABLE) > costs[node];
  const { offsets, kinds } = context.graph.in;
  const membersOf = (group: number): number => {
    let count = 0;
    for (let at = offsets[group]; at < offsets[group + 1]; at++)
      if (kinds[at] === EdgeKind.MemberOf || kinds[at] === EdgeKind.AZMemberOf) count++;
    return count;
  };
  const groups = [...context.nodesOf('Group').or(context.nodesOf('AZGroup')).filter(isHarder)]
    .map((group) => ({ group, members: membersOf(group) }))
    .filter(({ members }) => members > 0)
    .sort((a, b) => b.members - a.members || a.group - b.group)
    .slice(0, MAX_GROUPS);
  const above = rankedZone(world, zone)?.above;
  const principal = [...world.principals.filter((node) => isHarder(node) && above?.has(node) !== true)].slice(
    0,
    1,
  );
  return [
    ...defaultGroups(world, environment).map(({ group }) => group),
    ...groups.map(({ group }) => group),
    ...principal,
  ];
}

/** @returns an easiest path from the start that loses a step; undefined if all steps remain */
function pathWithCut(
  before: AnalyzedWorld,
  after: AnalyzedWorld,
  search: NonNullable<ReturnType<typeof effortSearch>>,
  start: number,
): PathChange['before'] | undefined {
  const { graph } = before.context;
  const { costs, steps, firstPlaces } = search;
  // Members of the zone have no path into it.
  if (firstPlaces[start] === UNREACHABLE) return undefined;
  const isCut = (from: number, kind: number, to: number): boolean =>
    findEdge(after.context.attackGraph, from, kind, to) === NO_EDGE;
  const drawn = (places: readonly number[]): PathChange['before'] => ({
    effort: costs[start],
    steps: places
      .map((at) => stepAt(graph, steps, at))
      .map((step) => ({ ...step, isCut: isCut(step.start, step.kind, step.end) })),
  });
  const easiest = drawn(cheapestWay(graph, search, start) ?? []);
  if (easiest.steps.some((step) => step.isCut)) return easiest;
  // The change may cut an equally easy path.
  const { offsets, neighbors, kinds } = graph.out;
  const cameBy = new Map<number, number>([[start, -1]]);
  const queue = [start];
  let looked = 0;
  for (const node of queue) {
    for (let edge = offsets[node]; edge < offsets[node + 1]; edge++) {
      const end = neighbors[edge];
      if (costs[end] === UNREACHABLE || costs[end] > costs[node]) continue;
      const place = placeOf(graph.in, node, kinds[edge], end);
      if (steps.ofPlace[place] + costs[end] !== costs[node]) continue;
      if (++looked > MAX_LOOKED_AT) return undefined;
      if (isCut(node, kinds[edge], end)) {
        const way = [place];
        for (let at = cameBy.get(node) ?? -1; at !== -1; at = cameBy.get(graph.in.neighbors[at]) ?? -1)
          way.unshift(at);
        const rest = cheapestWay(graph, search, end) ?? [];
        const passed = new Set(way.map((at) => graph.in.neighbors[at]));
        // Steps without effort can form loops.
        if (!rest.some((at) => passed.has(graph.in.neighbors[at]))) return drawn([...way, ...rest]);
      }
      if (cameBy.has(end) || firstPlaces[end] === UNREACHABLE) continue;
      cameBy.set(end, place);
      queue.push(end);
    }
  }
  return undefined;
}

/** @returns environments outside the forest of this one that the steps pass through */
export function otherForests(
  { context }: AnalyzedWorld,
  environment: number,
  steps: readonly EffortStep[],
): readonly number[] {
  const { of, nodes } = context.use(environments);
  const own = context.use(domains).forestOf(nodes[environment]);
  const passed = steps.flatMap(({ start, end }) => [of[start], of[end]]);
  const places = new Set(passed.filter((place) => place !== environment && place !== NO_ENVIRONMENT));
  return [...places].map((place) => nodes[place]).filter((node) => !own.has(node));
}
