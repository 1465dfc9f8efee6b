/** Conditions on shortest paths, in all their forms, against a search through all paths. */
import { expect, test } from 'vitest';
import { memoryGraph } from '../../test/memoryGraph.ts';
import { naiveMatch } from '../../test/naiveMatch.ts';
import { LABELS, Random, randomGraph } from '../../test/randomGraph.ts';
import { runQuery } from '../runQuery.ts';
import type { Clause } from '../syntax/ast.ts';
import { parse } from '../syntax/parser.ts';
import type { PathValue } from '../values/values.ts';

/** Conditions that are part of the search. `n` and `w` are missing in some places, so tests of them may be null. */
function condition(random: Random): string {
  const [list, test, value] = random.of([
    ['relationships(p)', `type(x) = '${random.of(['X', 'Y'])}'`, 'type(x)'],
    ['relationships(p)', `x.w = ${random.below(2)}`, 'x.w'],
    ['relationships(p)', `x.w > 0 OR type(x) = 'X'`, 'x.w'],
    ['nodes(p)', `x.n = ${random.below(3)}`, 'x.n'],
    ['nodes(p)', `x:${random.of(LABELS)}`, 'x.n'],
    ['nodes(p)', `NOT (x.n < 2 AND x:B)`, 'x.n'],
  ] as const);
  const wanted = value === 'type(x)' ? random.of(["'X'", "'Y'", 'null']) : random.of(['0', '1', 'null']);
  const filter = random.chance(0.4) ? ` WHERE ${random.of([test, 'x.n > 0', 'x.w = 1'])}` : '';
  return random.of([
    `none(x IN ${list} WHERE ${test})`,
    `all(x IN ${list} WHERE ${test})`,
    `NOT any(x IN ${list} WHERE ${test})`,
    `NOT NOT none(x IN ${list} WHERE ${test})`,
    `NOT NOT NOT any(x IN ${list} WHERE ${test})`,
    `NOT (any(x IN ${list} WHERE ${test}) OR ${wanted} IN [x IN ${list} | ${value}])`,
    `size([x IN ${list} WHERE ${test}]) = 0`,
    `size([x IN ${list} WHERE ${test} | x.n]) < 1`,
    `0 >= size([x IN ${list} WHERE ${test}])`,
    `NOT size([x IN ${list} WHERE ${test}]) > 0`,
    `NOT 1 <= size([x IN ${list} WHERE ${test}])`,
    `[x IN ${list} WHERE ${test}] = []`,
    `NOT ${wanted} IN [x IN ${list}${filter} | ${value}]`,
    `none(y IN [x IN ${list}${filter} | ${value}] WHERE y = ${wanted})`,
    `all(y IN [x IN ${list}${filter} | ${value}] WHERE y <> ${wanted})`,
    `all(x IN [x IN ${list}${filter}] WHERE ${test})`,
    `none(x IN [z IN [y IN ${list}] WHERE z.n > 0] WHERE ${test})`,
  ]);
}

const CASES = 400 * Number(process.env.CLEW_TEST_RUNS ?? 1);

test(`each form of a condition on a shortest path searches for longer paths (${CASES} cases)`, () => {
  let count = 0;
  for (let seed = 1; seed <= CASES; seed++) {
    const random = new Random(seed * 6151);
    const graph = randomGraph(random, { maxNodes: 6, maxEdges: 7 });
    const conditions = [condition(random), ...(random.chance(0.3) ? [condition(random)] : [])];
    const where = conditions.join(' AND ');
    const hops = random.of(['-[*1..]->', '<-[:X|Y*]-', '-[*]-', '-[*0..]->']);
    const ends = random.of(['(a)#(b)', '(a:A)#(b)', '(a)#(b:B)', '(a {n: 1})#(b {n: 0})', '(a:A)#(b:C)']);
    const kind = random.of(['shortestPath', 'allShortestPaths']);
    const pattern = ends.replace('#', hops);
    const query = `MATCH p = ${kind}(${pattern}) WHERE ${where} RETURN p`;
    const { rows, warnings } = runQuery(query, graph);
    const found = rows.map(([path]) => keyOf(path as PathValue));
    // All trails, filtered, and of these the shortest.
    const [match] = parse(`MATCH p = ${pattern} WHERE ${where} RETURN p`).parts[0].clauses;
    const trails = naiveMatch(match as Extract<Clause, { type: 'match' }>, graph).map(
      (bound) => bound.get('p') as PathValue,
    );
    const byEnds = Map.groupBy(
      trails.filter(({ nodes, edges }) => edges.length === 0 || nodes[0] !== nodes.at(-1)),
      ({ nodes }) => `${nodes[0]} ${nodes.at(-1)}`,
    );
    const expected = [...byEnds.values()].flatMap((paths) => {
      const least = Math.min(...paths.map(({ edges }) => edges.length));
      const shortest = paths.filter(({ edges }) => edges.length === least);
      return (kind === 'shortestPath' ? shortest.slice(0, 1) : shortest).map(keyOf);
    });
    expect({ seed, query, found: found.sort() }).toEqual({ seed, query, found: expected.sort() });
    expect([query, warnings.filter((warning) => warning.includes('were not searched'))]).toEqual([query, []]);
    count += expected.filter((key) => !key.endsWith(' 0')).length;
  }
  expect(count).toBeGreaterThan(CASES / 4);
});

/** Any of several paths of the same length will do. */
const keyOf = ({ nodes, edges }: PathValue): string => `${nodes[0]} ${nodes.at(-1)} ${edges.length}`;

const graph = memoryGraph(
  ['A', 'B', 'C', 'D'].map((name) => ({ labels: ['Node'], properties: { name } })),
  [
    { start: 0, type: 'Short', end: 3, properties: {} },
    { start: 0, type: 'Long', end: 1, properties: {} },
    { start: 1, type: 'Long', end: 3, properties: {} },
    { start: 1, type: 'Long', end: 2, properties: {} },
  ],
);
const match = "MATCH p = shortestPath(({name: 'A'})-[r*1..]->(m {name: 'D'}))";
const WARNING = 'longer paths were not searched: this condition removed all paths that were found';

test.each([
  [`${match} WHERE length(p) > 1 RETURN p`, 'line 1:69'],
  [`${match} WHERE type(r[0]) = 'Long' RETURN p`, 'line 1:69'],
  [`${match} WHERE single(x IN relationships(p) WHERE type(x) = 'Long') RETURN p`, 'line 1:69'],
  [`${match} WHERE none(x IN relationships(p) WHERE type(x) = m.none OR startNode(x) <> m) RETURN p`, '1:69'],
  ["MATCH p = allShortestPaths((a {name: 'A'})-[*]->(m)) WHERE length(p) > 1 RETURN p", 'line 1:59'],
])('%s warns that it did not search longer paths', (query, place) => {
  const found = runQuery(query, graph).warnings.filter((warning) => warning.includes(WARNING));
  expect(found).toHaveLength(1);
  expect(found[0]).toContain(place);
});

test.each([
  `${match} WHERE length(p) < 1 RETURN p`,
  `${match} WHERE 0 >= size(relationships(p)) RETURN p`,
  `${match} WHERE length(p) = 1 RETURN p`,
  `${match} WHERE m.name = 'x' RETURN p`,
  `${match} WITH p WHERE length(p) > 1 RETURN p`,
  "MATCH p = allShortestPaths((a)-[*]->(b)) WHERE length(p) < 1 OR b.name <> 'x' RETURN p",
  `${match} WHERE none(x IN relationships(p) WHERE type(x) = 'Short') RETURN p`,
])('%s has no warning about longer paths', (query) => {
  expect(runQuery(query, graph).warnings.filter((warning) => warning.includes(WARNING))).toEqual([]);
});

test('the easiest paths have the warning, too', () => {
  const { warnings } = runQuery(
    "MATCH p = EASIEST 2 BY cost ({name: 'A'})-[*]->({name: 'D'}) WHERE length(p) > 2 RETURN p",
    memoryGraph(
      ['A', 'D'].map((name) => ({ labels: [], properties: { name } })),
      [{ start: 0, type: 'X', end: 1, properties: { cost: 1 } }],
    ),
  );
  expect(warnings[0]).toMatch(/^line 1:67 further paths were not searched/);
});

test('a variable of a condition may have the name of a node', () => {
  const query =
    "MATCH p = shortestPath((n {name: 'A'})-[*1..]->({name: 'D'})) WHERE NOT any(n IN relationships(p) WHERE type(n) = 'Short') RETURN length(p)";
  expect(runQuery(query, graph).rows).toEqual([[2]]);
});
