/**
 * Choke points of a zone: objects and relations that every attack path of some principals into the zone runs through, with
 * how many principals that are.
 *
 * Rule: `docs/plan.md#choke-points`.
 */
import { countDominated, findDominators, findOnlyEntries, NodeSet, selectSteps } from '@clew/graph';
import { EdgeKind } from '@clew/model';
import type { AnalysisContext } from '../analysisContext.ts';
import { attackSteps } from '../findings/attackSteps.ts';
import { environments } from '../findings/environments.ts';
import { exposedPrincipals } from './exposures.ts';
import { isGivenGroup } from './packageFacts.ts';
import { RepairCatalogue, ruleKinds } from './repairs.ts';
import { type AnalysedWorld, type RankedZone, rankedZone } from './simulate.ts';

export interface ChokePoints {
  /** Principals outside the zone that reach it in their environment. */
  readonly exposed: number;
  readonly nodes: readonly { readonly node: number; readonly count: number }[];
  /** Relations from `start` to `end`: all kinds between them go together. */
  readonly relations: readonly { readonly start: number; readonly end: number; readonly count: number }[];
  /** Relations that no one can change, such as memberships that Windows makes: not among them unless asked for. */
  readonly leftOut: number;
}

export interface ChokePointOptions {
  /** Of each at most. */
  readonly count: number;
  /** Relations that no one can change as well. */
  readonly withFixed?: boolean;
}

/** @returns nothing for a zone that is not there @throws CancelledError */
export function chokePoints(
  world: AnalysedWorld,
  zone: number,
  { count, withFixed = false }: ChokePointOptions,
): ChokePoints | undefined {
  const { context } = world;
  const ranked = rankedZone(world, zone);
  if (ranked === undefined) return undefined;
  const found = dominatedBy(context, ranked);
  const objects = [...found.objects].map(([node, principals]) => ({ node, count: principals }));
  const all = [...found.relations.values()].sort(
    (a, b) => b.count - a.count || a.start - b.start || a.end - b.end,
  );
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
  /** By node. */
  readonly objects: Map<number, number>;
  /** By both ends. */
  readonly relations: Map<string, { readonly start: number; readonly end: number; readonly count: number }>;
}

/** Environment by environment: the paths of its principals to the members of the zone in it, as exposure counts them. */
function dominatedBy(context: AnalysisContext, { members, above }: RankedZone): Dominated {
  const { attackGraph, cancel } = context;
  const { nodes, of } = context.use(environments);
  const found: Dominated = { exposed: 0, objects: new Map(), relations: new Map() };
  const all = exposedPrincipals(context, attackSteps(), { zone: members, above }, cancel);
  const steps = selectSteps(attackGraph, { direction: 'in', filter: attackSteps(), cancel });
  for (const environment of nodes.keys()) {
    const counted = all.filter((node) => of[node] === environment);
    if (counted.isEmpty) continue;
    found.exposed += counted.size;
    const own = members.filter((node) => of[node] === environment);
    const tree = findDominators(steps, own, cancel);
    const counts = countDominated(tree, counted);
    const entries = findOnlyEntries(tree);
    for (const node of NodeSet.of(context.graph.nodeCount, tree.order).andNot(members)) {
      // A principal is on its own way; that says nothing.
      const others = counts[node] - (counted.has(node) ? 1 : 0);
      if (others > 0) found.objects.set(node, (found.objects.get(node) ?? 0) + others);
      if (counts[node] === 0 || !entries.has(node)) continue;
      const end = tree.dominatorOf[node];
      const key = `${node} ${end}`;
      const before = found.relations.get(key)?.count ?? 0;
      found.relations.set(key, { start: node, end, count: before + counts[node] });
    }
  }
  return found;
}

/** @returns whether one of the relations between two nodes stays whatever anyone does: all of them go together, or none */
function fixedRelations(context: AnalysisContext): (start: number, end: number) => boolean {
  const { graph } = context;
  const { offsets, neighbours, kinds, flags } = graph.out;
  const { allows } = attackSteps();
  const catalogue = new RepairCatalogue(context, ruleKinds());
  return (start, end) => {
    for (let at = offsets[start]; at < offsets[start + 1]; at++) {
      if (neighbours[at] !== end || allows[kinds[at]] === 0) continue;
      if (catalogue.isFixed(kinds[at], flags[at])) return true;
      if (kinds[at] === EdgeKind.MemberOf && isGivenGroup(graph, end)) return true;
    }
    return false;
  };
}
