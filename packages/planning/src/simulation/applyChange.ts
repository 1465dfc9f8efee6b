/**
 * Computes the analyzed graph after a change of facts: the rules that read the changed facts, and those that build on them, are run again
 * over the changed facts; the edges of all others stay.
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
  /** Removed by changes before it: rules do not bring them back. */
  readonly removedBefore?: readonly EdgeRef[];
}

export interface ChangedAnalysis {
  readonly context: AnalysisContext;
  /** The differences from before. */
  readonly touched: Touched;
  /** Edges that came or went, derived ones included. */
  readonly edges: readonly EdgeRef[];
  /** Graphs that the context reads. */
  readonly graphs: readonly AttackGraph[];
}

/** @param analyzed over the graph with its derived edges @throws CanceledError, the error of a rule */
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
  // Rules that read no edges of each other need not be kept from those that they made before.
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
  // Edges that were removed explicitly stay removed, whatever the rules derive.
  const gone = new Set([...removedBefore, ...removed].map(keyOf));
  return changedBy(
    {
      removed: [...removed, ...moved.gone],
      added: [...added, ...moved.come.filter((edge) => !gone.has(keyOf(edge)))],
    },
    // Structures that read no derived edges are computed for them already: memberships, at any depth.
    { context: facts, isSame: (reads) => [...allReads(reads).edges].every(isWhole) },
    isApart && moved.gone.length === 0 && moved.come.length === 0 ? facts.graph : undefined,
  );

  function changedBy(
    changes: Required<EdgeChanges>,
    nearOrigin?: Origin,
    known?: AttackGraph,
  ): ChangedAnalysis {
    const edges = [...changes.removed, ...changes.added];
    // Rules that were run again and said the same have touched nothing.
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

/** Graphs for questions about a graph, keyed by the kinds that they have: most changes are of a few kinds, each with the same rules. */
const FACTS: Kept<string, AttackGraph> = { name: 'facts for rules', max: 2 };

/** @returns the graph without the edges that rules make again, and those that they do not read */
const factsFor = ({ graph, memory }: AnalysisContext, drops: Uint8Array): AttackGraph =>
  memory.use(FACTS, keyOfDrops(drops), () => withoutKinds(graph, drops, EdgeFlag.Derived));

/** Facts, and the graphs that they read. */
export interface ReadGraphs {
  readonly context: AnalysisContext;
  /** Default: the graph of the facts. */
  readonly graphs?: readonly AttackGraph[];
}

/**
 * Ends the use of changed facts, and gives back the memory of their graphs: it serves the next ones. The garbage collector sees that memory as
 * free of charge, and would leave it for minutes. @param kept facts that are read further
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

/** Rules need the edges that they read: a small part of a large graph. */
function dropsFor(read: ReadonlySet<EdgeKindName>, made: Uint8Array): Uint8Array {
  const numbers = new Set<number>([...read].map((name) => EdgeKind[name]));
  return made.map((drop, kind) => (numbers.has(kind) ? drop : Drop.all));
}

/** @returns where edges of a rule end that may be others than in the analyzed graph; nothing where all edges are needed */
function amongOf(
  { graph, origin }: AnalysisContext,
  affected: readonly Rule[],
): (rule: Rule, facts: AnalysisContext) => NodeSet | undefined {
  const { edges: read } = allReads(...affected.map(({ reads }) => reads));
  return (rule, facts) => {
    if (rule.changedEnds === undefined || rule.produces.some((kind) => read.has(kind))) return undefined;
    // The rule compares with the first graph of a series, from which the analyzed one may differ already.
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

/** The first of a series of changes represents everything that none of them moved, so that those between need not be kept. */
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

/** @returns the rules that may derive other edges, in their order, and the facts that these may change in turn */
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
  /** Derived edges that are no more. */
  readonly gone: EdgeRef[];
  readonly come: NewEdge[];
}

/** @returns the differences of the derived edges from those of the graph, as far as the rules derived them */
function compare(graph: AttackGraph, runs: readonly RuleRun[]): Differences {
  const differences: Differences = { gone: [], come: [] };
  const whole = runs.filter(({ among }) => among === undefined).flatMap(({ parts }) => parts);
  compareAll(graph, whole, differences);
  for (const { parts, among } of runs)
    if (among !== undefined) for (const part of parts) compareAmong(graph, part, among, differences);
  return differences;
}

/** Both are in the order of starts and ends. */
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

/** Edges that end at other nodes than these are as they were. */
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
