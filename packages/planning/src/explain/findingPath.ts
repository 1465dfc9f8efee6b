/**
 * The whole attack path through a finding: from the largest group that reaches its source, over its relation, into the zone.
 *
 * Rule: `docs/findings.md#the-whole-attack-path`.
 */
import { type EdgeRef, environments, NO_ENVIRONMENT, stepEfforts } from '@clew/analysis';
import {
  type CheapestSteps,
  cheapestSteps,
  cheapestWay,
  findEdge,
  NO_EDGE,
  type StepCosts,
  UNREACHABLE,
} from '@clew/graph';
import { EdgeKind, type EffortTable } from '@clew/model';
import { type AnalyzedWorld, rankedZone } from '../simulation/simulate.ts';
import { type EffortStep, placeOf, stepAt } from './easiestPath.ts';
import { otherForests } from './pathChanges.ts';
import { defaultGroups } from './widestGroup.ts';
import { effortSearch } from './zoneEfforts.ts';

export interface FindingPath {
  /** The largest group that reaches the source; if no group does, a principal or the source itself. */
  readonly start: number;
  readonly effort: number;
  readonly steps: readonly (EffortStep & { readonly isFinding: boolean })[];
  /** Whether the path ends in the zone; otherwise it ends at the target of the finding. */
  readonly entersZone: boolean;
  /** Domains and tenants of other forests on the path. */
  readonly through: readonly number[];
}

/** The searches that produce a path. */
export interface PathSearch {
  readonly steps: StepCosts;
  readonly finding: EdgeRef;
  /** Search from all nodes to the source of the finding. */
  readonly toSource: CheapestSteps;
  /** Search from all nodes to the zone; undefined if no path exists. */
  readonly toZone: CheapestSteps | undefined;
  readonly start: number;
  /** Place of the environment, or `NO_ENVIRONMENT`. */
  readonly environment: number;
}

/** @param zone end of the path @returns undefined if the relation is not a step of attack paths @throws CanceledError */
export function searchPath(
  world: AnalyzedWorld,
  zone: number,
  finding: EdgeRef,
  table?: EffortTable,
): PathSearch | undefined {
  const { context, options } = world;
  const { graph, cancel } = context;
  if (findEdge(context.attackGraph, finding.start, finding.kind, finding.end) === NO_EDGE) return undefined;
  const steps = stepEfforts(context, options.now, table);
  const above = rankedZone(world, zone)?.above;
  // A principal whose path passes through the zone already controls it.
  const blocked = above?.has(finding.start) === true ? undefined : above;
  const toSource = cheapestSteps(graph, [finding.start], steps, cancel, blocked);
  const { of } = context.use(environments);
  const environment = of[finding.end] === NO_ENVIRONMENT ? of[finding.start] : of[finding.end];
  const start = widestStart(world, finding.start, environment, toSource.costs);
  const found = effortSearch(world, zone, environment, table);
  const toZone = found !== undefined && found.costs[finding.end] !== UNREACHABLE ? found : undefined;
  return { steps, finding, toSource, toZone, start, environment };
}

/** @param zone end of the path @returns undefined if the relation is not a step of attack paths @throws CanceledError */
export function findingPath(
  world: AnalyzedWorld,
  zone: number,
  finding: EdgeRef,
  table?: EffortTable,
): FindingPath | undefined {
  const search = searchPath(world, zone, finding, table);
  if (search === undefined) return undefined;
  const { graph } = world.context;
  const before = cheapestWay(graph, search.toSource, search.start) ?? [];
  const after = search.toZone === undefined ? [] : (cheapestWay(graph, search.toZone, finding.end) ?? []);
  return pathOf(world, search, before, after);
}

/** @param before, after places in the incoming rows, up to the source and from the target on */
export function pathOf(
  world: AnalyzedWorld,
  { steps, finding, toZone, environment }: PathSearch,
  before: readonly number[],
  after: readonly number[],
): FindingPath {
  const { graph } = world.context;
  const own = placeOf(graph.in, finding.start, finding.kind, finding.end);
  const all = [...before, own, ...after].map((at, index) => ({
    ...stepAt(graph, steps, at),
    isFinding: index === before.length,
  }));
  return {
    start: all[0].start,
    effort: all.reduce((sum, step) => sum + step.effort, 0),
    steps: all,
    entersZone: toZone !== undefined,
    through: environment === NO_ENVIRONMENT ? [] : otherForests(world, environment, all),
  };
}

/** Default groups come before other groups, and groups of the environment before those of other environments. */
function widestStart(world: AnalyzedWorld, source: number, environment: number, costs: Uint32Array): number {
  const { context } = world;
  const places = world.environments.map((_, place) => place);
  const ordered = [
    ...places.filter((place) => place === environment),
    ...places.filter((place) => place !== environment),
  ];
  for (const place of ordered) {
    const found = defaultGroups(world, place).find(({ group }) => costs[group] !== UNREACHABLE);
    if (found !== undefined) return found.group;
  }
  const { offsets, kinds } = context.graph.in;
  let [widest, most] = [source, 0];
  const consider = (group: number): void => {
    if (costs[group] === UNREACHABLE) return;
    let members = 0;
    for (let at = offsets[group]; at < offsets[group + 1]; at++)
      if (kinds[at] === EdgeKind.MemberOf || kinds[at] === EdgeKind.AZMemberOf) members++;
    if (members > most) [widest, most] = [group, members];
  };
  context.nodesOf('Group').or(context.nodesOf('AZGroup')).forEach(consider);
  if (most > 0) return widest;
  const principal = [...world.principals.filter((node) => costs[node] !== UNREACHABLE && node !== source)];
  return principal.sort((a, b) => costs[a] - costs[b] || a - b)[0] ?? source;
}
