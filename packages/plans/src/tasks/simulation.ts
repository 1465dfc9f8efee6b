/** Simulates a change, limited to what a user may see. Rule: `docs/plan.md#what-if`. */

import { attackSteps } from '@clew/analysis';
import type { PlanProgress, SimulationRecord, SimulationRequest } from '@clew/api';
import type { Generation } from '@clew/generation';
import { type AttackGraph, NodeSet, type Path, reachableNodes, shortestPaths } from '@clew/graph';
import {
  type AnalyzedWorld,
  endWorld,
  exposuresOf,
  type FindingChanges,
  rankedZone,
  shownChangesOf,
} from '@clew/planning';
import { edgeKindName } from '@clew/queries';
import { TIER_ZERO } from '@clew/store';
import { changedFacts } from './changedFacts.ts';
import { forestsOf } from './planForests.ts';
import { notInAnalysis, objectRecord } from './planRecords.ts';
import type { PlanState } from './planState.ts';
import { exposureRecords, findingChanges, findingCounts, findingRecord } from './repairRecords.ts';
import { requestedChange } from './requestedChange.ts';
import {
  countSeen,
  hiddenNodes,
  notShown,
  type Seen,
  type Sight,
  seesFinding,
  sightIn,
  wholeEnvironments,
} from './sight.ts';

export interface SimulationInput {
  readonly request: SimulationRequest;
  /**
   * Object ids of the environments that the user may see; null for all. The request contains only objects of these environments.
   */
  readonly seen: Seen;
}

/** The unlimited result, stored for later viewers. */
export interface SimulatedFigures {
  readonly generation: number;
  readonly before: SimulationRecord['before'];
  readonly after: SimulationRecord['after'];
  readonly closed_in: Readonly<Record<string, number>>;
  readonly opened_in: Readonly<Record<string, number>>;
  readonly forests: readonly (readonly string[])[];
}

export interface Simulated {
  readonly figures: SimulatedFigures;
  /** The visible part of the result. */
  readonly shown: SimulationRecord;
}

export type Progressed = PlanProgress;

export async function simulate(state: PlanState, { request, seen }: SimulationInput): Promise<Simulated> {
  const { generation, world, before } = state;
  const { asset_group_tag_id: zone = TIER_ZERO } = request;
  if (rankedZone(world, zone) === undefined) throw notInAnalysis(zone);
  const change = requestedChange(generation, world, request);
  // Computed before the change, because unaffected values are copied.
  const { exposures } = before();
  const { world: after, notComputed } = await changedFacts(state, change);
  const changes = shownChangesOf(world, after);
  const figures: SimulatedFigures = {
    generation: generation.id,
    before: exposureRecords(generation, world, exposures),
    after: exposureRecords(generation, world, exposuresOf(after)),
    closed_in: findingCounts(generation, world, changes.closed),
    opened_in: findingCounts(generation, world, changes.opened),
    forests: forestsOf(state),
  };
  const sight = sightIn(generation, seen);
  const shown = {
    ...shownFigures(figures, sight),
    ...shownFindings(generation, world, changes, sight),
    remaining_path: shortestIn(generation, after, zone, sight),
    not_computed: [...notComputed],
  };
  const { derivations, checks } = world.context.graph.declared;
  // A thread whose pattern or check timed out may still read the graph.
  if (derivations.length + checks.length === 0) endWorld(after, [world]);
  return { figures, shown };
}

type ShownFigures = Pick<
  SimulationRecord,
  'generation' | 'before' | 'after' | 'closed_count' | 'opened_count' | 'not_shown'
>;

/** Figures of fully visible forests, and findings of the user's environments. */
export function shownFigures(
  { generation, before, after, closed_in, opened_in, forests }: SimulatedFigures,
  sight: Sight | undefined,
): ShownFigures {
  const whole = sight === undefined ? undefined : wholeEnvironments(forests, sight);
  const figuresOf = (all: SimulationRecord['before']): SimulationRecord['before'] =>
    all.filter(({ environment_id }) => whole === undefined || whole.has(environment_id));
  return {
    ...{ generation, before: figuresOf(before), after: figuresOf(after) },
    closed_count: countSeen(closed_in, sight),
    opened_count: countSeen(opened_in, sight),
    not_shown: notShown(before, forests, sight),
  };
}

/** Lists the first findings that the user may see. */
function shownFindings(
  generation: Generation,
  world: AnalyzedWorld,
  { closed, opened }: FindingChanges,
  sight: Sight | undefined,
): Pick<SimulationRecord, 'closed' | 'opened'> {
  const seen = (all: FindingChanges['closed']): FindingChanges['closed'] =>
    sight === undefined
      ? all
      : all.filter((key) => seesFinding(sight, findingRecord(generation, world, key)));
  const { closed: gone, opened: come } = findingChanges(generation, world, {
    closed: seen(closed),
    opened: seen(opened),
  });
  return { closed: gone, opened: come };
}

export function pathRecord(generation: Generation, graph: AttackGraph, { nodes, edges }: Path) {
  return {
    nodes: Array.from(nodes, (node) => objectRecord(generation, node)),
    relations: Array.from(edges, (edge) => edgeKindName(generation, graph.out.kinds[edge])),
  };
}

/** A shortest remaining path into the zone from a principal outside, over visible objects. */
function shortestIn(
  generation: Generation,
  world: AnalyzedWorld,
  zone: number,
  sight: Sight | undefined,
): SimulationRecord['remaining_path'] {
  const { context, principals } = world;
  const members = rankedZone(world, zone)?.members;
  if (members === undefined) return null;
  const { attackGraph: graph, cancel } = context;
  const filter = attackSteps(graph);
  const blocked = sight === undefined ? NodeSet.empty(graph.nodeCount) : hiddenNodes(generation, sight);
  const options = { filter, blocked, cancel };
  const upstream = reachableNodes(graph, members.andNot(blocked), { direction: 'in', ...options }).andNot(
    members,
  );
  const begin = principals.and(upstream);
  const found = begin.isEmpty ? undefined : shortestPaths(graph, begin, members, options);
  if (found === undefined) return null;
  return pathRecord(generation, graph, found.path);
}
