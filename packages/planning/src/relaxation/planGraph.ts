/**
 * The graph of attack paths, with the repairs that remove each step as labels. A collected relation has the repairs that remove it; a
 * derived edge is replaced by its ways, each with the repairs of everything it needs. A search that skips the steps of some repairs reaches
 * exactly the principals that stay exposed after these repairs.
 *
 * Rule: `docs/plan.md#the-plan-graph`.
 */
import { type AnalysisContext, environments, type ForestZone, type Rule, zoneByForest } from '@clew/analysis';
import {
  type EdgeFilter,
  type LabeledSteps,
  LabeledStepsBuilder,
  NodeSet,
  reachableNodes,
  uint8s,
  uint32s,
} from '@clew/graph';
import { EdgeFlag, EdgeKind } from '@clew/model';
import type { Repair } from '../repairs/repair.ts';
import type { RepairCatalog } from '../repairs/repairs.ts';
import type { Steps } from '../steps.ts';
import type { CountedException } from './exceptions.ts';
import { MatchSteps } from './matchSteps.ts';
import { type LabelScope, StepLabels } from './stepLabels.ts';
import { WaySteps } from './waySteps.ts';

export interface PlanGraph {
  readonly steps: LabeledSteps;
  readonly repairs: readonly Repair[];
  /** Cases in which removable relationships count as permanent. */
  readonly exceptions: readonly CountedException[];
  /** Members of the zone by forest or tenant, with the weight of each node there. */
  readonly realms: readonly Realm[];
}

export interface Realm {
  /** Places of the environments of the forest, or of the tenant. */
  readonly environments: ReadonlySet<number>;
  readonly targets: Uint32Array;
  /** 1 for the principals of the realm outside the zone. */
  readonly weights: Uint32Array;
  /** The counted principals. */
  readonly counted: NodeSet;
}

export interface PlanGraphInput {
  readonly context: AnalysisContext;
  readonly steps: EdgeFilter;
  readonly zone: NodeSet;
  /** Members of the zone and of more privileged zones. */
  readonly above: NodeSet;
  readonly rules: readonly Rule[];
  readonly catalog: RepairCatalog;
  /** Default groups, whose own rights are wide. */
  readonly broad: NodeSet;
  /** Which steps have labels: all removable ones, or only those removed by wide repairs. Default all. */
  readonly scope?: LabelScope;
  /** True for a repair that no one can make: the relationships that it would remove are permanent. */
  readonly isExcluded?: (repair: Repair) => boolean;
}

export function* planGraph(input: PlanGraphInput): Steps<PlanGraph> {
  const { context, zone, catalog, scope = 'all', isExcluded } = input;
  const forests = zoneByForest(context.use(environments), zone);
  const realms = forests.map(({ members }) => members);
  const labels = new StepLabels(context, catalog, { zone, groups: input.broad, scope, isExcluded });
  const leadsOn = usefulEnds(input, realms);
  const builder = new LabeledStepsBuilder(context.attackGraph.nodeCount);
  yield;
  const ofWays = yield* addWays(input, builder, labels, leadsOn);
  yield* addEdges(input, builder, labels, ofWays, leadsOn);
  const { repairs } = catalog;
  const steps = builder.build(repairs.length, context.cancel);
  const { counts: exceptions } = labels.exceptions;
  return {
    steps,
    repairs,
    exceptions,
    realms: weighedRealms(context, forests, input.above, steps.nodeCount),
  };
}

/** Adds steps for edge kinds whose rules define ways. @returns these kinds */
function* addWays(
  { context, rules, steps }: PlanGraphInput,
  builder: LabeledStepsBuilder,
  labels: StepLabels,
  leadsOn: LeadsOn,
): Steps<ReadonlySet<number>> {
  const kinds = new Set<number>();
  let added = 0;
  const ways = new WaySteps(context, builder, labels, (start, end) => leadsOn(start)?.[end] === 1);
  for (const rule of rules) {
    if (rule.ways === undefined) continue;
    for (const kind of rule.produces) kinds.add(EdgeKind[kind]);
    if (rule.feature !== undefined && !context.options.features.has(rule.feature)) continue;
    for (const way of rule.ways(context.readingFor(rule.name, rule.reads))) {
      if (steps.allows[EdgeKind[way.kind]] === 1) ways.add(way);
      if (++added % WAYS_IN_STEP !== 0) continue;
      context.throwIfCanceled();
      yield;
    }
  }
  return kinds;
}

/** Adds the edges of the graph as steps, except those that are replaced by ways. */
function* addEdges(
  { context, steps }: PlanGraphInput,
  builder: LabeledStepsBuilder,
  labels: StepLabels,
  ofWays: ReadonlySet<number>,
  leadsOn: LeadsOn,
): Steps<void> {
  const { offsets, neighbors, kinds, flags } = context.attackGraph.out;
  const ofMatches = new MatchSteps(context, builder, labels, steps);
  for (let start = 0; start < context.attackGraph.nodeCount; start++) {
    const ends = leadsOn(start);
    if (ends === undefined) continue;
    if (start % CANCEL_INTERVAL === 0) {
      context.throwIfCanceled();
      yield;
    }
    for (let at = offsets[start]; at < offsets[start + 1]; at++) {
      const kind = kinds[at];
      const end = neighbors[at];
      if (steps.allows[kind] === 0 || start === end || ends[end] === 0) continue;
      if (ofWays.has(kind) && (flags[at] & EdgeFlag.Derived) !== 0) continue;
      if (ofMatches.derives(kind) && ofMatches.add({ start, kind, end }, flags[at])) continue;
      builder.add(start, end, labels.ofEdge(start, kind, end, flags[at]));
    }
  }
}

const CANCEL_INTERVAL = 1 << 12;

/** Most ways take microseconds, so a step has several; some need milliseconds to combine the members of groups. */
const WAYS_IN_STEP = 64;

type LeadsOn = (start: number) => Uint8Array | undefined;

/**
 * Selects steps that can be on a path: those toward the zone, and from a member of the zone only those toward the zone of another
 * forest, through other members if they lead there. Members of the zone hold most permissions, so most permissions are skipped.
 * @returns a byte per node, 1 for useful ends; undefined if the node has no useful step
 */
function usefulEnds({ context, steps, zone }: PlanGraphInput, realms: readonly NodeSet[]): LeadsOn {
  const { attackGraph: graph, cancel } = context;
  const upstream = (targets: NodeSet, blocked?: NodeSet): Uint8Array => {
    const reached = reachableNodes(graph, targets, { direction: 'in', filter: steps, blocked, cancel });
    const bytes = uint8s(graph.nodeCount);
    reached.forEach((node) => {
      bytes[node] = 1;
    });
    return bytes;
  };
  const outside = upstream(zone);
  /** Per realm: steps that lead to the zone of another realm without leaving and reentering this one. */
  const elsewhere = realms.map((realm) => {
    const others = zone.andNot(realm);
    if (others.isEmpty) return undefined;
    const bytes = upstream(others, realm);
    const throughOthers = upstream(others);
    realm.forEach((member) => {
      bytes[member] = throughOthers[member];
    });
    return bytes;
  });
  return (start) => {
    if (!zone.has(start)) return outside[start] === 1 ? outside : undefined;
    return elsewhere[realms.findIndex((realm) => realm.has(start))];
  };
}

/** Each realm counts its own principals, as the displayed exposures do. */
function weighedRealms(
  context: AnalysisContext,
  forests: readonly ForestZone[],
  above: NodeSet,
  nodeCount: number,
): Realm[] {
  const { of, forests: forestOf, principals } = context.use(environments);
  const outside = principals.andNot(above);
  return forests.map(({ forest, members, environments: places }) => {
    const own = outside.filter((node) => forestOf[of[node]] === forest);
    const weights = uint32s(nodeCount);
    own.forEach((node) => {
      weights[node] = 1;
    });
    // Nodes added for ways are not principals.
    const counted = NodeSet.of(nodeCount, own);
    return { environments: new Set(places), targets: members.toArray(), weights, counted };
  });
}
