/**
 * The whole attack path that a finding is part of: from the largest group that reaches its source, over its relation, into
 * the zone.
 *
 * Rule: `docs/findings.md#the-whole-attack-path`.
 */
import { cheapestSteps, cheapestWay, findEdge, NO_EDGE, UNREACHABLE } from '@clew/graph';
import { EdgeKind, type EffortTable } from '@clew/model';
import type { EdgeRef } from '../edgeRef.ts';
import { environments, NO_ENVIRONMENT } from '../findings/environments.ts';
import { stepEfforts } from '../findings/stepEfforts.ts';
import { type AnalyzedWorld, rankedZone } from '../plan/simulate.ts';
import { type EffortStep, easiestPath, placeOf, stepAt } from './easiestPath.ts';
import { otherForests } from './pathChanges.ts';
import { defaultGroups } from './widestGroup.ts';

export interface FindingPath {
  /** The largest group that reaches the source; a principal or the source itself where no group does. */
  readonly start: number;
  readonly effort: number;
  readonly steps: readonly (EffortStep & { readonly isFinding: boolean })[];
  /** Whether it ends in the zone; else it ends at the target of the finding. */
  readonly entersZone: boolean;
  /** Domains and tenants of other forests that it runs through. */
  readonly through: readonly number[];
}

/** @param zone into which the path leads @returns nothing where the relation is not a step of attack paths @throws CanceledError */
export function findingPath(
  world: AnalyzedWorld,
  zone: number,
  finding: EdgeRef,
  table?: EffortTable,
): FindingPath | undefined {
  const { context, options } = world;
  const { graph, cancel } = context;
  if (findEdge(context.attackGraph, finding.start, finding.kind, finding.end) === NO_EDGE) return undefined;
  const steps = stepEfforts(context, options.now, table);
  const place = placeOf(graph.in, finding.start, finding.kind, finding.end);
  const own = { ...stepAt(graph, steps, place), isFinding: true };
  const above = rankedZone(world, zone)?.above;
  // A principal that needs to go through the zone controls it already.
  const blocked = above?.has(finding.start) === true ? undefined : above;
  const toSource = cheapestSteps(graph, [finding.start], steps, cancel, blocked);
  const { of } = context.use(environments);
  const environment = of[finding.end] === NO_ENVIRONMENT ? of[finding.start] : of[finding.end];
  const start = widestStart(world, finding.start, environment, toSource.costs);
  const plain = (places: readonly number[]) =>
    places.map((at) => ({ ...stepAt(graph, steps, at), isFinding: false }));
  const before = plain(cheapestWay(graph, toSource, start) ?? []);
  const rest = easiestPath(world, zone, finding.end, { environment, ...(table && { table }) });
  const after = (rest?.steps ?? []).map((step) => ({ ...step, isFinding: false }));
  const all = [...before, own, ...after];
  return {
    start,
    effort: all.reduce((sum, step) => sum + step.effort, 0),
    steps: all,
    entersZone: rest !== undefined,
    through: environment === NO_ENVIRONMENT ? [] : otherForests(world, environment, all),
  };
}

/** Default groups count before others, those of the environment before those of other ones. */
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
