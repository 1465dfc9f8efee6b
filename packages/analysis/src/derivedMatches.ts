/**
 * Matches of the patterns from which definitions derive edges. A match is a set of edges, and a derived edge exists as long as one of its
 * matches has all of its edges. Only patterns whose matches are just sets of edges are included, so that the effect of removed edges
 * is known without running a query again.
 *
 * Rule: `docs/plan.md#the-plan-graph`.
 */
import { type AttackGraph, edgeKey, endOf, findEdge, type NewEdge, NO_EDGE, startOf } from '@clew/graph';
import { EdgeFlag, EdgeKind, edgeKindById } from '@clew/model';
import type { EdgeRef } from './edgeRef.ts';
import type { Match, PatternMatches } from './patternMatches.ts';
import { RULES } from './rules.ts';

/** The matches of one pattern. */
export interface FoundMatches {
  /** Kind of the derived edges. */
  readonly kind: number;
  readonly found: Iterable<FoundMatch>;
}

export interface FoundMatch {
  readonly start: number;
  readonly end: number;
  /** Numbers of the edges. */
  readonly edges: Iterable<number>;
}

interface Pair {
  readonly start: number;
  readonly end: number;
  readonly matches: Match[];
}

export class DerivedMatches implements PatternMatches {
  /** Keyed by kind, in dependency order; then by both ends. */
  readonly #pairs = new Map<number, Map<number, Pair>>();
  readonly #nodeCount: number;

  /**
   * @param graph with the derived edges @param all in dependency order
   * @throws RangeError if the matches have more edges than `maxNeeds`
   */
  constructor(graph: AttackGraph, all: readonly FoundMatches[], maxNeeds = Number.POSITIVE_INFINITY) {
    this.#nodeCount = graph.nodeCount;
    let count = 0;
    for (const { kind, found } of all) {
      const pairs = new Map<number, Pair>();
      for (const { start, end, edges } of found) {
        if (start === end) continue;
        const needs = needsOf(graph, edges);
        count += needs.length + 1;
        if (count > maxNeeds) throw new RangeError(`the matches have more than ${maxNeeds} edges`);
        const key = this.#keyOf(start, end);
        const known = pairs.get(key);
        if (known === undefined) pairs.set(key, { start, end, matches: [needs] });
        else known.matches.push(needs);
      }
      this.#pairs.set(kind, pairs);
    }
  }

  #keyOf(start: number, end: number): number {
    return start * this.#nodeCount + end;
  }

  derives(kind: number): boolean {
    return this.#pairs.has(kind);
  }

  of(graph: AttackGraph, { start, kind, end }: EdgeRef): readonly Match[] | undefined {
    const pair = this.#pairs.get(kind)?.get(this.#keyOf(start, end));
    if (pair === undefined) return undefined;
    const number = findEdge(graph, start, kind, end);
    return number !== NO_EDGE && (graph.out.flags[number] & EdgeFlag.Derived) !== 0
      ? pair.matches
      : undefined;
  }

  cutBy(moved: readonly EdgeRef[], graph: AttackGraph, kept: readonly NewEdge[] = []): EdgeRef[] {
    const removed = new Set<string>();
    const kinds = new Set<number>();
    const note = (edge: EdgeRef): void => {
      removed.add(edgeKey(edge));
      kinds.add(edge.kind);
    };
    for (const edge of moved) if (findEdge(graph, edge.start, edge.kind, edge.end) === NO_EDGE) note(edge);
    const isKept = new Set(kept.map(edgeKey));
    const cut: EdgeRef[] = [];
    const isWhole = (match: Match): boolean =>
      match.every(
        (need) => !removed.has(edgeKey(need)) && findEdge(graph, need.start, need.kind, need.end) !== NO_EDGE,
      );
    for (const [kind, pairs] of this.#pairs)
      for (const { start, end, matches } of pairs.values()) {
        const isTouched = matches.some((match) =>
          match.some((need) => kinds.has(need.kind) && removed.has(edgeKey(need))),
        );
        if (!isTouched || matches.some(isWhole)) continue;
        const edge = { start, kind, end };
        if (isKept.has(edgeKey(edge)) || this.of(graph, edge) === undefined) continue;
        cut.push(edge);
        note(edge);
      }
    return cut;
  }
}

/** Kinds whose rules define the needs of their edges. */
const OF_WAYS: ReadonlySet<number> = new Set(
  RULES.flatMap(({ ways, produces }) => (ways === undefined ? [] : produces.map((kind) => EdgeKind[kind]))),
);

/**
 * Whether removing the edge can end a match. Built-in relationships outside attack paths are the structure of a directory, which no plan
 * changes; and if an edge derived in several ways ends, its rule may derive it from other starts, which would match as well.
 */
export function endsMatches(kind: number, flags: number): boolean {
  const builtIn = edgeKindById(kind);
  if (builtIn === undefined) return true;
  return builtIn.traversable && !(OF_WAYS.has(kind) && (flags & EdgeFlag.Derived) !== 0);
}

function needsOf(graph: AttackGraph, edges: Iterable<number>): EdgeRef[] {
  const { kinds, flags } = graph.out;
  const needs: EdgeRef[] = [];
  for (const edge of new Set(edges))
    if (endsMatches(kinds[edge], flags[edge]))
      needs.push({ start: startOf(graph, edge), kind: kinds[edge], end: endOf(graph, edge) });
  return needs;
}
