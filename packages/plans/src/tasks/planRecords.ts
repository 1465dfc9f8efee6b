/** Records used by several answers about plans. */

import type { EffortPathRecord } from '@clew/api';
import type { Generation } from '@clew/generation';
import { findNamedNode, NO_NODE, nameOf, objectIdOf } from '@clew/graph';
import type { EffortPath } from '@clew/planning';
import { edgeKindName, labelOf, queryDataOf } from '@clew/queries';
import { PlanError } from './planError.ts';

export function objectRecord(generation: Generation, node: number) {
  const { graph } = generation;
  const objectId = objectIdOf(graph, node);
  return {
    object_id: objectId,
    name: nameOf(graph, node) || objectId,
    kind: labelOf(queryDataOf(generation), node),
  };
}

/** @param path not empty */
export function effortPathRecord(generation: Generation, { effort, steps }: EffortPath): EffortPathRecord {
  return {
    nodes: [...steps.map(({ start }) => start), ...steps.slice(-1).map(({ end }) => end)].map((node) =>
      objectRecord(generation, node),
    ),
    relations: steps.map(({ kind }) => edgeKindName(generation, kind)),
    effort,
    efforts: steps.map((step) => step.effort),
  };
}

/** @throws PlanError for an object that is not in the graph */
export function nodeOf({ graph }: Generation, objectId: string): number {
  const node = findNamedNode(graph, objectId);
  if (node === NO_NODE) throw new PlanError(`no object has the id ${objectId}`);
  return node;
}

/** An empty plan or path would look safe, so this is an error. */
export const notInAnalysis = (zone: number) => new PlanError(`zone ${zone} is not in the latest analysis`);
