/**
 * Constraints: repairs excluded from a plan. An object that cannot be changed excludes every repair that would change it, including repairs
 * of a whole domain.
 *
 * Rule: `docs/plan.md#constraints`.
 */

import type { RepairReference } from '@clew/api';
import type { PublishedZone } from '@clew/generation';
import {
  edgesOfKind,
  findNamedNode,
  NO_NODE,
  NodeSet,
  namedObjectId,
  objectIdOf,
  reachableNodes,
} from '@clew/graph';
import { EdgeKind } from '@clew/model';
import type { Repair } from '@clew/planning';
import type { ConstraintSubject, PlanConstraintTable } from '@clew/store';
import type { Selectable } from 'kysely';
import { PlanError } from './planError.ts';
import type { PlanState } from './planState.ts';
import { referenceOf } from './repairRecords.ts';

export interface ConstraintFacts {
  readonly subject: ConstraintSubject;
  readonly repairs: readonly RepairReference[] | null;
  readonly object_id: string | null;
  readonly repair_kind: string | null;
}

export type StoredConstraint = Selectable<PlanConstraintTable>;

export const constraintFacts = ({
  subject,
  repairs,
  object_id,
  repair_kind,
}: Pick<StoredConstraint, keyof ConstraintFacts>): ConstraintFacts => ({
  ...{ subject, object_id, repair_kind },
  repairs: repairs as RepairReference[] | null,
});

export interface Exclusions {
  readonly constraints: readonly ConstraintFacts[];
  /** Object ids of environments; only changes of their objects are allowed. */
  readonly within: readonly string[];
  /** A label zone; only changes of objects in it are allowed. */
  readonly ownedBy: number | null;
}

export const referenceKey = ({
  kind,
  object_id,
  principal_id = '',
  relations = [],
}: RepairReference): string =>
  [kind, object_id.toUpperCase(), principal_id.toUpperCase(), [...relations].sort().join('+')].join(' ');

const LOCAL_GROUPS = { direction: 'in', filter: edgesOfKind(EdgeKind.LocalToComputer), maxDepth: 1 } as const;

/** @returns a predicate for excluded repairs @throws PlanError if the label zone does not exist */
export function exclusionOf(
  { generation, world }: Pick<PlanState, 'generation' | 'world'>,
  { constraints, within, ownedBy }: Exclusions,
): (repair: Repair) => boolean {
  const { graph } = generation;
  const references = referencesOf(constraints, 'repairs');
  const kinds = new Set(
    constraints.flatMap(({ subject, repair_kind }) => (subject === 'kind' ? [repair_kind] : [])),
  );
  const nodesOf = (wanted: ConstraintSubject): number[] =>
    constraints
      .filter(({ subject }) => subject === wanted)
      .map(({ object_id }) => findNamedNode(graph, object_id ?? ''))
      .filter((node) => node !== NO_NODE);
  const containers = nodesOf('container');
  const filter = edgesOfKind(EdgeKind.Contains);
  const { cancel } = world.context;
  const named = NodeSet.of(graph.nodeCount, nodesOf('object')).or(
    containers.length === 0
      ? NodeSet.empty(graph.nodeCount)
      : reachableNodes(graph, containers, { direction: 'out', filter, cancel }),
  );
  // Local groups are changed on their computer.
  const fixed = named.isEmpty ? named : reachableNodes(graph, named, { ...LOCAL_GROUPS, cancel });
  const isFixed = (node: number): boolean => fixed.has(node);
  const environments = new Set(within.map((id) => namedObjectId(graph, id)));
  const isWithin = (node: number): boolean => {
    const environment = graph.environmentOf[node];
    const place = environment < graph.nodeCount ? environment : node;
    return environments.has(objectIdOf(graph, place)) || environments.has(objectIdOf(graph, node));
  };
  const owned = ownedBy === null ? undefined : labeled(generation.zones ?? [], ownedBy);
  return (repair) => {
    const { kind, object, change } = repair;
    if (kinds.has(kind)) return true;
    if (environments.size > 0 && !isWithin(object)) return true;
    if (owned !== undefined && !owned(object)) return true;
    if (!fixed.isEmpty && (isFixed(object) || change.properties.some(({ node }) => isFixed(node))))
      return true;
    // A policy changes the local groups of computers.
    if (!fixed.isEmpty && kind === 'remove-policy-member' && change.removed.some(({ end }) => isFixed(end)))
      return true;
    return references.size > 0 && references.has(referenceKey(referenceOf(generation, repair)));
  };
}

/** @returns a predicate for repairs that remove something a user called unneeded */
export function unneededIn(
  { generation }: Pick<PlanState, 'generation'>,
  constraints: readonly ConstraintFacts[],
): ((repair: Repair) => boolean) | undefined {
  const references = referencesOf(constraints, 'unneeded');
  return references.size === 0
    ? undefined
    : (repair) => references.has(referenceKey(referenceOf(generation, repair)));
}

const referencesOf = (
  constraints: readonly ConstraintFacts[],
  wanted: ConstraintSubject,
): ReadonlySet<string> =>
  new Set(
    constraints
      .filter(({ subject }) => subject === wanted)
      .flatMap(({ repairs }) => (repairs ?? []).map(referenceKey)),
  );

function labeled(zones: readonly PublishedZone[], id: number): (node: number) => boolean {
  const label = zones.find((zone) => zone.id === id);
  if (label === undefined) throw new PlanError(`no object has the label ${id}`);
  return (node) => ((label.members[node >>> 5] >>> (node & 31)) & 1) === 1;
}
