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
import { exposedPrincipals } from './exposures.ts';
import { isGivenGroup } from './packageFacts.ts';
import { RepairCatalogue, ruleKinds } from './repairs.ts';
import { type AnalysedWorld, rankedZone } from './simulate.ts';

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
  const { members, above } = ranked;
  const counted = exposedPrincipals(context, attackSteps(), { zone: members, above }, context.cancel);
  const steps = selectSteps(context.attackGraph, {
    direction: 'in',
    filter: attackSteps(),
    cancel: context.cancel,
  });
  const tree = findDominators(steps, members, context.cancel);
  const counts = countDominated(tree, counted);
  const outside = NodeSet.of(context.graph.nodeCount, tree.order).andNot(members);
  const order = [...outside].sort((a, b) => counts[b] - counts[a] || a - b);
  const entries = findOnlyEntries(tree);
  const all = order.filter((node) => entries.has(node) && counts[node] > 0);
  const isFixed = fixedRelations(context);
  const relations = withFixed ? all : all.filter((node) => !isFixed(node, tree.dominatorOf[node]));
  return {
    exposed: counted.size,
    // A principal is on its own way; that says nothing.
    nodes: order
      .map((node) => ({ node, count: counts[node] - (counted.has(node) ? 1 : 0) }))
      .filter((point) => point.count > 0)
      .slice(0, count),
    relations: relations
      .slice(0, count)
      .map((node) => ({ start: node, end: tree.dominatorOf[node], count: counts[node] })),
    leftOut: all.length - relations.length,
  };
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
