/**
 * The attack paths that a card cuts, by environment, with the removed steps marked, and the remaining paths. Rule:
 * `docs/plan.md#paths-in-the-plan`.
 */

import type { CardPathRecord } from '@clew/api';
import { nameOf, objectIdOf } from '@clew/graph';
import { type AnalyzedWorld, pathChanges } from '@clew/planning';
import { drawnPath, type EffortParts } from './effortRecords.ts';

export function cardPaths(
  parts: EffortParts,
  before: AnalyzedWorld,
  after: AnalyzedWorld,
  zone: number,
): CardPathRecord[] {
  const { graph } = parts.generation;
  const name = (node: number): string => nameOf(graph, node) || objectIdOf(graph, node);
  // The easiest path over all environments is shown first.
  const changes = [...pathChanges(before, after, zone, parts.efforts)];
  changes.sort((one, other) => one.before.effort - other.before.effort);
  return changes.map(({ environment, start, before: path, after: left, beforeThrough }) => {
    const node = before.environments[environment];
    return {
      ...{ environment_id: objectIdOf(graph, node), environment_name: name(node) },
      before: drawnPath(parts, start, path),
      cut: path.steps.findIndex(({ isCut }) => isCut),
      after: left === undefined ? null : drawnPath(parts, start, left),
      through: beforeThrough.map(name),
    };
  });
}
