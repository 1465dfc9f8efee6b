/**
 * The same question in several clauses, with WITH between them or without, has the rows that one clause after the other
 * gives; and takes no more work than as one pattern.
 */
import { expect, test } from 'vitest';
import { runQuery } from '../runQuery.ts';
import { parse } from '../syntax/parser.ts';
import { memoryGraph } from '../testing/memoryGraph.ts';
import { FREE } from '../testing/naiveMatch.ts';
import { naiveRows } from '../testing/naiveQuery.ts';
import { LABELS, Random, randomGraph, TYPES } from '../testing/randomGraph.ts';
import { keyOf } from '../values/compare.ts';
import type { Value } from '../values/values.ts';

const CASES = 400 * Number(process.env.CLEW_TEST_RUNS ?? 1);

/** MATCH clauses with the clauses that may be between them, and a RETURN. */
function randomClauses(random: Random): string {
  let known: string[] = [];
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
    return random.of(['-[#]->', '<-[#]-', '-[#]-']).replace('#', types + length);
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
    ]);
  };
  const where = (part: number): string =>
    known.length > 0 && random.chance(part)
      ? ` WHERE ${Array.from({ length: 1 + random.below(2) }, condition).join(' AND ')}`
      : '';
  const clauses: string[] = [];
  for (let left = 1 + random.below(3); left > 0; left--) {
    const optional = clauses.length > 0 && random.chance(0.1) ? 'OPTIONAL ' : '';
    const patterns = Array.from({ length: random.chance(0.3) ? 2 : 1 }, pattern).join(', ');
    clauses.push(`${optional}MATCH ${patterns}${where(0.4)}`);
    if (known.length === 0 || !random.chance(0.5)) continue;
    const distinct = random.chance(0.3) ? 'DISTINCT ' : '';
    const kept = known.filter(() => random.chance(0.7));
    if (kept.length === 0) kept.push(random.of(known));
    const items = kept.map((name) => (random.chance(0.2) ? `${name} AS w${made++}` : name));
    const names = items.map((item) => item.split(' AS ').at(-1) as string);
    known = names;
    clauses.push(`WITH ${distinct}${items.join(', ')}${where(0.3)}`);
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

test(`clauses give what one after the other gives (${CASES} cases)`, () => {
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

/** Layers of users, groups in groups, and machines; names that two sides share. */
function organization() {
  const random = new Random(77);
  const count = 400;
  const labels = ['User', 'Group', 'Host'];
  const nodes = Array.from({ length: count }, (_, at) => ({
    labels: [labels[at % 3]],
    properties: { id: at, twin: (at * 7) % count, name: `N${at}` },
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
    ],
  ],
  [
    'MATCH (a:User), (b:Group) WHERE a.twin = b.id RETURN a, b',
    [
      'MATCH (a:User) MATCH (b:Group) WHERE b.id = a.twin RETURN a, b',
      'MATCH (b:Group) WITH b MATCH (a:User {twin: b.id}) RETURN a, b',
      'MATCH (a:User), (b:Group) WITH a, b WHERE a.twin = b.id RETURN a, b',
    ],
  ],
  [
    "MATCH p = shortestPath((h:Host)-[*1..]->(g {name: 'N1'})) RETURN length(p), h",
    [
      "MATCH (h:Host) MATCH (g {name: 'N1'}) MATCH p = shortestPath((h)-[*1..]->(g)) RETURN length(p), h",
      "MATCH (h:Host) WITH DISTINCT h MATCH p = shortestPath((h)-[*1..]->(g {name: 'N1'})) RETURN length(p), h",
      "MATCH (h:Host) WITH DISTINCT h MATCH (g {name: 'N1'}) WITH h, collect(g) AS l UNWIND l AS g MATCH p = shortestPath((h)-[*1..]->(g)) RETURN length(p), h",
    ],
  ],
  [
    'MATCH (h:Host)-[:Session]->()-[:In*1..]->(g:Group) WITH DISTINCT g MATCH (u:User)-[:In*1..]->(g) RETURN DISTINCT g',
    [
      'MATCH (h:Host)-[:Session]->()-[:In*1..]->(g:Group) WITH g MATCH (u:User)-[:In*1..]->(g) RETURN DISTINCT g',
      'MATCH (h:Host)-[:Session]->()-[:In*1..]->(g:Group) MATCH (u:User)-[:In*1..]->(g) RETURN DISTINCT g',
      'MATCH (h:Host)-[:Session]->()-[:In*1..]->(g:Group) WHERE EXISTS { (:User)-[:In*1..]->(g) } RETURN DISTINCT g',
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
  }
});
