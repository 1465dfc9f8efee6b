/**
 * Incremental analysis of changed facts: rules with certainly unchanged results keep their edges, all others run again. The result equals
 * that of a full analysis.
 */
import { NO_NODE } from '@clew/graph';
import { edgeKindById, type Properties } from '@clew/model';
import type { AnalysisContext } from './analysisContext.ts';
import { type RuleRun, runRule } from './analyze.ts';
import type { DerivedKindEdges } from './derivedEdges.ts';
import { mayDeriveOtherwise, type Touched } from './touched.ts';

/** Called for each edge that a rule now derives differently. */
export type VisitDerived = (start: number, kind: number, end: number) => void;

/**
 * @param context context of the changed facts, as for `analyze`
 * @param before runs of all rules over the previous facts, none of them failed, with current node numbers
 * @param touched the differences in the facts
 * @returns undefined if a rule fails @throws CanceledError
 */
export function analyzeAgain(
  context: AnalysisContext,
  before: readonly RuleRun[],
  touched: Touched,
  visit: VisitDerived,
): readonly RuleRun[] | undefined {
  const kinds = new Set(touched.kinds);
  const runs: RuleRun[] = [];
  for (const run of before) {
    if (!mayDeriveOtherwise({ ...touched, kinds }, run.rule, context)) {
      for (const part of run.parts) context.addDerived(part);
      runs.push({ ...run, report: { ...run.report, ms: 0 } });
      continue;
    }
    const again = runRule(run.rule, context);
    if (again.report.status === 'failed') return undefined;
    for (const [place, part] of again.parts.entries()) {
      const isOther = visitDifference(run.parts[place], part, visit);
      if (isOther) kinds.add(edgeKindById(part.kind)?.name);
    }
    runs.push(again);
  }
  return runs;
}

/** @returns whether two parts of one kind differ */
function visitDifference(before: DerivedKindEdges, after: DerivedKindEdges, visit: VisitDerived): boolean {
  let isOther = false;
  let [old, made] = [0, 0];
  while (old < before.starts.length || made < after.starts.length) {
    const order = compareAt(before, old, after, made);
    const isSame =
      order === 0 &&
      before.flags[old] === after.flags[made] &&
      haveSameProperties(before.properties.get(old), after.properties.get(made));
    if (!isSame) {
      const [edges, at] = order <= 0 ? [before, old] : [after, made];
      visit(edges.starts[at], edges.kind, edges.ends[at]);
      isOther = true;
    }
    if (order <= 0) old++;
    if (order >= 0) made++;
  }
  return isOther;
}

/** Edges are ascending; a place past the end compares as greater than all others. */
function compareAt(a: DerivedKindEdges, at: number, b: DerivedKindEdges, its: number): number {
  if (at >= a.starts.length) return 1;
  if (its >= b.starts.length) return -1;
  return a.starts[at] - b.starts[its] || a.ends[at] - b.ends[its];
}

function haveSameProperties(a: Properties | undefined, b: Properties | undefined): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/**
 * Renumbers the nodes of runs, keeping the order. Edges of removed nodes are dropped.
 * @param numberOf maps previous node numbers to current ones, NO_NODE for removed nodes
 */
export function renumberRuns(runs: readonly RuleRun[], numberOf: Uint32Array): RuleRun[] {
  return runs.map((run) => ({ ...run, parts: run.parts.map((part) => renumberPart(part, numberOf)) }));
}

function renumberPart(
  { kind, starts, ends, flags, properties }: DerivedKindEdges,
  numberOf: Uint32Array,
): DerivedKindEdges {
  const moved = {
    starts: new Uint32Array(starts.length),
    ends: new Uint32Array(starts.length),
    flags: new Uint8Array(starts.length),
  };
  const kept = new Map<number, Properties>();
  let used = 0;
  for (let at = 0; at < starts.length; at++) {
    const [start, end] = [numberOf[starts[at]], numberOf[ends[at]]];
    if (start === NO_NODE || end === NO_NODE) continue;
    moved.starts[used] = start;
    moved.ends[used] = end;
    moved.flags[used] = flags[at];
    const own = properties.get(at);
    if (own !== undefined) kept.set(used, own);
    used++;
  }
  return {
    kind,
    starts: moved.starts.subarray(0, used),
    ends: moved.ends.subarray(0, used),
    flags: moved.flags.subarray(0, used),
    properties: kept,
  };
}

/** @returns flags and properties of a derived edge; undefined if no rule derives it */
export function derivedEdge(
  partOfKind: ReadonlyMap<number, DerivedKindEdges>,
  start: number,
  kind: number,
  end: number,
): { readonly flags: number; readonly properties: Properties | undefined } | undefined {
  const part = partOfKind.get(kind);
  if (part === undefined) return undefined;
  let low = 0;
  let high = part.starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((part.starts[middle] - start || part.ends[middle] - end) < 0) low = middle + 1;
    else high = middle;
  }
  if (part.starts[low] !== start || part.ends[low] !== end) return undefined;
  return { flags: part.flags[low], properties: part.properties.get(low) };
}
