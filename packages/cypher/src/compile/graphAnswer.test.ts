/** In an answer that is a graph, an order means nothing: rows are not sorted, and what they would be sorted by need not be returned. */
import { expect, test } from 'vitest';
import { memoryGraph } from '../../test/memoryGraph.ts';
import { runQuery } from '../runQuery.ts';

const graph = memoryGraph(
  [1, 2, 3].map((n) => ({ labels: [n === 1 ? 'A' : 'B'], properties: { n } })),
  [1, 2].map((end) => ({ start: 0, end, type: 'X', properties: {} })),
);
const rowsOf = (query: string, asGraph = true): number => runQuery(query, graph, { asGraph }).rows.length;

test.each([
  ['MATCH (a)-[:X]->(b) RETURN a ORDER BY b.n', 1, 2],
  ['MATCH p = (a)-[:X]->(b) RETURN p ORDER BY b.n DESC, a.n', 2, 2],
  ['MATCH (a) WITH a MATCH (a)-[:X]->(b) RETURN a ORDER BY b.n', 1, 2],
  ['MATCH (a)-[:X]->(b) RETURN a ORDER BY b.n LIMIT 1', 1, 1],
])('%s has %i rows for a graph, and %i in a table', (query, ofGraph, ofTable) => {
  expect([rowsOf(query), rowsOf(query, false)]).toEqual([ofGraph, ofTable]);
});

test.each([
  'MATCH (a)-[:X]->(b) RETURN DISTINCT a ORDER BY b.n',
  'MATCH (a)-[:X]->(b) RETURN a ORDER BY c.n',
  'MATCH (a)-[:X]->(b) RETURN a ORDER BY nothing(b)',
])('%s is rejected in both forms', (query) => {
  expect(() => rowsOf(query)).toThrow();
  expect(() => rowsOf(query, false)).toThrow();
});
