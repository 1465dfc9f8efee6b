/**
 * Counts the principals that can reach an object over attack paths, by environment: those of its forest or tenant outside its zone. For a
 * whole zone, this is its exposure. Those of other forests, tenants and platforms are counted separately.
 *
 * Rule: `docs/findings.md#exposure-and-impact`.
 */
import { attackGraph, attackSteps } from '@clew/analysis';
import { NO_NODE, reachableNodes } from '@clew/graph';
import { environmentFinder, forestFinder } from '../combined/nodeEnvironment.ts';
import type { Meter } from '../meter.ts';
import { principalFinder } from '../principals.ts';
import { membersOfZones, type QueryData } from '../queryData.ts';

export interface ReachRequest {
  /** Node. */
  readonly object: number;
  /** Zones whose members do not count: that of the object, and more privileged ones. */
  readonly inside: readonly number[];
}

/** One entry per environment with counted principals, ascending by node. */
export interface ReachingPrincipals {
  /** Nodes of all environments in the forest, including those without principals. */
  readonly forest: Uint32Array;
  /** Nodes in the forest of the object. */
  readonly environments: Uint32Array;
  /** Number of principals that can reach the object. */
  readonly reaching: Uint32Array;
  /** Number of counted principals, whether or not they reach it, without the object itself. */
  readonly counted: Uint32Array;
  /** Nodes outside the forest, of environments with principals that can reach the object. */
  readonly others: Uint32Array;
  readonly othersReaching: Uint32Array;
}

/** @throws CanceledError */
export function reachingPrincipals(
  data: QueryData,
  { object, inside }: ReachRequest,
  meter: Meter,
): ReachingPrincipals {
  const graph = attackGraph(data.graph);
  // The meter cannot interrupt the traversal, so for a large graph it must run in a thread.
  meter.spend((graph.edgeCount + graph.nodeCount) >>> 3);
  const reached = reachableNodes(graph, [object], {
    ...{ direction: 'in', filter: attackSteps(graph) },
    ...(meter.cancel && { cancel: meter.cancel }),
  });
  const members = membersOfZones(data, inside);
  const environmentOf = environmentFinder(graph);
  const forestOf = forestFinder(graph);
  const own = environmentOf(object);
  const forest = own === NO_NODE ? NO_NODE : forestOf(own);
  const isPrincipal = principalFinder(graph, environmentOf);
  const counts = new Map<number, { reaching: number; counted: number }>();
  for (let node = 0; node < graph.nodeCount; node++) {
    if (node === object || ((members[node >>> 5] >>> (node & 31)) & 1) === 1) continue;
    const environment = environmentOf(node);
    if (environment === NO_NODE || !isPrincipal(node)) continue;
    const known = counts.get(environment) ?? { reaching: 0, counted: 0 };
    counts.set(environment, known);
    known.counted++;
    if (reached.has(node)) known.reaching++;
  }
  const isOfForest = (environment: number): boolean =>
    environment !== NO_NODE && forestOf(environment) === forest;
  const ofForest = (all: Iterable<number>): number[] => [...all].filter(isOfForest).sort((a, b) => a - b);
  const environments = ofForest(counts.keys());
  const others = [...counts.keys()]
    .filter((environment) => !isOfForest(environment) && (counts.get(environment)?.reaching ?? 0) > 0)
    .sort((a, b) => a - b);
  const column = (of: readonly number[], name: 'reaching' | 'counted'): Uint32Array =>
    Uint32Array.from(of, (environment) => counts.get(environment)?.[name] ?? 0);
  return {
    forest: Uint32Array.from(ofForest(new Set([own, ...graph.environmentOf]))),
    environments: Uint32Array.from(environments),
    reaching: column(environments, 'reaching'),
    counted: column(environments, 'counted'),
    others: Uint32Array.from(others),
    othersReaching: column(others, 'reaching'),
  };
}
