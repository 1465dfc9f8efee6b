/**
 * Tasks of the planning thread: except for reading, they are pure functions of an analyzed world, so each question about a
 * generation has one answer.
 */

import { attackSteps, type EdgeRef, findingTypesOf } from '@clew/analysis';
import type {
  AlternativesRecord,
  ChangeKitRecord,
  ChokePointsRecord,
  DetectionRulesRecord,
  DrawnPathRecord,
  EvidenceRecord,
  FindingPathsRecord,
  PathRepairsRecord,
  RemainingPathsRecord,
} from '@clew/api';
import type { Generation } from '@clew/generation';
import { distinctPaths, nameOf, nearMiss, objectIdOf } from '@clew/graph';
import { checkEvidence } from '@clew/judgment';
import {
  easiestBetween,
  easiestInto,
  effortOfEdges,
  effortsByEdge,
  evidenceOf,
  type FindingPath,
  findingPath,
  findingPaths,
  leavesTierZero,
} from '@clew/planning';
import { edgeKindName } from '@clew/queries';
import type { Db } from '@clew/store';
import { type ChangeKitInput, changeKitRecord } from './changeKits.ts';
import { type ChokePointRequest, chokePointsRecord } from './chokePointsTask.ts';
import { type DetectionRulesInput, detectionRules } from './detectionRules.ts';
import { type DifferenceRequest, difference } from './differenceTask.ts';
import { drawnPath } from './effortRecords.ts';
import { type ExtensionEffectRequest, extensionEffect, type FoundEffect } from './extensionEffect.ts';
import { findingKit } from './findingKit.ts';
import type { FindingRequest } from './findingRequest.ts';
import { type PathRepairsInput, pathRepairs } from './pathRepairs.ts';
import { PlanError } from './planError.ts';
import { effortPathRecord, nodeOf, objectRecord } from './planRecords.ts';
import type { PlanState } from './planState.ts';
import { type RemainingPathsInput, remainingPathRecords } from './remainingPaths.ts';
import { repairCosts } from './repairCosts.ts';
import { repairRecord } from './repairRecords.ts';
import { undoneOf } from './requestedChange.ts';
import { seenEvidence, seenPaths } from './seenEvidence.ts';
import { hiddenNodes, type Seen, sightIn } from './sight.ts';
import { type Progressed, pathRecord, type SimulationInput, simulate } from './simulation.ts';
import type { StartedPlan } from './startedFacts.ts';
import {
  type FollowedPlan,
  type FollowRequest,
  followStartedPlan,
  type StartRequest,
  startedPlanOf,
} from './startedPlan.ts';
import type { StoredPlan } from './storedPlan.ts';
import { type Progress, type ZonePlanRequest, zonePlan } from './zonePlan.ts';

export type FindingPathsRequest = Omit<FindingRequest, 'finding' | 'edge_kind' | 'constraints'> & {
  readonly edge_kind: number;
};

export interface AlternativesRequest {
  /** Object ids. */
  readonly start_node: string;
  readonly end_node: string;
  readonly count: number;
  readonly disjoint: boolean;
  readonly weight: 'length' | 'effort';
  /** Both objects are visible. */
  readonly seen: Seen;
}

/** Node numbers of a generation. */
export interface EasiestRequest {
  readonly start: number;
  readonly end: number;
}

export interface EasiestIntoRequest {
  /** Node. */
  readonly object: number;
  /** Paths do not start at members of this zone or of more privileged ones; null: at any principal. */
  readonly zone: number | null;
  readonly seen: Seen;
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

  startedPlan: (state: PlanState, request: StartRequest): StartedPlan => startedPlanOf(state, request),

  followPlan: (state: PlanState, request: FollowRequest): Promise<FollowedPlan> =>
    followStartedPlan(state, request),

  simulate,

  /** Computes the remaining changes of a saved plan, and their effect. */
  async progress(state: PlanState, { request, seen }: SimulationInput): Promise<Progressed> {
    const known = undoneOf(state.generation, state.world, request);
    const { asset_group_tag_id } = request;
    const left = { ...known.left, ...(asset_group_tag_id && { asset_group_tag_id }) };
    return { ...known, simulation: (await simulate(state, { request: left, seen })).shown };
  },

  chokePoints: (state: PlanState, request: ChokePointRequest): ChokePointsRecord =>
    chokePointsRecord(state, request),

  async evidence(state: PlanState, request: FindingRequest): Promise<EvidenceRecord> {
    const { generation, world, db } = state;
    const { graph } = generation;
    const type = findingTypesOf(graph).findIndex(({ id }) => id === request.finding);
    if (type < 0) throw new PlanError(`${request.finding} is not a finding type`);
    const target = nodeOf(generation, request.target_id);
    const source = request.source_id === '' ? undefined : nodeOf(generation, request.source_id);
    const question = {
      ...{ type, target },
      ...(source !== undefined && { source }),
      ...(request.edge_kind !== null && { edgeKind: request.edge_kind }),
    };
    const tierZero = world.zones.find(({ position }) => position === 1)?.members;
    const costOf = repairCosts(state, request.zone, request.constraints);
    const found = evidenceOf(world.context, question, tierZero, {
      ...{ costOf, leaves: (node, removed) => leavesTierZero(world, node, removed) },
    });
    const { values, relations, advice, repairs, closing, isComplete } = found;
    const record: EvidenceRecord = {
      ...{ generation: generation.id, closed: null },
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
      repairs: repairs.map((repair) => ({
        ...repairRecord(generation, world, repair),
        cost: costOf(repair),
        closes: closing.has(repair),
      })),
      relations_are_complete: isComplete.relations,
      repairs_are_complete: isComplete.repairs,
      attack_path:
        source === undefined || request.edge_kind === null
          ? null
          : wholePath(state, request.zone, { start: source, kind: request.edge_kind, end: target }),
    };
    const sight = sightIn(generation, request.seen);
    if (sight !== undefined) return seenEvidence(world.context, record, sight);
    // The result of a query may contain objects that some users may not see.
    const ofCheck = await checkEvidence(db, request.finding, graph.storeIds[target]);
    const [object_id, name] = [objectIdOf(graph, target), nameOf(graph, target) || objectIdOf(graph, target)];
    const checked = ofCheck.map(({ column, value }) => ({ object_id, name, property: column, value }));
    return { ...record, values: [...checked, ...record.values] };
  },

  /** Undefined if the relation is not a step of attack paths. */
  findingPaths(
    { generation, world, efforts }: PlanState,
    { source_id, target_id, edge_kind, zone, seen }: FindingPathsRequest,
  ): FindingPathsRecord | undefined {
    const finding = {
      start: nodeOf(generation, source_id),
      kind: edge_kind,
      end: nodeOf(generation, target_id),
    };
    const found = findingPaths(world, zone, finding, efforts);
    if (found === undefined) return undefined;
    return seenPaths(
      {
        ...{ generation: generation.id, closed: null },
        paths: found.paths.map((path) => ({
          ...findingPathRecord(generation, path),
          principal_count: path.principals ?? null,
        })),
        ...{ shortest: found.shortest, most_used: found.mostUsed },
        ...{ count: found.count, is_complete: found.isComplete, principal_count: found.principals },
      },
      sightIn(generation, seen),
    );
  },

  changeKit: (state: PlanState, request: ChangeKitInput): Promise<ChangeKitRecord | undefined> =>
    changeKitRecord(state, request),

  pathRepairs: (state: PlanState, request: PathRepairsInput): PathRepairsRecord =>
    pathRepairs(state, request),

  findingKit: (state: PlanState, request: FindingRequest): Promise<ChangeKitRecord | undefined> =>
    findingKit(state, request),

  detectionRules: (state: PlanState, request: DetectionRulesInput): Promise<DetectionRulesRecord> =>
    detectionRules(state, request),

  remainingPaths: (state: PlanState, request: RemainingPathsInput): Promise<RemainingPathsRecord> =>
    remainingPathRecords(state, request),

  extensionEffect: (state: PlanState, request: ExtensionEffectRequest): Promise<FoundEffect> =>
    extensionEffect(state, request),

  difference: (state: PlanState, request: DifferenceRequest) => difference(state, request),

  /** Numbers of the nodes and edges of the easiest path between two objects; undefined if there is no path. */
  easiest({ world, efforts }: PlanState, { start, end }: EasiestRequest): EasiestPath | undefined {
    const path = easiestBetween(world, start, end, efforts);
    if (path === undefined) return undefined;
    const nodes = Uint32Array.of(start, ...path.steps.map((step) => step.end)).sort();
    return { nodes, edges: Uint32Array.from(path.steps, ({ edge }) => edge).sort() };
  },

  /** The attack effort of each edge, by its number, in shared memory: `NO_STEP` for other edges than steps of attack paths. */
  efforts: ({ world, efforts }: PlanState): Uint8Array => effortsByEdge(world, efforts),

  /**
   * The easiest path to an object from a principal outside its zone; null if there is no path, or it contains objects that the user may not
   * see.
   */
  easiestInto(state: PlanState, { object, zone, seen }: EasiestIntoRequest): DrawnPathRecord | null {
    const { generation, world, efforts } = state;
    const path = easiestInto(world, object, { zone: zone ?? undefined, table: efforts });
    if (path === undefined) return null;
    const sight = sightIn(generation, seen);
    const shown = drawnPath(state, path.start, path);
    return sight === undefined || shown.nodes.every(({ object_id }) => sight.isVisible(object_id))
      ? shown
      : null;
  },

  alternatives({ generation, world, efforts }: PlanState, request: AlternativesRequest): AlternativesRecord {
    const { graph } = generation;
    const [from, to] = [nodeOf(generation, request.start_node), nodeOf(generation, request.end_node)];
    const { cancel } = world.context;
    const filter = attackSteps(graph);
    const { attackGraph } = world.context;
    const { count, disjoint, weight } = request;
    const effortOf = effortOfEdges(world, efforts);
    const sight = sightIn(generation, request.seen);
    const options = { filter, cancel, ...(sight && { blocked: hiddenNodes(generation, sight) }) };
    const costOf = weight === 'effort' ? { costOf: effortOf } : {};
    const paths = distinctPaths(attackGraph, from, to, { ...options, count, disjoint, ...costOf }).map(
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
    const { ahead, behind, gap } = nearMiss(attackGraph, from, to, options);
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

function wholePath(
  { generation, world, efforts }: PlanState,
  zone: number,
  finding: EdgeRef,
): EvidenceRecord['attack_path'] {
  const found = findingPath(world, zone, finding, efforts);
  return found === undefined ? null : findingPathRecord(generation, found);
}

function findingPathRecord(
  generation: Generation,
  found: FindingPath,
): NonNullable<EvidenceRecord['attack_path']> {
  return {
    ...effortPathRecord(generation, found),
    finding_step: found.steps.findIndex(({ isFinding }) => isFinding),
    enters_zone: found.entersZone,
    through: found.through.map((node) => objectRecord(generation, node)),
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
    .innerJoin('node', 'node.id', 'sighting.node_id')
    .select(({ fn }) => ['node_id', 'node.described', fn.max('last_seen').as('last_seen')])
    .where('node_id', 'in', nodes.map(idOf))
    .groupBy(['node_id', 'node.described'])
    .execute();
  const times = new Map(rows.map((row) => [row.node_id, row]));
  return nodes.map((node) => ({
    ...objectRecord(generation, node),
    last_seen: times.get(idOf(node))?.last_seen ?? null,
    is_described: times.get(idOf(node))?.described ?? false,
  }));
}
