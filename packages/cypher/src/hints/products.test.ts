/** Products that could be one pattern. */
import { expect, test } from 'vitest';
import { memoryGraph } from '../../test/memoryGraph.ts';
import { runQuery } from '../runQuery.ts';
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
  [
    "MATCH (c:Computer), (d:Domain) WHERE c.domain = d.name MATCH (c)-[:AdminTo {via: '(c)'}]->(e) WHERE e.x = 1 OR e.y RETURN c, d",
    "MATCH (d:Domain)\nMATCH (c:Computer)-[:AdminTo {via: '(c)'}]->(e) WHERE (c.domain = d.name) AND (e.x = 1 OR e.y)\nRETURN c, d",
  ],
  [
    "MATCH (c:Computer) // (c), listed\nMATCH p = (:User {name: '(c), WHERE'})-->(c) // the end\nRETURN p",
    "MATCH p = (:User {name: '(c), WHERE'})-->(c:Computer)\n// the end\nRETURN p",
  ],
  [
    'MATCH (a:A), (b:B) MATCH ((x)-[:R]->(y)){1,3}, (a)-->(b) RETURN x',
    'MATCH ((x)-[:R]->(y)){1,3}, (a:A)-->(b:B)\nRETURN x',
  ],
  [
    'MATCH (n:User), (m:Group {name: n.department}), (n)-->(m) RETURN n',
    'MATCH (n:User), (n)-->(m:Group {name: n.department})\nRETURN n',
  ],
  ['MATCH (a:A), (a)-->(b)-->(a) RETURN b', 'MATCH (a:A)-->(b)-->(a)\nRETURN b'],
])('%s', (query, expected) => {
  expect(productHint(query)?.query).toBe(expected);
});

test.each([
  'MATCH (n:User)-[:MemberOf]->(m:Group) RETURN n',
  'MATCH (n:User), (m:Group) WHERE n.x = m.x RETURN n',
  'MATCH (n:User) MATCH (n:Base)-[:MemberOf]->(m) RETURN n',
  'MATCH (n:User) WITH n LIMIT 3 MATCH (n)-[:MemberOf]->(m) RETURN n',
  'MATCH (n:User) MATCH (:Group {name: n.department})-->(n) RETURN n',
  'MATCH (n:User) MATCH (a)-->(b) WHERE a.x = n.x MATCH (n)-->(b) RETURN n',
  'MATCH (a)-->(n) MATCH (n:User) MATCH (n)-->(b) RETURN n',
  'MATCH (n) WITH n MATCH (n:User) MATCH (n)-->(b) RETURN n',
  'MATCH (n:User), (n:Base), (n)-->(m) RETURN n',
  'MATCH (n:User) OPTIONAL MATCH (n)-[:MemberOf]->(m) RETURN n',
])('%s has no hint', (query) => {
  expect(productHint(query)).toBeUndefined();
});

test.each([
  'MATCH (a:A) WHERE a.n = 1 OR a.n = 2 MATCH (b:B) MATCH (a)-[:X*1..2]->(b) WHERE b.n < 3 RETURN a, b',
  'MATCH (a:A), (b:B) WHERE a.n = b.n MATCH (a)-->(c) MATCH (c)-->(b) WHERE c.n = 1 OR c.n = 2 RETURN a, b',
  'MATCH (b:B), (a:A {n: b.n}), (a)-->(c:C)-->(b) RETURN a, b',
  'MATCH (a:A), (b:B) MATCH p = shortestPath((a)-[:X*1..3]->(b)) RETURN a, b',
])('returns the same rows for the same work: %s', (query) => {
  const labels = ['A', 'B', 'C'];
  const graph = memoryGraph(
    Array.from({ length: 30 }, (_, at) => ({ labels: [labels[at % 3]], properties: { n: at % 4 } })),
    Array.from({ length: 300 }, (_, at) => ({
      ...{ start: (at * 7) % 30, end: (at * 11 + (at >> 3)) % 30, type: 'X', properties: {} },
    })),
  );
  const shown = (text: string): string[] =>
    runQuery(text, graph)
      .rows.map((row) => JSON.stringify(row))
      .sort();
  const hint = productHint(query);
  expect(shown(hint?.query ?? query)).toEqual(shown(query));
  expect(shown(query).length).toBeGreaterThan(0);
  // A product never ends at a limit that its pattern does not reach: the pattern is what runs.
  const work = (text: string): number => {
    for (let steps = 8; ; steps = Math.ceil(steps * 1.1))
      try {
        runQuery(text, graph, { limits: { steps } });
        return steps;
      } catch (error) {
        expect(error).toMatchObject({ kind: 'limit' });
      }
  };
  expect(work(query)).toBe(work(hint?.query ?? query));
});
