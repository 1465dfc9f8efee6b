/**
 * Derives edges again after some facts changed. Rules that read no changed fact keep their edges, and the graph is
 * the previous one except for added, removed and changed edges.
 */
import {
  type AnalysisContext,
  analyzeAgain,
  type DerivedKindEdges,
  derivedEdge,
  type Membership,
  type RuleRun,
  renumberRuns,
  type Touched,
} from '@clew/analysis';
import {
  type AttackGraph,
  EdgeProperties,
  edgeKey,
  findEdge,
  GONE,
  getOrMake,
  KIND_COUNT,
  kindsOf,
  NO_EDGE,
  NO_NODE,
  patchEdges,
  withNodes,
} from '@clew/graph';
import { EdgeFlag, edgeKindById, NodeKind, type Platform } from '@clew/model';
import type { AnalysisFacts } from './analysis.ts';
import { unitedFlags } from './edgeFlags.ts';
import type { LoadChange } from './loadedGraph.ts';
import type { ChangedSets } from './writeDerived.ts';

/** A graph with all derived edges, and its input. */
export interface DerivedGraph {
  /** Number of the load whose facts these are. */
  readonly load: number;
  /** Collected edges, and memberships of everybody. */
  readonly facts: AttackGraph;
  readonly everybody: readonly Membership[];
  readonly runs: readonly RuleRun[];
  readonly graph: AttackGraph;
  /** Properties of derived edges. */
  readonly properties: EdgeProperties;
  /** Number of nodes at which a derived edge begins. */
  readonly setCount: number;
}

/** Also its changes from the previous one. */
export interface DerivedAgain extends DerivedGraph {
  readonly sets: ChangedSets;
  /** Numbers of the kinds of added, removed and changed edges. */
  readonly changedKinds: ReadonlySet<number>;
}

/** Facts, and their changes from those of `before`. */
export interface ChangedFacts extends AnalysisFacts {
  readonly load: number;
  readonly change: LoadChange;
  readonly everybody: readonly Membership[];
}

/** @returns `undefined` if a rule fails */
export function deriveAgain(
  facts: ChangedFacts,
  before: DerivedGraph,
  context: AnalysisContext,
): DerivedAgain | undefined {
  const { change, graph: collected } = facts;
  const { numberOf } = change;
  const changed = new TripleSet();
  const factChanges = changedFacts(facts, before);
  for (const { start, kind, end } of factChanges) changed.add(start, kind, end);
  const earlier = numberOf === undefined ? before.runs : renumberRuns(before.runs, numberOf);
  const touched = touchedBy(facts, before, factChanges);
  const runs = analyzeAgain(context, earlier, touched, (start, kind, end) => changed.add(start, kind, end));
  if (runs === undefined) return undefined;
  const moved = movedGraph(before.graph, collected, numberOf);
  const parts = new Map(runs.flatMap(({ parts }) => parts.map((part) => [part.kind, part] as const)));
  const graph = patchEdges(moved, patchOf(changed, collected, parts));
  return {
    load: facts.load,
    facts: collected,
    everybody: facts.everybody,
    runs,
    graph,
    properties: derivedProperties(before, numberOf, changed, parts),
    ...changedSets(before, moved, graph, changed, change),
    changedKinds: new Set([...[...changed].map(({ kind }) => kind), ...change.edgeProperties]),
  };
}

/** The edges of the previous graph between the current nodes. */
function movedGraph(graph: AttackGraph, nodes: AttackGraph, numberOf: Uint32Array | undefined): AttackGraph {
  if (numberOf !== undefined) return withNodes(graph, nodes, numberOf);
  const { edgeCount, out, in: back } = graph;
  return { ...nodes, edgeCount, out, in: back };
}

interface Triple {
  readonly start: number;
  readonly kind: number;
  readonly end: number;
}

/** Distinct triples, in the order in which they were added. */
class TripleSet {
  readonly #rows = new Map<number, Set<number>>();

  add(start: number, kind: number, end: number): void {
    const row = getOrMake(this.#rows, start, () => new Set());
    row.add(end * KIND_COUNT + kind);
  }

  *[Symbol.iterator](): Generator<Triple> {
    for (const [start, row] of this.#rows)
      for (const key of row) yield { start, kind: key % KIND_COUNT, end: Math.floor(key / KIND_COUNT) };
  }
}

/** @returns collected edges, and edges that follow from the facts, if they are new, were removed, or have different flags */
function changedFacts({ change, everybody, graph }: ChangedFacts, before: DerivedGraph): Triple[] {
  const asked = new TripleSet();
  const { starts, kinds, ends } = change.edges;
  for (const [at, start] of starts.entries()) asked.add(start, kinds[at], ends[at]);
  const { numberOf } = change;
  const now = (node: number): number => numberOf?.[node] ?? node;
  const unseen = new Set(everybody.map(edgeKey));
  for (const { start, kind, end } of before.everybody) {
    const [first, last] = [now(start), now(end)];
    if (first === NO_NODE || last === NO_NODE || unseen.delete(edgeKey({ start: first, kind, end: last })))
      continue;
    asked.add(first, kind, last);
  }
  for (const { start, kind, end } of everybody)
    if (unseen.has(edgeKey({ start, kind, end }))) asked.add(start, kind, end);
  const numberBefore = numberOf && inverse(numberOf, graph.nodeCount);
  const was = (node: number): number => numberBefore?.[node] ?? node;
  return [...asked].filter(
    ({ start, kind, end }) =>
      flagsOf(before.facts, was(start), kind, was(end)) !== flagsOf(graph, start, kind, end),
  );
}

function inverse(numberOf: Uint32Array, count: number): Uint32Array {
  const numberBefore = new Uint32Array(count).fill(NO_NODE);
  for (const [before, now] of numberOf.entries()) if (now !== NO_NODE) numberBefore[now] = before;
  return numberBefore;
}

/** @returns `GONE` if the edge does not exist */
function flagsOf(graph: AttackGraph, start: number, kind: number, end: number): number {
  if (start === NO_NODE || end === NO_NODE) return GONE;
  const edge = findEdge(graph, start, kind, end);
  return edge === NO_EDGE ? GONE : graph.out.flags[edge];
}

function touchedBy(
  { change, graph, properties }: ChangedFacts,
  before: DerivedGraph,
  edges: readonly Triple[],
): Touched {
  const kinds = new Set([...edges.map(({ kind }) => kind), ...change.edgeProperties]);
  const nodes = new Set<Platform>();
  for (const node of change.nodes) notePlatforms(nodes, kindsOf(graph, node));
  for (const node of change.nodesBefore) notePlatforms(nodes, kindsOf(before.facts, node));
  const gone = goneNodes(change);
  for (const node of gone) {
    for (const { offsets, kinds: itsKinds } of [before.facts.out, before.facts.in])
      for (let at = offsets[node]; at < offsets[node + 1]; at++) kinds.add(itsKinds[at]);
  }
  return {
    kinds: new Set([...kinds].map((kind) => edgeKindById(kind)?.name)),
    // A deleted node has no value to compare.
    keys: new Set(gone.length > 0 ? properties.keys() : change.keys),
    nodes,
  };
}

/** Rules of both platforms may read a node that belongs neither to a directory nor to Azure. */
function notePlatforms(platforms: Set<Platform>, kinds: readonly number[]): void {
  const [isAd, isAzure] = [kinds.includes(NodeKind.Base), kinds.includes(NodeKind.AZBase)];
  if (isAd || !isAzure) platforms.add('ad');
  if (isAzure || !isAd) platforms.add('azure');
}

/** @returns their previous numbers */
function goneNodes({ numberOf, nodesBefore }: LoadChange): number[] {
  return numberOf === undefined ? [] : nodesBefore.filter((node) => numberOf[node] === NO_NODE);
}

function patchOf(
  changed: TripleSet,
  collected: AttackGraph,
  parts: ReadonlyMap<number, DerivedKindEdges>,
): Parameters<typeof patchEdges>[1] {
  const triples = [...changed];
  return {
    starts: Uint32Array.from(triples, ({ start }) => start),
    kinds: Uint16Array.from(triples, ({ kind }) => kind),
    ends: Uint32Array.from(triples, ({ end }) => end),
    flags: Int16Array.from(triples, ({ start, kind, end }) => {
      const given = flagsOf(collected, start, kind, end);
      const derived = derivedEdge(parts, start, kind, end)?.flags ?? GONE;
      if (given === GONE || derived === GONE) return Math.max(given, derived);
      return unitedFlags(given | derived, given & derived);
    }),
  };
}

function derivedProperties(
  { properties }: DerivedGraph,
  numberOf: Uint32Array | undefined,
  changed: TripleSet,
  parts: ReadonlyMap<number, DerivedKindEdges>,
): EdgeProperties {
  if (numberOf !== undefined) return propertiesOf(parts.values());
  for (const { start, kind, end } of changed)
    properties.replace(start, kind, end, derivedEdge(parts, start, kind, end)?.properties);
  return properties;
}

export function propertiesOf(parts: Iterable<DerivedKindEdges>): EdgeProperties {
  const properties = new EdgeProperties();
  for (const { kind, starts, ends, properties: some } of parts)
    for (const [at, own] of some) properties.set(starts[at], kind, ends[at], own);
  return properties;
}

/** @param moved the previous graph, with the current nodes */
function changedSets(
  before: DerivedGraph,
  moved: AttackGraph,
  graph: AttackGraph,
  changed: TripleSet,
  change: LoadChange,
): { readonly sets: ChangedSets; readonly setCount: number } {
  const { numberOf } = change;
  const numberBefore = numberOf && inverse(numberOf, graph.nodeCount);
  const hadSet = (node: number): boolean => hasDerived(before.graph, numberBefore?.[node] ?? node);
  const touched = new Set<number>();
  for (const triple of changed)
    if (isDerivedIn(moved, triple) || isDerivedIn(graph, triple)) touched.add(triple.start);
  const gone = goneNodes(change).filter((node) => hasDerived(before.graph, node));
  const { offsets, neighbors, flags } = before.graph.in;
  for (const node of goneNodes(change))
    for (let at = offsets[node]; at < offsets[node + 1]; at++) {
      const start = numberOf?.[neighbors[at]] ?? NO_NODE;
      if ((flags[at] & EdgeFlag.Derived) !== 0 && start !== NO_NODE) touched.add(start);
    }
  const nodes = [...touched].sort((a, b) => a - b);
  const [filled, empty] = [
    nodes.filter((node) => hasDerived(graph, node)),
    nodes.filter((node) => !hasDerived(graph, node)),
  ];
  const emptied = empty.filter(hadSet);
  const isNew = (node: number): boolean => !hadSet(node);
  return {
    sets: {
      changed: filled,
      gone: [
        ...gone.map((node) => before.graph.storeIds[node]),
        ...emptied.map((node) => graph.storeIds[node]),
      ],
    },
    setCount: before.setCount - gone.length - emptied.length + filled.filter(isNew).length,
  };
}

function isDerivedIn(graph: AttackGraph, { start, kind, end }: Triple): boolean {
  const flags = flagsOf(graph, start, kind, end);
  return flags !== GONE && (flags & EdgeFlag.Derived) !== 0;
}

function hasDerived({ out: { offsets, flags } }: AttackGraph, node: number): boolean {
  if (node === NO_NODE) return false;
  for (let at = offsets[node]; at < offsets[node + 1]; at++)
    if ((flags[at] & EdgeFlag.Derived) !== 0) return true;
  return false;
}

/** @returns number of nodes at which a derived edge begins */
export function countDerivedSets(graph: AttackGraph): number {
  let count = 0;
  for (let node = 0; node < graph.nodeCount; node++) if (hasDerived(graph, node)) count++;
  return count;
}
