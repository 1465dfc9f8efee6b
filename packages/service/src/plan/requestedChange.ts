/** What a request asks to change, looked up in the graph. */
import {
  type AnalysedWorld,
  type Change,
  type PropertyChange,
  type Repair,
  RepairCatalogue,
  ruleKinds,
} from '@clew/analysis';
import type { RepairReference, SimulationRequest } from '@clew/api';
import type { Generation } from '@clew/generation';
import { findEdge, NO_EDGE } from '@clew/graph';
import { EdgeKind, edgeKindByName } from '@clew/model';
import { PlanError } from './planError.ts';
import { nodeOf } from './planRecords.ts';

/** @throws PlanError for what is not in the graph */
export function requestedChange(
  generation: Generation,
  world: AnalysedWorld,
  request: SimulationRequest,
): Change {
  const { repairs = [], remove = [], add = [], disable = [] } = request;
  const { context } = world;
  const catalogue = new RepairCatalogue(context, ruleKinds());
  const chosen = repairs.map((reference) => repairOf(generation, catalogue, reference));
  const disabled = disable.map((id) => nodeOf(generation, id));
  const properties: PropertyChange[] = [
    ...chosen.flatMap(({ change }) => change.properties),
    ...disabled.map((node) => ({ node, key: 'enabled', value: false })),
  ];
  const edge = ({ source_id, kind, target_id }: { source_id: string; kind: string; target_id: string }) => {
    const number = edgeKindByName(kind)?.id;
    if (number === undefined) throw new PlanError(`there is no relation ${kind}`);
    return { start: nodeOf(generation, source_id), kind: number, end: nodeOf(generation, target_id) };
  };
  const removed = remove.map((given) => {
    const ref = edge(given);
    if (findEdge(generation.graph, ref.start, ref.kind, ref.end) === NO_EDGE)
      throw new PlanError(`${given.kind} from ${given.source_id} to ${given.target_id} is not in the graph`);
    return ref;
  });
  return {
    removed: [
      ...chosen.flatMap(({ change }) => change.removed),
      ...removed,
      // No one logs on as a disabled account. Its rights stay: anyone who enables it has them.
      ...disabled.flatMap((node) => sessionsOf(generation, node)),
    ],
    added: add.map(edge),
    properties,
  };
}

/** @returns the request without what is done already, or whose objects are gone, and that */
export function undoneOf(
  generation: Generation,
  world: AnalysedWorld,
  request: SimulationRequest,
): { readonly left: SimulationRequest; readonly done: SimulationRequest } {
  const [left, done]: [SimulationRequest, SimulationRequest] = [{}, {}];
  const isLeft = (one: SimulationRequest): boolean => {
    try {
      const { added = [], properties = [] } = requestedChange(generation, world, one);
      const { graph } = generation;
      if (added.some(({ start, kind, end }) => findEdge(graph, start, kind, end) !== NO_EDGE)) return false;
      return !(
        one.disable && properties.every(({ key, node }) => world.context.properties.flag(key, node) === false)
      );
    } catch (error) {
      if (error instanceof PlanError) return false;
      throw error;
    }
  };
  for (const key of ['repairs', 'remove', 'add', 'disable'] as const) {
    for (const entry of request[key] ?? []) {
      const one = { [key]: [entry] };
      const target: { [name: string]: unknown[] } = (isLeft(one) ? left : done) as never;
      target[key] = [...(target[key] ?? []), entry];
    }
  }
  return { left, done };
}

function sessionsOf({ graph }: Generation, end: number) {
  const { offsets, neighbours, kinds } = graph.in;
  return Array.from({ length: offsets[end + 1] - offsets[end] }, (_, at) => ({
    ...{ start: neighbours[offsets[end] + at], kind: kinds[offsets[end] + at], end },
  })).filter(({ kind }) => kind === EdgeKind.HasSession);
}

function repairOf(generation: Generation, catalogue: RepairCatalogue, reference: RepairReference): Repair {
  const { kind, object_id, principal_id, relations = [] } = reference;
  const found = catalogue.find({
    kind,
    object: nodeOf(generation, object_id),
    ...(principal_id !== undefined && { principal: nodeOf(generation, principal_id) }),
    relations,
  });
  if (found === undefined)
    throw new PlanError(`${kind} of ${object_id} changes nothing: what it takes away is not there`);
  return found;
}
