/** Resolves a requested change in the graph. */

import type { PlanProgress, RepairReference, SimulationRequest } from '@clew/api';
import type { Generation } from '@clew/generation';
import { findEdge, findNamedNode, NO_EDGE, NO_NODE } from '@clew/graph';
import { EdgeKind } from '@clew/model';
import {
  type AnalyzedWorld,
  type Change,
  DEFAULT_COSTS,
  distinctName,
  type PropertyChange,
  type Repair,
  RepairCatalog,
  type RepairKind,
  ruleKinds,
  textOfRepair,
  tierZeroOf,
} from '@clew/planning';
import { edgeKindNumber } from '@clew/queries';
import { PlanError } from './planError.ts';
import { nodeOf } from './planRecords.ts';

/** @throws PlanError for objects that are not in the graph */
export function requestedChange(
  generation: Generation,
  world: AnalyzedWorld,
  request: SimulationRequest,
): Change {
  const { repairs = [], remove = [], add = [], disable = [] } = request;
  const { context } = world;
  const catalog = new RepairCatalog(context, ruleKinds(), tierZeroOf(world.zones));
  const chosen = repairs.map((reference) => repairOf(generation, catalog, reference));
  const disabled = disable.map((id) => nodeOf(generation, id));
  const properties: PropertyChange[] = [
    ...chosen.flatMap(({ change }) => change.properties),
    ...disabled.map((node) => ({ node, key: 'enabled', value: false })),
  ];
  const edge = ({ source_id, kind, target_id }: { source_id: string; kind: string; target_id: string }) => {
    const number = edgeKindNumber(generation, kind);
    if (number === undefined) throw new PlanError(`the graph has no relationship ${kind}`);
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
      // No one can log on to a disabled account. Its rights are kept, because they apply again once the account is enabled.
      ...disabled.flatMap((node) => sessionsOf(generation, node)),
    ],
    added: add.map(edge),
    properties,
  };
}

/** @throws PlanError for objects that are not in the graph */
export function repairsOf(
  generation: Generation,
  world: AnalyzedWorld,
  references: readonly RepairReference[],
): Repair[] {
  const catalog = new RepairCatalog(world.context, ruleKinds(), tierZeroOf(world.zones));
  return references.map((reference) => repairOf(generation, catalog, reference));
}

/** Splits a request into finished changes (done, or of deleted objects) and remaining ones, with texts for both. */
export function undoneOf(
  generation: Generation,
  world: AnalyzedWorld,
  request: SimulationRequest,
): Pick<PlanProgress, 'done' | 'left' | 'steps'> {
  const [left, done]: [SimulationRequest, SimulationRequest] = [{}, {}];
  const steps: PlanProgress['steps'] = [];
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
      const isDone = !isLeft(one);
      const target: { [name: string]: unknown[] } = (isDone ? done : left) as never;
      target[key] = [...(target[key] ?? []), entry];
      steps.push({ text: stepText(world, one), is_done: isDone });
    }
  }
  return { left, done, steps };
}

/** @param one a request with a single entry */
function stepText({ context }: AnalyzedWorld, one: SimulationRequest): string {
  const { graph } = context;
  const name = (objectId: string): string => {
    const node = findNamedNode(graph, objectId);
    return (node === NO_NODE ? '' : distinctName(context, node)) || objectId;
  };
  const { repairs: [repair] = [], remove: [removed] = [], add: [added] = [], disable: [disabled] = [] } = one;
  if (repair !== undefined) {
    const { kind, object_id, principal_id, relations = [] } = repair;
    if (!isRepairKind(kind)) return `${kind} of ${name(object_id)}`;
    return textOfRepair(graph, kind, {
      ...{ object: name(object_id), objectKind: '', relations },
      ...{ principal: principal_id === undefined ? '' : name(principal_id) },
      ...{ isInherited: false, inheritedFrom: '' },
    }).title;
  }
  const relation = removed ?? added;
  if (relation === undefined) return `Disable ${name(disabled ?? '')}`;
  const { source_id, kind, target_id } = relation;
  return `${removed === undefined ? 'Add' : 'Remove'} ${kind} from ${name(source_id)} to ${name(target_id)}`;
}

const isRepairKind = (kind: string): kind is RepairKind => Object.hasOwn(DEFAULT_COSTS, kind);

function sessionsOf({ graph }: Generation, end: number) {
  const { offsets, neighbors, kinds } = graph.in;
  return Array.from({ length: offsets[end + 1] - offsets[end] }, (_, at) => ({
    ...{ start: neighbors[offsets[end] + at], kind: kinds[offsets[end] + at], end },
  })).filter(({ kind }) => kind === EdgeKind.HasSession);
}

function repairOf(generation: Generation, catalog: RepairCatalog, reference: RepairReference): Repair {
  const { kind, object_id, principal_id, relations = [] } = reference;
  const found = catalog.find({
    kind,
    object: nodeOf(generation, object_id),
    ...(principal_id !== undefined && { principal: nodeOf(generation, principal_id) }),
    relations,
  });
  if (found === undefined)
    throw new PlanError(
      `${kind} of ${object_id} changes nothing: the relationships that it removes do not exist`,
    );
  return found;
}
