/** Parts of answers at a limit. */
import { expect, test } from 'vitest';
import { runQuery } from '../runQuery.ts';
import { memoryGraph } from '../testing/memoryGraph.ts';

/** A hundred users in ten groups each. */
const graph = memoryGraph(
  Array.from({ length: 110 }, (_, at) => ({ labels: [at < 100 ? 'User' : 'Group'], properties: { at } })),
  Array.from({ length: 1000 }, (_, at) => ({
    ...{ start: Math.floor(at / 10), end: 100 + (at % 10), type: 'MemberOf', properties: {} },
  })),
);
const limits = { rows: 350 };

test('gives the groups of those from which all was found', () => {
  const query = 'MATCH (u:User)-[:MemberOf]->(g:Group) RETURN g.at AS of, collect(u.at) AS users';
  expect(() => runQuery(query, graph, { limits })).toThrow('350 rows');
  const { rows, warnings } = runQuery(query, graph, { limits, partial: true });
  expect(warnings).toEqual([
    'the answer is a part, complete for 3 of 10 starts (g:Group): the query holds more than 350 rows: use LIMIT, or conditions',
  ]);
  expect(rows.slice(0, 3).every(([, users]) => (users as number[]).length === 100)).toBe(true);
});

test('gives the rows that were found before the steps were used up', () => {
  const query = 'MATCH (a:User)-[:MemberOf]->(g)<-[:MemberOf]-(b:User) WHERE a.at < 20 RETURN a, b';
  const whole = runQuery(query, graph);
  const { rows, warnings, isEmpty } = runQuery(query, graph, { limits: { steps: 9000 }, partial: true });
  expect([isEmpty, warnings.length]).toEqual([false, 1]);
  expect(warnings[0]).toMatch(/^the answer is a part, complete for \d+ of 20 starts \(a:User\)/);
  expect(rows).toEqual(whole.rows.slice(0, rows.length));
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.length).toBeLessThan(whole.rows.length);
});

test('says so where a later clause reached the limit', () => {
  const query =
    'MATCH (u:User) WITH count(u) AS users MATCH (g:Group)<-[:MemberOf]-(m) RETURN users, collect(m.at)';
  const { warnings } = runQuery(query, graph, { limits, partial: true });
  expect(warnings).toEqual([expect.stringMatching(/^the answer is a part: /)]);
});

test('is the whole answer where no limit is reached', () => {
  const { rows, warnings } = runQuery('MATCH (u:User) RETURN u.at', graph, { partial: true });
  expect([rows.length, warnings]).toEqual([100, []]);
});
