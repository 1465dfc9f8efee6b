/** Each error about a value names its position in the query. */
import { expect, test } from 'vitest';
import { memoryGraph } from '../../test/memoryGraph.ts';
import { CypherError, placedMessage } from '../cypherError.ts';
import { GraphChanges } from '../layer/graphChanges.ts';
import { runUpdates } from '../layer/runUpdates.ts';
import { functionNames } from '../names/functionNames.ts';
import { runQuery } from '../runQuery.ts';
import { parseUpdates } from '../syntax/parser.ts';
import type { ValueMap } from '../values/values.ts';

const graph = memoryGraph(
  ['ADA', 'BEN'].map((name) => ({ labels: ['User'], properties: { name } })),
  [
    { start: 0, type: 'X', end: 1, properties: { cost: -1, text: 'high' } },
    { start: 1, type: 'X', end: 0, properties: { cost: -1, text: 'high' } },
  ],
);

function errorOf(query: string, parameters: ValueMap = {}): unknown {
  const options = { parameters, limits: { listItems: 1000, steps: 1_000_000 } };
  try {
    const updates = parseUpdates(query);
    const state = { changes: new GraphChanges(), columns: undefined };
    if (updates !== undefined) runUpdates(query, updates, graph, state, options);
    else runQuery(query, graph, options);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** @returns the column and the text of the error */
function faultOf(query: string): string {
  const error = errorOf(query);
  if (!(error instanceof CypherError)) throw new Error(`no error of Cypher: ${error}`);
  expect(['value', 'refused']).toContain(error.kind);
  return placedMessage(error, query);
}

test.each([
  // Indexes and slices.
  ["RETURN 'abc'[0]", '1:7 [ ] needs a list, a map, a node or a relationship, not a string'],
  ["RETURN 'abc'['x']", '1:7 [ ] needs a list, a map, a node or a relationship, not a string'],
  ['MATCH (n) RETURN n[0]', '1:19 a node has properties with names: [ ] needs a string, not an integer'],
  ['RETURN {a: 1}[0]', '1:14 a map has properties with names: [ ] needs a string, not an integer'],
  ["RETURN [1]['a']", '1:11 a list index must be an integer, not a string'],
  ['RETURN [1][0.5]', '1:11 a list index must be an integer, not a float'],
  ["RETURN date('2023-01-01')['nosuch']", '1:7 a temporal value has no property nosuch'],
  ["RETURN 'abc'[0..1]", '1:7 only a list can be sliced, not a string'],
  ["RETURN [1]['a'..2]", '1:11 a list index must be an integer, not a string'],
  ["RETURN [1][0..'b']", '1:14 a list index must be an integer, not a string'],
  // Properties, labels and map projections.
  ['UNWIND [1] AS x RETURN x.name', '1:23 an integer has no property name'],
  ['MATCH (n) RETURN n.name.first', '1:17 a string has no property first'],
  ["UNWIND ['a'] AS x RETURN x:User", '1:25 a string has no labels'],
  [
    'UNWIND [1] AS x RETURN x{.name}',
    '1:23 a map projection needs a node, a relationship or a map, not an integer',
  ],
  // Operators.
  ["RETURN -'a'", '1:7 - does not work on a string'],
  ['RETURN 1 + -[1]', '1:11 - does not work on a list'],
  ["RETURN +'a'", '1:7 + does not work on a string'],
  ['RETURN +[1]', '1:7 + does not work on a list'],
  ['RETURN -(-9223372036854775807 - 1)', '1:7 the result is too large for an integer'],
  ['RETURN 1 < 1 / 0 < 3', '1:11 division by zero'],
  ["RETURN 1 < -'a' < 3", '1:11 - does not work on a string'],
  ['RETURN 1 + [1] * 2', '1:11 * does not work on a list and an integer'],
  ["RETURN true AND size('a')", '1:16 AND needs true or false, not an integer'],
  ["RETURN size('a') OR true", '1:7 OR needs true or false, not an integer'],
  ["RETURN true XOR size('a')", '1:16 XOR needs true or false, not an integer'],
  ["RETURN NOT size('a')", '1:11 NOT needs true or false, not an integer'],
  ['RETURN 1 IN size([1])', '1:7 IN needs a list, not an integer'],
  ["MATCH (n) WHERE n.name =~ '(' RETURN n", '1:16 the regular expression cannot be used'],
  // Conditions.
  ['MATCH (n) WHERE n.name RETURN n', '1:16 WHERE needs true or false, not a string'],
  ['MATCH (n) WITH n.name AS x WHERE x RETURN x', '1:33 WHERE needs true or false, not a string'],
  ['RETURN [x IN [1] WHERE x | x]', '1:23 WHERE needs true or false, not an integer'],
  ['RETURN all(x IN [1] WHERE x)', '1:26 all needs true or false, not an integer'],
  [
    'MATCH p = shortestPath((a)-[*1..]->(b)) WHERE all(n IN nodes(p) WHERE n.name) RETURN p',
    '1:70 all needs true or false, not a string',
  ],
  ['RETURN [x IN size([1]) | x]', '1:13 expected a list, not an integer'],
  // Patterns.
  ['UNWIND [1] AS n MATCH (n)-->(m) RETURN m', '1:22 a pattern needs a node at this place, not an integer'],
  [
    "MATCH (a) UNWIND ['x'] AS n MATCH (a)-->(n) RETURN a",
    '1:40 a pattern needs a node at this place, not a string',
  ],
  [
    'UNWIND [1] AS r MATCH (a)-[r]->(b) RETURN a',
    '1:25 a pattern needs a relationship at this place, not an integer',
  ],
  ['UNWIND [1] AS n RETURN (n)-->()', '1:23 a pattern needs a node at this place, not an integer'],
  [
    'UNWIND [1] AS n RETURN [(n)-->(m) | m.name]',
    '1:24 a pattern needs a node at this place, not an integer',
  ],
  [
    'UNWIND [1] AS n RETURN COUNT { MATCH (n)-->() }',
    '1:37 a pattern needs a node at this place, not an integer',
  ],
  [
    'UNWIND [1] AS n MATCH p = shortestPath((n)-[*1..]->(b:User)) RETURN p',
    '1:39 a pattern needs a node at this place, not an integer',
  ],
  [
    'UNWIND [1] AS n OPTIONAL MATCH (n)-->(m) RETURN m',
    '1:31 a pattern needs a node at this place, not an integer',
  ],
  // Weighted paths.
  [
    'MATCH p = EASIEST BY cost (a)-[*]->(b) RETURN p',
    '1:21 the weight cost of a relationship must be a number of 0 or more, not -1',
  ],
  [
    'MATCH p = EASIEST 2 BY text (a)-[*]->(b) RETURN p',
    '1:23 the weight text of a relationship must be a number of 0 or more, not a string',
  ],
  // Procedures.
  [
    "MATCH (a), (b) CALL apoc.algo.dijkstra(a, b, 'X', 'cost') YIELD path RETURN path",
    '1:50 the weight cost of a relationship must be a number of 0 or more, not -1',
  ],
  [
    "MATCH (a), (b) CALL apoc.algo.dijkstra(a, 1, 'X', 'cost') YIELD path RETURN path",
    '1:42 a path needs a node at each end, not an integer',
  ],
  [
    "MATCH (a), (b) CALL apoc.algo.dijkstra(a, b, 1, 'cost') YIELD path RETURN path",
    '1:45 the relationship types must be a string, not an integer',
  ],
  [
    "MATCH (a), (b) CALL apoc.algo.dijkstra(a, b, 'X', 'none', -1) YIELD path RETURN path",
    '1:58 the default weight must be a number of 0 or more, not -1',
  ],
  [
    "MATCH (a), (b) CALL apoc.algo.dijkstra(a, b, 'X', 'none', 'x') YIELD path RETURN path",
    '1:58 the default weight must be a number of 0 or more, not a string',
  ],
  [
    "MATCH (a), (b) CALL apoc.algo.dijkstra(a, b, 'X', 'none', 1, 0) YIELD path RETURN path",
    '1:61 the number of paths is an integer from 1 to 100',
  ],
  ["CALL gds.shortestPath.dijkstra.stream('g', 1)", '1:43 the configuration is a map, not an integer'],
  [
    "CALL gds.shortestPath.dijkstra.stream('g', {sourceNode: 'x', targetNode: 1})",
    '1:56 a path needs a node at each end, not a string',
  ],
  [
    "CALL gds.shortestPath.dijkstra.stream('g', {sourceNode: 0, targetNodes: [1, 'x']})",
    '1:72 a path needs a node at each end, not a string',
  ],
  [
    "CALL gds.shortestPath.dijkstra.stream('g', {sourceNode: 0, targetNode: 1, relationshipTypes: 'X'})",
    '1:93 relationshipTypes must be a list of types, not a string',
  ],
  [
    "CALL gds.shortestPath.dijkstra.stream('g', {sourceNode: 0, targetNode: 1, relationshipWeightProperty: 1})",
    '1:102 the name of the weight must be a string, not an integer',
  ],
  [
    "CALL gds.shortestPath.dijkstra.stream('g', {sourceNode: 0, k: 3})",
    '1:62 k is not supported: use sourceNode',
  ],
  // Aggregates.
  ["UNWIND [1, 'a'] AS x RETURN sum(x)", '1:28 sum() does not work on a string'],
  ['UNWIND [1, [2]] AS x RETURN sum(x)', '1:28 sum() does not work on a list'],
  ['UNWIND [{}] AS x RETURN 1 + avg(x)', '1:28 avg() does not work on a map'],
  ["UNWIND ['a'] AS x RETURN stDev(x)", '1:25 stDev() does not work on a string'],
  ['UNWIND [1] AS x RETURN percentileCont(x, 2)', '1:41 a percentile is a number from 0.0 to 1.0'],
  ["UNWIND ['a'] AS x RETURN percentileDisc(x, 0.5)", '1:25 percentileDisc() does not work on a string'],
  ['UNWIND [9223372036854775807, 1] AS x RETURN sum(x)', '1:44 the result is too large for an integer'],
  // Functions.
  ['RETURN range(1, 9007199254740993)', '1:7 range() does not work on an integer beyond 2^53'],
  ["RETURN keys('a')", '1:7 keys() does not work on a string'],
  ["RETURN 1 LIMIT size('a') / 0", '1:15 division by zero'],
  // Changes of a layer.
  [
    'MATCH (n) SET n.list = [1, null]',
    '1:23 a list in a property cannot contain null: its items are strings, numbers, booleans and times',
  ],
  ['MATCH (n) SET n.list = [[1]]', '1:23 a list in a property cannot contain a list'],
  ['MATCH (n) SET n.map = {a: 1}', '1:22 a property cannot be a map: it is a string, a number'],
  ['MATCH (n) SET n.self = n', '1:23 a property cannot be a node'],
  ['MATCH (n) SET n += {a: 1, b: [null]}', '1:29 a list in a property cannot contain null'],
  ['MATCH (n) SET n = {a: [n]}', '1:22 a list in a property cannot contain a node'],
  [
    'MATCH (n) SET n += 1',
    '1:19 SET of all properties needs a map, a node or a relationship, not an integer',
  ],
  ['MATCH (n) SET n.a = 1 / 0', '1:20 division by zero'],
  ['UNWIND [1] AS n SET n.a = 1', '1:20 `n` is an integer, and no node or relationship'],
  ['MATCH ()-[r]->() SET r:User', '1:21 a relationship has no labels'],
  ['CREATE (:User {a: 1, b: [null]})', '1:24 a list in a property cannot contain null'],
  ['MATCH (n) CREATE (n)-[:Y {b: {}}]->(n)', '1:29 a property cannot be a map'],
  ['MERGE (:User {b: [[]]})', '1:17 a list in a property cannot contain a list'],
  ['MERGE (:User {b: null})', '1:6 MERGE does not work with a property that is null'],
  [
    'WITH [1] AS x UNWIND x AS y DELETE y',
    '1:35 DELETE takes nodes, relationships and paths, not an integer',
  ],
  ['MATCH (n) FOREACH (x IN n.name | SET n.a = x)', '1:10 FOREACH needs a list, not a string'],
  ['MATCH (n) DELETE n', '1:10 a node that still has relationships cannot be deleted'],
  ['MATCH ()-[r]->() DELETE r WITH r RETURN type(r)', '1:40 a removed relationship has no type'],
])('%s fails at %s', (query, fault) => {
  expect(faultOf(query)).toContain(`line ${fault}`);
});

const VALUES = [
  ...['1', '0', '-1', '1.5', 'true', "'a'", "'('", '[1]', "['a', null]", '{a: 1}', '9007199254740993'],
  ...["date('2023-01-01')", "duration('P1D')", 'n', 'r', 'p', '$big'],
];
const PARAMETERS = { big: 2n ** 63n - 1n };
const FROM = 'MATCH p = (n)-[r]->(m) WITH n, r, p LIMIT 1';

/** Fails for an error of a value without its position, and for errors of the program. */
function expectPlaced(expression: string, clause = 'RETURN'): void {
  const query = `${FROM} ${clause} ${expression}`;
  const error = errorOf(query, PARAMETERS);
  if (error === undefined) return;
  expect([query, error]).toEqual([query, expect.any(CypherError)]);
  const { kind, offset = -1 } = error as CypherError;
  if (kind === 'value') expect([query, offset]).toEqual([query, expect.toSatisfy((at) => at >= FROM.length)]);
}

test.each(functionNames())('errors of %s() have a position, for values of each type', (name) => {
  for (const first of ['', ...VALUES]) {
    expectPlaced(`${name}(${first})`);
    if (first !== '')
      for (const second of VALUES) {
        expectPlaced(`${name}(${first}, ${second})`);
        expectPlaced(`${name}('abc', ${first}, ${second})`);
      }
  }
});

const OPERATORS = ['+', '-', '*', '/', '%', '^', '=', '<', 'IN', 'CONTAINS', '=~', 'AND', 'OR', 'XOR'];
test.each(OPERATORS)('errors of %s have a position, for values of each type', (operator) => {
  for (const left of VALUES) for (const right of VALUES) expectPlaced(`${left} ${operator} ${right}`);
});

test.each([
  ...['-(#)', '+(#)', 'NOT (#)', '(#).name', '(#):User', '(#)[0]', "(#)['a']", '(#)[0..1]', '[1][(#)]'],
  ...['[1][(#)..2]', '{a: 1}[(#)]', '1 < (#) < 3', '[x IN (#) | x]', 'any(x IN [1] WHERE (#))'],
  ...['CASE WHEN (#) THEN 1 END', 'CASE (#) WHEN 1 THEN 2 END', 'reduce(s = 0, x IN (#) | s + x)'],
  ...['reduce(s = 0, x IN [1] | s + (#))', 'DISTINCT (#) ORDER BY (#) SKIP 0'],
])('errors of %s have a position, for values of each type', (form) => {
  for (const value of VALUES) expectPlaced(form.replaceAll('#', value));
});

test.each(['n.a =', 'n +=', 'n =', 'r.a =', 'r +='])(
  'errors of SET %s have a position, for values of each type',
  (item) => {
    for (const value of VALUES) expectPlaced(`${item} ${value}`, 'SET');
  },
);
