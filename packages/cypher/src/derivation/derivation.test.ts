/** Tests relationships that patterns define. */
import { expect, test } from 'vitest';
import { memoryGraph } from '../../test/memoryGraph.ts';
import { runQuery } from '../runQuery.ts';
import { NodeValue, type PathValue } from '../values/values.ts';
import { derivation } from './derivation.ts';

const graph = memoryGraph(
  ['U0', 'U1', 'G0', 'G1', "S'\\0"].map((objectid, at) => ({
    ...{ labels: [at < 2 ? 'User' : at < 4 ? 'Group' : 'Server'], properties: { objectid, on: at !== 1 } },
  })),
  [
    [0, 2, 'In'],
    [0, 3, 'In'],
    [1, 3, 'In'],
    [2, 4, 'Owns'],
    [3, 4, 'Owns'],
  ].map(([start, end, type]) => ({
    start: start as number,
    end: end as number,
    type: type as string,
    properties: {},
  })),
);
const pattern = 'MATCH (u:User)-[:In]->(g) // , (u)\nMATCH p = (g)-[:Owns]->(s:Server) WHERE u.on';

test('rows are the pairs without duplicates, and the composition is the matched paths', () => {
  const made = derivation({ pattern, start: 'u', end: 's' });
  expect([[...made.types], [...made.keys], made.isKnown]).toEqual([['In', 'Owns'], ['on'], true]);
  const nodes = (query: string) =>
    runQuery(query, graph).rows.map((row) =>
      row.map((value) => (value instanceof NodeValue ? value.node : value)),
    );
  expect(nodes(made.query)).toEqual([[0, 4]]);
  const rows = runQuery(made.composition('U0', "S'\\0"), graph).rows as PathValue[][];
  expect(rows.map((paths) => paths.map(({ nodes: some }) => [...some])).sort()).toEqual([
    [
      [0, 2],
      [2, 4],
    ],
    [
      [0, 3],
      [3, 4],
    ],
  ]);
  expect(runQuery(made.composition('U1', "S'\\0"), graph).rows).toEqual([]);
});

test('all matches are rows of paths, if a match depends only on its relationships', () => {
  const { matches } = derivation({ pattern, start: 'u', end: 's' });
  const rows = runQuery(matches as string, graph).rows as [NodeValue, NodeValue, PathValue, PathValue][];
  expect(rows.map(([u, s, one, two]) => [u.node, s.node, [...one.nodes], [...two.nodes]]).sort()).toEqual([
    [0, 4, [0, 2], [2, 4]],
    [0, 4, [0, 3], [3, 4]],
  ]);
  for (const other of [
    'MATCH (u)-[:In]->(s) WHERE NOT (s)-[:Owns]->()',
    'MATCH (u)-[:In]->(s) WHERE exists { (s)-[:Owns]->() }',
    'MATCH (u)-[:In]->(s) WHERE size([(s)-[:Owns]->(x) | x]) < 2',
    'MATCH shortestPath((u)-[:In*1..3]->(s))',
  ])
    expect(derivation({ pattern: other, start: 'u', end: 's' }).matches, other).toBeUndefined();
  const long = 'MATCH (u)-[:In|Owns*1..2]->(s:Server) WHERE u.on AND all(n IN [u, s] WHERE n.x IS NULL)';
  expect(derivation({ pattern: long, start: 'u', end: 's' }).matches).toContain('RETURN u, s, clew_path_0');
});

test.each([
  ['MATCH (a)-->(b)', 'each relationship of the pattern needs a type'],
  ['MATCH (a)-[:X]->(b) WHERE (b)--()', 'each relationship of the pattern needs a type'],
  ['MATCH (a:Tag_Tier_Zero)-[:X]->(b)', 'zones depend on relationships'],
  ['MATCH (a {owned: true})-[:X]->(b)', 'owned depends on zones'],
  ['MATCH (a)-[:X]->(b) WHERE b:Tag_Owned', 'zones depend on relationships'],
  ['MATCH (a)-[:X]->(b) RETURN a', 'expecting the end of the query'],
  ['MATCH (a)-[:X]->(b) WITH a, b', 'a pattern may contain only MATCH clauses'],
  ['OPTIONAL MATCH (a)-[:X]->(b)', 'a pattern may contain only MATCH clauses'],
  ['MATCH (a)-[:X]->(b) RETURN 1 UNION MATCH (a)-[:X]->(b)', 'a pattern may contain only MATCH clauses'],
  ['MATCH (a)-[:X]->(b) WHERE a.x = $x', 'a pattern has no parameters'],
  ['MATCH (a)-[:X]->(c)', 'the pattern has no node `b` for its end'],
  ['', 'MATCH'],
])('%j is not a pattern', (text, message) => {
  expect(() => derivation({ pattern: text, start: 'a', end: 'b' })).toThrow(message);
});

test.each([
  ['MATCH (a)-[r:X]->(b) WHERE r.since > 3', false],
  ['MATCH (a)-[:X]->(b) WHERE a.x > timestamp()', false],
  ['MATCH (a)-[:X]->(b) WHERE keys(a) = []', false],
  ['MATCH (a)-[:X]->(b) WHERE a.x > b.y', true],
])('%s: whether the facts that it reads are known', (text, isKnown) => {
  expect(derivation({ pattern: text, start: 'a', end: 'b' }).isKnown).toBe(isKnown);
});
