/**
 * Reachability for findings: the condensation of all attack steps along the edges, and condensations against the edges that do not pass
 * through a zone. They are built only from columns of the graph, so another thread can do it.
 */
import {
  type AttackGraph,
  type Cancel,
  type Condensation,
  condense,
  type EdgeFilter,
  type NodeSet,
  selectSteps,
} from '@clew/graph';
import { attackGraph } from '../attackGraph.ts';
import { attackSteps } from './attackSteps.ts';
import { type FindingZone, ZoneRanks } from './zoneRanks.ts';

export interface ReachQuestion {
  readonly graph: AttackGraph;
  readonly steps: EdgeFilter;
  /** Nodes that paths may not pass through, by rank of the zone. */
  readonly blocked: ReadonlyMap<number, NodeSet>;
  /** Groups of nearly everyone. */
  readonly everybody: NodeSet;
  readonly cancel?: Cancel;
}

export interface Reach {
  readonly forward: Condensation;
  /** Indexed by rank of the zone. */
  readonly upstream: ReadonlyMap<number, Condensation>;
  /** Like `forward`, but without passing through groups of nearly everyone. */
  readonly beyondEverybody: Condensation;
}

/**
 * @param everybody groups of nearly everyone
 * @returns the reachability question for the findings of these zones
 */
export function reachQuestion(
  graph: AttackGraph,
  zones: readonly FindingZone[],
  everybody: NodeSet,
): ReachQuestion {
  const ranks = new ZoneRanks(graph.nodeCount, zones);
  const analyzed = ranks.zones.flatMap(({ analyzed: isAsked }, at) => (isAsked ? [at + 1] : []));
  return {
    graph: attackGraph(graph),
    steps: attackSteps(graph),
    blocked: new Map(analyzed.map((rank) => [rank, ranks.atOrAbove(rank)])),
    everybody,
  };
}

/** @throws CanceledError */
export function findReach({ graph, steps, blocked, everybody, cancel }: ReachQuestion): Reach {
  const forward = condenseForward(graph, steps, cancel);
  const upstream = new Map(
    [...blocked].map(([rank, nodes]) => [rank, condenseUpstream(graph, steps, nodes, cancel)]),
  );
  return { forward, upstream, beyondEverybody: condenseForward(graph, steps, cancel, everybody) };
}

export function condenseForward(
  graph: AttackGraph,
  filter: EdgeFilter,
  cancel: Cancel | undefined,
  blocked?: NodeSet,
): Condensation {
  return condense(selectSteps(graph, { filter, blocked, cancel }), cancel);
}

export function condenseUpstream(
  graph: AttackGraph,
  filter: EdgeFilter,
  blocked: NodeSet | undefined,
  cancel: Cancel | undefined,
): Condensation {
  return condense(selectSteps(graph, { direction: 'in', filter, blocked, cancel }), cancel);
}
