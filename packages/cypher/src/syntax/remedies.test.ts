/** People who know another language type its forms: the message says what to write here. */
import { expect, test } from 'vitest';
import { memoryGraph } from '../../test/memoryGraph.ts';
import { CypherError, placedMessage } from '../cypherError.ts';
import { runQuery } from '../runQuery.ts';

const graph = memoryGraph([{ labels: ['User'], properties: { name: 'ADA', lastlogon: 5, note: 'x' } }], []);

function messageOf(query: string): string {
  try {
    runQuery(query, graph);
  } catch (error) {
    if (error instanceof CypherError) return placedMessage(error, query);
    throw error;
  }
  throw new Error(`no error: ${query}`);
}

test.each([
  ["MATCH (n) WHERE n.name != 'ADA' RETURN n", /^line 1:23 .*write <> for "not equal"$/],
  ["MATCH (n) WHERE n.name == 'ADA' RETURN n", /^line 1:24 .*write = once$/],
  ["MATCH (n) WHERE n.name LIKE 'A%' RETURN n", /^line 1:23 .*write CONTAINS, STARTS WITH/],
  ["MATCH (n) WHERE n.name NOT LIKE 'A%' RETURN n", /^line 1:23 .*write CONTAINS, STARTS WITH/],
  ['MATCH (n) WHERE n.a && n.b RETURN n', /write AND$/],
  ['MATCH (n) WHERE n:User && n.b RETURN n', /write AND$/],
  ['MATCH (n) WHERE n.a || n.b RETURN n', /write OR$/],
  ['MATCH (n) RETURN n.name, count(n) GROUP BY n.name', /^line 1:34 .*omit GROUP BY/],
  ['SELECT n FROM users', /^line 1:0 .*begin with MATCH/],
  ['MATCH (n) RETRUN n', /^line 1:10 .*did you mean RETURN\?$/],
  ['MACTH (n) RETURN n', /^line 1:0 .*did you mean MATCH\?$/],
  ['MATCH (user:User) RETURN usr.name', /^line 1:25 the variable `usr` is not defined: did you mean user\?$/],
  ['MATCH (n) RETURN toUpperCase(n.name)', /^line 1:17 unknown cypher function: touppercase: write toUpper$/],
  ['MATCH (n) RETURN len(n.name)', /write size$/],
])('%s', (query, message) => {
  expect(messageOf(query)).toMatch(message);
});

test.each([
  ['MATCH (n) RETURN n.name, n.lastlogon - n.note', /^line 1:25 /],
  ['MATCH (n)\nRETURN toUpper(n.lastlogon)', /^line 2:7 /],
  ['MATCH (n) RETURN [1, toUpper(n.name), toUpper(n.lastlogon)]', /^line 1:38 /],
])('%s reports its position when it fails at run time', (query, message) => {
  expect(messageOf(query)).toMatch(message);
});

test('a comparison of a number with a text is one warning', () => {
  const { warnings } = runQuery("UNWIND [1, 2] AS i MATCH (n) WHERE n.lastlogon > '4' RETURN n", graph);
  expect(warnings.filter((warning) => warning.includes('compares a number with a text'))).toEqual([
    'line 1:35 `>` compares a number with a text, which is never true: use toInteger() or toString()',
  ]);
  expect(runQuery('MATCH (n) WHERE n.lastlogon > 4 RETURN n', graph).warnings).toEqual([]);
});

test.each([
  ["datetime('1970-01-01T00:00:00Z')", '1970-01-01T00:00:00Z'],
  ["localdatetime('2026-01-02T03:04')", '2026-01-02T03:04:00'],
  ["time('10:00Z')", '10:00:00Z'],
  ["date('2026-01-02')", '2026-01-02'],
  ['1.0e20', '1.0E20'],
  ['-12345678.5', '-1.23456785E7'],
  ['1234567.5', '1234567.5'],
  ['0.00001', '1.0E-5'],
  ['100.0', '100.0'],
  ['100', '100'],
])('toString(%s) is %s', (value, text) => {
  expect(runQuery(`RETURN toString(${value})`, graph).rows).toEqual([[text]]);
});
