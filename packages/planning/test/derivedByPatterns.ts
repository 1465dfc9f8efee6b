/** Edges derived by definitions of other platforms, for tests: from two consecutive edges, found by trying all pairs. */
import { AnalysisContext, DerivedMatches, type FoundMatch } from '@clew/analysis';
import { endsMatches } from '@clew/analysis/testing';
import { type AttackGraph, EdgeList, endOf, startOf, withEdges } from '@clew/graph';
import { EdgeFlag } from '@clew/model';
import { type AnalyzedWorld, worldOf } from '../src/simulation/simulate.ts';

/** The second kind is derived from edges of the first. */
export const KINDS = [1001, 1002] as const;

/** Kinds of the edges of both patterns. */
export interface TwoPatterns {
  readonly first: readonly [number, number];
  /** Kind of the edge that follows an edge of the first pattern. */
  readonly second: number;
}

const kindsOf = ({ first, second }: TwoPatterns): readonly (readonly [number, number])[] => [
  first,
  [KINDS[0], second],
];

/** @returns patterns with matches, if possible, over edges at which matches end */
export function someTwoPatterns(
  graph: AttackGraph,
  [one, two]: readonly [number, number],
): TwoPatterns | undefined {
  const { kinds, flags, offsets } = graph.out;
  const after = (node: number): number[] => {
    const found: number[] = [];
    for (let at = offsets[node]; at < offsets[node + 1]; at++)
      if (endsMatches(kinds[at], flags[at])) found.push(at);
    return found;
  };
  const rows = new Map<string, readonly [number, number, number[]]>();
  for (let edge = 0; edge < graph.edgeCount; edge++) {
    if (!endsMatches(kinds[edge], flags[edge])) continue;
    for (const next of after(endOf(graph, edge))) {
      const key = `${kinds[edge]} ${kinds[next]}`;
      const more = after(endOf(graph, next)).map((at) => kinds[at]);
      rows.set(key, [kinds[edge], kinds[next], [...(rows.get(key)?.[2] ?? []), ...more]]);
    }
  }
  const all = [...rows.values()].filter(([, , more]) => more.length > 0);
  const chosen = all[one % all.length];
  if (chosen === undefined) return undefined;
  const [first, then, more] = chosen;
  return { first: [first, then], second: more[two % more.length] as number };
}

function matchesIn(graph: AttackGraph, [one, two]: readonly [number, number]): FoundMatch[] {
  const found: FoundMatch[] = [];
  const { kinds, offsets } = graph.out;
  for (let edge = 0; edge < graph.edgeCount; edge++) {
    if (kinds[edge] !== one) continue;
    const middle = endOf(graph, edge);
    for (let next = offsets[middle]; next < offsets[middle + 1]; next++)
      if (kinds[next] === two && startOf(graph, edge) !== endOf(graph, next))
        found.push({ start: startOf(graph, edge), end: endOf(graph, next), edges: [edge, next] });
  }
  return found;
}

/** The world with the edges that the patterns derive, each of which is a step. */
export function withPatterns({ context, options }: AnalyzedWorld, patterns: TwoPatterns): AnalyzedWorld {
  const { properties, edgeProperties } = context;
  let { graph } = context;
  for (const [at, pattern] of kindsOf(patterns).entries()) {
    const list = new EdgeList();
    for (const { start, end } of matchesIn(graph, pattern))
      list.append(start, KINDS[at], end, EdgeFlag.Derived);
    graph = withEdges(graph, list);
  }
  const step = (kind: number) => ({ kind, name: `X_${kind}`, effort: 1, reason: 'x', family: 'X' });
  const derivation = (kind: number) => ({
    ...{ kind, kindName: `X_${kind}`, reason: 'x', reads: [] },
    by: { type: 'pattern' as const, pattern: '', start: 'a', end: 'b' },
  });
  graph = {
    ...graph,
    declared: { ...graph.declared, steps: KINDS.map(step), derivations: KINDS.map(derivation) },
  };
  const found = kindsOf(patterns).map((pattern, at) => ({
    kind: KINDS[at],
    found: matchesIn(graph, pattern),
  }));
  const matches = new DerivedMatches(graph, found);
  return worldOf(
    new AnalysisContext({
      ...{ graph, properties, edgeProperties, options: { ...context.options, matches } },
    }),
    options,
  );
}

/** Pairs of ends of derived edges in the graph, by kind: the existing ones, and those expected among the previous ones. */
export function derivedPairs(graph: AttackGraph): string[] {
  const found: string[] = [];
  for (let edge = 0; edge < graph.edgeCount; edge++) {
    const kind = graph.out.kinds[edge];
    if (kind === KINDS[0] || kind === KINDS[1])
      found.push(`${startOf(graph, edge)} ${kind} ${endOf(graph, edge)}`);
  }
  return found.sort();
}

/** @returns the derived edges that the patterns find in the graph, ignoring its existing derived edges */
export function pairsToBe(graph: AttackGraph, patterns: TwoPatterns): Set<string> {
  const made = new Set<string>();
  const [first, [, second]] = kindsOf(patterns);
  const ones = matchesIn(graph, first);
  for (const { start, end } of ones) made.add(`${start} ${KINDS[0]} ${end}`);
  const { kinds, offsets, neighbors } = graph.out;
  for (const { start, end } of ones)
    for (let next = offsets[end]; next < offsets[end + 1]; next++)
      if (kinds[next] === second && neighbors[next] !== start)
        made.add(`${start} ${KINDS[1]} ${neighbors[next]}`);
  return made;
}
