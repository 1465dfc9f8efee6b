/** Tests newer features of the standard than openCypher 9: equal to a longer form, on random graphs; and the refused ones, by name. */
import { describe, expect, test } from 'vitest';
import { memoryGraph } from '../../test/memoryGraph.ts';
import { FREE } from '../../test/naiveMatch.ts';
import { Random, randomGraph } from '../../test/randomGraph.ts';
import { runQuery } from '../runQuery.ts';
import { keyOf } from '../values/compare.ts';

const GRAPHS = 25;

/** Both give the same rows on every graph, and on some there are rows. */
function expectSame(query: string, longer: string): void {
  let rows = 0;
  for (let seed = 1; seed <= GRAPHS; seed++) {
    const graph = randomGraph(new Random(seed * 31), { maxNodes: 6, maxEdges: 12 });
    const [some, others] = [query, longer].map((text) =>
      runQuery(text, graph)
        .rows.map((row) => row.map((value) => keyOf(value, FREE)).join(' | '))
        .sort(),
    );
    expect({ seed, query, rows: some }).toEqual({ seed, query, rows: others });
    rows += some.length;
  }
  expect(rows).toBeGreaterThan(0);
}

describe('labels and types', () => {
  test.each([
    ['MATCH (n:A&B) RETURN n', 'MATCH (n) WHERE n:A AND n:B RETURN n'],
    ['MATCH (n:A|B) RETURN n', 'MATCH (n) WHERE n:A OR n:B RETURN n'],
    ['MATCH (n:!A) RETURN n', 'MATCH (n) WHERE NOT n:A RETURN n'],
    ['MATCH (n:A&!B|B&!A) RETURN n', 'MATCH (n) WHERE (n:A AND NOT n:B) OR (n:B AND NOT n:A) RETURN n'],
    ['MATCH (n:!(A|B)) RETURN n', 'MATCH (n) WHERE NOT n:A AND NOT n:B RETURN n'],
    ['MATCH (n:(A|B)&!(A&B)) RETURN n', 'MATCH (n) WHERE (n:A OR n:B) AND NOT (n:A AND n:B) RETURN n'],
    [
      'MATCH (:!A)-[:X]->(m:!B {n: 1}) RETURN m',
      'MATCH (k)-[:X]->(m {n: 1}) WHERE NOT k:A AND NOT m:B RETURN m',
    ],
    ['MATCH (n) WHERE n:A|B RETURN n', 'MATCH (n:A|B) RETURN n'],
    ['MATCH (n) WHERE n:!A AND n:B RETURN n', 'MATCH (n:B) WHERE NOT n:A RETURN n'],
    [
      'MATCH (n) RETURN [x IN [n] WHERE x:A | x.n] AS l',
      'MATCH (n) RETURN CASE WHEN n:A THEN [n.n] ELSE [] END AS l',
    ],
    [
      'MATCH (n) RETURN [x IN [n] WHERE (x:A|B) | x.n] AS l',
      'MATCH (n) RETURN CASE WHEN n:A OR n:B THEN [n.n] ELSE [] END AS l',
    ],
    ['MATCH ()-[r:!X]->() RETURN r', "MATCH ()-[r]->() WHERE type(r) <> 'X' RETURN r"],
    ['MATCH (a)-[:!X&!Z]->(b) RETURN a, b', "MATCH (a)-[r]->(b) WHERE type(r) = 'Y' RETURN a, b"],
    ['MATCH (a)-[r:(X|Y)&(X|Z)]->(b) RETURN r', 'MATCH (a)-[r:X]->(b) RETURN r'],
    [
      'MATCH (n) WHERE EXISTS { (n)-[:X]->(:!A) } RETURN n',
      'MATCH (n)-[:X]->(m) WHERE NOT m:A RETURN DISTINCT n',
    ],
  ])('%s', expectSame);
});

describe('map projections', () => {
  test.each([
    ['MATCH (n) RETURN n{.n} AS m', 'MATCH (n) RETURN {n: n.n} AS m'],
    ['MATCH (n) RETURN n{.*} AS m', 'MATCH (n) RETURN properties(n) AS m'],
    [
      'MATCH (n) WITH n, 7 AS seven RETURN n{.n, seven, two: n.n + 2} AS m',
      'MATCH (n) RETURN {n: n.n, seven: 7, two: n.n + 2} AS m',
    ],
    [
      'MATCH (n) OPTIONAL MATCH (n)-[r:X]->(m) RETURN n, m{.n} AS m',
      'MATCH (n) OPTIONAL MATCH (n)-[r:X]->(m) RETURN n, CASE WHEN m IS NULL THEN null ELSE {n: m.n} END AS m',
    ],
    [
      'MATCH (n) RETURN [x IN collect(n{.n}) | x.n] AS l',
      'MATCH (n) RETURN [x IN collect({n: n.n}) | x.n] AS l',
    ],
  ])('%s', expectSame);

  test('are null for a number', () => {
    expect(() => runQuery('WITH 1 AS x RETURN x{.n}', memoryGraph([], []))).toThrow('a map projection');
  });
});

describe('CALL { }', () => {
  test.each([
    ['MATCH (a) CALL { WITH a MATCH (a)-[:X]->(b) RETURN b } RETURN a, b', 'MATCH (a)-[:X]->(b) RETURN a, b'],
    ['MATCH (a) CALL (a) { MATCH (a)-[:X]->(b) RETURN b } RETURN a, b', 'MATCH (a)-[:X]->(b) RETURN a, b'],
    ['MATCH (a) CALL (*) { MATCH (a)-[:X]->(b) RETURN b } RETURN a, b', 'MATCH (a)-[:X]->(b) RETURN a, b'],
    [
      'MATCH (a) CALL { MATCH (a:A) RETURN count(a) AS c } RETURN a, c',
      'MATCH (b:A) WITH count(b) AS c MATCH (a) RETURN a, c',
    ],
    [
      'MATCH (a) CALL (a) { MATCH (a)--(b) RETURN count(b) AS c } RETURN a, c',
      'MATCH (a) RETURN a, COUNT { (a)--() } AS c',
    ],
    [
      'MATCH (a) CALL (a) { MATCH (a)-->(b) RETURN b.n AS n ORDER BY n LIMIT 1 } RETURN a, n',
      'MATCH (a)-->(b) WITH a, b.n AS n ORDER BY n RETURN a, head(collect(n)) AS n',
    ],
    ['CALL { MATCH (a:A) RETURN a UNION MATCH (a:B) RETURN a } RETURN a', 'MATCH (a:A|B) RETURN a'],
    [
      'CALL { MATCH (a:A) RETURN a UNION ALL MATCH (a:B) RETURN a } RETURN count(*) AS c',
      'MATCH (a) RETURN sum(CASE WHEN a:A THEN 1 ELSE 0 END + CASE WHEN a:B THEN 1 ELSE 0 END) AS c',
    ],
    [
      'MATCH (a) CALL (a) { UNWIND [1, 2] AS x CALL (a, x) { RETURN a.n + x AS y } RETURN y } WITH a, y WHERE y > 1 RETURN a, y',
      'UNWIND [1, 2] AS x MATCH (a) WITH a, a.n + x AS y WHERE y > 1 RETURN a, y',
    ],
    [
      'MATCH (a)-->(b) CALL (b) { MATCH (b)-->(c) RETURN c } MATCH (c)-->(d) RETURN DISTINCT d',
      'MATCH (a)-->(b) MATCH (b)-->(c) MATCH (c)-->(d) RETURN DISTINCT d',
    ],
    [
      'MATCH (a) WHERE EXISTS { CALL { MATCH (x:A) RETURN x } MATCH (a)-->(x) } RETURN a',
      'MATCH (a) WHERE EXISTS { (a)-->(:A) } RETURN a',
    ],
  ])('%s', expectSame);

  test('the rows of a subquery are released with it', () => {
    const graph = memoryGraph([], []);
    const query =
      'UNWIND range(1, 100) AS x CALL (x) { UNWIND range(1, 100) AS y RETURN x + y AS z } RETURN count(z)';
    expect(runQuery(query, graph, { limits: { rows: 300 } }).rows).toEqual([[10_000]]);
  });
});

describe('quantified patterns', () => {
  test.each([
    [
      'MATCH (x)((a)-[r:X]->(b)){1,3}(y) RETURN x, y, a, b, r',
      'MATCH p = (x)-[r:X*1..3]->(y) RETURN x, y, nodes(p)[..-1] AS a, nodes(p)[1..] AS b, r',
    ],
    [
      'MATCH (x)((a)<-[r]-(b)){,2}(y) RETURN x, y, a, b, r',
      'MATCH p = (x)<-[r*0..2]-(y) RETURN x, y, nodes(p)[..-1] AS a, nodes(p)[1..] AS b, r',
    ],
    [
      'MATCH (x)((a)-[:X]-(b)){2}(y:A) RETURN x, y, a, b',
      'MATCH p = (x)-[:X*2]-(y:A) RETURN x, y, nodes(p)[..-1] AS a, nodes(p)[1..] AS b',
    ],
    [
      'MATCH p = ((a)-[:X]->(b)){1,3} RETURN p, a',
      'MATCH p = ()-[:X*1..3]->() RETURN p, nodes(p)[..-1] AS a',
    ],
    ['MATCH (x)-[:X]->{1,2}(y) RETURN x, y', 'MATCH (x)-[:X*1..2]->(y) RETURN x, y'],
    ['MATCH (x:A)-[:X]->+(y) RETURN DISTINCT x, y', 'MATCH (x:A)-[:X*1..]->(y) RETURN DISTINCT x, y'],
    ['MATCH (x:A)-[:X]->*(y) RETURN DISTINCT x, y', 'MATCH (x:A)-[:X*0..]->(y) RETURN DISTINCT x, y'],
    ['MATCH (x)-[r:!X]->{1,3}(y) RETURN x, r, y', 'MATCH (x)-[r:Y*1..3]->(y) RETURN x, r, y'],
    ['MATCH (x)-[r WHERE r:X]->{1,3}(y) RETURN x, r, y', 'MATCH (x)-[r:X*1..3]->(y) RETURN x, r, y'],
    ['MATCH (x)-[r*1..3 WHERE r:X]->(y) RETURN x, r, y', 'MATCH (x)-[r:X*1..3]->(y) RETURN x, r, y'],
    [
      'MATCH (x)((:A)-[]->(b)){1,3}(y) RETURN x, y',
      'MATCH p = (x)-[*1..3]->(y) WHERE all(n IN nodes(p)[..-1] WHERE n:A) RETURN x, y',
    ],
    [
      'MATCH (x)((a)-[]->(b WHERE b.n < 2)){1,3}(y) RETURN x, b',
      'MATCH p = (x)-[*1..3]->(y) WHERE all(n IN nodes(p)[1..] WHERE n.n < 2) RETURN x, nodes(p)[1..] AS b',
    ],
    [
      'MATCH (x)((a)-[r]->(b) WHERE a.n < b.n AND r:X){1,3}(y) RETURN x, y, a',
      'MATCH p = (x)-[r:X*1..3]->(y) WHERE all(i IN range(0, size(r) - 1) WHERE startNode(r[i]).n < endNode(r[i]).n) RETURN x, y, nodes(p)[..-1] AS a',
    ],
    [
      'MATCH (x)((a {n: 0})-[]->()){1,2}(y) RETURN y',
      'MATCH p = (x)-[*1..2]->(y) WHERE all(n IN nodes(p)[..-1] WHERE n.n = 0) RETURN y',
    ],
    [
      'MATCH ((a)-[:X]->(b)){1,2}((c)-[:Y]->(d)){1,2} RETURN a, d',
      'MATCH p = ()-[:X*1..2]->(m), q = (m)-[:Y*1..2]->() RETURN nodes(p)[..-1] AS a, nodes(q)[1..] AS d',
    ],
    [
      'MATCH (x:A) MATCH (x)((a)-[:X]->(b)){1,2}(y) WITH x, b AS c RETURN x, c',
      'MATCH p = (x:A)-[:X*1..2]->(y) RETURN x, nodes(p)[1..] AS c',
    ],
    [
      'MATCH (x) WHERE EXISTS { (x)((a)-[:X]->(b:B)){1,2}(:A) } RETURN x',
      'MATCH p = (x)-[:X*1..2]->(:A) WHERE all(n IN nodes(p)[1..] WHERE n:B) RETURN DISTINCT x',
    ],
    ['MATCH p = ((x)-[:X]->(y)) RETURN p', 'MATCH p = (x)-[:X]->(y) RETURN p'],
  ])('%s', expectSame);
});

describe('SHORTEST', () => {
  test.each([
    [
      'MATCH p = SHORTEST 1 (x:A)-[:X]->+(y:B) RETURN p',
      'MATCH p = shortestPath((x:A)-[:X*1..]->(y:B)) RETURN p',
    ],
    [
      'MATCH p = ANY SHORTEST (x:A)-[:X|Y]->{1,2}(y) RETURN p',
      'MATCH p = shortestPath((x:A)-[:X|Y*1..2]->(y)) RETURN p',
    ],
    [
      'MATCH p = ALL SHORTEST (x:A)-[]->+(y:B) RETURN p',
      'MATCH p = allShortestPaths((x:A)-[*1..]->(y:B)) RETURN p',
    ],
    [
      'MATCH p = SHORTEST 1 PATH GROUP (x:A)-[]->+(y:B) RETURN p',
      'MATCH p = allShortestPaths((x:A)-[*1..]->(y:B)) RETURN p',
    ],
    [
      'MATCH p = ALL SHORTEST (x:A)((a)-[r:!Y]->(b))+(y:B) RETURN p',
      'MATCH p = allShortestPaths((x:A)-[:X*1..]->(y:B)) RETURN p',
    ],
  ])('%s', expectSame);
});

test.each([
  [
    'CALL db.labels()',
    'procedure invocation is not supported: CALL db.labels; ask `MATCH (n) UNWIND labels(n)',
  ],
  ['CALL db.schema.visualization() YIELD nodes RETURN nodes', 'CALL db.schema.visualization'],
  ['MATCH (n) CALL apoc.path.expand(n) YIELD path RETURN path', 'CALL apoc.path.expand'],
  ['MATCH (n) CALL { WITH n MATCH (n)-->(m) } RETURN n', 'CALL { } needs a RETURN'],
  ['MATCH (n) CALL { WITH n RETURN * } RETURN n', 'CALL { } needs a RETURN'],
  ['MATCH (n) CALL (n) { RETURN n.x } RETURN n', 'needs a name: AS name'],
  ['MATCH (n) CALL (n) { RETURN 1 AS n } RETURN n', 'the variable `n` is already defined'],
  ['MATCH (n) CALL { RETURN n.x AS x } RETURN x', 'the variable `n` is not defined'],
  ['MATCH (n) CALL (m) { RETURN 1 AS x } RETURN x', 'the variable `m` is not defined'],
  ['MATCH (n) CALL (n) { RETURN 1 AS x } IN TRANSACTIONS RETURN x', 'IN TRANSACTIONS is not supported'],
  ['MATCH (n) CALL (n) { SET n.x = 1 } RETURN n', 'updating clauses are not supported'],
  ['MATCH (n:%) RETURN n', '% for any label is not supported'],
  ['MATCH (x)((a)-[]->(m)-[]->(b)){1,3}(y) RETURN x', 'more than one relationship is not supported'],
  ['MATCH (x)((a)-[*1..2]->(b)){1,3}(y) RETURN x', 'more than one relationship is not supported'],
  ['MATCH (x)-[*1..2]->{1,3}(y) RETURN x', 'a relationship has one length'],
  ['MATCH (x)-[]->{3,1}(y) RETURN x', 'from 3 to 1 times is never'],
  ['MATCH (x)-[]->{,}(y) RETURN x', 'expecting the number of repetitions'],
  ['MATCH (x)((a)-[]->(b))(y) RETURN x', "expecting a quantifier like '{1,3}'"],
  ['MATCH (a) MATCH (x)((a)-[]->(b)){1,3}(y) RETURN x', 'the variable `a` is already defined'],
  ['MATCH (x)((a $p)-[]->(b)){1,3}(y) RETURN x', 'a parameter for the properties of a node within'],
  ['MATCH p = SHORTEST 2 (x)-[]->+(y) RETURN p', 'SHORTEST 2 is not supported'],
  ['MATCH p = ANY SHORTEST (x)-[]->(m)-[]->+(y) RETURN p', 'SHORTEST needs a pattern of one relationship'],
  ['MATCH p = SHORTEST 1 (x)((a:A)-[]->(b))+(y) RETURN p', 'conditions on nodes within a shortest path'],
  ['RETURN COLLECT { MATCH (n) RETURN n.n } AS l', 'COLLECT { } is not supported'],
])('%s is rejected: %s', (query, message) => {
  expect(() => runQuery(query, memoryGraph([{ labels: [], properties: {} }], []))).toThrow(message);
});
