/**
 * What the thread that plans can be asked: pure functions of an analysed world, except for what they read of it, so each
 * question about a generation has one answer.
 */
import {
  type AnalysedWorld,
  affectedBy,
  attackSteps,
  changedWorld,
  chokePoints,
  compareFindings,
  type EdgeRef,
  evidenceOf,
  exposuresOf,
  FINDING_TYPES,
  type FindingKey,
  findingPath,
  findingsOf,
  findingText,
  inheritanceSource,
  isInherited,
  makePlan,
  type Plan,
  type Repair,
  rankedZone,
  repairText,
  type ZoneExposure,
} from '@clew/analysis';
import type {
  AlternativesRecord,
  ChokePointsRecord,
  EvidenceRecord,
  PlanProgress,
  PlanRecord,
  PlanRepairRecord,
  SimulationRecord,
  SimulationRequest,
} from '@clew/api';
import type { Generation } from '@clew/generation';
import {
  type AttackGraph,
  distinctPaths,
  nameOf,
  nearMiss,
  objectIdOf,
  type Path,
  reachableNodes,
  shortestPaths,
} from '@clew/graph';
import { edgeKindName } from '@clew/queries';
import { type Db, TIER_ZERO } from '@clew/store';
import { type DifferenceRequest, difference } from './differenceTask.ts';
import { PlanError } from './planError.ts';
import { effortPathRecord, nodeOf, notInAnalysis, objectRecord } from './planRecords.ts';
import type { PlanState } from './planState.ts';
import { requestedChange, undoneOf } from './requestedChange.ts';

export interface PlanRequest {
  readonly zone: number;
  readonly count: number;
}

/** A finding as the store has it. */
export interface EvidenceRequest {
  readonly finding: string;
  /** Empty for list findings. */
  readonly source_id: string;
  readonly target_id: string;
  readonly edge_kind: number | null;
  /** Into which its path leads. */
  readonly zone: number;
}

export interface AlternativesRequest {
  /** Object ids. */
  readonly start_node: string;
  readonly end_node: string;
  readonly count: number;
  readonly disjoint: boolean;
}

/** Findings that an answer names; the counts are of all. */
const NAMED = 100;

export const PLAN_TASKS = {
  plan({ generation, world, costs }: PlanState, { zone, count }: PlanRequest): PlanRecord {
    const plan = makePlan(world, { zone, costs });
    if (plan === undefined) throw notInAnalysis(zone);
    return {
      generation: generation.id,
      published_at: generation.publishedAt,
      asset_group_tag_id: zone,
      before: exposureRecords(generation, world, plan.before),
      order: 'exposure',
      repairs: repairsInOrder(plan)
        .slice(0, count)
        .map(
          ({ repair, cost, exposures, closed, opened }): PlanRepairRecord => ({
            ...repairRecord(generation, world, repair),
            cost,
            exposure: exposureRecords(generation, world, exposures),
            ...findingChanges(generation, world, { closed, opened }),
          }),
        ),
    };
  },

  simulate,

  /** What is left of a plan that was saved, and what that would do. */
  progress(state: PlanState, request: SimulationRequest): PlanProgress {
    const known = undoneOf(state.generation, state.world, request);
    const { asset_group_tag_id } = request;
    return {
      ...known,
      simulation: simulate(state, { ...known.left, ...(asset_group_tag_id && { asset_group_tag_id }) }),
    };
  },

  chokePoints({ generation, world }: PlanState, { zone, count }: PlanRequest): ChokePointsRecord {
    const found = chokePoints(world, zone, { count });
    if (found === undefined) throw notInAnalysis(zone);
    const { graph } = generation;
    const between = (start: number, end: number): string[] => {
      const { offsets, neighbours, kinds } = graph.out;
      const steps = attackSteps();
      return Array.from({ length: offsets[start + 1] - offsets[start] }, (_, at) => offsets[start] + at)
        .filter((at) => neighbours[at] === end && steps.allows[kinds[at]] === 1)
        .map((at) => edgeKindName(generation, kinds[at]));
    };
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
    };
  },

  async evidence(state: PlanState, request: EvidenceRequest): Promise<EvidenceRecord> {
    const { generation, world, db } = state;
    const { graph } = generation;
    const type = FINDING_TYPES.findIndex(({ id }) => id === request.finding);
    if (type < 0) throw new PlanError(`${request.finding} is no finding type`);
    const target = nodeOf(generation, request.target_id);
    const source = request.source_id === '' ? undefined : nodeOf(generation, request.source_id);
    const question = {
      ...{ type, target },
      ...(source !== undefined && { source }),
      ...(request.edge_kind !== null && { edgeKind: request.edge_kind }),
    };
    const tierZero = world.zones.find(({ position }) => position === 1)?.members;
    const { values, relations, advice, repairs } = evidenceOf(world.context, question, tierZero);
    return {
      generation: generation.id,
      values: values.map(({ node, key, value }) => ({
        ...{ object_id: objectIdOf(graph, node), name: nameOf(graph, node) || objectIdOf(graph, node) },
        ...{ property: key, value },
      })),
      relations: relations.map(({ start, kind, end, isInherited, inheritedFrom }) => ({
        ...{ source: objectRecord(generation, start), kind: edgeKindName(generation, kind) },
        ...{ target: objectRecord(generation, end), is_inherited: isInherited },
        inherited_from: inheritedFrom === undefined ? null : objectRecord(generation, inheritedFrom),
      })),
      advice: [...advice],
      seen: await lastSeen(db, generation, source === undefined ? [target] : [source, target]),
      repairs: repairs.map((repair) => repairRecord(generation, world, repair)),
      attack_path:
        source === undefined || request.edge_kind === null
          ? null
          : wholePath(state, request.zone, { start: source, kind: request.edge_kind, end: target }),
    };
  },

  difference: (state: PlanState, request: DifferenceRequest) => difference(state, request),

  alternatives({ generation, world }: PlanState, request: AlternativesRequest): AlternativesRecord {
    const { graph } = generation;
    const [from, to] = [nodeOf(generation, request.start_node), nodeOf(generation, request.end_node)];
    const { cancel } = world.context;
    const filter = attackSteps();
    const { count, disjoint } = request;
    const paths = distinctPaths(graph, from, to, { filter, count, disjoint, cancel }).map((path) =>
      pathRecord(generation, graph, path),
    );
    if (paths.length > 0 || from === to) return { generation: generation.id, paths, no_path: null };
    const { ahead, behind, gap } = nearMiss(graph, from, to, filter, cancel);
    return {
      generation: generation.id,
      paths,
      no_path: {
        reached_from_start: ahead.size,
        reaching_end: behind.size,
        nearest: gap.map((node) => objectRecord(generation, node)),
      },
    };
  },
};

/** The changes of all cards, one after the other: the last of a card has the effect of the card. */
function repairsInOrder({ before, cards }: Plan) {
  return cards.flatMap((card, at) => {
    const exposuresBefore = cards[at - 1]?.exposures ?? before;
    const changes = card.packages.flatMap(({ repairs, cost }) =>
      repairs.map((repair) => ({ repair, cost: cost / repairs.length })),
    );
    return changes.map((change, place) => {
      const isLast = place === changes.length - 1;
      return {
        ...change,
        exposures: isLast ? card.exposures : exposuresBefore,
        ...{ closed: isLast ? card.closed : [], opened: isLast ? card.opened : [] },
      };
    });
  });
}

function simulate({ generation, world, before }: PlanState, request: SimulationRequest): SimulationRecord {
  const { asset_group_tag_id: zone = TIER_ZERO } = request;
  if (rankedZone(world, zone) === undefined) throw notInAnalysis(zone);
  const change = requestedChange(generation, world, request);
  const { exposures, findings } = before();
  const after = changedWorld(world, change);
  return {
    generation: generation.id,
    before: exposureRecords(generation, world, exposures),
    after: exposureRecords(generation, world, exposuresOf(after)),
    ...findingChanges(generation, world, compareFindings(findings, findingsOf(after))),
    remaining_path: shortestIn(generation, after, zone),
  };
}

function wholePath(
  { generation, world, efforts }: PlanState,
  zone: number,
  finding: EdgeRef,
): EvidenceRecord['attack_path'] {
  const found = findingPath(world, zone, finding, efforts);
  if (found === undefined) return null;
  return {
    ...effortPathRecord(generation, found),
    finding_step: found.steps.findIndex(({ isFinding }) => isFinding),
    enters_zone: found.entersZone,
    through: found.through.map((node) => objectRecord(generation, node)),
  };
}

function pathRecord(generation: Generation, graph: AttackGraph, { nodes, edges }: Path) {
  return {
    nodes: Array.from(nodes, (node) => objectRecord(generation, node)),
    relations: Array.from(edges, (edge) => edgeKindName(generation, graph.out.kinds[edge])),
  };
}

function exposureRecords(
  { graph }: Generation,
  world: AnalysedWorld,
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

/** Of a change at hundreds of thousands of computers these are examples. */
const MAX_VALUES = 100;

function repairRecord(generation: Generation, { context }: AnalysedWorld, repair: Repair) {
  const { graph } = generation;
  const object = objectRecord(generation, repair.object);
  const principal = repair.principal === undefined ? undefined : objectRecord(generation, repair.principal);
  const inherited = repair.change.removed.find((ref) => isInherited(graph, ref));
  const container = inherited && inheritanceSource(graph, inherited);
  const inheritedFrom = container === undefined ? undefined : objectRecord(generation, container);
  const shown = repair.change.removed.map(({ kind }) => edgeKindName(generation, kind));
  const names = {
    ...{
      object: shortName(object.name),
      objectKind: object.kind,
      principal: shortName(principal?.name ?? ''),
    },
    ...{
      relations: repair.edgeKinds.filter((name) => isThere(shown, name)),
      isInherited: inherited !== undefined,
    },
    inheritedFrom: shortName(inheritedFrom?.name ?? ''),
  };
  const affected = affectedBy(context, repair);
  return {
    repair: {
      kind: repair.kind,
      object_id: object.object_id,
      ...(principal !== undefined && { principal_id: principal.object_id }),
      ...(repair.edgeKinds.length > 0 && { relations: [...repair.edgeKinds] }),
    },
    object,
    ...(principal !== undefined && { principal }),
    is_inherited: inherited !== undefined,
    inherited_from: inheritedFrom ?? null,
    ...repairText(repair.kind, names),
    change_count: repair.change.properties.length + repair.change.removed.length,
    values: repair.change.properties.slice(0, MAX_VALUES).map(({ node, key, value }) => ({
      ...{ object_id: objectIdOf(graph, node), name: nameOf(graph, node), property: key },
      ...{ now: context.properties.value(key, node) ?? null, wanted: value },
    })),
    affected_count: affected?.count ?? null,
    affected_holders: (affected?.holders ?? []).slice(0, 10).map((node) => objectRecord(generation, node)),
  };
}

/** In sentences; the records beside them have all of it. */
const NAME_LENGTH = 200;

const shortName = (name: string): string =>
  name.length <= NAME_LENGTH ? name : `${name.slice(0, NAME_LENGTH).toWellFormed()}...`;

/** Owns and WriteOwner are collected under other names. */
const isThere = (collected: readonly string[], name: string): boolean =>
  collected.includes(name) || collected.includes(`${name}Raw`);

async function lastSeen(
  db: Db,
  generation: Generation,
  nodes: readonly number[],
): Promise<EvidenceRecord['seen']> {
  const idOf = (node: number): number => generation.graph.storeIds[node];
  const rows = await db
    .selectFrom('sighting')
    .select(({ fn }) => ['node_id', fn.max('last_seen').as('last_seen')])
    .where('node_id', 'in', nodes.map(idOf))
    .groupBy('node_id')
    .execute();
  const times = new Map(rows.map(({ node_id, last_seen }) => [node_id, last_seen]));
  return nodes.map((node) => ({
    ...objectRecord(generation, node),
    last_seen: times.get(idOf(node)) ?? null,
  }));
}

function findingChanges(
  generation: Generation,
  world: AnalysedWorld,
  { closed, opened }: { readonly closed: readonly FindingKey[]; readonly opened: readonly FindingKey[] },
) {
  return {
    closed_count: closed.length,
    closed: closed.slice(0, NAMED).map((key) => findingRecord(generation, world, key)),
    opened_count: opened.length,
    opened: opened.slice(0, NAMED).map((key) => findingRecord(generation, world, key)),
  };
}

function findingRecord(generation: Generation, world: AnalysedWorld, key: FindingKey) {
  const { graph } = generation;
  const type = FINDING_TYPES[key.type];
  return {
    finding: type.id,
    title: findingText(type, 'title'),
    asset_group_tag_id: key.zone,
    environment_id: objectIdOf(graph, world.environments[key.environment]),
    ...(key.source !== undefined && { source: objectRecord(generation, key.source) }),
    target: objectRecord(generation, key.target),
  };
}

/** One of the shortest ways that are left into the zone from outside, of the principal with the shortest. */
function shortestIn(generation: Generation, world: AnalysedWorld, zone: number) {
  const { context, principals } = world;
  const members = rankedZone(world, zone)?.members;
  if (members === undefined) return null;
  const { graph, cancel } = context;
  const filter = attackSteps();
  const upstream = reachableNodes(graph, members, { direction: 'in', filter, cancel }).andNot(members);
  const begin = principals.and(upstream);
  const found = begin.isEmpty ? undefined : shortestPaths(graph, begin, members, { filter, cancel });
  if (found === undefined) return null;
  return pathRecord(generation, graph, found.path);
}
