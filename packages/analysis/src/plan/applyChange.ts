/**
 * Computes the analyzed graph after a change of facts: the rules that read the changed facts, and those that build on them, are run again
 * over the changed facts; the edges of all others stay.
 */
import {
  type AttackGraph,
  changeEdges,
  Drop,
  type EdgeChanges,
  findEdge,
  KIND_COUNT,
  type NewEdge,
  NO_EDGE,
  uint8s,
  visitKinds,
  withoutKinds,
} from '@clew/graph';
import { EdgeFlag, EdgeKind, type EdgeKindName, edgeKindById } from '@clew/model';
import { AnalysisContext, type Origin } from '../analysisContext.ts';
import { analyze } from '../analyze.ts';
import { giveBackGraph } from '../attackGraph.ts';
import type { DerivedEdges } from '../derivedEdges.ts';
import type { EdgeRef } from '../edgeRef.ts';
import type { Rule } from '../rule.ts';
import { allReads, orderRules } from '../ruleOrder.ts';
import { RULES } from '../rules.ts';
import { looksAt, mayDeriveOtherwise, type Touched } from '../touched.ts';
import type { PropertyChange } from './settings.ts';

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
  const dropsOfFacts = dropsFor(affected, drops);
  const kept = factsFor(graph, dropsOfFacts);
  const facts = new AnalysisContext({
    ...input,
    graph: changeEdges(kept, { removed, added }),
    origin: originOf(analyzed, touched, {
      edges: [...removed, ...added],
      isKnown: (kind) => dropsOfFacts[EdgeKind[kind]] === Drop.none,
    }),
  });
  const derived = analyze(facts, affected);
  const broken = derived.perRule.find(({ status }) => status === 'failed');
  if (broken !== undefined) throw broken.error;
  const moved = compare(graph, drops, derived.edges);
  // Edges that were removed explicitly stay removed, whatever the rules derive.
  const gone = new Set([...removedBefore, ...removed].map(keyOf));
  const isWhole = (kind: EdgeKindName): boolean => dropsOfFacts[EdgeKind[kind]] === Drop.none;
  return changedBy(
    {
      removed: [...removed, ...moved.gone],
      added: [...added, ...moved.come.filter((edge) => !gone.has(keyOf(edge)))],
    },
    // Structures that read no derived edges are computed for them already: memberships, at any depth.
    { context: facts, isSame: (reads) => [...allReads(reads).edges].every(isWhole) },
  );

  function changedBy(changes: Required<EdgeChanges>, nearOrigin?: Origin): ChangedAnalysis {
    const edges = [...changes.removed, ...changes.added];
    // Rules that were run again and said the same have touched nothing.
    const different = { keys, kinds: new Set(edges.map(({ kind }) => edgeKindById(kind)?.name)) };
    const origin = originOf(analyzed, different, { edges, isKnown: () => true });
    const after = changeEdges(graph, changes);
    const context = new AnalysisContext({
      ...input,
      ...{ graph: after, origin },
      ...(nearOrigin && { nearOrigin }),
    });
    const graphs = nearOrigin === undefined ? [after] : [after, nearOrigin.context.graph];
    return { context, touched: different, edges, graphs };
  }
}

/** Graphs for the last questions about each graph: most changes are of a few kinds, each with the same rules. */
const FACTS = new WeakMap<AttackGraph, Map<string, AttackGraph>>();
const MAX_FACTS = 2;

/** @returns the graph without the edges that rules make again, and those that they do not read */
function factsFor(graph: AttackGraph, drops: Uint8Array): AttackGraph {
  const facts = FACTS.get(graph) ?? new Map<string, AttackGraph>();
  FACTS.set(graph, facts);
  const key = keyOfDrops(drops);
  const kept = facts.get(key) ?? withoutKinds(graph, drops, EdgeFlag.Derived);
  // The one that was used last is the last.
  facts.delete(key);
  facts.set(key, kept);
  if (facts.size > MAX_FACTS) facts.delete(facts.keys().next().value as string);
  return kept;
}

/**
 * Gives back the memory of graphs: it serves the next one. The garbage collector sees that memory as free of charge, and would leave it for
 * minutes. @param kept graphs that are read further
 */
export function endGraphs(graphs: readonly AttackGraph[], kept: readonly AttackGraph[]): void {
  const withFacts = (graph: AttackGraph): AttackGraph[] => [graph, ...(FACTS.get(graph)?.values() ?? [])];
  const used = new Set(kept.flatMap(withFacts));
  for (const graph of new Set(graphs.flatMap(withFacts))) {
    if (used.has(graph)) continue;
    FACTS.delete(graph);
    giveBackGraph(graph);
  }
}

function keyOfDrops(drops: Uint8Array): string {
  const kinds: string[] = [];
  for (let kind = 0; kind < drops.length; kind++)
    if (drops[kind] !== Drop.all) kinds.push(`${kind}:${drops[kind]}`);
  return kinds.join();
}

/** Rules need the edges that they read: a small part of a large graph. */
function dropsFor(rules: readonly Rule[], made: Uint8Array): Uint8Array {
  const { edges } = allReads(...rules.map(({ reads }) => reads));
  const read = new Set<number>([...edges].map((name) => EdgeKind[name]));
  return made.map((drop, kind) => (read.has(kind) ? drop : Drop.all));
}

/** The first of a series of changes represents everything that none of them moved, so that those between need not be kept. */
function originOf(
  analyzed: AnalysisContext,
  touched: Touched,
  {
    edges,
    isKnown,
  }: { readonly edges: readonly EdgeRef[]; readonly isKnown: (kind: EdgeKindName) => boolean },
): Origin {
  const { context, isSame, differences } = analyzed.origin ?? {
    ...{ context: analyzed, isSame: () => true, differences: () => [] },
  };
  return {
    context,
    isSame: (reads) => isSame(reads) && !looksAt(touched, reads),
    differences: (kinds) => {
      const before = kinds.every(isKnown) ? differences?.(kinds) : undefined;
      const numbers = new Set<number>(kinds.map((kind) => EdgeKind[kind]));
      return before && [...before, ...edges.filter(({ kind }) => numbers.has(kind))];
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

/** @returns derived edges of these kinds that are no more, and those that are new */
function compare(
  graph: AttackGraph,
  drops: Uint8Array,
  derived: DerivedEdges,
): { readonly gone: readonly EdgeRef[]; readonly come: readonly NewEdge[] } {
  const isThere = uint8s(graph.edgeCount);
  const come: NewEdge[] = [];
  for (let at = 0; at < derived.count; at++) {
    const edge = {
      start: derived.starts[at],
      kind: derived.kinds[at],
      end: derived.ends[at],
      flags: derived.flags[at],
    };
    const place = findEdge(graph, edge.start, edge.kind, edge.end);
    if (place === NO_EDGE) come.push(edge);
    else isThere[place] = 1;
  }
  const gone: EdgeRef[] = [];
  const { kinds, flags, neighbors } = graph.out;
  const look = (start: number, at: number): void => {
    if (isThere[at] === 0 && (flags[at] & EdgeFlag.Derived) !== 0)
      gone.push({ start, kind: kinds[at], end: neighbors[at] });
  };
  const made = Array.from(drops.keys()).filter((kind) => drops[kind] === Drop.flagged);
  visitKinds(graph.out, made, look);
  return { gone, come };
}
