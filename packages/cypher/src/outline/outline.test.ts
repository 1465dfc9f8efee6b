/** Outlines of texts, made without a graph. */
import { describe, expect, test } from 'vitest';
import { BUILT_IN_QUERIES } from '../questions/index.ts';
import { outlineOf } from './outline.ts';

const outline = (text: string) => outlineOf(text, false);

describe('columns', () => {
  test.each([
    ['MATCH (n) RETURN n, n.name', ['node', 'plain']],
    ['MATCH (n) RETURN n.objectid', ['plain']],
    ['MATCH (n) RETURN count(n)', ['plain']],
    ['MATCH (n) WITH n AS m RETURN m', ['node']],
    ['MATCH (n) WITH n.name AS m RETURN m', ['plain']],
    ['MATCH p = (n)-[r]->() RETURN p, r, nodes(p)', ['path', 'relationship', 'list']],
    ['MATCH (n)-[r*1..3]->() RETURN r', ['list']],
    ['MATCH p = (n)-->() UNWIND nodes(p) AS m RETURN m', ['node']],
    ['MATCH (n) WITH collect(n) AS all UNWIND all AS m RETURN m', ['any']],
    ['MATCH (n) UNWIND labels(n) AS label RETURN label', ['plain']],
    ['MATCH ()-[r]->() RETURN startNode(r), type(r)', ['node', 'plain']],
    ['MATCH (n), (m) RETURN coalesce(n, m), coalesce(n.a, m.a)', ['node', 'plain']],
    ['MATCH (n) CALL { WITH n MATCH (n)-->(m) RETURN m } RETURN m', ['node']],
    ['MATCH (n) RETURN n UNION MATCH (n) RETURN n', ['node']],
    ['MATCH (n) RETURN n AS x UNION MATCH (n) RETURN n.name AS x', ['any']],
    ['MATCH (n) RETURN *', ['node']],
    ['MATCH (n) RETURN head(collect(n)), n.a + 1', ['any', 'plain']],
  ])('%s', (text, holdings) => {
    expect(outline(text).columns.map(({ holds }) => holds)).toEqual(holdings);
  });

  test('aggregates of many rows are marked', () => {
    const { columns } = outline('MATCH (n) RETURN n, count(*) AS c, collect(n) AS l, max(n.a) + 1 AS m');
    expect(columns.map(({ isFigure }) => isFigure)).toEqual([false, true, false, true]);
  });
});

test('names in a text are listed once, at their first position', () => {
  const text = [
    'MATCH (a:A|B {p: 1})-[r:X|Y*1..2]->(b) WHERE a.q = 1 AND b:C AND r.s = 1',
    "MATCH ()-[e]->() WHERE e:Z AND type(e) IN ['V', 'W'] AND 'D' IN labels(b) AND a.q = 2",
    'RETURN a, e.t',
  ].join('\n');
  const { labels, types, labelsOrTypes, properties } = outline(text);
  const namesIn = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);
  expect(namesIn(labels)).toEqual(['A', 'B', 'C', 'D']);
  expect(namesIn(types)).toEqual(['X', 'Y', 'Z', 'V', 'W']);
  expect(labelsOrTypes).toEqual([]);
  expect(namesIn(properties)).toEqual(['p', 'q']);
  expect(text.slice(properties[1]?.at).startsWith('a.q')).toBe(true);
});

test.each([
  ['MATCH (n:User) RETURN m', 'the variable `m` is not defined: did you mean n?'],
  ['MATCH (n:User) WHERE usr.enabled RETURN n', 'the variable `usr` is not defined'],
  ['MATCH (n) RETURN toUpperCase(n.name)', 'unknown cypher function: touppercase: write toUpper'],
  ['MATCH (n) WHERE n.name = $name RETURN n', 'the parameter $name has no value'],
])('%s is rejected without a graph', (text, message) => {
  expect(() => outline(text)).toThrow(message);
});

test('parameters may get their values later, also in limits', () => {
  expect(outlineOf('MATCH (n {name: $name}) RETURN n SKIP $a LIMIT $b', true).columns).toHaveLength(1);
});

test.each(BUILT_IN_QUERIES.map(({ key, query }) => [key, query]))('%s has an outline', (_, query) => {
  expect(outlineOf(query, true).columns.length).toBeGreaterThan(0);
});
