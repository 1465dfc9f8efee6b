/** The work of edges between: what the answer must be, the random clauses of `forms.test.ts` say. */
import { expect, test } from 'vitest';
import { runQuery } from '../runQuery.ts';
import { memoryGraph } from '../testing/memoryGraph.ts';

test('ways along a long chain count as work, so that a query can be ended on them', () => {
  const count = 1000;
  const nodes = Array.from({ length: count }, (_, at) => ({
    ...{ labels: at === 0 ? ['A'] : at === count - 1 ? ['B'] : [], properties: {} },
  }));
  const edges = Array.from({ length: count - 1 }, (_, at) => ({
    ...{ start: at, type: 'X', end: at + 1, properties: {} },
  }));
  let looks = 0;
  const look = () => {
    looks++;
  };
  const query = 'MATCH p = (:A)-[:X*]->(:B) RETURN p';
  const { rows, plan } = runQuery(query, memoryGraph(nodes, edges), { asGraph: true, look });
  expect(plan.map(({ step }) => step)).toContain('edges between');
  expect(rows).toHaveLength(count - 1);
  // Each edge has a way of almost a thousand edges through it.
  expect(looks).toBeGreaterThan(200);
});
