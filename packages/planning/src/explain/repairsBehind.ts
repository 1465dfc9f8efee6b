/** Finds the repairs that remove a relation or one of its ways. Evidence and the plan both use it, so they name the same repairs. */
import { type AnalysisContext, type EdgeRef, RULES, type Way } from '@clew/analysis';
import { findEdge, NO_EDGE, NodeSet } from '@clew/graph';
import { EdgeFlag, EdgeKind } from '@clew/model';
import { Alternatives } from '../relaxation/alternatives.ts';
import { type Labels, StepLabels } from '../relaxation/stepLabels.ts';
import type { RepairCatalog } from '../repairs/repairs.ts';
import { type Removal, removalOfWay, removingAlone, repairsIn } from './removal.ts';

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
  /** The repairs that remove each way of the relation. The only way of a collected relation is the relation itself. */
  readonly ofWays: readonly Removal[];
}

export function repairsAbout(context: AnalysisContext, catalog: RepairCatalog, edge: EdgeRef): RepairsAbout {
  const nobody = NodeSet.empty(context.graph.nodeCount);
  const labels = new StepLabels(context, catalog, { zone: nobody, groups: nobody, scope: 'all' });
  const ofWays = removalsOf(context, labels, edge);
  return {
    all: [...new Set(ofWays.flatMap(repairsIn))],
    removing: new Set(removingAlone({ allOf: ofWays })),
    ofWays,
  };
}

function removalsOf(context: AnalysisContext, labels: StepLabels, edge: EdgeRef): readonly Removal[] {
  const { start, kind, end } = edge;
  const matches = context.options.matches?.of(context.graph, edge);
  if (matches !== undefined) return [removalOfMatches(context, labels, edge, matches)];
  const ways = waysBehind(context, edge);
  if (ways === undefined) return [labels.ofEdge(start, kind, end, flagsOf(context, edge))];
  const input = { context, labels, alternatives: new Alternatives(context, labels) };
  return ways.map((way) => removalOfWay(input, way, start, end));
}

/** A derived edge of an extension: its own definition may have a repair, and each match of it is sufficient. */
function removalOfMatches(
  context: AnalysisContext,
  labels: StepLabels,
  edge: EdgeRef,
  matches: readonly (readonly EdgeRef[])[],
): Removal {
  const ofNeed = (need: EdgeRef): Removal => {
    const behind = context.options.matches?.of(context.graph, need);
    return behind === undefined ? ofRelation(need) : removalOfMatches(context, labels, need, behind);
  };
  const ofRelation = (relation: EdgeRef): Labels =>
    labels.ofRelation(relation.start, relation.kind, relation.end, flagsOf(context, relation));
  return { anyOf: [ofRelation(edge), { allOf: matches.map((needs) => ({ anyOf: needs.map(ofNeed) })) }] };
}

function flagsOf({ graph }: AnalysisContext, { start, kind, end }: EdgeRef): number {
  const number = findEdge(graph, start, kind, end);
  return number === NO_EDGE ? 0 : graph.out.flags[number];
}

function holds(starts: Iterable<number>, start: number): boolean {
  for (const one of starts) if (one === start) return true;
  return false;
}
