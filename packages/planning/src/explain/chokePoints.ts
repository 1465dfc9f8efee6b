/**
 * Choke points of a zone: objects and relations that all attack paths of some principals into the zone pass through, with the number of
 * these principals.
 *
 * Rule: `docs/plan.md#choke-points`.
 */
import { type AnalysisContext, attackSteps } from '@clew/analysis';
import { addCount, countDominated, findDominators, findOnlyEntries, NodeSet, selectSteps } from '@clew/graph';
import { EdgeKind } from '@clew/model';
import { isGivenGroup, isOfSynchronization } from '../repairs/possibleChanges.ts';
import { RepairCatalog, ruleKinds } from '../repairs/repairs.ts';
import { forestExposures } from '../simulation/exposures.ts';
import { type AnalyzedWorld, type RankedZone, rankedZone } from '../simulation/simulate.ts';

export interface ChokePoints {
  /** Principals outside the zone that can reach it within their forest. */
  readonly exposed: number;
  readonly nodes: readonly { readonly node: number; readonly count: number }[];
  /** Relations from `start` to `end`, all kinds together. */
  readonly relations: readonly { readonly start: number; readonly end: number; readonly count: number }[];
  /** Relations that cannot be changed, such as memberships that Windows computes. Excluded by default. */
  readonly leftOut: number;
}

export interface ChokePointOptions {
  /** Maximum number of objects and of relations. */
  readonly count: number;
  /** Includes relations that cannot be changed. */
  readonly withFixed?: boolean;
  /** Places of the environments to include; a forest without any of them is skipped; default: all. */
  readonly environments?: ReadonlySet<number>;
  /** Neither these objects nor their relations are returned. */
  readonly hidden?: NodeSet;
}

/** @returns undefined if the zone does not exist @throws CanceledError */
export function chokePoints(
  world: AnalyzedWorld,
  zone: number,
  { count, withFixed = false, environments, hidden }: ChokePointOptions,
): ChokePoints | undefined {
  const { context } = world;
  const ranked = rankedZone(world, zone);
  if (ranked === undefined) return undefined;
  const found = dominatedBy(context, ranked, environments);
  const isShown = (node: number): boolean => hidden?.has(node) !== true;
  const objects = [...found.objects]
    .filter(([node]) => isShown(node))
    .map(([node, principals]) => ({ node, count: principals }));
  const all = [...found.relations.values()]
    .filter(({ start, end }) => isShown(start) && isShown(end))
    .sort((a, b) => b.count - a.count || a.start - b.start || a.end - b.end);
  const isFixed = fixedRelations(context);
  const relations = withFixed ? all : all.filter(({ start, end }) => !isFixed(start, end));
  return {
    exposed: found.exposed,
    nodes: objects.sort((a, b) => b.count - a.count || a.node - b.node).slice(0, count),
    relations: relations.slice(0, count),
    leftOut: all.length - relations.length,
  };
}

interface Dominated {
  exposed: number;
  /** Indexed by node. */
  readonly objects: Map<number, number>;
  /** Keyed by start and end. */
  readonly relations: Map<string, { readonly start: number; readonly end: number; readonly count: number }>;
}

/** Processes one forest at a time: paths of its principals to the members of the zone in the same forest, as in exposure. */
function dominatedBy(
  context: AnalysisContext,
  { members, above }: RankedZone,
  asked: ReadonlySet<number> | undefined,
): Dominated {
  const { attackGraph, cancel } = context;
  const found: Dominated = { exposed: 0, objects: new Map(), relations: new Map() };
  const steps = selectSteps(attackGraph, { direction: 'in', filter: attackSteps(attackGraph), cancel });
  const forests = forestExposures(context, { zone: members, above }, cancel);
  for (const { environments, members: own, counted: outside, upstream } of forests) {
    if (asked !== undefined && !environments.every((environment) => asked.has(environment))) continue;
    const counted = upstream.and(outside);
    if (counted.isEmpty) continue;
    found.exposed += counted.size;
    const tree = findDominators(steps, own, cancel);
    const counts = countDominated(tree, counted);
    const entries = findOnlyEntries(tree);
    for (const node of NodeSet.of(context.graph.nodeCount, tree.order).andNot(members)) {
      // A principal does not count as a choke point of its own path.
      const others = counts[node] - (counted.has(node) ? 1 : 0);
      if (others > 0) addCount(found.objects, node, others);
      if (counts[node] === 0 || !entries.has(node)) continue;
      const end = tree.dominatorOf[node];
      const key = `${node} ${end}`;
      const before = found.relations.get(key)?.count ?? 0;
      found.relations.set(key, { start: node, end, count: before + counts[node] });
    }
  }
  return found;
}

/** @returns whether a relation between two nodes is permanent; a pair of nodes is removable only as a whole */
function fixedRelations(context: AnalysisContext): (start: number, end: number) => boolean {
  const { graph } = context;
  const { offsets, neighbors, kinds, flags } = graph.out;
  const { allows } = attackSteps(graph);
  const catalog = new RepairCatalog(context, ruleKinds());
  return (start, end) => {
    for (let at = offsets[start]; at < offsets[start + 1]; at++) {
      if (neighbors[at] !== end || allows[kinds[at]] === 0) continue;
      if (catalog.isFixed(kinds[at], end, flags[at])) return true;
      if (kinds[at] === EdgeKind.MemberOf && isGivenGroup(graph, end)) return true;
      if (isOfSynchronization(context, start, kinds[at])) return true;
    }
    return false;
  };
}
