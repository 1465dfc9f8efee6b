/** Products that could be one pattern. */
import { expect, test } from 'vitest';
import { runQuery } from '../runQuery.ts';
import { memoryGraph } from '../testing/memoryGraph.ts';
import { productHint } from './products.ts';

test.each([
  [
    'MATCH (n:User),(m:Group) MATCH p=(n)-[:MemberOf*1..3]->(m) RETURN p',
    'MATCH p=(n:User)-[:MemberOf*1..3]->(m:Group)\nRETURN p',
  ],
  [
    "MATCH (c:Computer) WHERE c.enabled OR c.haslaps MATCH (g:Group {name: 'A, B'}) MATCH p=shortestPath((c)-[*1..]->(g)) WHERE c <> g RETURN count(p)",
    "MATCH p=shortestPath((c:Computer)-[*1..]->(g:Group {name: 'A, B'})) WHERE (c.enabled OR c.haslaps) AND (c <> g)\nRETURN count(p)",
  ],
  [
    'MATCH (u:User), (u)-[:MemberOf]->(g), (g)-[:AdminTo]->(c) RETURN u',
    'MATCH (u:User)-[:MemberOf]->(g), (g)-[:AdminTo]->(c)\nRETURN u',
  ],
  [
    'MATCH (a:A) RETURN a UNION MATCH (a:A) MATCH (a)-->(b) RETURN a',
    'MATCH (a:A) RETURN a UNION MATCH (a:A)-->(b)\nRETURN a',
  ],
])('%s', (query, expected) => {
  expect(productHint(query)?.query).toBe(expected);
});

test.each([
  'MATCH (n:User)-[:MemberOf]->(m:Group) RETURN n',
  'MATCH (n:User), (m:Group) WHERE n.x = m.x RETURN n',
  'MATCH (n:User) MATCH (n:Base)-[:MemberOf]->(m) RETURN n',
  'MATCH (n:User) WITH n LIMIT 3 MATCH (n)-[:MemberOf]->(m) RETURN n',
  'MATCH (n:User) OPTIONAL MATCH (n)-[:MemberOf]->(m) RETURN n',
])('none in %s', (query) => {
  expect(productHint(query)).toBeUndefined();
});

test('gives the same rows', () => {
  const labels = ['A', 'B', 'C'];
  const graph = memoryGraph(
    Array.from({ length: 30 }, (_, at) => ({ labels: [labels[at % 3]], properties: { n: at % 4 } })),
    Array.from({ length: 90 }, (_, at) => ({
      ...{ start: (at * 7) % 30, end: (at * at + 1) % 30, type: 'X', properties: {} },
    })),
  );
  const query =
    'MATCH (a:A) WHERE a.n = 1 OR a.n = 2 MATCH (b:B) MATCH (a)-[:X*1..2]->(b) WHERE b.n < 3 RETURN a, b';
  const shown = (text: string): string[] =>
    runQuery(text, graph)
      .rows.map((row) => JSON.stringify(row))
      .sort();
  const hint = productHint(query);
  expect(shown(hint?.query as string)).toEqual(shown(query));
  expect(shown(query).length).toBeGreaterThan(0);
});
