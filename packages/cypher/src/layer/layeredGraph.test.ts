/** A layer over a random graph answers like a graph that is made with the same contents. */
import { expect, test } from 'vitest';
import { type MemoryEdge, type MemoryNode, memoryGraph } from '../../test/memoryGraph.ts';
import { LABELS, Random, TYPES } from '../../test/randomGraph.ts';
import type { PropertyGraph } from '../graph/propertyGraph.ts';
import { runQuery } from '../runQuery.ts';
import { parseUpdates } from '../syntax/parser.ts';
import type { Value } from '../values/values.ts';
import { GraphChanges } from './graphChanges.ts';
import { layeredColumns } from './layeredColumns.ts';
import { layeredGraph } from './layeredGraph.ts';
import { type LayerState, runUpdates } from './runUpdates.ts';

const SEED = Number(process.env.CLEW_TEST_SEED ?? 1);
const RUNS = 50 * Number(process.env.CLEW_TEST_RUNS ?? 1);

function randomBase(random: Random): PropertyGraph {
  const nodes = Array.from({ length: 1 + random.below(7) }, (_, id) => ({
    labels: LABELS.filter(() => random.chance(0.4)),
    properties: { id, n: random.below(3) },
  }));
  const edges = Array.from({ length: random.below(10) }, (_, at) => ({
    ...{ start: random.below(nodes.length), end: random.below(nodes.length), type: random.of(TYPES) },
    properties: { id: 100 + at, w: random.below(3) },
  }));
  const graph = memoryGraph(nodes, edges);
  const seek = (key: string, value: Value): number[] | undefined =>
    key === 'id'
      ? nodes.flatMap(({ properties }, node) => (properties.id === value ? [node] : []))
      : undefined;
  return random.chance(0.5) ? graph : { ...graph, seek };
}

function randomChange(random: Random, next: number): string {
  const [label, type] = [random.of([...LABELS, 'New']), random.of([...TYPES, 'Z'])];
  const [n, m] = [random.below(3), random.below(3)];
  return random.of([
    `CREATE (:${label} {id: ${next}, n: ${n}})`,
    `MATCH (a {n: ${n}}), (b {n: ${m}}) WITH a, b LIMIT 3 CREATE (a)-[:${type} {id: ${next}, w: ${n}}]->(b)`,
    `MATCH (a {n: ${n}}) CREATE (a)-[:${type} {id: ${next}}]->(:${label} {id: ${next}, n: ${m}})`,
    `MATCH (a:A), (b:${label}) MERGE (a)-[:${type}]->(b)`,
    `MERGE (a:${label} {n: ${n}}) ON CREATE SET a.id = ${next} ON MATCH SET a:B`,
    `MATCH (a {n: ${n}}) SET a:${label}, a.n = ${m}`,
    `MATCH (a:${label}) REMOVE a:${label} SET a.n = coalesce(a.n, 0) + 1`,
    `MATCH (a:B) SET a = {id: a.id, n: ${n}}`,
    `MATCH (a)-[r:${type}]->() SET r.w = ${n}`,
    `MATCH ()-[r:${type} {w: ${n}}]->() DELETE r`,
    `MATCH (a:${label} {n: ${n}}) DETACH DELETE a`,
    `MATCH (a {id: ${1 + random.below(4)}}) DETACH DELETE a`,
    // Relationships have other numbers after a clause that makes some.
    `MATCH (a)-[r]->(b) WITH a, r, b LIMIT 4 CREATE (b)-[:${type} {id: ${next}}]->(a) SET r.w = coalesce(r.w, 0) + 1`,
    `MATCH p = (a)-->(b) WITH a, p LIMIT 2 CREATE (a)-[:${type}]->(a) WITH relationships(p) AS list UNWIND list AS r SET r.w = ${m}`,
    `MATCH (a) FOREACH (x IN CASE WHEN a.n = ${n} THEN [1] ELSE [] END | SET a:C CREATE (:${label} {id: ${next}, n: x}))`,
  ]);
}

const QUERIES = [
  'MATCH (a) RETURN a.id, a.n, labels(a)',
  ...[...LABELS, 'New'].map((label) => `MATCH (a:${label}) RETURN a.id, a.n`),
  'MATCH (a:A) WHERE NOT a:B RETURN a.id',
  'MATCH (a {id: 3}) RETURN a.n',
  'MATCH (a)-[r]->(b) RETURN a.id, type(r), r.id, r.w, b.id',
  'MATCH (a)<-[r:Z|X]-(b) RETURN a.id, r.w, b.id',
  'MATCH (a:A)--(b) RETURN a.id, b.id',
  'MATCH ()-[r:X]->() RETURN count(r)',
  'MATCH ()-[r]->() RETURN count(r)',
  'MATCH (a) WHERE (a)<-[:Y]-(:B) RETURN a.id',
  'MATCH (a)-[:X|Z*1..3]->(b) RETURN a.id, b.id',
  'MATCH p = shortestPath((a)-[*1..]->(b)) RETURN a.id, b.id, length(p)',
  'MATCH p = EASIEST BY w (a)-[*]->(b) RETURN a.id, b.id, reduce(s = 0, r IN relationships(p) | s + r.w)',
  'MATCH (a) RETURN a.id, properties(a)',
  'MATCH (a)-->(b)-->(c) RETURN DISTINCT a.id, c.id',
];

function answers(graph: PropertyGraph): string[][] {
  return QUERIES.map((query) => {
    const rows = runQuery(query, graph).rows.map((row) =>
      JSON.stringify(row.map((value) => (Array.isArray(value) ? [...value].sort() : sorted(value)))),
    );
    return [query, ...rows.sort()];
  });
}

const sorted = (value: Value): unknown =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
    ? Object.entries(value).sort()
    : value;

/** Visible parts. */
function sizes(graph: PropertyGraph): { readonly nodes: number; readonly edges: number } {
  const { nodeCount, edgeCount } = copied(graph);
  return { nodes: nodeCount, edges: edgeCount };
}

/** A graph of its own with what the layered one shows. */
function copied(graph: PropertyGraph): PropertyGraph {
  const numbers = new Map<number, number>();
  const nodes: MemoryNode[] = [];
  for (let node = 0; node < graph.nodeCount; node++) {
    if (graph.isHidden?.(node)) continue;
    numbers.set(
      node,
      nodes.push({ labels: graph.labelsOf(node), properties: graph.nodeProperties(node) }) - 1,
    );
  }
  const edges: MemoryEdge[] = [];
  for (let edge = 0; edge < graph.edgeCount; edge++) {
    const [start, end] = [numbers.get(graph.startOf(edge)), numbers.get(graph.out.neighbors[edge])];
    if (start === undefined || end === undefined) continue;
    edges.push({
      start,
      end,
      type: graph.typeName(graph.out.kinds[edge]),
      properties: graph.edgeProperties(edge),
    });
  }
  return memoryGraph(nodes, edges);
}

test('answers like a graph with the same contents, after each of several changes', () => {
  for (let run = 0; run < RUNS; run++) {
    const random = new Random(SEED * 100_003 + run);
    const base = randomBase(random);
    const before = answers(base);
    let state: LayerState = { changes: new GraphChanges(), columns: undefined };
    const made: string[] = [];
    for (let change = 0; change < 6; change++) {
      const text = randomChange(random, 1000 + change);
      made.push(text);
      const result = runUpdates(text, parseUpdates(text) ?? [], base, state);
      const earlier = sizes(layeredGraph(base, state.changes, state.columns));
      const present = sizes(result.graph);
      const { counts } = result;
      expect([
        made,
        counts.nodesCreated - counts.nodesDeleted,
        counts.relationshipsCreated - counts.relationshipsDeleted,
      ]).toEqual([made, present.nodes - earlier.nodes, present.edges - earlier.edges]);
      state = result.state;
      expect([made, answers(result.graph)]).toEqual([made, answers(copied(result.graph))]);
    }
    // The columns follow from the changes alone, as when a layer is read from the store.
    const columns = state.changes.isStructural ? layeredColumns(base, state.changes) : undefined;
    const again = layeredGraph(base, state.changes.copy(), columns);
    const present = layeredGraph(base, state.changes, state.columns);
    expect([made, answers(again)]).toEqual([made, answers(present)]);
    expect(answers(base)).toEqual(before);
  }
});

test('names the same relationships before and after a clause that makes others', () => {
  const nodes = [0, 1, 2].map((id) => ({ labels: [], properties: { id } }));
  const edges = [0, 1, 2].map((start) => ({
    start,
    end: (start + 1) % 3,
    type: 'X',
    properties: { from: start },
  }));
  const base = memoryGraph(nodes, edges);
  const text =
    'MATCH p = (a)-[r]->(b) CREATE (b)-[s:X {to: a.id}]->(a) RETURN a.id, r.from, [x IN relationships(p) | x.from], s.to';
  const { rows } = runUpdates(text, parseUpdates(text) ?? [], base, {
    changes: new GraphChanges(),
    columns: undefined,
  });
  expect(rows).toEqual([0, 1, 2].map((id) => [id, id, [id], id]));
});

test('merges what several rows have in common once', () => {
  const base = memoryGraph(
    [1, 1, 2, 2, 2].map((n) => ({ labels: ['A'], properties: { n } })),
    [],
  );
  const text = 'MATCH (a:A) MERGE (m:M {n: a.n}) MERGE (a)-[:IN]->(m) RETURN count(*), count(DISTINCT m)';
  const empty: LayerState = { changes: new GraphChanges(), columns: undefined };
  const first = runUpdates(text, parseUpdates(text) ?? [], base, empty);
  expect([first.rows, first.counts.nodesCreated, first.counts.relationshipsCreated]).toEqual([
    [[5, 2]],
    2,
    5,
  ]);
  const again = runUpdates(text, parseUpdates(text) ?? [], base, first.state);
  expect([again.rows, again.counts.nodesCreated, again.counts.relationshipsCreated]).toEqual([
    [[5, 2]],
    0,
    0,
  ]);
});

test('a relationship is made of one type, not of a name that stands for several', () => {
  const whole = memoryGraph(
    [{ labels: ['A'], properties: {} }],
    [
      { start: 0, end: 0, type: 'X', properties: {} },
      { start: 0, end: 0, type: 'Y', properties: {} },
    ],
  );
  const base: PropertyGraph = {
    ...whole,
    types: (name) => (name === 'ALL' ? [...whole.types('X'), ...whole.types('Y')] : whole.types(name)),
  };
  const empty: LayerState = { changes: new GraphChanges(), columns: undefined };
  const ask = (text: string) => runUpdates(text, parseUpdates(text) ?? [], base, empty);
  for (const clause of ['CREATE (a)-[:ALL]->(a)', 'MERGE (a)-[:ALL]->(a)', 'CREATE (:B)-[:ALL]->(:B)'])
    expect(() => ask(`MATCH (a) ${clause}`)).toThrow('ALL stands for several types');
  const { changes } = ask('MATCH (a) CREATE (a)-[:Z]->(a)').state;
  // A later generation may use the name for several types.
  const later: PropertyGraph = { ...whole, types: (name) => (name === 'Z' ? [0, 1] : whole.types(name)) };
  const graph = layeredGraph(later, changes, layeredColumns(later, changes));
  expect(runQuery('MATCH ()-[r]->() RETURN type(r)', graph).rows.flat().toSorted()).toEqual(['X', 'Y', 'Z']);
});

test('a failing query leaves the layer as it was', () => {
  const base = memoryGraph([{ labels: ['A'], properties: { n: 1 } }], []);
  const state: LayerState = { changes: new GraphChanges(), columns: undefined };
  const text = 'MATCH (a:A) SET a.n = 2 CREATE (:B) WITH a RETURN a.n + [1 / 0]';
  expect(() => runUpdates(text, parseUpdates(text) ?? [], base, state)).toThrow();
  expect([
    state.changes.size,
    runQuery('MATCH (a) RETURN a.n', layeredGraph(base, state.changes, undefined)).rows,
  ]).toEqual([0, [[1]]]);
});

test('ends at its bounds', () => {
  const base = memoryGraph([{ labels: ['A'], properties: { n: 1 } }], []);
  const state: LayerState = { changes: new GraphChanges(), columns: undefined };
  const ask = (text: string) => () =>
    runUpdates(text, parseUpdates(text) ?? [], base, state, { parameters: { text: 'x'.repeat(500_000) } });
  expect(ask('UNWIND range(1, 100001) AS n CREATE ({n: n})')).toThrow('at most 100,000 objects');
  expect(ask('UNWIND range(1, 40) AS n CREATE ({text: $text + toString(n)})')).toThrow('8 MiB');
  expect(ask('MATCH (a) FOREACH (n IN range(1, 40) | SET a.text = $text + toString(n))')).toThrow('8 MiB');
  expect(ask('MATCH (a) SET a.text = $text + $text + $text + $text')).toThrow('too long for a layer');
  expect(ask('MATCH (a) SET a.list = [a]')).toThrow('a list in a property cannot contain a node');
  expect(ask('UNWIND range(1, 3000000) AS n MATCH (a) SET a.n = n')).toThrow('2000000 rows');
  expect(state.changes.size).toBe(0);
});

test('never matches, changes or reveals a hidden node', () => {
  const nodes = ['seen', 'secret'].map((name) => ({ labels: ['A'], properties: { name } }));
  const whole = memoryGraph(nodes, [{ start: 0, end: 1, type: 'X', properties: {} }]);
  const ofLabel = whole.label('A');
  const base: PropertyGraph = {
    ...whole,
    isHidden: (node) => node === 1,
    label: (name) =>
      name === 'A' && ofLabel
        ? { size: 1, has: (node) => node === 0, every: (visit) => visit(0) }
        : undefined,
    nodeWithId: (id) => (id === 0 ? 0 : undefined),
  };
  const ask = (text: string, state: LayerState) => runUpdates(text, parseUpdates(text) ?? [], base, state);
  const empty: LayerState = { changes: new GraphChanges(), columns: undefined };
  const { rows, counts, state } = ask('MATCH (n) SET n.mark = 1 RETURN n.name', empty);
  expect([rows, counts.propertiesSet]).toEqual([[['seen']], 1]);
  expect(ask("MERGE (n:A {name: 'secret'}) RETURN id(n)", state).counts.nodesCreated).toBe(1);
  // A relationship that the caller cannot see does not keep a node.
  expect(ask("MATCH (n:A {name: 'seen'}) DELETE n", state).counts.nodesDeleted).toBe(1);
  // A change from the time when the node was visible does not show it.
  const earlier = new GraphChanges();
  earlier.ofNode(1).properties.set('mark', 1);
  earlier.ofNode(1).labels.set('B', true);
  const graph = layeredGraph(base, earlier, undefined);
  for (const query of ['MATCH (n {mark: 1}) RETURN n', 'MATCH (n:B) RETURN n', 'MATCH (n:A)-->(m) RETURN m'])
    expect(runQuery(query, graph).rows).toEqual([]);
});
