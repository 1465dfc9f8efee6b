/**
 * The graph of attack paths with what takes each step away: relations near a zone carry the repairs that remove them, and
 * derived edges come over their ways, each with the repairs of all that it needs. Steps that lie further away, and that no
 * finding names, carry none: cutting them would help fewer.
 *
 * Rule: `docs/plan.md#order`.
 */
import {
  condense,
  type EdgeFilter,
  type LabelledSteps,
  LabelledStepsBuilder,
  NodeSet,
  nodeGroups,
  objectIdOf,
  ReachCounter,
  reachableNodes,
  selectSteps,
} from '@clew/graph';
import { EdgeKind } from '@clew/model';
import type { AnalysisContext } from '../analysisContext.ts';
import { domains } from '../directory/domains.ts';
import { environments } from '../findings/environments.ts';
import type { Rule } from '../rule.ts';
import type { Need } from '../ways.ts';
import type { Repair, RepairCatalogue } from './repairs.ts';

export interface PlanGraph {
  readonly steps: LabelledSteps;
  readonly repairs: readonly Repair[];
  /** Members of the zone by forest or tenant, with what each node counts there. */
  readonly realms: readonly Realm[];
  /** By repair: how many principals come to a place where it applies; it keeps out no more. */
  readonly bounds: Float64Array;
  /** Places where steps with repairs begin, those with most principals upstream first. */
  readonly gates: readonly number[];
  /** By node: principals that come to it, where a step with repairs begins outside the zone; elsewhere 0. */
  readonly upstream: Float64Array;
  /** 1 for each node at which one is in the zone, or on a way into it. */
  readonly thresholds: Uint8Array;
}

export interface Realm {
  readonly targets: Uint32Array;
  /** 1 for the principals of the realm outside the zone. */
  readonly weights: Uint32Array;
  /** These principals. */
  readonly counted: NodeSet;
}

export interface PlanGraphInput {
  readonly context: AnalysisContext;
  readonly steps: EdgeFilter;
  readonly zone: NodeSet;
  /** Members of the zone and of more privileged ones. */
  readonly above: NodeSet;
  readonly rules: readonly Rule[];
  readonly catalogue: RepairCatalogue;
  /** Nodes whose outgoing steps carry repairs although they do not enter the zone. */
  readonly broad: NodeSet;
}

export function planGraph(input: PlanGraphInput): PlanGraph {
  const { context, zone, catalogue } = input;
  const realms = realmsOf(context, zone);
  const near = nearZone(context, input.steps, zone, catalogue);
  const ways = collectWays(input, doorsOf(input, near));
  const builder = new LabelledStepsBuilder(context.graph.nodeCount);
  /** Starts of each way by its entry. */
  const entries = new Map<number, readonly number[]>();
  const thresholds: number[] = [...near];
  addEdges(input, builder, ways.kinds, { realms, near });
  for (const { starts, ends, labels, startLabels } of ways.all) {
    if (starts.length * ends.length === 1 || (labels.length === 0 && startLabels === undefined)) {
      for (const start of starts) {
        const own = united(labels, startLabels?.(start) ?? []);
        for (const end of ends) builder.add(start, end, own);
      }
      continue;
    }
    // One node for the way, so that starts and ends are not multiplied.
    const [entry, exit] = [builder.newNode(), builder.newNode()];
    entries.set(entry, starts);
    if (ends.some((end) => near.has(end))) thresholds.push(entry, exit);
    for (const start of starts) builder.add(start, entry, startLabels?.(start) ?? []);
    builder.add(entry, exit, labels);
    for (const end of ends) builder.add(exit, end, []);
  }
  const { repairs } = catalogue;
  const steps = builder.build(repairs.length, context.cancel);
  return {
    ...{ steps, repairs, thresholds: markedBytes(steps.nodeCount, thresholds) },
    realms: weighedRealms(context, realms, input.above, steps.nodeCount),
    ...upstreamOf(input, builder.startsOf(repairs.length), entries, { near, nodeCount: steps.nodeCount }),
  };
}

function markedBytes(length: number, places: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(length);
  for (const place of places) bytes[place] = 1;
  return bytes;
}

/** Counted over the graph as it is: whatever is taken away, fewer come. */
function upstreamOf(
  { context, steps, above }: PlanGraphInput,
  startsOf: readonly ReadonlySet<number>[],
  entries: ReadonlyMap<number, readonly number[]>,
  { near, nodeCount }: { readonly near: NodeSet; readonly nodeCount: number },
): Pick<PlanGraph, 'bounds' | 'gates' | 'upstream'> {
  const { graph, cancel } = context;
  const backward = selectSteps(graph, { direction: 'in', filter: steps, cancel });
  const counter = new ReachCounter(condense(backward, cancel), cancel);
  const counted = context.use(environments).principals.andNot(above);
  const groups = startsOf.map((starts) => [...starts].flatMap((start) => entries.get(start) ?? [start]));
  const bounds = Float64Array.from(counter.count(nodeGroups(groups), counted));
  const places = [...new Set(groups.flat())];
  const counts = counter.count(nodeGroups(places.map((place) => [place])), counted);
  const order = places.map((_, at) => at).sort((a, b) => counts[b] - counts[a] || places[a] - places[b]);
  const upstream = new Float64Array(nodeCount);
  for (const [at, place] of places.entries()) if (!near.has(place)) upstream[place] = counts[at];
  // By a way come those of its widest start, at least.
  for (const [entry, starts] of entries)
    for (const start of starts) upstream[entry] = Math.max(upstream[entry], upstream[start]);
  return { bounds, gates: order.map((at) => places[at]), upstream };
}

interface LabelledWay {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  readonly labels: readonly number[];
  readonly startLabels?: (start: number) => readonly number[];
}

const united = (...lists: readonly (readonly (number | undefined)[])[]): number[] =>
  [...new Set(lists.flat().filter((label) => label !== undefined))].sort((a, b) => a - b);

/** @returns the repairs, and the changes of whole domains that do the same, ascending */
function withBroader(catalogue: RepairCatalogue, repairs: readonly (number | undefined)[]): number[] {
  return united(
    repairs,
    repairs.map((repair) => (repair === undefined ? undefined : catalogue.broaderThan(repair))),
  );
}

/** @param doors ends at which ways from one object to one other carry repairs */
function collectWays({ context, rules, catalogue, steps }: PlanGraphInput, doors: NodeSet) {
  const groups = context.nodesOf('Group');
  const kinds = new Set<number>();
  const all: LabelledWay[] = [];
  const numbers = (needs: readonly Need[]): number[] =>
    withBroader(
      catalogue,
      needs.map((need) => catalogue.ofNeed(need)),
    );
  for (const rule of rules) {
    if (rule.ways === undefined) continue;
    if (rule.feature !== undefined && !context.options.features.has(rule.feature)) continue;
    for (const kind of rule.produces) if (steps.allows[EdgeKind[kind]] === 1) kinds.add(EdgeKind[kind]);
    for (const { kind, starts, ends, needs, needsOf } of rule.ways(
      context.readingFor(rule.name, rule.reads),
    )) {
      if (steps.allows[EdgeKind[kind]] !== 1) continue;
      const begin = [...starts];
      // Of hundreds of thousands of local rights, those are worth looking at that many come by, or that are close to the zone.
      const isFar = begin.length === 1 && ends.length === 1 && !doors.has(ends[0]) && !groups.has(begin[0]);
      all.push({
        ...{ starts: begin, ends, labels: isFar ? [] : numbers(needs) },
        ...(needsOf !== undefined && !isFar && { startLabels: (start: number) => numbers(needsOf(start)) }),
      });
    }
  }
  return { kinds, all };
}

/** What is near the zone, and what has a step to there. */
function doorsOf({ context, steps }: PlanGraphInput, near: NodeSet): NodeSet {
  const { offsets, neighbours, kinds } = context.graph.in;
  const doors = new Set<number>(near);
  near.forEach((node) => {
    for (let at = offsets[node]; at < offsets[node + 1]; at++)
      if (steps.allows[kinds[at]] === 1) doors.add(neighbours[at]);
  });
  return NodeSet.of(context.graph.nodeCount, [...doors]);
}

/** Steps of the graph itself, but for kinds that come over their ways. */
function addEdges(
  input: PlanGraphInput,
  builder: LabelledStepsBuilder,
  ofWays: ReadonlySet<number>,
  { realms, near }: { readonly realms: readonly NodeSet[]; readonly near: NodeSet },
): void {
  const { context, steps, catalogue, broad } = input;
  const { offsets, neighbours, kinds, flags } = context.graph.out;
  const leadsOn = usefulEnds(input, realms);
  for (let start = 0; start < context.graph.nodeCount; start++) {
    const ends = leadsOn(start);
    if (ends === undefined) continue;
    const inside = near.has(start);
    const isBroad = broad.has(start);
    for (let at = offsets[start]; at < offsets[start + 1]; at++) {
      const kind = kinds[at];
      const end = neighbours[at];
      if (steps.allows[kind] === 0 || ofWays.has(kind) || start === end || ends[end] === 0) continue;
      const isEntry = (!inside && near.has(end)) || isBroad;
      const label = isEntry ? catalogue.ofEdge({ start, kind, end }, flags[at]) : undefined;
      builder.add(start, end, withBroader(catalogue, [label]));
    }
  }
}

/** The zone, and what comes into it by steps that nothing takes away: repairs begin before these. */
function nearZone(
  context: AnalysisContext,
  steps: EdgeFilter,
  zone: NodeSet,
  catalogue: RepairCatalogue,
): NodeSet {
  const { offsets, neighbours, kinds, flags } = context.graph.in;
  const near = new Set<number>(zone);
  for (const node of near) {
    for (let at = offsets[node]; at < offsets[node + 1]; at++) {
      const start = neighbours[at];
      if (steps.allows[kinds[at]] === 0 || near.has(start)) continue;
      if (catalogue.isFixed(kinds[at], flags[at])) near.add(start);
    }
  }
  return NodeSet.of(context.graph.nodeCount, [...near]);
}

/**
 * Where steps from a node are worth going: on to the zone; and from a member of the zone, which has come there, on to the
 * zone of another forest only, through other members where they lead there. Most permissions are those of the zone itself, so that leaves most of them out.
 * @returns one byte a node; nothing for a node whose steps lead nowhere
 */
function usefulEnds(
  { context, steps, zone }: PlanGraphInput,
  realms: readonly NodeSet[],
): (start: number) => Uint8Array | undefined {
  const { graph, cancel } = context;
  const upstream = (targets: NodeSet, blocked?: NodeSet): Uint8Array => {
    const reached = reachableNodes(graph, targets, { direction: 'in', filter: steps, blocked, cancel });
    const bytes = new Uint8Array(graph.nodeCount);
    reached.forEach((node) => {
      bytes[node] = 1;
    });
    return bytes;
  };
  const outside = upstream(zone);
  /** By realm: what leads to the zone of another without leaving this one and coming through it again. */
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

/** @returns the forest or tenant of each environment: who has one domain of a forest has all of them */
function realmNames(context: AnalysisContext): readonly string[] {
  const known = context.use(domains);
  return context.use(environments).nodes.map((node) =>
    known.nodes.has(node)
      ? [...known.forestOf(node)]
          .map((domain) => objectIdOf(context.graph, domain))
          .sort()
          .join()
      : objectIdOf(context.graph, node),
  );
}

/** Members of the zone by forest or tenant. */
function realmsOf(context: AnalysisContext, zone: NodeSet): NodeSet[] {
  const { nodes, of } = context.use(environments);
  const names = realmNames(context);
  const placed = zone.filter((node) => of[node] < nodes.length);
  return [...Map.groupBy(placed, (node) => names[of[node]])]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, members]) => NodeSet.of(context.graph.nodeCount, members));
}

/** In each realm its own principals count, as in the exposures that are shown. */
function weighedRealms(
  context: AnalysisContext,
  realms: readonly NodeSet[],
  above: NodeSet,
  nodeCount: number,
): Realm[] {
  const { of, principals } = context.use(environments);
  const names = realmNames(context);
  const outside = principals.andNot(above);
  return realms.map((members) => {
    const targets = members.toArray();
    const name = names[of[targets[0]]];
    const own = outside.filter((node) => names[of[node]] === name);
    const weights = new Uint32Array(nodeCount);
    own.forEach((node) => {
      weights[node] = 1;
    });
    // The nodes of ways are none.
    return { targets, weights, counted: NodeSet.of(nodeCount, own) };
  });
}
