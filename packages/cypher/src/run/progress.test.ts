/** Parts of answers at a limit. */
import { expect, test } from 'vitest';
import { memoryGraph } from '../../test/memoryGraph.ts';
import { CypherError } from '../cypherError.ts';
import { runQuery } from '../runQuery.ts';
import { shownProgress } from './progress.ts';

/** A hundred users in ten groups each. */
const graph = memoryGraph(
  Array.from({ length: 110 }, (_, at) => ({ labels: [at < 100 ? 'User' : 'Group'], properties: { at } })),
  Array.from({ length: 1000 }, (_, at) => ({
    ...{ start: Math.floor(at / 10), end: 100 + (at % 10), type: 'MemberOf', properties: {} },
  })),
);
const limits = { rows: 350 };

test('returns the groups of complete starts', () => {
  const query = 'MATCH (u:User)-[:MemberOf]->(g:Group) RETURN g.at AS of, collect(u.at) AS users';
  expect(() => runQuery(query, graph, { limits })).toThrow('350 rows');
  const { rows, warnings } = runQuery(query, graph, { limits, partial: true });
  expect(warnings).toEqual([
    'the answer is partial, complete for 3 of 10 starts (g:Group): the query needs more than 350 rows: use LIMIT, or conditions',
  ]);
  expect(rows.slice(0, 3).every(([, users]) => (users as number[]).length === 100)).toBe(true);
});

test('returns the rows found before the limit of steps', () => {
  const query = 'MATCH (a:User)-[:MemberOf]->(g)<-[:MemberOf]-(b:User) WHERE a.at < 20 RETURN a, b';
  const whole = runQuery(query, graph);
  const { rows, warnings, isEmpty } = runQuery(query, graph, { limits: { steps: 9000 }, partial: true });
  expect([isEmpty, warnings.length]).toEqual([false, 1]);
  expect(warnings[0]).toMatch(/^the answer is partial, complete for \d+ of 20 starts \(a:User\)/);
  expect(rows).toEqual(whole.rows.slice(0, rows.length));
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.length).toBeLessThan(whole.rows.length);
});

test('reports that a later clause reached the limit', () => {
  const query =
    'MATCH (u:User) WITH count(u) AS users MATCH (g:Group)<-[:MemberOf]-(m) RETURN users, collect(m.at)';
  const { warnings } = runQuery(query, graph, { limits, partial: true });
  expect(warnings).toEqual([expect.stringMatching(/^the answer is partial: /)]);
});

test.each([
  'MATCH (u:User)-[:MemberOf]->(g:Group) WITH g, collect(u.at) AS users MATCH (g)<-[:MemberOf]-(m) RETURN users, m',
  'MATCH (u:User)-[:MemberOf]->(g:Group) WITH g, collect(u.at) AS users WHERE size(users) < 100 RETURN g',
  'MATCH (u:User)-[:MemberOf]->(g:Group) WITH g, collect(u.at) AS users RETURN avg(size(users))',
  'MATCH (a:User)-[:MemberOf]->(g), (b:User)-[:MemberOf]->(g) WITH a, b ORDER BY a.at LIMIT 900 MATCH (a)-->(g) RETURN a, g',
  'MATCH (a:User)-[:MemberOf]->(g), (b:User)-[:MemberOf]->(g) WITH a, b ORDER BY a.at SKIP 3 MATCH (a)-->(g) RETURN a, g',
])('returns no partial answer if clauses need all rows: %s', (query) => {
  expect(() => runQuery(query, graph, { limits, partial: true })).toThrow('a partial answer is not possible');
});

test('returns groups and the first rows of a WITH directly before RETURN', () => {
  const query =
    'MATCH (u:User)-[:MemberOf]->(g:Group) WITH g, collect(u.at) AS users LIMIT 2 RETURN g.at, users';
  const { rows, warnings } = runQuery(query, graph, { limits, partial: true });
  expect([rows.length, warnings.length]).toEqual([2, 1]);
});

test('reports how many starts are complete if a limit also ends their count', () => {
  const start = (total: () => number) => ({ start: { shown: '(u:User)', done: 1812, total } });
  const ended = (error: Error) => (): number => {
    throw error;
  };
  const reason = 'no time';
  expect(shownProgress(start(ended(new CypherError('limit', 'no steps'))), reason)).toBe(
    'the answer is partial, complete for 1,812 starts (u:User): no time',
  );
  expect(() => shownProgress(start(ended(new Error('canceled'))), reason)).toThrow('canceled');
});

test('is the whole answer if no limit is reached', () => {
  const { rows, warnings } = runQuery('MATCH (u:User) RETURN u.at', graph, { partial: true });
  expect([rows.length, warnings]).toEqual([100, []]);
});
