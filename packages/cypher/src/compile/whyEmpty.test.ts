/** Tests the explanation of an empty answer. */
import { expect, test } from 'vitest';
import { memoryGraph } from '../../test/memoryGraph.ts';
import type { PropertyGraph } from '../graph/propertyGraph.ts';
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

const named = memoryGraph(
  [
    ...['ADMIN@CORP.LOCAL', 'ADMIN@SECRET.LOCAL', 'Ada@Corp.Local'].map((name) => ({
      ...{ labels: ['Base', 'User'], properties: { name, objectid: `S-1-${name}` } },
    })),
    ...['ONE', 'TWO', 'TRE', 'FOR'].map((at) => ({
      ...{ labels: ['Base', 'Group'], properties: { name: `USERS@${at}`, objectid: `S-2-${at}` } },
    })),
  ],
  [],
);
const nodesWith = (key: string, fits: (text: string) => boolean): number[] => {
  const nodes = Array.from({ length: named.nodeCount }, (_, node) => node);
  return nodes.filter((node) => fits(named.nodeProperty(node, key) as string));
};
const isSought = (key: string): boolean => key === 'name' || key === 'objectid';
/** A graph with an index of names and ids. @param hidden a node that the caller may not see */
const indexed = (hidden?: number): PropertyGraph => ({
  ...named,
  ...(hidden !== undefined && { isHidden: (node) => node === hidden }),
  label: (name) => {
    const set = named.label(name);
    return set && { ...set, has: (node) => node !== hidden && set.has(node) };
  },
  seek: (key, value) =>
    isSought(key) ? nodesWith(key, (text) => text === value).filter((node) => node !== hidden) : undefined,
  seekSuffix: (key, suffix) =>
    key === 'objectid'
      ? nodesWith(key, (text) => text.endsWith(suffix)).filter((node) => node !== hidden)
      : undefined,
});

test.each([
  [
    "MATCH (n {name: 'admin@corp.local'}) RETURN n",
    'no node found: (n) by name; 1 would match in another case: ADMIN@CORP.LOCAL',
  ],
  [
    "MATCH (n:User) WHERE 'admin@corp.local' = n.name RETURN n",
    'no node found: (n:User) by name; 1 would match in another case: ADMIN@CORP.LOCAL',
  ],
  [
    'MATCH (n {name: $name}) RETURN count(n)',
    'no node found: (n) by name; 1 would match in another case: ADMIN@CORP.LOCAL',
  ],
  [
    "MATCH (n {name: 'ADA@CORP.LOCAL'}) RETURN n",
    'no node found: (n) by name; 1 would match in another case: Ada@Corp.Local',
  ],
  [
    "MATCH (n {objectid: 's-2-one'}) RETURN n",
    'no node found: (n) by objectid; 1 would match in another case: S-2-ONE',
  ],
  [
    "MATCH (n) WHERE n.objectid ENDS WITH '-one' RETURN n",
    'no node found: (n) by objectid; 1 would match in another case: S-2-ONE',
  ],
  [
    "MATCH (n) WHERE n.name IN ['nobody', 'users@two', 'users@one'] RETURN n",
    'no node found: (n) by name; 2 would match in another case: USERS@TWO, USERS@ONE',
  ],
  [
    "MATCH (n {name: 'ADMIN'}) RETURN n",
    'no node found: (n) by name; 2 would match with a longer name: ADMIN@CORP.LOCAL, ADMIN@SECRET.LOCAL',
  ],
  [
    "MATCH (n {name: 'users'})-->(m) RETURN m",
    'no node found: (n) by name; 4 would match with a longer name: USERS@ONE, USERS@TWO, USERS@TRE, …',
  ],
  ["MATCH (n:Group {name: 'admin@corp.local'}) RETURN n", 'no node found: (n:Group) by name'],
  ["MATCH (n:Group {name: 'ADMIN'}) RETURN n", 'no node found: (n:Group) by name'],
  ["MATCH (n {name: 'ADM'}) RETURN n", 'no node found: (n) by name'],
  ["MATCH (n {name: ''}) RETURN n", 'no node found: (n) by name'],
])('%s explains what the lookup missed', (query, reason) => {
  const parameters = { name: 'Admin@Corp.Local' };
  expect(runQuery(query, indexed(), { parameters }).warnings).toEqual([reason]);
});

test.each([
  ["MATCH (n {name: 'admin@secret.local'}) RETURN n", 'no node found: (n) by name'],
  ["MATCH (n {name: 'Admin@Secret.Local'}) RETURN n", 'no node found: (n) by name'],
  ["MATCH (n:User {name: 'admin@secret.local'}) RETURN n", 'no node found: (n:User) by name'],
  ["MATCH (n {objectid: 's-1-admin@secret.local'}) RETURN n", 'no node found: (n) by objectid'],
  ["MATCH (n) WHERE n.objectid ENDS WITH 'secret.local' RETURN n", 'no node found: (n) by objectid'],
  [
    "MATCH (n {name: 'ADMIN'}) RETURN n",
    'no node found: (n) by name; 1 would match with a longer name: ADMIN@CORP.LOCAL',
  ],
])('%s neither counts nor names a hidden object', (query, reason) => {
  expect(runQuery(query, indexed(1)).warnings).toEqual([reason]);
});
