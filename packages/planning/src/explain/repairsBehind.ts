/** Finds the repairs that remove a relation or one of its ways. Evidence and the plan both use it, so they name the same repairs. */
import { type AnalysisContext, type EdgeRef, type HeldRight, needsOf, RULES, type Way } from '@clew/analysis';
import { findEdge, NO_EDGE, NodeSet } from '@clew/graph';
import { EdgeFlag, EdgeKind, edgeKindById } from '@clew/model';
import { Alternatives } from '../relaxation/alternatives.ts';
import { type Labels, StepLabels } from '../relaxation/stepLabels.ts';
import type { RepairCatalog } from '../repairs/repairs.ts';

/** The ways of a derived relation. @returns undefined if its rule defines no ways or the relation was collected */
export function waysBehind(context: AnalysisContext, { start, kind, end }: EdgeRef): Way[] | undefined {
  const number = findEdge(context.graph, start, kind, end);
  if (number !== NO_EDGE && (context.graph.out.flags[number] & EdgeFlag.Derived) === 0) return undefined;
  const rule = RULES.find(
    ({ produces, ways }) => ways !== undefined && produces.some((name) => EdgeKind[name] === kind),
  );
  if (rule?.ways === undefined) return undefined;
  const found: Way[] = [];
  for (const way of rule.ways(context.readingFor(rule.name, rule.reads)))
    if (EdgeKind[way.kind] === kind && !way.isHidden && way.ends.includes(end) && holds(way.starts, start))
      found.push(way);
  return found;
}

/** @returns the numbers of the repairs, settings first */
export const repairsBehind = (context: AnalysisContext, catalog: RepairCatalog, edge: EdgeRef): number[] =>
  repairsAbout(context, catalog, edge).all;

/** Numbers of repairs. */
export interface RepairsAbout {
  /** Repairs of settings first. */
  readonly all: number[];
  /** Repairs that each remove the relation alone, because they remove each of its ways. */
  readonly removing: ReadonlySet<number>;
  /**
   * For each way of the relation, the repairs that each remove this way alone. The only way of a collected relation is the
   * relation itself.
   */
  readonly ofWays: readonly ReadonlySet<number>[];
}

export function repairsAbout(context: AnalysisContext, catalog: RepairCatalog, edge: EdgeRef): RepairsAbout {
  const nobody = NodeSet.empty(context.graph.nodeCount);
  const labels = new StepLabels(context, catalog, { zone: nobody, groups: nobody, scope: 'all' });
  const { start, kind, end } = edge;
  const number = findEdge(context.graph, start, kind, end);
  const flags = number === NO_EDGE ? 0 : context.graph.out.flags[number];
  const matches = context.options.matches?.of(context.graph, edge);
  if (matches !== undefined)
    return {
      all: [...new Set(ofMatches(context, labels, edge, matches))],
      ...removingAll([new Set(labels.ofRelation(start, kind, end, flags))]),
    };
  const ways = waysBehind(context, edge);
  if (ways === undefined) {
    const all = [...labels.ofEdge(start, kind, end, flags)];
    return { all, ...removingAll([new Set(all)]) };
  }
  const alternatives = new Alternatives(context, labels);
  const found = new Set<number>();
  const ofWays: Set<number>[] = [];
  for (const way of ways) {
    const ofWay = new Set(needsOf(way, end).flatMap((need) => [...labels.ofNeed(need)]));
    ofWays.push(ofWay);
    for (const place of ofWay) found.add(place);
    for (const each of heldBehind(context, alternatives, labels, way, edge))
      for (const place of each) found.add(place);
  }
  return { all: [...found], ...removingAll(ofWays) };
}

function removingAll(ofWays: readonly ReadonlySet<number>[]): Pick<RepairsAbout, 'removing' | 'ofWays'> {
  const [first = [], ...others] = ofWays;
  return {
    removing: new Set([...first].filter((place) => others.every((ofWay) => ofWay.has(place)))),
    ofWays,
  };
}

/** Repairs of a derived edge, if its definition has one, and of everything from which it is derived. */
function* ofMatches(
  context: AnalysisContext,
  labels: StepLabels,
  { start, kind, end }: EdgeRef,
  matches: readonly (readonly EdgeRef[])[],
): Generator<number> {
  const { graph } = context;
  yield* labels.ofRelation(start, kind, end, graph.out.flags[findEdge(graph, start, kind, end)]);
  for (const needs of matches)
    for (const need of needs) {
      const behind = context.options.matches?.of(graph, need);
      if (behind !== undefined) yield* ofMatches(context, labels, need, behind);
      else {
        const number = findEdge(graph, need.start, need.kind, need.end);
        if (number !== NO_EDGE)
          yield* labels.ofRelation(need.start, need.kind, need.end, graph.out.flags[number]);
      }
    }
}

function* heldBehind(
  context: AnalysisContext,
  alternatives: Alternatives,
  labels: StepLabels,
  { rights = [], endRights = [], victims, someone }: Way,
  { start, end }: EdgeRef,
): Generator<Labels> {
  const of = (node: number, right: HeldRight): readonly Labels[] =>
    alternatives.of(node, alternatives.held(right));
  for (const right of endRights) yield* of(end, right);
  if (someone !== undefined)
    yield* alternatives.ofSomeone(someone.nodes, someone.except, alternatives.held(someone.right));
  if (victims === undefined) {
    for (const right of rights) yield* of(start, right);
    return;
  }
  const controlled: { readonly node: number; readonly kind: number }[] = [];
  context.edges(...victims.control).outOf(start, (node, kind) => {
    if (victims.nodes.has(node)) controlled.push({ node, kind });
  });
  for (const { node, kind } of controlled) {
    const name = victims.control.find((each) => each === edgeKindById(kind)?.name);
    if (name !== undefined) yield labels.ofNeed({ start, kind: name, end: node });
    for (const right of rights) yield* of(node, right);
  }
}

function holds(starts: Iterable<number>, start: number): boolean {
  for (const one of starts) if (one === start) return true;
  return false;
}
