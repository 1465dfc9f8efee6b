/**
 * What the thread that plans can be asked: pure functions of an analysed world, except for what they read of it, so each
 * question about a generation has one answer.
 */
import {
  type AnalysedWorld,
  attackSteps,
  changedWorld,
  chokePoints,
  compareFindings,
  type EdgeRef,
  easiestBetween,
  effortOfEdges,
  evidenceOf,
  exposuresOf,
  FINDING_TYPES,
  findingPath,
  findingsOf,
  rankedZone,
} from '@clew/analysis';
import type {
  AlternativesRecord,
  ChokePointsRecord,
  EvidenceRecord,
  PlanProgress,
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
import {
  type AdoptedFound,
  type AdoptedRequest,
  type AdoptionFacts,
  type AdoptionRequest,
  adoptionOf,
  followAdoption,
} from './adoption.ts';
import { type DifferenceRequest, difference } from './differenceTask.ts';
import { PlanError } from './planError.ts';
import { effortPathRecord, nodeOf, notInAnalysis, objectRecord } from './planRecords.ts';
import type { PlanState } from './planState.ts';
import { exposureRecords, findingChanges, repairRecord } from './repairRecords.ts';
import { requestedChange, undoneOf } from './requestedChange.ts';
import { type Progress, type StoredPlan, type ZonePlanRequest, zonePlan } from './zonePlan.ts';

export interface ChokePointRequest {
  readonly zone: number;
  readonly count: number;
  /** With relations that no one can take away. */
  readonly uncuttable: boolean;
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
  readonly weight: 'length' | 'effort';
}

/** Node numbers of a generation. */
export interface EasiestRequest {
  readonly start: number;
  readonly end: number;
}

export interface EasiestPath {
  /** Ascending. */
  readonly nodes: Uint32Array;
  /** Edge numbers, ascending. */
  readonly edges: Uint32Array;
}

export const PLAN_TASKS = {
  zonePlan: (state: PlanState, request: ZonePlanRequest, progress: Progress): Promise<StoredPlan> =>
    zonePlan(state, request, progress),

  adoption: (state: PlanState, request: AdoptionRequest): AdoptionFacts => adoptionOf(state, request),

  adopted: (state: PlanState, request: AdoptedRequest): AdoptedFound => followAdoption(state, request),

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

  chokePoints(
    { generation, world }: PlanState,
    { zone, count, uncuttable }: ChokePointRequest,
  ): ChokePointsRecord {
    const found = chokePoints(world, zone, { count, withFixed: uncuttable });
    if (found === undefined) throw notInAnalysis(zone);
    const { offsets, neighbours, kinds } = world.context.attackGraph.out;
    const steps = attackSteps();
    const between = (start: number, end: number): string[] =>
      Array.from({ length: offsets[start + 1] - offsets[start] }, (_, at) => offsets[start] + at)
        .filter((at) => neighbours[at] === end && steps.allows[kinds[at]] === 1)
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

  /** Numbers of the nodes and edges of the easiest path between two objects; nothing without one. */
  easiest({ world, efforts }: PlanState, { start, end }: EasiestRequest): EasiestPath | undefined {
    const path = easiestBetween(world, start, end, efforts);
    if (path === undefined) return undefined;
    const nodes = Uint32Array.of(start, ...path.steps.map((step) => step.end)).sort();
    return { nodes, edges: Uint32Array.from(path.steps, ({ edge }) => edge).sort() };
  },

  alternatives({ generation, world, efforts }: PlanState, request: AlternativesRequest): AlternativesRecord {
    const { graph } = generation;
    const [from, to] = [nodeOf(generation, request.start_node), nodeOf(generation, request.end_node)];
    const { cancel } = world.context;
    const filter = attackSteps();
    const { attackGraph } = world.context;
    const { count, disjoint, weight } = request;
    const effortOf = effortOfEdges(world, efforts);
    const costOf = weight === 'effort' ? { costOf: effortOf } : {};
    const paths = distinctPaths(attackGraph, from, to, { filter, count, disjoint, cancel, ...costOf }).map(
      (path) => {
        const kindOf = (edge: number): number => graph.out.kinds[edge];
        const steps = Array.from(path.edges, (edge, at) =>
          effortOf(path.nodes[at], kindOf(edge), path.nodes[at + 1]),
        );
        const effort = steps.reduce((sum, step) => sum + step, 0);
        return { ...pathRecord(generation, graph, path), effort, efforts: steps };
      },
    );
    if (paths.length > 0 || from === to) return { generation: generation.id, paths, no_path: null };
    const { ahead, behind, gap } = nearMiss(attackGraph, from, to, filter, cancel);
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

/** One of the shortest ways that are left into the zone from outside, of the principal with the shortest. */
function shortestIn(generation: Generation, world: AnalysedWorld, zone: number) {
  const { context, principals } = world;
  const members = rankedZone(world, zone)?.members;
  if (members === undefined) return null;
  const { attackGraph: graph, cancel } = context;
  const filter = attackSteps();
  const upstream = reachableNodes(graph, members, { direction: 'in', filter, cancel }).andNot(members);
  const begin = principals.and(upstream);
  const found = begin.isEmpty ? undefined : shortestPaths(graph, begin, members, { filter, cancel });
  if (found === undefined) return null;
  return pathRecord(generation, graph, found.path);
}
