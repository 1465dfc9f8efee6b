/**
 * Derives the relationships that definitions describe, including those between identical nodes, on the graph with the edges of the rules.
 * Each derivation runs after those that it reads. If one fails, its previous edges are kept.
 *
 * Rule: `docs/extensions.md#derived-relationships`.
 */
import { CypherError, type Derivation, derivation, propertyReads } from '@clew/cypher';
import {
  type CypherAnswer,
  eachRow,
  partOf,
  type Ran,
  runStoredQueries,
  SELECTOR_LIMITS,
  SELECTOR_TIMES,
  type SelectorRunOptions,
  type TimedOut,
} from '@clew/explore';
import {
  type AttackGraph,
  type DeclaredDerivation,
  EdgeList,
  findNodeByStoreId,
  NO_NODE,
  objectIdOf,
  withEdges,
} from '@clew/graph';
import { derivationLevels, typesRead } from '@clew/intake';
import { EdgeFlag, edgeKindById, UNANIMOUS_FLAGS } from '@clew/model';
import type { AmbiguousIdentity } from '@clew/store';
import type pg from 'pg';
import { matchIdentities } from './identities.ts';
import { readIdentities } from './readIdentities.ts';

/** Name of the source of edges derived by definitions of other platforms. */
export const DEFINITIONS_SOURCE = 'definitions';

/** Limits of one derivation: larger results are useless, and the values of an answer are held in memory. */
export const DERIVATION_LIMITS = { ...SELECTOR_LIMITS, results: 1_000_000 };
/** Maximum number of ambiguous values kept as examples, and of nodes per value. */
const MAX_EXAMPLES = 20;
const MAX_NODES_OF_ONE = 10;

/** Edges of one kind by the store ids of their ends, so that they remain valid if node numbers change. */
export interface DerivedPairs {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** One reason per edge, or one for all. */
  readonly reasons: readonly string[] | string;
}

export interface RanDerivation {
  readonly of: DeclaredDerivation;
  readonly pairs: DerivedPairs;
  /** Whether it succeeded, in this build or in the previous one. */
  readonly isFound: boolean;
  readonly milliseconds?: number;
  readonly error?: string;
  readonly timedOut?: TimedOut;
  readonly ambiguousCount: number;
  readonly ambiguous: readonly AmbiguousIdentity[];
  /** The result was copied from the previous build, because nothing that it reads has changed. */
  readonly isSame: boolean;
}

/** The difference from the previous build. */
export interface FactChange {
  readonly kinds: ReadonlySet<number>;
  /** Nodes were written, so any property may have changed. */
  readonly isNodeWritten: boolean;
}

export interface DefinitionInput {
  readonly client: pg.ClientBase;
  /** The graph with the edges of the rules. */
  readonly graph: AttackGraph;
  /** Names of custom kinds, by number. */
  readonly loaded: {
    readonly customNodeKinds: ReadonlyMap<number, string>;
    readonly customEdgeKinds: ReadonlyMap<number, string>;
  };
  readonly options: Pick<SelectorRunOptions, 'connection' | 'signal' | 'bounds'>;
  /** Derivations of the previous build, if the changes since then are known. */
  readonly before?: { readonly ran: readonly RanDerivation[]; readonly change: FactChange };
}

export interface DerivedByDefinitions {
  /** The graph with the derived edges. */
  readonly graph: AttackGraph;
  readonly ran: readonly RanDerivation[];
}

/** @throws the reason of the signal; errors of the database */
export async function deriveByDefinitions(input: DefinitionInput): Promise<DerivedByDefinitions> {
  const { derivations, steps } = input.graph.declared;
  if (derivations.length === 0) return { graph: input.graph, ran: [] };
  const readable = derivations.map((of) => ({ of, kind: of.kindName, ...readOf(of) }));
  const ordered = derivationLevels(readable, steps);
  // Cyclic definitions are refused on installation; a later version may find more dependencies.
  if ('circle' in ordered) return keptByDefinitions(input.client, input.graph, 'it is in a circle');
  const stored = await storedStates(input.client);
  const ends = Date.now() + (input.options.bounds?.times ?? SELECTOR_TIMES).allMs;
  const changed = new Set(input.before?.change.kinds);
  const ran: RanDerivation[] = [];
  let { graph } = input;
  for (const level of ordered.levels) {
    const made = new Map<DeclaredDerivation, RanDerivation>();
    for (const one of level) {
      const same = unchanged(one, input, changed, steps, stored);
      if (same !== undefined) made.set(one.of, same);
    }
    const left = level.filter(({ of }) => !made.has(of));
    for (const { of, fault } of left) if (fault !== undefined) made.set(of, failed(of, fault));
    for (const { of } of left)
      if (of.by.type === 'identity') made.set(of, await identitiesOf(of, of.by, graph, input));
    const patterns = left.flatMap(({ of, pattern }) => (pattern === undefined ? [] : [{ of, pattern }]));
    for (const one of await runPatterns(patterns, graph, ends, stored, input)) made.set(one.of, one);
    for (const { of } of level) {
      const one = made.get(of) as RanDerivation;
      const pairs = one.isFound ? one.pairs : await keptPairs(input.client, of, stored);
      ran.push({ ...one, pairs });
      if (!one.isSame) changed.add(of.kind);
    }
    graph = withPairs(graph, ran.slice(-level.length));
  }
  return { graph, ran };
}

interface Read {
  readonly types: ReadonlySet<string>;
  readonly pattern?: Derivation;
  /** The error of a pattern that an earlier version accepted and this one does not. */
  readonly fault?: string;
}

export function readOf({ by }: DeclaredDerivation): Read {
  if (by.type === 'identity') return { types: new Set() };
  try {
    const pattern = derivation(by);
    return { types: pattern.types, pattern };
  } catch (error) {
    if (!(error instanceof CypherError)) throw error;
    return { types: new Set(), fault: error.message };
  }
}

function failed(of: DeclaredDerivation, error: string): RanDerivation {
  return { of, error, isFound: false, isSame: false, ambiguousCount: 0, ambiguous: [], pairs: NO_PAIRS };
}

const NO_PAIRS: DerivedPairs = { starts: new Uint32Array(0), ends: new Uint32Array(0), reasons: '' };

/** @returns the results of the previous build if the facts that it reads are certainly unchanged */
function unchanged(
  { of, types, pattern }: Read & { readonly of: DeclaredDerivation },
  { before, loaded }: DefinitionInput,
  changed: ReadonlySet<number>,
  steps: AttackGraph['declared']['steps'],
  stored: ReadonlyMap<string, StoredState>,
): RanDerivation | undefined {
  if (before === undefined || before.change.isNodeWritten) return undefined;
  // It was removed and added again in the meantime, so its last outcome is unknown.
  if (stored.get(of.kindName)?.isFound !== true) return undefined;
  if (pattern === undefined ? of.by.type === 'pattern' : !pattern.isKnown) return undefined;
  const known = before.ran.find((one) => one.of.kind === of.kind && one.isFound);
  if (known === undefined || JSON.stringify(known.of) !== JSON.stringify(of)) return undefined;
  if (readsKinds(types, changed, loaded.customEdgeKinds, steps)) return undefined;
  return { ...known, of, isSame: true, milliseconds: undefined };
}

/** @param types types named in a query @param changed numbers of kinds @returns false only if the query reads none of them */
export function readsKinds(
  types: ReadonlySet<string>,
  changed: ReadonlySet<number>,
  customEdgeKinds: ReadonlyMap<number, string>,
  steps: AttackGraph['declared']['steps'],
): boolean {
  if (changed.size === 0) return false;
  const read = typesRead(types, steps);
  // Covers all steps of the built-in directories.
  if ([...read].some((type) => /^(?:ALL|AD|AZ)_ATTACK_PATHS$/.test(type))) return true;
  return [...changed].some((kind) => read.has(edgeKindById(kind)?.name ?? customEdgeKinds.get(kind) ?? ''));
}

/** @returns whether a derivation may have another result after these kinds of relationships changed */
export function mayDeriveOtherwise(
  of: DeclaredDerivation,
  changed: ReadonlySet<number>,
  customEdgeKinds: ReadonlyMap<number, string>,
  steps: AttackGraph['declared']['steps'],
): boolean {
  if (of.by.type === 'identity') return false;
  const { types, pattern } = readOf(of);
  return pattern?.isKnown !== true || readsKinds(types, changed, customEdgeKinds, steps);
}

/** @returns the node properties that a derivation reads; undefined if it may read any */
export function keysReadBy({ by }: DeclaredDerivation): ReadonlySet<string> | undefined {
  if (by.type === 'identity') {
    const keys = [by.start, by.end].flatMap(({ property, domain }) => [property, domain]);
    return new Set(keys.filter((key) => key !== undefined));
  }
  const { all, nodes } = propertyReads(`${by.pattern}\nRETURN 1`);
  return all ? undefined : nodes;
}

async function identitiesOf(
  of: DeclaredDerivation,
  by: Extract<DeclaredDerivation['by'], { type: 'identity' }>,
  graph: AttackGraph,
  { client, loaded, options }: DefinitionInput,
): Promise<RanDerivation> {
  const began = performance.now();
  const kinds = new Map([...loaded.customNodeKinds].map(([id, name]) => [name, id]));
  const { starts, ends } = await readIdentities(client, graph, kinds, by, options.signal);
  const { pairs, ambiguous } = matchIdentities(starts, ends);
  const idsOf = (nodes: readonly number[]): string[] =>
    nodes.slice(0, MAX_NODES_OF_ONE).map((node) => objectIdOf(graph, node));
  const both = by.isMutual
    ? pairs.flatMap((pair) => [pair, { ...pair, start: pair.end, end: pair.start }])
    : pairs;
  return {
    ...{ of, isFound: true, isSame: false, milliseconds: Math.round(performance.now() - began) },
    pairs: {
      starts: Uint32Array.from(both, ({ start }) => graph.storeIds[start]),
      ends: Uint32Array.from(both, ({ end }) => graph.storeIds[end]),
      reasons: both.map(({ value }) => `${of.reason} ${value}`),
    },
    ambiguousCount: ambiguous.length,
    ambiguous: ambiguous
      .slice(0, MAX_EXAMPLES)
      .map(({ start, end }) => ({ start: idsOf(start), end: idsOf(end) })),
  };
}

/** @param ends time limit for all patterns of the build, milliseconds since the epoch */
async function runPatterns(
  patterns: readonly { readonly of: DeclaredDerivation; readonly pattern: Derivation }[],
  graph: AttackGraph,
  ends: number,
  stored: ReadonlyMap<string, StoredState>,
  { loaded, options }: DefinitionInput,
): Promise<RanDerivation[]> {
  const { customNodeKinds, customEdgeKinds } = loaded;
  const { bounds } = options;
  const queries = patterns.map(({ of, pattern }) => {
    const { milliseconds, timedOut } = stored.get(of.kindName) ?? {};
    return {
      ...{ selectorId: of.kind, queries: [pattern.query] },
      ...(milliseconds !== undefined && { milliseconds }),
      ...(timedOut !== undefined && { timedOut }),
    };
  });
  const ran = await runStoredQueries<Pairs>(
    { graph, customNodeKinds, customEdgeKinds, zones: [] },
    queries,
    {
      ...options,
      ends,
      bounds: { ...bounds, limits: bounds?.limits ?? DERIVATION_LIMITS },
    },
    { plural: 'patterns', selects: false, take: ([answer]) => pairsIn(answer) },
  );
  return patterns.map(({ of }) => {
    const one = ran.get(of.kind) as Ran<Pairs>;
    const milliseconds = one.milliseconds === undefined ? {} : { milliseconds: one.milliseconds };
    if ('error' in one)
      return { ...failed(of, one.error), ...milliseconds, ...(one.timedOut && { timedOut: one.timedOut }) };
    return {
      ...{ of, isFound: true, isSame: false, ambiguousCount: 0, ambiguous: [] },
      ...milliseconds,
      pairs: {
        starts: one.starts.map((node) => graph.storeIds[node]),
        ends: one.ends.map((node) => graph.storeIds[node]),
        reasons: of.reason,
      },
    };
  });
}

interface Pairs {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

function pairsIn({ rows }: CypherAnswer): Pairs {
  const nodeIn = (cell: unknown): number => {
    const part = partOf(cell);
    if (part?.type === 'node') return part.node;
    throw new CypherError('value', 'its start or its end is not a node');
  };
  const pairs: (readonly [number, number])[] = [];
  for (const [from, to] of eachRow(rows)) {
    const [start, end] = [nodeIn(from), nodeIn(to)];
    // Skips edges from a node to itself.
    if (start !== end) pairs.push([start, end]);
  }
  return {
    starts: Uint32Array.from(pairs, ([start]) => start),
    ends: Uint32Array.from(pairs, ([, end]) => end),
  };
}

function withPairs(graph: AttackGraph, ran: readonly RanDerivation[]): AttackGraph {
  const edges = edgesOf(graph, ran);
  return edges.length === 0 ? graph : withEdges(graph, edges, { unanimousFlags: UNANIMOUS_FLAGS });
}

/** @returns the edges whose ends are in the graph */
export function edgesOf(graph: AttackGraph, ran: readonly RanDerivation[], visit?: VisitEdge): EdgeList {
  const edges = new EdgeList();
  for (const { of, pairs } of ran)
    for (const [at, startId] of pairs.starts.entries()) {
      const [start, end] = [findNodeByStoreId(graph, startId), findNodeByStoreId(graph, pairs.ends[at])];
      if (start === NO_NODE || end === NO_NODE) continue;
      edges.append(start, of.kind, end, EdgeFlag.Derived);
      visit?.(start, of.kind, end, typeof pairs.reasons === 'string' ? pairs.reasons : pairs.reasons[at]);
    }
  return edges;
}

type VisitEdge = (start: number, kind: number, end: number, reason: string) => void;

/** Keeps all previous edges if nothing can be derived. */
export async function keptByDefinitions(
  client: pg.ClientBase,
  graph: AttackGraph,
  error: string,
): Promise<DerivedByDefinitions> {
  const stored = await storedStates(client);
  const ran: RanDerivation[] = [];
  for (const of of graph.declared.derivations)
    ran.push({ ...failed(of, error), pairs: await keptPairs(client, of, stored) });
  return { graph: withPairs(graph, ran), ran };
}

interface StoredState {
  /** The same definition has succeeded before. */
  readonly isFound: boolean;
  readonly milliseconds?: number;
  readonly timedOut?: TimedOut;
}

async function storedStates(client: pg.ClientBase): Promise<Map<string, StoredState>> {
  const { rows } = await client.query<{
    kind: string;
    is_found: boolean;
    query_ms: number | null;
    query_timed_out: TimedOut | null;
  }>('select kind, found_at is not null as is_found, query_ms, query_timed_out from derived_relationship');
  return new Map(
    rows.map(({ kind, is_found, query_ms, query_timed_out }) => [
      kind,
      {
        isFound: is_found,
        ...(query_ms !== null && { milliseconds: query_ms }),
        ...(query_timed_out !== null && { timedOut: query_timed_out }),
      },
    ]),
  );
}

/** @returns the edges of the previous generation for a derivation that fails now */
async function keptPairs(
  client: pg.ClientBase,
  of: DeclaredDerivation,
  stored: ReadonlyMap<string, StoredState>,
): Promise<DerivedPairs> {
  if (stored.get(of.kindName)?.isFound !== true) return NO_PAIRS;
  const { rows } = await client.query<{ start: number; end: number; reason: string | null }>(
    `select edges.start, edges."end", properties -> (place - 1)::text ->> 'reason' as reason
     from edge_set, unnest(start_ids, kind_ids, end_ids) with ordinality as edges (start, kind, "end", place)
     where source_id = (select id from source where name = $1) and kind_ids @> array[$2]::smallint[] and kind = $2`,
    [DEFINITIONS_SOURCE, of.kind],
  );
  return {
    starts: Uint32Array.from(rows, ({ start }) => start),
    ends: Uint32Array.from(rows, ({ end }) => end),
    reasons: rows.map(({ reason }) => reason ?? of.reason),
  };
}
