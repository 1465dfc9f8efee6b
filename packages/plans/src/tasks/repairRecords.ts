/** Records of repairs, exposures and findings for answers about plans. */

import { findingText, findingTypesOf, inheritanceSource, isInherited } from '@clew/analysis';
import type { PlanRecord } from '@clew/api';
import type { Generation } from '@clew/generation';
import { nameOf, objectIdOf } from '@clew/graph';
import {
  type AnalyzedWorld,
  affectedBy,
  distinctName,
  type FindingKey,
  type Repair,
  repairNames,
  textOfRepair,
  type ZoneExposure,
} from '@clew/planning';
import { objectRecord } from './planRecords.ts';

/** Maximum number of listed findings; counts cover all. */
const NAMED = 100;

export function exposureRecords(
  { graph }: Generation,
  world: AnalyzedWorld,
  exposures: readonly ZoneExposure[],
): PlanRecord['before'] {
  return exposures
    .filter(({ principals }) => principals > 0)
    .map(({ zone, environment, exposed, principals }) => {
      const node = world.environments[environment];
      return {
        environment_id: objectIdOf(graph, node),
        environment_name: nameOf(graph, node) || objectIdOf(graph, node),
        asset_group_tag_id: zone,
        exposed_count: exposed,
        principal_count: principals,
        exposure: exposed / principals,
      };
    });
}

/** Maximum number of listed values of a change, which may affect hundreds of thousands of computers. */
const MAX_VALUES = 100;

export function repairRecord(generation: Generation, world: AnalyzedWorld, repair: Repair) {
  const { graph } = generation;
  const { context } = world;
  const object = objectRecord(generation, repair.object);
  const principal = repair.principal === undefined ? undefined : objectRecord(generation, repair.principal);
  const inherited = repair.change.removed.find((ref) => isInherited(graph, ref));
  const container = inherited && inheritanceSource(graph, inherited);
  const inheritedFrom = container === undefined ? undefined : objectRecord(generation, container);
  const named = (node: number): string => shortName(distinctName(context, node) || objectIdOf(graph, node));
  const names = { ...repairNames(world, repair, named), objectKind: object.kind };
  const affected = affectedBy(context, repair);
  return {
    repair: referenceOf(generation, repair),
    object,
    ...(principal !== undefined && { principal }),
    is_inherited: inherited !== undefined,
    inherited_from: inheritedFrom ?? null,
    ...textOfRepair(graph, repair.kind, names),
    change_count: repair.change.properties.length + repair.change.removed.length,
    values: repair.change.properties.slice(0, MAX_VALUES).map(({ node, key, value }) => ({
      ...{ object_id: objectIdOf(graph, node), name: nameOf(graph, node), property: key },
      ...{ now: context.properties.value(key, node) ?? null, wanted: value },
    })),
    affected_count: affected?.count ?? null,
    affected_holders: (affected?.holders ?? []).slice(0, 10).map((node) => objectRecord(generation, node)),
  };
}

/** Maximum length of a name in a sentence; the records next to it have the full name. */
const NAME_LENGTH = 200;

export const shortName = (name: string): string =>
  name.length <= NAME_LENGTH ? name : `${name.slice(0, NAME_LENGTH).toWellFormed()}...`;

export function findingChanges(
  generation: Generation,
  world: AnalyzedWorld,
  { closed, opened }: { readonly closed: readonly FindingKey[]; readonly opened: readonly FindingKey[] },
) {
  return {
    closed_count: closed.length,
    closed: closed.slice(0, NAMED).map((key) => findingRecord(generation, world, key)),
    opened_count: opened.length,
    opened: opened.slice(0, NAMED).map((key) => findingRecord(generation, world, key)),
  };
}

export function findingRecord(generation: Generation, world: AnalyzedWorld, key: FindingKey) {
  const { graph } = generation;
  const type = findingTypesOf(graph)[key.type];
  return {
    finding: type.id,
    title: findingText(type, 'title'),
    asset_group_tag_id: key.zone,
    environment_id: objectIdOf(graph, world.environments[key.environment]),
    ...(key.source !== undefined && { source: objectRecord(generation, key.source) }),
    target: objectRecord(generation, key.target),
  };
}

/** Identifies a repair across generations. */
export function referenceOf({ graph }: Generation, { kind, object, principal, edgeKinds }: Repair) {
  return {
    kind,
    object_id: objectIdOf(graph, object),
    ...(principal !== undefined && { principal_id: objectIdOf(graph, principal) }),
    ...(edgeKinds.length > 0 && { relations: [...edgeKinds] }),
  };
}

/** @returns the number of findings per environment, keyed by object id */
export function findingCounts(
  { graph }: Generation,
  world: AnalyzedWorld,
  findings: readonly FindingKey[],
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { environment } of findings) {
    const id = objectIdOf(graph, world.environments[environment]);
    counts[id] = (counts[id] ?? 0) + 1;
  }
  return counts;
}
