import { type QueryMap, TypedQueryError } from '@clew/common';
import { runQuery } from '@clew/cypher';
import { memoryGraph } from '@clew/cypher/testing';
import { userNamed } from '@clew/server/testing';
import { expect, test } from 'vitest';
import { rewritten } from './procedures.ts';

const graph = memoryGraph([{ labels: ['User'], properties: {} }], []);
const ANN = userNamed('ann', []);
const NAMES = {
  labels: ['Computer', 'User'],
  types: ['AdminTo', 'MemberOf', 'AZ_ATTACK_PATHS'],
  properties: ['enabled', 'name'],
  relationshipProperties: ['isacl', 'name'],
};

async function rowsOf(text: string, parameters: QueryMap = {}): Promise<unknown> {
  const query = await rewritten({ text, parameters }, { names: async () => NAMES, principal: ANN });
  if (query === undefined) return undefined;
  const { columns, rows } = runQuery(query.text, graph, { parameters: query.parameters as never });
  return [columns, ...rows];
}

test.each([
  ['CALL db.labels()', [['label'], ['Computer'], ['User']]],
  ['CYPHER 5 CALL db.labels()', [['label'], ['Computer'], ['User']]],
  ['call DB.Labels', [['label'], ['Computer'], ['User']]],
  ['CALL db.labels() YIELD *', [['label'], ['Computer'], ['User']]],
  ["CALL db.labels() YIELD label AS name WHERE name STARTS WITH 'U' RETURN name", [['name'], ['User']]],
  ['CALL db.labels() YIELD label RETURN count(label) AS labels;', [['labels'], [2]]],
  ['CALL db.propertyKeys()', [['propertyKey'], ['enabled'], ['isacl'], ['name']]],
  ['CALL db.ping();', [['success'], [true]]],
  ['CALL db.constraints()', [['id', 'name', 'description', 'details']]],
  [
    'CALL dbms.components() YIELD name, versions RETURN name, versions[0] AS v',
    [
      ['name', 'v'],
      ['Neo4j Kernel', '5.4.0'],
    ],
  ],
  [
    'CALL dbms.showCurrentUser() YIELD username, roles',
    [
      ['username', 'roles'],
      ['ann', ['User']],
    ],
  ],
  [
    'CYPHER 25 SHOW CURRENT USER',
    [
      ['user', 'roles'],
      ['ann', ['User']],
    ],
  ],
  [
    'SHOW CURRENT USER',
    [
      ['user', 'roles'],
      ['ann', ['User']],
    ],
  ],
  [
    "SHOW DATABASES YIELD name, currentStatus WHERE currentStatus = 'online'",
    [
      ['name', 'currentStatus'],
      ['neo4j', 'online'],
    ],
  ],
  ['show  home   database YIELD name', [['name'], ['neo4j']]],
  ['SHOW INDEX YIELD name', [['name']]],
  ['SHOW CONSTRAINT YIELD name', [['name']]],
])('%s has its rows', async (text, expected) => {
  expect(await rowsOf(text)).toEqual(expected);
});

test('names of types leave out those that are short for others', async () => {
  const types = await rowsOf('CALL db.relationshipTypes()');
  expect(types).toEqual([['relationshipType'], ['AdminTo'], ['MemberOf']]);
});

test('parameters of the query are kept', async () => {
  const text = 'CALL db.labels() YIELD label WHERE label = $wanted RETURN label';
  expect(await rowsOf(text, { wanted: 'User' })).toEqual([['label'], ['User']]);
});

test.each([
  'RETURN 1',
  'MATCH (n) CALL db.labels() YIELD label RETURN label',
  'CALL apoc.help("x")',
  'CALL db.labelsOf()',
  'CALL constructor()',
  'CALL __proto__()',
  'CALL db.ping(1)',
  'SHOW USERS',
  'SHOW INDEXESX',
])('%s does not begin with a known procedure', async (text) => {
  expect(await rowsOf(text)).toBeUndefined();
});

test('a column that a procedure does not have is named with its columns', async () => {
  await expect(rowsOf('CALL db.labels() YIELD name RETURN name')).rejects.toThrow(TypedQueryError);
  await expect(rowsOf('CALL db.labels() YIELD name')).rejects.toThrow(
    'db.labels has no column name: it has label',
  );
});
