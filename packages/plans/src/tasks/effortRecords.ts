/** Attack effort in answers about plans: by environment, and the easiest path of a principal with its steps. */

import type { DrawnPathRecord, EffortRecord } from '@clew/api';
import type { Generation } from '@clew/generation';
import { nameOf, objectIdOf } from '@clew/graph';
import { CUSTOM_KIND_EFFORT, type EffortTable } from '@clew/model';
import {
  type AnalyzedWorld,
  type EffortPath,
  easiestPathCut,
  widestGroup,
  zoneEfforts,
} from '@clew/planning';
import { edgeKindName } from '@clew/queries';
import { objectRecord } from './planRecords.ts';

export interface EffortParts {
  readonly generation: Generation;
  readonly efforts: EffortTable;
}

export function effortRecords(
  { generation, efforts }: EffortParts,
  world: AnalyzedWorld,
  zone: number,
): EffortRecord[] {
  const { graph } = generation;
  const found = zoneEfforts(world, zone, efforts)?.byEnvironment ?? [];
  return found
    .filter(({ principals }) => principals > 0)
    .map(({ environment, principals, bands, oneAction, typical }) => {
      const node = world.environments[environment];
      const group = widestGroup(world, environment);
      return {
        environment_id: objectIdOf(graph, node),
        environment_name: nameOf(graph, node) || objectIdOf(graph, node),
        principal_count: principals,
        bands: { ...bands },
        one_action_count: oneAction,
        typical: typical ?? null,
        equally_easy_ways:
          group === undefined ? null : easiestPathCut(world, zone, group, { table: efforts, environment }),
      };
    });
}

/** @param start start of a path, which may have no steps */
export function drawnPath(
  { generation, efforts }: EffortParts,
  start: number,
  { effort, steps }: EffortPath,
): DrawnPathRecord {
  return {
    effort,
    nodes: [start, ...steps.map(({ end }) => end)].map((node) => objectRecord(generation, node)),
    steps: steps.map((step) => ({
      kind: edgeKindName(generation, step.kind),
      effort: step.effort,
      reason: (efforts.get(step.kind) ?? CUSTOM_KIND_EFFORT).reason,
    })),
  };
}
