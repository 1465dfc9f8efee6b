/** Tests the explanation of an empty answer. */
import { expect, test } from 'vitest';
import { memoryGraph } from '../../test/memoryGraph.ts';
import { runQuery } from '../runQuery.ts';

const graph = memoryGraph(
  [
    { labels: ['Base', 'User'], properties: { name: 'ADA@CORP', enabled: true } },
    { labels: ['Base', 'User'], properties: { name: 'BEN@CORP', enabled: true } },
    { labels: ['Base', 'User'], properties: { name: 'CLEO@CORP', enabled: false } },
    { labels: ['Base', 'Group'], properties: { name: 'GLOBAL READERS@CORP' } },
    { labels: ['Base', 'Group'], properties: { name: 'WRITERS@CORP' } },
  ],
  [
    { start: 0, type: 'MemberOf', end: 3, properties: {} },
    { start: 1, type: 'MemberOf', end: 3, properties: {} },
  ],
);
const warningsOf = (query: string) => runQuery(query, graph).warnings;

test.each([
  [
    "MATCH (g:Group) WHERE g.name =~ 'READ.*' RETURN g",
    "of 2 (g:Group), 0 are left after `g.name =~ 'READ.*'`; 1 would match as a search".replace(
      'READ.*',
      'READ.*',
    ),
  ],
  [
    "MATCH (g:Group) WHERE g.name =~ 'read.*' RETURN g",
    "of 2 (g:Group), 0 are left after `g.name =~ 'read.*'`; 1 would match as a search in any case",
  ],
  [
    "MATCH (u:User) WHERE u.name = 'ada@corp' RETURN u",
    "of 3 (u:User), 0 are left after `u.name = 'ada@corp'`; 1 would match in another case",
  ],
  [
    "MATCH (u:User {name: 'Ada@Corp'}) RETURN u",
    "of 3 (u:User), 0 are left after `name: 'Ada@Corp'`; 1 would match in another case",
  ],
  [
    "MATCH (u:User) WHERE u.enabled = 'true' RETURN u",
    "of 3 (u:User), 0 are left after `u.enabled = 'true'`; 2 would match without quotes",
  ],
  [
    'MATCH (u:User) WHERE u.enabled = true AND (u.hasspn = true OR u.gmsa = true) RETURN count(u)',
    'of 3 (u:User), 2 are left after `u.enabled = true`, 0 after `(u.hasspn = true OR u.gmsa = true)`; none of them has the property hasspn, gmsa',
  ],
  [
    'MATCH (g:Group)-[:MemberOf]->(u:User) RETURN g',
    'nothing found along (g:Group) -[MemberOf]-> (u:User), from 2 rows',
  ],
  [
    'MATCH (u:User)-[:MemberOf]->(g:Group) WITH u, count(g) AS groups WHERE groups > 1 RETURN u',
    'of 2 rows, 0 are left after `groups > 1`',
  ],
  [
    'MATCH (u:User)-[:MemberOf]->(g) WHERE u.name = g.name RETURN u',
    'of 2 rows, 0 are left after `u.name = g.name`',
  ],
  ['UNWIND [] AS x RETURN x', 'UNWIND produces no rows'],
])('%s explains the empty answer', (query, reason) => {
  expect(warningsOf(query)).toEqual([reason]);
});

test.each([
  ['MATCH (u:Usr) RETURN u', 'no node has the label Usr: did you mean User?'],
  ['MATCH (u:USER) RETURN u', 'no node has the label USER: did you mean User?'],
  [
    'MATCH (u:User)-[:MemberOff]->(g) RETURN u',
    'no relationship has the type MemberOff: did you mean MemberOf?',
  ],
  ['MATCH (u:Printer) RETURN u', 'no node has the label Printer'],
])('%s suggests the intended value', (query, warning) => {
  expect(warningsOf(query)).toContain(warning);
});

test.each([
  ['toUper', 'toUpper'],
  ['colect', 'collect'],
])('%s() is similar to %s()', (wrong, right) => {
  expect(() => runQuery(`MATCH (u:User) RETURN ${wrong}(u.name)`, graph)).toThrow(
    `unknown cypher function: ${wrong.toLowerCase()}: did you mean ${right}?`,
  );
});

test.each([
  'MATCH (u:User) RETURN u',
  'MATCH (u:User) OPTIONAL MATCH (u)-[:MemberOf]->(g {name: "x"}) RETURN u, g',
  "MATCH (u:User) WHERE u.name = 'x' RETURN u.name AS n UNION MATCH (u:User) RETURN u.name AS n",
  'MATCH (u:User) WHERE NOT EXISTS { (u)-[:MemberOf]->(:Group {name: "x"}) } RETURN u',
])('%s has no explanation, because it returns rows', (query) => {
  expect(warningsOf(query)).toEqual([]);
});
