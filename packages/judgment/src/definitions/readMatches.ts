/**
 * Reads, for plans, each match of each pattern: the relationships that pattern-derived relationships follow from. A pattern that times out,
 * or has too many matches, is skipped: its relationships count as permanent.
 *
 * Rule: `docs/plan.md#the-plan-graph`.
 */
import { DerivedMatches, type FoundMatch } from '@clew/analysis';
import {
  type CypherAnswer,
  eachRow,
  partOf,
  runStoredQueries,
  SELECTOR_LIMITS,
  type SelectorGraph,
} from '@clew/explore';
import { derivationLevels } from '@clew/intake';
import type { Database } from '@clew/store';
import { readOf } from './deriveByDefinitions.ts';

/** Plans wait for this. */
const TIMES = { selectorMs: 10_000, allMs: 20_000 };
/** Maximum number of edges over all matches. */
const MAX_NEEDS = 500_000;

export interface ReadMatches {
  /** Missing if no pattern could be read. */
  readonly matches?: DerivedMatches;
  /** Kinds of skipped patterns, with the reason. */
  readonly leftOut: readonly { readonly kind: string; readonly reason: string }[];
}

/** @param graph graph of a generation, with its derived edges @throws the reason of the signal; errors of the database */
export async function readMatches(
  { pool, connection }: Pick<Database, 'pool' | 'connection'>,
  graph: Omit<SelectorGraph, 'zones'>,
  signal: AbortSignal,
): Promise<ReadMatches> {
  const { derivations, steps } = graph.graph.declared;
  const leftOut: { kind: string; reason: string }[] = [];
  const readable = derivations.map((of) => ({ of, kind: of.kindName, ...readOf(of) }));
  const ordered = derivationLevels(readable, steps);
  if ('circle' in ordered || !readable.some(({ pattern }) => pattern?.matches !== undefined))
    return { leftOut };
  const { rows } = await pool.query<{ kind: string }>(
    'select kind from derived_relationship where query_timed_out is not null',
  );
  const slow = new Set(rows.map(({ kind }) => kind));
  const inOrder = ordered.levels.flat();
  const nameOf = new Map(inOrder.map(({ of, kind }) => [of.kind, kind]));
  const queries = inOrder.flatMap(({ of, kind, pattern }) => {
    if (pattern === undefined) return [];
    const reason =
      pattern.matches === undefined
        ? 'a match of its pattern contains more than its relationships'
        : slow.has(kind)
          ? 'it exceeded its time limit last time'
          : undefined;
    if (reason !== undefined) leftOut.push({ kind, reason });
    return reason === undefined ? [{ selectorId: of.kind, queries: [pattern.matches as string] }] : [];
  });
  const ran = await runStoredQueries(
    { ...graph, zones: [] },
    queries,
    { connection, signal, bounds: { times: TIMES, limits: SELECTOR_LIMITS } },
    {
      ...{ plural: 'patterns', selects: false },
      take: ([answer]) => ({ found: matchesIn(answer) }),
    },
  );
  const found = inOrder.flatMap(({ of, kind }) => {
    const one = ran.get(of.kind);
    if (one === undefined) return [];
    if ('found' in one) return [{ kind: of.kind, found: one.found }];
    leftOut.push({ kind, reason: one.error });
    return [];
  });
  try {
    return { matches: new DerivedMatches(graph.graph, found, MAX_NEEDS), leftOut };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return {
      leftOut: [
        ...leftOut,
        ...found.map(({ kind }) => ({ kind: nameOf.get(kind) ?? '', reason: error.message })),
      ],
    };
  }
}

/** @param rows start, end and paths */
function matchesIn({ rows }: CypherAnswer): FoundMatch[] {
  const found: FoundMatch[] = [];
  for (const [from, to, ...paths] of eachRow(rows)) {
    const [start, end] = [partOf(from), partOf(to)];
    if (start?.type !== 'node' || end?.type !== 'node') continue;
    const edges = paths.flatMap((path) => {
      const part = partOf(path);
      return part?.type === 'path' ? part.edges : [];
    });
    found.push({ start: start.node, end: end.node, edges });
  }
  return found;
}
