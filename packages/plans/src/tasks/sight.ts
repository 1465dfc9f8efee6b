/**
 * Limits plans for users with limited environments: visible objects, and figures of fully visible forests. A missing object is
 * treated like one of another environment, so that requests cannot probe for hidden objects.
 *
 * Rule: `docs/plan.md#limited-users`.
 */
import type { PlanRecord, SimulationRequest } from '@clew/api';
import { apiError, type Principal } from '@clew/common';
import { isVisible, visibilityIn } from '@clew/explore';
import type { Generation } from '@clew/generation';
import { findNamedNode, NO_NODE, NodeSet, objectIdOf } from '@clew/graph';
import { queryDataOf } from '@clew/queries';

export const NOT_SHOWN = 'Not shown: covers environments outside your access';

export interface Sight {
  readonly environments: ReadonlySet<string>;
  /** False for a missing object. */
  isVisible(objectId: string): boolean;
}

/** Object ids of the environments a user may see; null for all. */
export type Seen = readonly string[] | null;

/** @returns undefined for users who may see everything */
export function sightIn(generation: Generation, seen: Seen): Sight | undefined {
  if (seen === null) return undefined;
  const environments = new Set(seen);
  const data = queryDataOf(generation);
  const visibility = visibilityIn(data, environments);
  return {
    environments,
    isVisible: (objectId) => {
      const node = findNamedNode(generation.graph, objectId);
      return (
        environments.has(objectId) ||
        environments.has(objectId.toUpperCase()) ||
        (node !== NO_NODE && isVisible(data, visibility, node))
      );
    },
  };
}

/** Sorted, so that memoized answers are shared by users with the same environments. */
export const seenBy = (principal: Principal): Seen =>
  principal.kind !== 'user' || principal.environments === null ? null : [...principal.environments].sort();

export const sightOf = (generation: Generation, principal: Principal): Sight | undefined =>
  sightIn(generation, seenBy(principal));

/** Nodes that the user may not see. */
export function hiddenNodes(generation: Generation, { environments }: Sight): NodeSet {
  const data = queryDataOf(generation);
  const visibility = visibilityIn(data, environments);
  const { nodeCount } = generation.graph;
  const hidden: number[] = [];
  for (let node = 0; node < nodeCount; node++)
    if (!isVisible(data, visibility, node) && !environments.has(objectIdOf(generation.graph, node)))
      hidden.push(node);
  return NodeSet.of(nodeCount, hidden);
}

type Forests = readonly (readonly string[])[];

/** Environments in forests that the user may see completely. */
export const wholeEnvironments = (forests: Forests, { environments }: Sight): ReadonlySet<string> =>
  new Set(forests.filter((forest) => forest.every((id) => environments.has(id))).flat());

/** The user's environments whose figures are omitted. */
export function notShown(
  before: PlanRecord['before'],
  forests: Forests,
  sight: Sight | undefined,
): PlanRecord['not_shown'] {
  if (sight === undefined) return [];
  const whole = wholeEnvironments(forests, sight);
  const names = new Map(
    before
      .filter(({ environment_id: id }) => sight.environments.has(id) && !whole.has(id))
      .map(({ environment_id, environment_name }) => [environment_id, environment_name]),
  );
  return [...names].map(([environment_id, environment_name]) => ({
    ...{ environment_id, environment_name, reason: NOT_SHOWN },
  }));
}

/** Whether a finding is in a visible environment and about visible objects. */
export function seesFinding(
  { environments, isVisible: sees }: Sight,
  { environment_id, source, target }: Finding,
): boolean {
  return (
    environments.has(environment_id) &&
    sees(target.object_id) &&
    (source === undefined || sees(source.object_id))
  );
}

interface Finding {
  readonly environment_id: string;
  readonly source?: { readonly object_id: string } | undefined;
  readonly target: { readonly object_id: string };
}

/** Sums counts by environment over the visible environments. */
export const countSeen = (counts: Readonly<Record<string, number>>, sight: Sight | undefined): number =>
  Object.entries(counts).reduce(
    (total, [id, count]) => total + (sight === undefined || sight.environments.has(id) ? count : 0),
    0,
  );

/** All objects named in a request. */
export function objectsOf({
  repairs = [],
  remove = [],
  add = [],
  disable = [],
}: SimulationRequest): string[] {
  const named = [
    ...repairs.flatMap(({ object_id, principal_id }) =>
      principal_id === undefined ? [object_id] : [object_id, principal_id],
    ),
    ...[...remove, ...add].flatMap(({ source_id, target_id }) => [source_id, target_id]),
    ...disable,
  ];
  return [...new Set(named)];
}

/** @throws ApiError 403 for an object that is missing or in another environment */
export function requireSeen(sight: Sight | undefined, objectIds: readonly string[]): void {
  if (sight !== undefined && !objectIds.every((id) => sight.isVisible(id)))
    throw apiError('environmentForbidden');
}
