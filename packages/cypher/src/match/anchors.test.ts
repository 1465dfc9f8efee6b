/** Where a search begins does not change its answer: a random value is drawn for each node, and not once for an index or a join. */
import { expect, it } from 'vitest';
import { memoryGraph } from '../../test/memoryGraph.ts';
import { runQuery } from '../runQuery.ts';

const COUNT = 60;
const graph = memoryGraph(
  [
    { labels: ['A'], properties: { k: 0 } },
    ...Array.from({ length: COUNT }, () => ({ labels: ['B'], properties: { k: 0, objectid: '0' } })),
  ],
  [],
);
/** Finds nodes by their object id without looking at all, as the graph of a service does. */
const seeking: typeof graph = Object.assign(Object.create(graph), {
  seek: (key: string, value: string): readonly number[] | undefined =>
    key === 'objectid' ? (value === '0' ? Array.from({ length: COUNT }, (_, at) => at + 1) : []) : undefined,
});
const countOf = (query: string): number => Number(runQuery(`${query} RETURN count(*)`, seeking).rows[0]?.[0]);

// A fair coin for each of 60 nodes finds all or none of them in one case of 2^59.
it.each([
  ['a join', 'MATCH (a:A), (b:B) WHERE b.k = a.k + toInteger(rand() * 2)'],
  ['a join from a row', 'MATCH (a:A) WITH a.k AS k MATCH (b:B) WHERE b.k = k + toInteger(rand() * 2)'],
  ['an id', 'MATCH (b:B) WHERE b.objectid = toString(toInteger(rand() * 2))'],
  ['a list', 'MATCH (b:B) WHERE b.objectid IN [toString(toInteger(rand() * 2))]'],
])('%s evaluates a random value for each node', (_, query) => {
  const count = countOf(query);
  expect(count).toBeGreaterThan(0);
  expect(count).toBeLessThan(COUNT);
});

it('a fixed value finds the same nodes', () => {
  expect(countOf('MATCH (a:A), (b:B) WHERE b.k = a.k')).toBe(COUNT);
  expect(countOf("MATCH (b:B) WHERE b.objectid = '0'")).toBe(COUNT);
  expect(countOf("MATCH (b:B) WHERE b.objectid IN ['0', '1']")).toBe(COUNT);
});
