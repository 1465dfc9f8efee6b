/** Builds the answer about choke points of a zone. Rule: `docs/plan.md#choke-points`. */

import { attackSteps } from '@clew/analysis';
import type { ChokePointsRecord } from '@clew/api';
import { nameOf, objectIdOf } from '@clew/graph';
import { chokePoints } from '@clew/planning';
import { edgeKindName } from '@clew/queries';
import { forestsOf } from './planForests.ts';
import { notInAnalysis, objectRecord } from './planRecords.ts';
import type { PlanState } from './planState.ts';
import { hiddenNodes, NOT_SHOWN, type Seen, type Sight, sightIn, wholeEnvironments } from './sight.ts';

export interface ChokePointRequest {
  readonly zone: number;
  readonly count: number;
  /** Includes relations that cannot be removed. */
  readonly uncuttable: boolean;
  /** Limits for users with limited environments: fully visible forests and visible objects. */
  readonly seen: Seen;
}

export function chokePointsRecord(
  state: PlanState,
  { zone, count, uncuttable, seen }: ChokePointRequest,
): ChokePointsRecord {
  const { generation, world } = state;
  const { graph } = generation;
  const sight = sightIn(generation, seen);
  const { shown, notShown } = environmentsFor(state, sight);
  const found = chokePoints(world, zone, {
    ...{ count, withFixed: uncuttable },
    ...(sight && { environments: shown, hidden: hiddenNodes(generation, sight) }),
  });
  if (found === undefined) throw notInAnalysis(zone);
  const { offsets, neighbors, kinds } = world.context.attackGraph.out;
  const steps = attackSteps(graph);
  const between = (start: number, end: number): string[] =>
    Array.from({ length: offsets[start + 1] - offsets[start] }, (_, at) => offsets[start] + at)
      .filter((at) => neighbors[at] === end && steps.allows[kinds[at]] === 1)
      .map((at) => edgeKindName(generation, kinds[at]));
  return {
    generation: generation.id,
    asset_group_tag_id: zone,
    exposed_count: found.exposed,
    objects: found.nodes.map(({ node, count: principals }) => ({
      object: objectRecord(generation, node),
      principal_count: principals,
    })),
    relations: found.relations.map(({ start, end, count: principals }) => ({
      ...{ source: objectRecord(generation, start), target: objectRecord(generation, end) },
      ...{ kinds: between(start, end), principal_count: principals },
    })),
    uncuttable_count: found.leftOut,
    not_shown: notShown,
  };
}

/** @returns the places of environments in fully visible forests, and of the user's environments in other forests */
export function environmentsFor(
  state: PlanState,
  sight: Sight | undefined,
): { readonly shown: ReadonlySet<number>; readonly notShown: ChokePointsRecord['not_shown'] } {
  const { graph } = state.generation;
  const { environments } = state.world;
  const places = environments.map((_, place) => place);
  if (sight === undefined) return { shown: new Set(places), notShown: [] };
  const idAt = (place: number): string => objectIdOf(graph, environments[place]);
  const whole = wholeEnvironments(forestsOf(state), sight);
  return {
    shown: new Set(places.filter((place) => whole.has(idAt(place)))),
    notShown: places
      .filter((place) => sight.environments.has(idAt(place)) && !whole.has(idAt(place)))
      .map((place) => ({
        environment_id: idAt(place),
        environment_name: nameOf(graph, environments[place]) || idAt(place),
        reason: NOT_SHOWN,
      })),
  };
}
