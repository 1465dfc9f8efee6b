/** The planner and its steps against a matcher that tries everything, on random graphs with random patterns. */
import { expect, test } from 'vitest';
import { FREE, naiveMatch } from '../../test/naiveMatch.ts';
import { LABELS, Random, randomGraph, TYPES } from '../../test/randomGraph.ts';
import { runQuery } from '../runQuery.ts';
import type { Clause } from '../syntax/ast.ts';
import { parse } from '../syntax/parser.ts';
import { keyOf } from '../values/compare.ts';
import { PathValue, type Value } from '../values/values.ts';

/** Multiplies the number of random cases; nightly runs have more. */
const RUNS = Number(process.env.CLEW_TEST_RUNS ?? 1);

/** A query whose rows are all variables. */
function randomQuery(random: Random): string {
  const names = ['a', 'b', 'c'];
  const used = new Set<string>();
  let relationships = 0;
  const node = (): string => {
    const name = random.chance(0.8) ? random.of(names) : '';
    if (name !== '') used.add(name);
    const label = random.chance(0.35) ? `:${random.of(LABELS)}` : '';
    const properties = random.chance(0.15) ? ` {n: ${random.below(3)}}` : '';
    return `(${name}${label}${properties})`;
  };
  const relationship = (): string => {
    const name = random.chance(0.4) ? `r${relationships++}` : '';
    const isLong = random.chance(0.35);
    if (name !== '') used.add(name);
    const types = random.chance(0.5) ? `:${random.chance(0.3) ? 'X|Y' : random.of(TYPES)}` : '';
    const length = isLong ? random.of(['*', '*1..2', '*0..2', '*2', '*0..', '*..3']) : '';
    const properties = random.chance(0.15) ? ` {w: ${random.below(2)}}` : '';
    return random.of(['-[#]->', '<-[#]-', '-[#]-']).replace('#', `${name}${types}${length}${properties}`);
  };
  const pattern = (at: number): string => {
    if (random.chance(0.2)) {
      const path = `p${at}`;
      used.add(path);
      const [start, end] = [node(), node()];
      const length = random.of(['*', '*1..', '*..2', '*0..']);
      const kind = random.of(['shortestPath', 'allShortestPaths']);
      return `${path} = ${kind}(${start}${random.of(['-[#]->', '<-[#]-', '-[#]-']).replace('#', `${random.of(['', ':X'])}${length}`)}${end})`;
    }
    let text = node();
    for (let hops = random.below(3); hops > 0; hops--) text += relationship() + node();
    if (!random.chance(0.3)) return text;
    used.add(`p${at}`);
    return `p${at} = ${text}`;
  };
  const patterns = Array.from({ length: 1 + random.below(2) }, (_, at) => pattern(at));
  const nodes = names.filter((name) => used.has(name));
  const conditions: string[] = [];
  if (nodes.length > 0 && random.chance(0.4))
    conditions.push(`${random.of(nodes)}.n ${random.of(['=', '<>', '<', '>='])} ${random.below(3)}`);
  if (nodes.length > 1 && random.chance(0.3))
    conditions.push(`${nodes[0]} ${random.of(['<>', '='])} ${nodes[1]}`);
  if (nodes.length > 1 && random.chance(0.2)) conditions.push(`${nodes[0]}.n = ${nodes[1]}.n`);
  if (nodes.length > 0 && random.chance(0.2))
    conditions.push(`(${random.of(nodes)}:A OR ${random.of(nodes)}.n IS NULL)`);
  if (nodes.length > 0 && random.chance(0.2)) conditions.push(`${random.of(nodes)}.n IN [0, 2]`);
  const where =
    conditions.length === 0 ? '' : ` WHERE ${conditions.join(random.chance(0.8) ? ' AND ' : ' OR ')}`;
  const columns = [...used].sort();
  return `MATCH ${patterns.join(', ')}${where} RETURN ${columns.length === 0 ? '1 AS one' : columns.join(', ')}`;
}

const CASES = 300 * RUNS;

test(`the engine finds the same as an exhaustive search (${CASES} cases)`, () => {
  for (let seed = 1; seed <= CASES; seed++) {
    const random = new Random(seed * 7919);
    const graph = randomGraph(random);
    const query = randomQuery(random);
    const [match] = parse(query).parts[0].clauses as [Extract<Clause, { type: 'match' }>];
    const result = runQuery(query, graph);
    const isSingle = query.includes('= shortestPath');
    // Any of several shortest paths will do: they are compared by their ends and lengths.
    const key = (value: Value): string =>
      isSingle && value instanceof PathValue
        ? `${value.nodes[0]} ${value.nodes.at(-1)} ${value.edges.length}`
        : keyOf(value ?? null, FREE);
    const found = result.rows.map((row) => row.map(key).join(' | ')).sort();
    const expected = naiveMatch(match, graph).map((bound) =>
      result.columns.map((name) => key(name === 'one' ? 1 : (bound.get(name) ?? null))).join(' | '),
    );
    expect({ seed, query, rows: found }).toEqual({ seed, query, rows: expected.sort() });
  }
});

test('counted, distinct and tested rows are the same for every plan', () => {
  for (let seed = 1; seed <= CASES / 3; seed++) {
    const random = new Random(seed * 104_729);
    const graph = randomGraph(random);
    const hops = random.of(['-[:X*1..]->', '-[*0..2]->', '<-[:X|Y*]-', '-[*1..3]-', '-[:Y*1..2]->']);
    const [first, last] = [random.of(['', ':A', ':B']), random.of(['', ':B', ':C'])];
    const pattern = `(a${first})${hops}(b${last})`;
    const rows = runQuery(`MATCH ${pattern} RETURN a, b`, graph).rows;
    const distinct = [...new Set(rows.map((row) => row.map((value) => keyOf(value, FREE)).join()))].sort();
    const keys = (query: string): string[] =>
      runQuery(query, graph)
        .rows.map((row) => row.map((value) => keyOf(value, FREE)).join())
        .sort();
    // Ends alone, without the trails between them.
    expect([pattern, keys(`MATCH ${pattern} RETURN DISTINCT a, b`)]).toEqual([pattern, distinct]);
    // The pattern as a condition between two known nodes.
    expect([pattern, keys(`MATCH (a${first}), (b${last}) WHERE (a)${hops}(b) RETURN a, b`)]).toEqual([
      pattern,
      distinct,
    ]);
    expect(runQuery(`MATCH ${pattern} RETURN count(*)`, graph).rows).toEqual([[rows.length]]);
    expect(keys(`MATCH (a${first}) MATCH (b${last}) MATCH (a)${hops}(b) RETURN a, b`)).toHaveLength(
      rows.length,
    );
    expect(keys(`MATCH ${pattern} WITH a, b WHERE a IS NOT NULL RETURN a, b`)).toHaveLength(rows.length);
  }
});

test('as a graph, shortest paths have the same nodes and edges, and each edge once', () => {
  const partsOf = (rows: readonly (readonly Value[])[]) => {
    const paths = rows.map(([path]) => path as PathValue);
    const edges = paths.flatMap((path) => [...path.edges]);
    const nodes = new Set(paths.flatMap((path) => [...path.nodes]));
    return { nodes: [...nodes].sort((a, b) => a - b), edges };
  };
  const ascending = (edges: Iterable<number>): number[] => [...new Set(edges)].sort((a, b) => a - b);
  let count = 0;
  for (let seed = 1; seed <= CASES / 3; seed++) {
    const random = new Random(seed * 15_485_863);
    const graph = randomGraph(random);
    const [first, last] = [random.of(['', ':A', ':B']), random.of(['', ':B', ':C'])];
    const hops = random.of([
      '-[:X*1..]->',
      '-[*0..]->',
      '<-[:X|Y*]-',
      '-[*1..3]-',
      '<-[*]-',
      '-[*..2 {w: 1}]->',
    ]);
    const where = random.of([
      '',
      ' WHERE a.n = 1',
      ' WHERE b.n < 2 AND a.n <> 1',
      ' WHERE a <> b',
      ' WHERE a.n = b.n',
    ]);
    const query = `MATCH p = shortestPath((a${first})${hops}(b${last}))${where} RETURN p`;
    const plain = partsOf(runQuery(query, graph).rows);
    const shown = partsOf(runQuery(query, graph, { asGraph: true }).rows);
    expect([query, shown.nodes, ascending(shown.edges)]).toEqual([
      query,
      plain.nodes,
      ascending(plain.edges),
    ]);
    if (!/a <> b|a\.n = b\.n/.test(where))
      expect([query, shown.edges.length]).toEqual([query, ascending(shown.edges).length]);
    count += plain.edges.length - shown.edges.length;
  }
  expect(count).toBeGreaterThan(CASES / 100);
});
