/** The work of edges between: what the answer must be, the random clauses of `forms.test.ts` say. */
import { expect, test } from 'vitest';
import { memoryGraph } from '../../test/memoryGraph.ts';
import { runQuery } from '../runQuery.ts';

interface Edge {
  readonly start: number;
  readonly end: number;
}

/** A graph of so many nodes, of which the first is an A and the last a B. */
const graphOf = (count: number, edges: readonly Edge[]) =>
  memoryGraph(
    Array.from({ length: count }, (_, at) => ({
      ...{ labels: at === 0 ? ['A'] : at === count - 1 ? ['B'] : [], properties: {} },
    })),
    edges.map((edge) => ({ ...edge, type: 'X', properties: {} })),
  );
const chain = (count: number): Edge[] =>
  Array.from({ length: count - 1 }, (_, at) => ({ start: at, end: at + 1 }));

test.each([
  ['-[:X*]->', 'MATCH p = (:A)-[:X*]->(:B) RETURN p'],
  ['-[:X*]-', 'MATCH p = (:A)-[:X*]-(:B) RETURN p'],
])('%s along a chain takes work proportional to the chain, and can be interrupted', (_, query) => {
  const stepsOf = (count: number): number => {
    const { rows, plan, steps } = runQuery(query, graphOf(count, chain(count)), { asGraph: true });
    expect(plan.map(({ step }) => step)).toContain('edges between');
    expect(rows).toHaveLength(count - 1);
    return steps;
  };
  const [short, long] = [stepsOf(1000), stepsOf(8000)];
  expect(short).toBeGreaterThan(2000);
  expect(long).toBeLessThan(12 * short);
});

test('side branches and a ring on a long chain take as little', () => {
  const count = 4000;
  const edges = chain(count);
  for (let at = 10; at < count - 10; at += 10) edges.push({ start: at - 7, end: at });
  const stepsOf = (parts: readonly Edge[]) =>
    runQuery('MATCH p = (:A)-[:X*]->(:B) RETURN p', graphOf(count, parts), { asGraph: true });
  const { rows, steps } = stepsOf(edges);
  expect(rows).toHaveLength(edges.length);
  expect(steps).toBeLessThan(60 * edges.length);
});
