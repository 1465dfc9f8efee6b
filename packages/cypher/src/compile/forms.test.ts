/**
 * The same question in several clauses, with WITH between them or without, has the rows that one clause after the other
 * gives; and takes no more work than as one pattern.
 */
import { expect, test } from 'vitest';
import { type MemoryNode, memoryGraph } from '../../test/memoryGraph.ts';
import { FREE } from '../../test/naiveMatch.ts';
import { naiveRows } from '../../test/naiveQuery.ts';
import { LABELS, Random, randomGraph, TYPES } from '../../test/randomGraph.ts';
import { runQuery } from '../runQuery.ts';
import { parse } from '../syntax/parser.ts';
import { keyOf } from '../values/compare.ts';
import { isList, NodeValue, PathValue, RelationshipValue, type Value } from '../values/values.ts';

const CASES = 150 * Number(process.env.CLEW_TEST_RUNS ?? 1);

/** MATCH clauses with the clauses that may be between them, and a RETURN. */
function randomClauses(random: Random): string {
  let known: string[] = [];
  let relationships: string[] = [];
  let made = 0;
  const fresh = (): string => {
    const name = `v${made++}`;
    known.push(name);
    return name;
  };
  const node = (): string => {
    const name = random.chance(0.15)
      ? ''
      : known.length > 0 && random.chance(0.5)
        ? random.of(known)
        : fresh();
    const properties = random.chance(0.1) ? ` {n: ${random.below(3)}}` : '';
    return `(${name}${random.chance(0.3) ? `:${random.of(LABELS)}` : ''}${properties})`;
  };
  const relationship = (): string => {
    const types = random.chance(0.6) ? `:${random.of([...TYPES, 'X|Y'])}` : '';
    const length = random.chance(0.5) ? random.of(['*', '*1..', '*1..2', '*0..', '*0..1', '*..3']) : '';
    const isNamed = length === '' && random.chance(0.3);
    if (isNamed) relationships.push(`r${made++}`);
    const name = isNamed ? relationships.at(-1) : '';
    return random.of(['-[#]->', '<-[#]-', '-[#]-']).replace('#', name + types + length);
  };
  const pattern = (): string => {
    let text = node();
    for (let hops = random.below(3); hops > 0; hops--) text += relationship() + node();
    return text;
  };
  const condition = (): string => {
    const [a, b] = [random.of(known), random.of(known)];
    return random.of([
      `${a}.n = ${b}.n`,
      `${a} <> ${b}`,
      `${a} = ${b}`,
      `${a}.n IN [0, 2]`,
      `${a}.n < ${random.below(3)}`,
      `(${a}:A OR ${b}:B)`,
      `(toString(${a}.n) =~ '[01]' OR toString(${b}.n) =~ '[12]')`,
      `NOT toString(${a}.n) CONTAINS '1'`,
      `(${a}.n = 0 OR 2 = ${a}.n OR ${a}.n IN [1, null])`,
      `toString(${a}.n) + '!' = toString(${b}.n) + '!'`,
      `2 - ${a}.n = ${b}.n`,
      `${a}:A`,
      `'B' IN labels(${b})`,
      `(${a}:A OR ${a}:B)`,
      ...relationships.flatMap((name) => [
        `type(${name}) = 'X'`,
        `type(${name}) IN ['X', 'Z']`,
        `(type(${name}) = 'Y' OR type(${name}) = 'X')`,
        `${name}:X`,
      ]),
    ]);
  };
  const where = (part: number): string =>
    known.length > 0 && random.chance(part)
      ? ` WHERE ${Array.from({ length: 1 + random.below(2) }, condition).join(' AND ')}`
      : '';
  const clauses: string[] = [];
  for (let left = 1 + random.below(3); left > 0; left--) {
    const optional = clauses.length > 0 && random.chance(0.2) ? 'OPTIONAL ' : '';
    const patterns = Array.from({ length: random.chance(0.3) ? 2 : 1 }, pattern).join(', ');
    clauses.push(`${optional}MATCH ${patterns}${where(0.4)}`);
    if (known.length === 0 || !random.chance(0.5)) continue;
    const distinct = random.chance(0.3) ? 'DISTINCT ' : '';
    const kept = known.filter(() => random.chance(0.7));
    if (kept.length === 0) kept.push(random.of(known));
    const items = kept.map((name) => (random.chance(0.2) ? `${name} AS w${made++}` : name));
    const names = items.map((item) => item.split(' AS ').at(-1) as string);
    relationships = [];
    if (clauses.at(-1)?.startsWith('OPTIONAL') && random.chance(0.5)) {
      const counted = random.of(known);
      const count = `count(${random.chance(0.5) ? 'DISTINCT ' : ''}${counted})`;
      const asked = random.of(['> 0', '= 0', '>= 1', '< 1', '<> 0', '> 1']);
      known = names;
      clauses.push(`WITH ${items.join(', ')}, ${count} AS c${made} WHERE c${made++} ${asked}`);
      continue;
    }
    known = names;
    const isNullTest = random.chance(0.3) && clauses.at(-1)?.startsWith('OPTIONAL');
    const test = isNullTest ? ` WHERE ${random.of(names)} IS ${random.of(['', 'NOT '])}NULL` : where(0.3);
    clauses.push(`WITH ${distinct}${items.join(', ')}${test}`);
  }
  if (known.length === 0) return `${clauses.join(' ')} RETURN count(*) AS c`;
  const [a, b] = [random.of(known), random.of(known)];
  const end = random.of([
    known.join(', '),
    `DISTINCT ${a}`,
    a === b ? `DISTINCT ${a}` : `DISTINCT ${a}, ${b}`,
    `count(DISTINCT ${a}) AS c`,
    a === b ? `count(DISTINCT ${a}) AS c` : `${a}, count(DISTINCT ${b}) AS c`,
    'count(*) AS c',
  ]);
  return `${clauses.join(' ')} RETURN ${end}`;
}

test(`clauses return the same as their evaluation one after the other (${CASES} cases)`, () => {
  for (let seed = 1; seed <= CASES; seed++) {
    const random = new Random(seed * 6007);
    const graph = randomGraph(random, { maxNodes: 5, maxEdges: 7 });
    const query = randomClauses(random);
    const { columns, rows } = runQuery(query, graph);
    const found = rows.map((row) => row.map((value) => keyOf(value ?? null, FREE)).join(' | ')).sort();
    const expected = naiveRows(parse(query).parts[0].clauses, graph)
      .map((row) => columns.map((name) => keyOf(row.get(name) ?? null, FREE)).join(' | '))
      .sort();
    expect({ seed, query, rows: found }).toEqual({ seed, query, rows: expected });
  }
});

/** Every third is the number of a user. */
const numbers = Array.from({ length: 60 }, (_, at) => at * 2);

/** Layers of users, groups in groups, and machines; names that two sides share. */
function organization() {
  const random = new Random(77);
  const count = 400;
  const labels = ['User', 'Group', 'Host'];
  const nodes = Array.from({ length: count }, (_, at) => ({
    labels: [labels[at % 3]],
    properties: {
      ...{ id: at, twin: (at * 7) % count, name: `N${at}` },
      ...{ mail: `n${(at * 7) % count}@x`, address: `N${at}@Y` },
    },
  }));
  const ofLabel = (label: string): number[] =>
    nodes.flatMap((one, at) => (one.labels[0] === label ? [at] : []));
  const [users, groups, hosts] = labels.map(ofLabel);
  const edge = (start: number, type: string, end: number) => ({ start, type, end, properties: {} });
  const edges = [
    ...users.flatMap((user) => [edge(user, 'In', random.of(groups)), edge(user, 'In', random.of(groups))]),
    ...groups.slice(1).map((group, at) => edge(group, 'In', groups[random.below(at + 1)])),
    ...hosts.map((host) => edge(random.of(groups), 'Admin', host)),
    ...hosts.map((host) => edge(host, 'Session', random.of(users))),
  ];
  return memoryGraph(nodes, edges);
}

test.each([
  [
    'MATCH p = (u:User)-[:In*1..3]->(g:Group) RETURN p',
    [
      'MATCH (u:User), (g:Group) MATCH p = (u)-[:In*1..3]->(g) RETURN p',
      'MATCH (u:User) MATCH (g:Group) WITH u, g MATCH p = (u)-[:In*1..3]->(g) RETURN p',
      'MATCH (x:User) WITH x AS u MATCH p = (u)-[:In*1..3]->(g:Group) RETURN p',
      'MATCH p = (u)-[:In*1..3]->(g) WHERE u:User AND g:Group RETURN p',
    ],
  ],
  [
    'MATCH (a:User), (b:Group) WHERE a.twin = b.id RETURN a, b',
    [
      'MATCH (a:User) MATCH (b:Group) WHERE b.id = a.twin RETURN a, b',
      'MATCH (b:Group) WITH b MATCH (a:User {twin: b.id}) RETURN a, b',
      'MATCH (a:User), (b:Group) WITH a, b WHERE a.twin = b.id RETURN a, b',
      'MATCH (a), (b) WHERE a:User AND b:Group AND b.id = a.twin RETURN a, b',
    ],
  ],
  [
    "MATCH p = shortestPath((h:Host)-[*1..]->(g {name: 'N1'})) RETURN length(p), h",
    [
      "MATCH (h:Host) MATCH (g {name: 'N1'}) MATCH p = shortestPath((h)-[*1..]->(g)) RETURN length(p), h",
      "MATCH (h:Host) WITH DISTINCT h MATCH p = shortestPath((h)-[*1..]->(g {name: 'N1'})) RETURN length(p), h",
      "MATCH (h:Host) WITH DISTINCT h MATCH (g {name: 'N1'}) WITH h, collect(g) AS l UNWIND l AS g MATCH p = shortestPath((h)-[*1..]->(g)) RETURN length(p), h",
      "MATCH p = shortestPath((h)-[*1..]->(g)) WHERE h:Host AND g.name = 'N1' RETURN length(p), h",
    ],
  ],
  [
    'MATCH (h:Host)-[:Session]->()-[:In*1..]->(g:Group) WITH DISTINCT g MATCH (u:User)-[:In*1..]->(g) RETURN DISTINCT g',
    [
      'MATCH (h:Host)-[:Session]->()-[:In*1..]->(g:Group) WITH g MATCH (u:User)-[:In*1..]->(g) RETURN DISTINCT g',
      'MATCH (h:Host)-[:Session]->()-[:In*1..]->(g:Group) MATCH (u:User)-[:In*1..]->(g) RETURN DISTINCT g',
      'MATCH (h:Host)-[:Session]->()-[:In*1..]->(g:Group) WHERE EXISTS { (:User)-[:In*1..]->(g) } RETURN DISTINCT g',
      'MATCH (h:Host)-[:Session]->()-[:In*1..]->(g:Group) WITH DISTINCT g OPTIONAL MATCH p = (u:User)-[:In*1..]->(g) WITH g, count(p) AS c WHERE c > 0 RETURN g',
    ],
  ],
  [
    "MATCH (u:User)-[:In|Admin|Session*1..]->(g {name: 'N1'}) RETURN count(DISTINCT u)",
    [
      "MATCH (u:User) WHERE EXISTS { (u)-[:In|Admin|Session*1..]->({name: 'N1'}) } RETURN count(u)",
      "MATCH (u:User) WHERE (u)-[:In|Admin|Session*1..]->({name: 'N1'}) RETURN count(u)",
      "MATCH (g {name: 'N1'}) MATCH (u:User)-[:In|Admin|Session*1..]->(g) RETURN count(DISTINCT u)",
      "MATCH (u:User)-[:In|Admin|Session*1..]->(g) WITH u, g WHERE g.name = 'N1' RETURN count(DISTINCT u)",
    ],
  ],
  [
    'MATCH (a:User), (b:Group) WHERE a.twin = b.id RETURN a, b',
    [
      'MATCH (a:User) MATCH (b:Group) WHERE toString(a.twin) = toString(b.id) RETURN a, b',
      'MATCH (a:User), (b:Group) WITH a, b WHERE a.twin + 1 = b.id + 1 RETURN a, b',
      'MATCH (a:User) OPTIONAL MATCH (b:Group) WHERE a.twin + 1 = b.id + 1 WITH a, b WHERE b IS NOT NULL RETURN a, b',
      'MATCH (b:Group) WITH collect(b) AS l UNWIND l AS b MATCH (a:User) WHERE toString(a.twin) = toString(b.id) RETURN a, b',
    ],
  ],
  [
    "MATCH (a:User), (b:Group) WHERE toUpper(split(a.mail, '@')[0]) = split(b.address, '@')[0] RETURN a, b",
    [
      "MATCH (b:Group) MATCH (a:User) WHERE split(b.address, '@')[0] = toUpper(split(a.mail, '@')[0]) RETURN a, b",
      "MATCH (a:User), (b:Group) WITH * WHERE toUpper(split(a.mail, '@')[0]) = split(b.address, '@')[0] RETURN a, b",
      "MATCH (a), (b) WHERE a:User AND 'Group' IN labels(b) AND toUpper(split(a.mail, '@')[0]) = split(b.address, '@')[0] RETURN a, b",
      "MATCH (a:User) OPTIONAL MATCH (b:Group) WHERE split(b.address, '@')[0] = toUpper(split(a.mail, '@')[0]) WITH a, b WHERE b IS NOT NULL RETURN a, b",
    ],
  ],
  [
    `MATCH (n:User) WHERE n.id IN [${numbers.join(', ')}] RETURN n`,
    [
      `MATCH (n:User) WHERE ${numbers.map((number) => `n.id = ${number}`).join(' OR ')} RETURN n`,
      `MATCH (n) WHERE n:User AND (${numbers.map((number) => `${number} = n.id`).join(' OR ')}) RETURN n`,
      `MATCH (n) WHERE 'User' IN labels(n) AND (n.id IN [${numbers.join(', ')}] OR n.id = 1) RETURN n`,
      `UNWIND [${numbers.join(', ')}] AS id MATCH (n:User) WHERE n.id = id RETURN n`,
    ],
  ],
  [
    'MATCH (u:User)-[:In]->(g:Group) RETURN u, g',
    [
      "MATCH (u:User)-[r]->(g:Group) WHERE type(r) = 'In' RETURN u, g",
      "MATCH (u:User)-[r]->(g) WHERE type(r) IN ['In'] AND g:Group RETURN u, g",
      'MATCH (u)-[r]->(g) WHERE r:In AND u:User AND g:Group RETURN u, g',
      "MATCH (u)-[r:In|Admin]->(g) WHERE type(r) = 'In' AND 'User' IN labels(u) AND (g:Group OR g:Group) RETURN u, g",
    ],
  ],
  [
    'MATCH (u:User)-[:In*1..]->(g:Group) RETURN count(DISTINCT g)',
    [
      'MATCH (u:User)-[:In*1..]->(g:Group) RETURN count(DISTINCT g.name)',
      'MATCH p = shortestPath((u:User)-[:In*1..]->(g:Group)) RETURN count(DISTINCT g)',
      'MATCH (u:User), (g:Group) MATCH p = shortestPath((u)-[:In*1..]->(g)) RETURN count(DISTINCT g)',
      'MATCH (g:Group) WHERE EXISTS { (:User)-[:In*1..]->(g) } RETURN count(g)',
      'MATCH (g:Group) OPTIONAL MATCH p = (u:User)-[:In*1..]->(g) WITH g, u WHERE u IS NOT NULL RETURN count(DISTINCT g)',
    ],
  ],
  [
    'MATCH (g:Group) WHERE NOT EXISTS { (:User)-[:In*1..]->(g) } RETURN g',
    [
      'MATCH (g:Group) OPTIONAL MATCH (u:User)-[:In*1..]->(g) WITH g, u WHERE u IS NULL RETURN g',
      'MATCH (g:Group) OPTIONAL MATCH p = (u:User)-[:In*1..]->(g) WITH * WHERE u IS NULL RETURN g',
      'MATCH (g:Group) OPTIONAL MATCH p = (u:User)-[:In*1..]->(g) WITH g, count(p) AS c WHERE c = 0 RETURN g',
      'MATCH (g:Group) OPTIONAL MATCH p = shortestPath((u:User)-[:In*1..]->(g)) WITH g, count(DISTINCT u) AS c WHERE 1 > c RETURN g',
    ],
  ],
  [
    'MATCH (u:User) WHERE EXISTS { (u)-[:In|Admin|Session*1..]->(:Host) } RETURN u',
    [
      'MATCH (u:User) OPTIONAL MATCH p = shortestPath((u)-[:In|Admin|Session*1..]->(h:Host)) WITH u, count(p) AS c WHERE c > 0 RETURN u',
      'MATCH (u:User) OPTIONAL MATCH p = (u)-[:In|Admin|Session*1..]->(:Host) WITH u, count(p) > 0 AS leads WHERE leads RETURN u',
      'MATCH (u:User) OPTIONAL MATCH p = (u)-[:In|Admin|Session*1..]->(h:Host) WITH u, count(DISTINCT h) AS c WHERE c >= 1 AND u.id >= 0 RETURN u',
      'MATCH (u:User) OPTIONAL MATCH p = (u)-[:In|Admin|Session*1..]->(h:Host) WITH u, size(collect(p)) AS c WHERE NOT c = 0 RETURN u',
      'MATCH (u:User)-[:In|Admin|Session*1..]->(h:Host) RETURN DISTINCT u',
    ],
  ],
])('%s takes at most twice the work in each form', (plain, forms) => {
  const graph = organization();
  const keys = (rows: readonly (readonly Value[])[]) =>
    rows.map((row) => row.map((value) => keyOf(value, FREE)).join()).sort();
  const base = runQuery(plain, graph);
  expect(base.rows.length).toBeGreaterThan(0);
  for (const form of forms) {
    const result = runQuery(form, graph);
    expect([form, keys(result.rows)]).toEqual([form, keys(base.rows)]);
    expect([form, result.steps <= 2 * base.steps + graph.nodeCount]).toEqual([form, true]);
    // So at a limit no other form of it that is known would be answered.
    const limits = { steps: 2 * base.steps + graph.nodeCount };
    expect([form, runQuery(form, graph, { limits }).rows.length]).toEqual([form, base.rows.length]);
  }
});

test('an OPTIONAL MATCH that is only counted returns the same rows as one whose results are kept', () => {
  const counts = ['count(x)', 'count(DISTINCT x)', 'size(collect(x))', 'count(p)', 'count(r)'];
  const tests = [
    ['> 0', '>= 1'],
    ['= 0', '< 1'],
    ['<> 0', '> 0'],
    ['<= 0', '= 0'],
  ] as const;
  for (let seed = 1; seed <= 300; seed++) {
    const random = new Random(seed * 7919);
    const graph = randomGraph(random, { maxNodes: 5, maxEdges: 7 });
    const pattern = random.of(['(n)-[r]->(x)', '(n)<-[r:X]-(x:A)', '(n)-[r*1..2]-(x)', '(m)-[r]->(x:B)']);
    const begin = `MATCH (n), (m:A) OPTIONAL MATCH p = ${pattern}${random.chance(0.3) ? ' WHERE x.n < 2' : ''}`;
    const [test_, same] = random.of(tests);
    const count = random.of(counts);
    const keys = random.of(['n', 'm', 'n, m', 'n.n AS n']);
    const [plain, kept] = random.of([
      [
        `WITH ${keys}, ${count} AS c WHERE c ${test_} RETURN *`,
        `WITH ${keys}, collect(x) AS l, count(*) AS d WITH *, size(l) AS c WHERE c ${same}`,
      ],
      [
        `RETURN ${keys}, ${count} ${test_} AS c`,
        `WITH ${keys}, collect(x) AS l, count(*) AS d WITH *, size(l) ${same} AS c`,
      ],
      [
        `WITH ${keys}, ${count} ${test_} AS c WHERE c RETURN *`,
        `WITH ${keys}, collect(x) AS l, count(*) AS d WITH *, size(l) ${same} AS c WHERE c`,
      ],
    ] as const);
    const names = keys
      .split(', ')
      .map((key) => key.split(' AS ').at(-1))
      .join(', ');
    const isShown = plain.includes(' AS c WHERE c RETURN') || plain.startsWith('RETURN');
    const rowsOf = (query: string) =>
      runQuery(query, graph)
        .rows.map((row) => row.map((value) => keyOf(value, FREE)).join(' | '))
        .sort();
    const query = `${begin} ${plain.replace('RETURN *', `RETURN ${names}${isShown ? ', c' : ''}`)}`;
    const expected = `${begin} ${kept} RETURN ${names}${isShown ? ', c' : ''}`;
    expect({ seed, query, rows: rowsOf(query) }).toEqual({ seed, query, rows: rowsOf(expected) });
  }
});

test('a count that is tested without groups, or next to other counts, is unchanged', () => {
  const graph = organization();
  const rowsOf = (query: string) => runQuery(query, graph).rows;
  const none = 'MATCH (n:Nothing) OPTIONAL MATCH p = (n)-[:In]->()';
  expect(rowsOf(`${none} RETURN count(p) > 0 AS a`)).toEqual([[false]]);
  expect(rowsOf(`${none} RETURN count(p) = 0 AS a`)).toEqual([[true]]);
  const some = 'MATCH (u:User) OPTIONAL MATCH p = (u)-[:In]->(g)';
  const [[isFound, count]] = rowsOf(`${some} RETURN count(p) > 0 AS a, count(*) AS b`) as [[boolean, number]];
  expect([isFound, count]).toEqual([true, rowsOf('MATCH (u:User)-[:In]->() RETURN u').length]);
});

test('ends of shortest paths are the ends of the paths, even if starts are also ends', () => {
  for (let seed = 1; seed <= 400; seed++) {
    const random = new Random(seed * 3001);
    const graph = randomGraph(random, { maxNodes: 7, maxEdges: 9 });
    const ends = random.of([
      '(a:A)-[*1..]->(b:B)',
      '(a)<-[*1..]-(b:B)',
      '(a:A)-[:X*]->(b)',
      '(a:A)-[*1..]-(b:A)',
    ]);
    const match = `MATCH p = shortestPath(${ends})`;
    for (const end of ['a', 'b']) {
      const keys = (query: string): string[] =>
        [...new Set(runQuery(query, graph).rows.map(([value]) => keyOf(value, FREE)))].sort();
      const query = `${match} RETURN DISTINCT ${end}`;
      expect({ seed, query, ends: keys(query) }).toEqual({
        ...{ seed, query },
        ends: keys(`${match} RETURN ${end}, length(p)`),
      });
    }
  }
});

test('trails in an answer that is a graph are the edges of all trails, without duplicates', () => {
  for (let seed = 1; seed <= 500; seed++) {
    const random = new Random(seed * 4001);
    const graph = randomGraph(random, { maxNodes: 6, maxEdges: 7 });
    const length = random.of(['*', '*0..', '*1..2', '*..3', '*0..1', ':X*1..3']);
    const pattern =
      `p = ${random.of(['(a:A)-[#]->(b)', '(a)<-[#]-(b:B)', '(a {n: 1})-[#]-(b)', '(a:A)-[#]->(b:B)', '(a:B)-[#]-(b:A)', '(a)<-[#]-(b {n: 1})', '(a:A)-[#]-(b {n: 2})'])}`.replace(
        '#',
        length,
      );
    for (const item of ['p', 'nodes(p)', 'relationships(p)']) {
      const query = `MATCH ${pattern} RETURN ${item}`;
      const parts = (asGraph: boolean): string[] => {
        const values = runQuery(query, graph, { asGraph }).rows.flat().flatMap(partsOf);
        return [...new Set(values.map((value) => keyOf(value, FREE)))].sort();
      };
      expect({ seed, query, parts: parts(true) }).toEqual({ seed, query, parts: parts(false) });
    }
  }
});

test('a graph of trails takes work proportional to its edges', () => {
  const graph = organization();
  const query = 'MATCH p = (a:User)-[*1..6]->(b) RETURN p';
  const { rows, steps } = runQuery(query, graph, { asGraph: true });
  expect(rows.length).toBeLessThanOrEqual(graph.edgeCount);
  expect(steps).toBeLessThan(20 * graph.edgeCount);
  // To some ends, too, in any form.
  for (const form of [
    'MATCH p = (a:User)-[*1..6]->(b:Group) RETURN p',
    'MATCH (a:User), (b:Group) MATCH p = (a)-[*1..6]->(b) RETURN p',
    "MATCH p = (a)-[*1..6]->(b) WHERE a:User AND 'Group' IN labels(b) RETURN p",
    'MATCH (b:Group) MATCH (a:User) WITH a, b MATCH p = (a)-[*1..6]->(b) RETURN nodes(p)',
    'MATCH p = (b:Group)<-[*1..6]-(a:User) RETURN relationships(p)',
  ]) {
    const found = runQuery(form, graph, { asGraph: true });
    expect([form, found.rows.length > 0, found.rows.length <= graph.edgeCount]).toEqual([form, true, true]);
    expect([form, found.steps < 40 * graph.edgeCount]).toEqual([form, true]);
  }
});

test('the condition, and not the join, reports an expression that fails', () => {
  const nodes: MemoryNode[] = [
    { labels: ['A'], properties: { name: 'X' } },
    { labels: ['B'], properties: { name: 'x', isText: true } },
    { labels: ['B'], properties: { name: 5, isText: false } },
  ];
  const query = 'MATCH (a:A), (b:B) WHERE b.isText AND a.name = toUpper(b.name) RETURN b.name';
  expect(runQuery(query, memoryGraph(nodes, [])).rows).toEqual([['x']]);
});

test('counts of all relationships are known without a search', () => {
  const graph = organization();
  const types = ['', ':In', ':In|Admin'];
  for (const type of types) {
    const [[searched]] = runQuery(`MATCH (a)-[r${type}]->(b) WITH r RETURN count(r)`, graph).rows;
    for (const count of ['count(r)', 'count(*)', 'count(DISTINCT r)']) {
      const { rows, steps } = runQuery(`MATCH ()-[r${type}]->() RETURN ${count} AS c`, graph);
      expect([type, count, rows]).toEqual([type, count, [[searched]]]);
      expect(steps).toBeLessThan(graph.edgeCount / 4);
    }
  }
  expect(runQuery('MATCH (a)-[r]->(a) RETURN count(r)', graph).rows).toEqual([[0]]);
});

/** Nodes and relationships of a value, those of paths and lists too. */
function partsOf(value: Value): Value[] {
  if (value instanceof PathValue)
    return [
      ...value.nodes.map((node) => new NodeValue(node)),
      ...value.edges.map((edge) => new RelationshipValue(edge)),
    ];
  return isList(value) ? value.flatMap(partsOf) : [value];
}

test('a relationship that is null matches nothing, and does not end the search for those after it', () => {
  const graph = organization();
  const count = (list: string): unknown =>
    runQuery(`MATCH ()-[r]->() WITH ${list} AS all UNWIND all AS r MATCH ()-[r]->() RETURN count(*)`, graph)
      .rows[0]?.[0];
  expect(count('collect(r)')).toBeGreaterThan(0);
  expect(count('[null] + collect(r)')).toBe(count('collect(r)'));
});
