/**
 * Computes the analyzed graph after a change of facts: only the rules that read changed facts, and the rules that depend on those, run
 * again; edges of all other rules are kept.
 */
import {
  AnalysisContext,
  allReads,
  analyze,
  type DerivedKindEdges,
  type EdgeRef,
  giveBackGraph,
  type Kept,
  looksAt,
  mayDeriveOtherwise,
  type Origin,
  orderRules,
  RULES,
  type Rule,
  type RuleRun,
  type Touched,
} from '@clew/analysis';
import {
  type AttackGraph,
  changeEdges,
  Drop,
  type EdgeChanges,
  findEdge,
  KIND_COUNT,
  type NewEdge,
  NO_EDGE,
  NodeSet,
  visitKinds,
  withoutKinds,
} from '@clew/graph';
import { EdgeFlag, EdgeKind, type EdgeKindName, edgeKindById } from '@clew/model';
import type { PropertyChange } from '../repairs/settings.ts';

export interface Change {
  readonly removed?: readonly EdgeRef[];
  readonly added?: readonly NewEdge[];
  readonly properties?: readonly PropertyChange[];
  /** Edges removed by earlier changes, which rules do not restore. */
  readonly removedBefore?: readonly EdgeRef[];
}

export interface ChangedAnalysis {
  readonly context: AnalysisContext;
  /** The differences from the previous facts. */
  readonly touched: Touched;
  /** Added and removed edges, including derived ones. */
  readonly edges: readonly EdgeRef[];
  /** Graphs that the context references. */
  readonly graphs: readonly AttackGraph[];
}

/** @param analyzed context of the graph with its derived edges @throws CanceledError, the error of a rule */
export function applyChange(
  analyzed: AnalysisContext,
  { removed = [], added = [], properties = [], removedBefore = [] }: Change,
  rules: readonly Rule[] = RULES,
): ChangedAnalysis {
  const { graph, edgeProperties, options } = analyzed;
  const cancelNow = () => analyzed.cancel;
  const changed = properties.length === 0 ? analyzed.properties : analyzed.properties.changed(properties);
  const kinds = new Set([...removed, ...added].map(({ kind }) => edgeKindById(kind)?.name));
  const keys = new Set(properties.map(({ key }) => key));
  const { affected, touched } = affectedRules(analyzed, rules, { kinds, keys });
  const made = new Set(affected.flatMap(({ produces }) => produces));
  const drops = new Uint8Array(KIND_COUNT);
  for (const name of made) drops[EdgeKind[name]] = Drop.flagged;
  const input = { properties: changed, edgeProperties, options, cancelNow };
  if (affected.length === 0) return changedBy({ removed, added });
  const { edges: read } = allReads(...affected.map(({ reads }) => reads));
  // Rules that do not read each other's edges can run on a graph that still has these edges.
  const isApart = [...made].every((kind) => !read.has(kind));
  const kept = isApart ? graph : factsFor(analyzed, dropsFor(read, drops));
  const isWhole = (kind: EdgeKindName): boolean => !made.has(kind) && (isApart || read.has(kind));
  const facts = new AnalysisContext({
    ...input,
    graph: changeEdges(kept, { removed, added }),
    origin: originOf(analyzed, touched, {
      edges: [...removed, ...added],
      isKnown: isWhole,
    }),
  });
  const derived = analyze(facts, affected, amongOf(analyzed, affected));
  const broken = derived.perRule.find(({ status }) => status === 'failed');
  if (broken !== undefined) throw broken.error;
  const moved = compare(graph, derived.runs);
  // Explicitly removed edges stay removed even if a rule derives them.
  const gone = new Set([...removedBefore, ...removed].map(keyOf));
  return changedBy(
    {
      removed: [...removed, ...moved.gone],
      added: [...added, ...moved.come.filter((edge) => !gone.has(keyOf(edge)))],
    },
    // Structures that read no derived edges, such as transitive memberships, are already computed for these facts.
    { context: facts, isSame: (reads) => [...allReads(reads).edges].every(isWhole) },
    isApart && moved.gone.length === 0 && moved.come.length === 0 ? facts.graph : undefined,
  );

  function changedBy(
    changes: Required<EdgeChanges>,
    nearOrigin?: Origin,
    known?: AttackGraph,
  ): ChangedAnalysis {
    const edges = [...changes.removed, ...changes.added];
    // If a rule derives the same edges again, its readers do not change.
    const different = { keys, kinds: new Set(edges.map(({ kind }) => edgeKindById(kind)?.name)) };
    const origin = originOf(analyzed, different, { edges });
    const after = known ?? changeEdges(graph, changes);
    const context = new AnalysisContext({
      ...input,
      ...{ graph: after, origin },
      ...(nearOrigin && { nearOrigin }),
    });
    const graphs = nearOrigin === undefined ? [after] : [after, nearOrigin.context.graph];
    return { context, touched: different, edges, graphs };
  }
}

/** Memo of reduced graphs, keyed by their edge kinds: most changes are of few kinds, and each kind runs the same rules. */
const FACTS: Kept<string, AttackGraph> = { name: 'facts for rules', max: 2 };

/** @returns the graph without edges that rules derive again, and without edges that they do not read */
const factsFor = ({ graph, memory }: AnalysisContext, drops: Uint8Array): AttackGraph =>
  memory.use(FACTS, keyOfDrops(drops), () => withoutKinds(graph, drops, EdgeFlag.Derived));

/** Facts, and the graphs that they reference. */
export interface ReadGraphs {
  readonly context: AnalysisContext;
  /** Default: the graph of the facts. */
  readonly graphs?: readonly AttackGraph[];
}

/**
 * Ends the use of changed facts and recycles the memory of their graphs. The garbage collector does not account for that memory, and would
 * keep it for minutes. @param kept facts still in use
 */
export function endFacts(ended: ReadGraphs, kept: readonly ReadGraphs[]): void {
  const used = new Set(kept.flatMap(graphsOf));
  for (const graph of new Set(graphsOf(ended))) if (!used.has(graph)) giveBackGraph(graph);
  ended.context.memory.end();
}

const graphsOf = ({ context, graphs = [context.graph] }: ReadGraphs): AttackGraph[] => [
  ...graphs,
  ...context.memory.valuesOf(FACTS),
];

function keyOfDrops(drops: Uint8Array): string {
  const kinds: string[] = [];
  for (let kind = 0; kind < drops.length; kind++)
    if (drops[kind] !== Drop.all) kinds.push(`${kind}:${drops[kind]}`);
  return kinds.join();
}

/** Rules need only the edges that they read: a small part of a large graph. */
function dropsFor(read: ReadonlySet<EdgeKindName>, made: Uint8Array): Uint8Array {
  const numbers = new Set<number>([...read].map((name) => EdgeKind[name]));
  return made.map((drop, kind) => (numbers.has(kind) ? drop : Drop.all));
}

/** @returns ends of edges that a rule may derive differently from the analyzed graph; undefined if all its edges are needed */
function amongOf(
  { graph, origin }: AnalysisContext,
  affected: readonly Rule[],
): (rule: Rule, facts: AnalysisContext) => NodeSet | undefined {
  const { edges: read } = allReads(...affected.map(({ reads }) => reads));
  return (rule, facts) => {
    if (rule.changedEnds === undefined || rule.produces.some((kind) => read.has(kind))) return undefined;
    // The rule compares with the first graph of a series, from which the analyzed graph may already differ.
    const before = origin === undefined ? [] : origin.differences?.(rule.produces);
    const ends = before && rule.changedEnds(facts);
    return ends?.or(
      NodeSet.of(
        graph.nodeCount,
        before!.map(({ end }) => end),
      ),
    );
  };
}

/** The first facts of a series of changes represent everything that no change affected, so intermediate facts are not kept. */
function originOf(
  analyzed: AnalysisContext,
  touched: Touched,
  {
    edges,
    isKnown,
  }: { readonly edges: readonly EdgeRef[]; readonly isKnown?: (kind: EdgeKindName) => boolean },
): Origin {
  const { context, isSame, differences } = analyzed.origin ?? {
    ...{ context: analyzed, isSame: () => true, differences: () => [] },
  };
  return {
    context,
    isSame: (reads) => isSame(reads) && !looksAt(touched, reads),
    differences: (kinds) => {
      const areKnown = isKnown === undefined || kinds?.every(isKnown) === true;
      const before = areKnown ? differences?.(kinds) : undefined;
      const numbers = kinds && new Set<number>(kinds.map((kind) => EdgeKind[kind]));
      return before && [...before, ...edges.filter(({ kind }) => numbers?.has(kind) !== false)];
    },
  };
}

const keyOf = ({ start, kind, end }: EdgeRef): string => `${start} ${kind} ${end}`;

/** @returns the rules that may derive different edges, in order, and the facts that these may change in turn */
function affectedRules(
  analyzed: AnalysisContext,
  rules: readonly Rule[],
  { kinds, keys }: Touched,
): { readonly affected: readonly Rule[]; readonly touched: Touched } {
  const moved = new Set(kinds);
  const touched = { kinds: moved, keys };
  const affected: Rule[] = [];
  for (const rule of orderRules(rules)) {
    if (!mayDeriveOtherwise(touched, rule, analyzed)) continue;
    affected.push(rule);
    for (const kind of rule.produces) moved.add(kind);
  }
  return { affected, touched };
}

interface Differences {
  /** Derived edges that no longer hold. */
  readonly gone: EdgeRef[];
  readonly come: NewEdge[];
}

/** @returns differences between the edges that the rules derived and those of the graph */
function compare(graph: AttackGraph, runs: readonly RuleRun[]): Differences {
  const differences: Differences = { gone: [], come: [] };
  const whole = runs.filter(({ among }) => among === undefined).flatMap(({ parts }) => parts);
  compareAll(graph, whole, differences);
  for (const { parts, among } of runs)
    if (among !== undefined) for (const part of parts) compareAmong(graph, part, among, differences);
  return differences;
}

/** Merge join: both lists are sorted by start and end. */
function compareAll(
  { out }: AttackGraph,
  parts: readonly DerivedKindEdges[],
  { gone, come }: Differences,
): void {
  const cursors = new Map(parts.map((part) => [part.kind, { part, next: 0 }]));
  visitKinds(out, [...cursors.keys()], (start, at) => {
    const [kind, end] = [out.kinds[at], out.neighbors[at]];
    const cursor = cursors.get(kind)!;
    const { starts, ends } = cursor.part;
    let order = -1;
    while (cursor.next < starts.length) {
      order = starts[cursor.next] - start || ends[cursor.next] - end;
      if (order >= 0) break;
      come.push(newEdge(cursor.part, cursor.next++));
    }
    if (cursor.next < starts.length && order === 0) cursor.next++;
    else if ((out.flags[at] & EdgeFlag.Derived) !== 0) gone.push({ start, kind, end });
  });
  for (const { part, next } of cursors.values())
    for (let at = next; at < part.starts.length; at++) come.push(newEdge(part, at));
}

/** Edges that end at other nodes are unchanged. */
function compareAmong(
  graph: AttackGraph,
  part: DerivedKindEdges,
  among: NodeSet,
  { gone, come }: Differences,
): void {
  const { kind, starts, ends } = part;
  const derived = new Set<number>();
  for (let at = 0; at < starts.length; at++) {
    if (!among.has(ends[at])) continue;
    derived.add(starts[at] * graph.nodeCount + ends[at]);
    if (findEdge(graph, starts[at], kind, ends[at]) === NO_EDGE) come.push(newEdge(part, at));
  }
  const { offsets, neighbors, kinds, flags } = graph.in;
  among.forEach((end) => {
    for (let at = offsets[end]; at < offsets[end + 1]; at++) {
      if (kinds[at] !== kind || (flags[at] & EdgeFlag.Derived) === 0) continue;
      if (!derived.has(neighbors[at] * graph.nodeCount + end)) gone.push({ start: neighbors[at], kind, end });
    }
  });
}

const newEdge = ({ kind, starts, ends, flags }: DerivedKindEdges, at: number): NewEdge => ({
  ...{ start: starts[at], kind, end: ends[at], flags: flags[at] },
});
