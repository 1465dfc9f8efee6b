/** Forms of Neo4j's language beyond openCypher 9. Rule: `docs/cypher.md#the-language`. */
import { describe, expect, test } from 'vitest';
import { faultOf as queryFault } from '../../test/faultOf.ts';
import { memoryGraph } from '../../test/memoryGraph.ts';
import { runQuery } from '../runQuery.ts';
import { numberOf, type Value } from '../values/values.ts';
import { parseUpdates } from './parser.ts';

const graph = memoryGraph(
  ['ADA', 'BEN'].map((name) => ({ labels: ['User'], properties: { name } })),
  [{ start: 0, type: 'KNOWS', end: 1, properties: { since: 1 } }],
);
const rowsOf = (query: string): readonly (readonly Value[])[] => runQuery(query, graph).rows;

const faultOf = (query: string): string => queryFault(query, graph);

describe('CYPHER', () => {
  test.each(['CYPHER 5', 'cypher 25', 'CYPHER 4.4', 'CYPHER'])(
    '%s before a query changes nothing',
    (prefix) => {
      if (prefix === 'CYPHER') expect(faultOf(`${prefix} RETURN 1`)).toContain('mismatched input');
      else expect(rowsOf(`${prefix} MATCH (n) RETURN count(n)`)).toEqual([[2]]);
    },
  );

  test('a query that changes a layer may have it', () => {
    expect(parseUpdates('CYPHER 5 MATCH (n) SET n.x = 1')?.map(({ type }) => type)).toEqual(['match', 'set']);
  });

  test.each([
    ['CYPHER runtime=slotted RETURN 1', 'line 1:7 options of CYPHER are not supported'],
    ['CYPHER 5 planner = cost RETURN 1', 'line 1:9 options of CYPHER are not supported'],
  ])('%s is refused', (query, message) => {
    expect(faultOf(query)).toContain(message);
  });
});

test.each([
  'USING INDEX n:User(name)',
  'USING INDEX SEEK n:User(name, x)',
  'USING TEXT INDEX n:User(name) USING RANGE INDEX m:User(name)',
  'USING POINT INDEX seek:User(name)',
  'USING INDEX r:KNOWS(since)',
  'USING SCAN n:User',
  'USING JOIN ON n, m',
])('%s changes no answer', (hint) => {
  const query = `MATCH (n:User)-[r:KNOWS]->(m) ${hint} WHERE n.name = 'ADA' RETURN m.name`;
  expect(rowsOf(query)).toEqual([['BEN']]);
});

test.each([
  ['MATCH (n) USING INDEX n RETURN n', "line 1:24 mismatched input 'RETURN' expecting ':'"],
  ['MATCH (n) USING RETURN n', "line 1:16 mismatched input 'RETURN' expecting INDEX"],
  ['USING PERIODIC COMMIT 500 RETURN 1', 'line 1:0 USING is not supported'],
])('%s is refused', (query, message) => {
  expect(faultOf(query)).toContain(message);
});

describe('||', () => {
  test.each([
    ["'a' || 'b'", 'ab'],
    ["'a' || 'b' || 'c'", 'abc'],
    ["'a' || 'b' + 1", 'ab1'],
    ["'a' || 'b' = 'ab'", true],
    ["null || 'b'", null],
    ['[1] || null', null],
    ['[1] || [2, 3]', [1, 2, 3]],
    ['[1] || []', [1]],
    ["[x IN ['a'] | x || '!']", ['a!']],
    ["'a' = ('a' || '') = true", false],
  ])('RETURN %s', (expression, value) => {
    expect(rowsOf(`RETURN ${expression}`)).toEqual([[value]]);
  });

  test.each([
    [
      'RETURN [1] || 2',
      'line 1:7 || joins two strings or two lists, not a list and an integer: use toString()',
    ],
    ["RETURN 'a' || 1", 'line 1:7 || joins two strings or two lists, not a string and an integer'],
    ['UNWIND [true] AS x RETURN x || x', 'line 1:26 || joins two strings or two lists, not a boolean and'],
    ['MATCH (n) WHERE n.a || n.b RETURN n', 'line 1:16 WHERE needs true or false, and || joins'],
    [
      "MATCH (n) WHERE n.name = 'A' || n.name = 'B' RETURN n",
      'line 1:25 || joins texts or lists, also between',
    ],
    ['MATCH (n) WHERE n:User || n:Group RETURN n', 'write OR'],
    ['MATCH (n) WHERE n.a IS NULL || n.b IS NULL RETURN n', 'line 1:28 '],
    ['MATCH (n) WHERE NOT n.a || n.b RETURN n', 'write OR'],
    ['RETURN 1 = 1 || (2 = 2)', 'line 1:11 || joins texts or lists, not conditions: write OR'],
  ])('%s fails', (query, message) => {
    expect(faultOf(query)).toContain(message);
    if (/WHERE|x \|\| x|\(2/.test(query)) expect(faultOf(query)).toMatch(/write OR$/);
  });
});

const plain = (value: Value): unknown =>
  Array.isArray(value) ? value.map(plain) : (numberOf(value) ?? value);

test.each([
  ["toIntegerOrNull('42')", 42],
  ['toIntegerOrNull(1.9)', 1],
  ['toIntegerOrNull(true)', 1],
  ["toIntegerOrNull('x')", null],
  ['toIntegerOrNull([1])', null],
  ['toIntegerOrNull(null)', null],
  ["toFloatOrNull('4.5')", 4.5],
  ['toFloatOrNull(true)', null],
  ['toFloatOrNull({})', null],
  ["toBooleanOrNull('TRUE')", true],
  ['toBooleanOrNull(0)', false],
  ['toBooleanOrNull(1.5)', null],
  ['toStringOrNull(1.0)', '1.0'],
  ["toStringOrNull(date('2026-01-02'))", '2026-01-02'],
  ['toStringOrNull([1])', null],
  ["toIntegerList(['1', 2.5, null, true, 'x', []])", [1, 2, null, 1, null, null]],
  ["toFloatList(['1.5', 2, null, true])", [1.5, 2, null, null]],
  ["toBooleanList(['false', 1, null, 0.5])", [false, true, null, null]],
  ["toStringList(['a', 1, true, null, [1]])", ['a', '1', 'true', null, null]],
  ['toStringList(null)', null],
  ["char_length('a\\U0001F600')", 2],
  ["character_length('abc')", 3],
  ['char_length(null)', null],
  ['nullIf(4, 4)', null],
  ['nullIf(4, 4.0)', null],
  ['nullIf(4, 5)', 4],
  ["nullIf('a', null)", 'a'],
  ["nullIf(null, 'a')", null],
  ["isEmpty('')", true],
  ['isEmpty([1])', false],
  ['isEmpty({})', true],
  ['isEmpty(null)', null],
])('%s', (expression, value) => {
  expect(plain(rowsOf(`RETURN ${expression}`)[0][0])).toEqual(value);
});

test.each([
  ["RETURN toStringList('a')", 'line 1:7 toStringList() does not work on a string'],
  ['RETURN char_length([1])', 'line 1:7 char_length() does not work on a list'],
  ['RETURN isEmpty(1)', 'line 1:7 isEmpty() does not work on an integer'],
  ['RETURN point({x: 1, y: 2})', 'unknown cypher function: point: points and distances are not supported'],
  ['RETURN point.distance(1, 2)', 'point.distance: points and distances are not supported'],
  ['RETURN apoc.text.join([1], 2)', 'apoc.text.join: functions of libraries and servers are not supported'],
  ['RETURN gds.util.asNodes([1])', 'did you mean gds.util.asNode?'],
  ['MATCH (n) RETURN size((n)-->())', 'size() does not count patterns: use COUNT { } instead'],
  [
    'MATCH (a), (b) RETURN shortestPath((a)-[*]->(b))',
    'line 1:22 shortestPath is supported only in MATCH: write MATCH p = shortestPath(...) and use p',
  ],
])('%s is refused', (query, message) => {
  expect(faultOf(query)).toContain(message);
});
