/** The work of a query on a layer counts as its steps, so that its limits of steps and time end it. */
import { describe, expect, test } from 'vitest';
import { memoryGraph } from '../../test/memoryGraph.ts';
import { runQuery } from '../runQuery.ts';
import { parseUpdates } from '../syntax/parser.ts';
import { PROPERTIES_STEPS } from '../values/functions.ts';
import type { Value } from '../values/values.ts';
import { GraphChanges } from './graphChanges.ts';
import { layeredGraph } from './layeredGraph.ts';
import { type LayerState, layerStateOf, runUpdates } from './runUpdates.ts';

const COUNT = 2_000;
const nodes = Array.from({ length: COUNT }, (_, id) => ({
  labels: ['A'],
  properties: { id, name: `n${id}` },
}));
const edges = nodes.map((_, start) => ({
  ...{ start, end: (start + 1) % COUNT, type: 'X' },
  properties: {},
}));
const base = {
  ...memoryGraph(nodes, edges),
  seek: (key: string, value: Value) =>
    key === 'id' || key === 'name'
      ? nodes.flatMap((one, node) => (one.properties[key] === value ? [node] : []))
      : undefined,
};
const RELATED = 'MATCH (a {id: 1})-[r]->() CREATE (a)-[:Y]->(a) WITH a, r';
const empty: LayerState = { changes: new GraphChanges(), columns: undefined };

const change = (text: string, before = empty, options = {}) =>
  runUpdates(text, parseUpdates(text) ?? [], base, before, options);

const read = (text: string, { changes, columns }: LayerState, options = {}) =>
  runQuery(text, layeredGraph(base, changes, columns), options);

test('each search for a value counts the changed values that it compares', () => {
  const { state } = change(
    `UNWIND range(1, ${COUNT}) AS n CREATE ({id: 10000 + n, name: 'm' + toString(n)})`,
  );
  const numbers = 'UNWIND range(1, 100) AS i MATCH (n {id: 10000 + i}) RETURN count(n)';
  const found = read(numbers, state);
  expect([found.rows, found.steps]).toEqual([[[100]], expect.any(Number)]);
  expect(found.steps).toBeGreaterThan(100 * COUNT);
  expect(() => read(numbers, state, { limits: { steps: 50 * COUNT } })).toThrow('visited');
  // Texts have an index.
  const texts = read("UNWIND range(1, 100) AS i MATCH (n {name: 'm' + toString(i)}) RETURN count(n)", state);
  expect(texts.rows).toEqual([[100]]);
  expect(texts.steps).toBeLessThan(10 * COUNT);
});

test('a search sees what a clause before it changed', () => {
  const text =
    "MATCH (n {name: 'n7'}) SET n.name = 'new' WITH n MATCH (m {name: 'new'}) SET m.name = 'last' WITH m";
  const { rows } = change(`${text} OPTIONAL MATCH (k {name: 'new'}) MATCH (l {name: 'last'}) RETURN k, l.id`);
  expect(rows).toEqual([[null, 7]]);
});

test('a scan of a label counts the removed nodes that it passes', () => {
  const { state } = change('MATCH (n:A) DETACH DELETE n');
  let steps = 0;
  const budget = {
    spend(count: number) {
      steps += count;
    },
  };
  const label = layeredGraph(base, state.changes, state.columns, budget).label('A');
  const before = steps;
  expect(label?.every(() => false)).toBe(true);
  expect(steps - before).toBe(COUNT);
  const labels = Array.from({ length: 100 }, (_, at) => `n:L${at}`).join(' OR ');
  expect(read(`MATCH (n) WHERE ${labels} RETURN n`, state).steps).toBeGreaterThan(100 * COUNT);
});

test('replaced properties count', () => {
  const steps = (set: string) => change(`UNWIND range(1, 100) AS i MATCH (n:A) SET ${set}`).steps;
  // The properties of the graph are read once, to count those that are removed.
  const once = PROPERTIES_STEPS + Object.keys(nodes[0].properties).length;
  expect(steps('n = {}') - steps('n += {}')).toBe((100 + once) * COUNT);
});

test('a list that rows share is not copied, and counts once', () => {
  const list = Array.from({ length: 10_000 }, (_, n) => n);
  const { rows, steps } = change(
    'UNWIND range(1, 1000) AS i WITH i, $list AS list CREATE ({n: i}) RETURN list, i LIMIT 2',
    empty,
    { parameters: { list } },
  );
  expect([rows[0][0], rows[1][0]]).toEqual([list, list]);
  expect(steps).toBeGreaterThan(list.length);
  expect(steps).toBeLessThan(20 * list.length);
});

test('a list of relationships that rows share is renumbered once', () => {
  const { rows, steps } = change(
    `MATCH ()-[r]->() WITH collect(r) AS all UNWIND range(1, 500) AS i
     MATCH (a {id: 0}), (b {id: 1}) CREATE (a)-[:Y {n: i}]->(b) RETURN all, i LIMIT 2`,
  );
  expect(rows[0][0]).toHaveLength(COUNT);
  expect(steps).toBeLessThan(100 * COUNT);
});

test('a stored layer is opened in the limits of its query', () => {
  const { changes } = change('MATCH (a {id: 1}) CREATE (a)-[:Y]->(a)').state;
  expect(layerStateOf(base, changes).columns?.edgeCount).toBe(COUNT + 1);
  expect(() => layerStateOf(base, changes, { limits: { searchBytes: 1000 } })).toThrow(
    'a layer that makes or removes objects or relationships of this graph needs 1 MiB',
  );
  expect(() => layerStateOf(base, changes, { limits: { steps: COUNT } })).toThrow('visited');
  let checks = 0;
  const canceled = new Error('canceled');
  const checkpoint = () => {
    checks++;
    throw canceled;
  };
  expect(() => layerStateOf(base, changes, { checkpoint })).toThrow(canceled);
  expect(checks).toBe(1);
  // A layer that only changes properties needs no columns.
  const marked = change('MATCH (a) SET a.owned = true').state.changes;
  expect(layerStateOf(base, marked, { limits: { searchBytes: 0 } }).columns).toBeUndefined();
});

describe('a query of several clauses that make relationships', () => {
  const columns = 24 * COUNT + 8 * COUNT;
  const numbers = 4 * COUNT;
  const slack = 2_000;
  const clauses = (count: number) =>
    Array.from({ length: count }, (_, n) => `MATCH (a {id: ${n}}) CREATE (a)-[:Y]->(a)`).join(
      ' WITH 1 AS one ',
    );
  const within = (text: string, searchBytes: number) => () =>
    change(text, empty, { limits: { searchBytes } });

  test.each([
    ['one', clauses(1), columns],
    ['two', clauses(2), columns + numbers],
    ['five', clauses(5), columns + numbers],
    ['two, with rows of relationships', `${RELATED} CREATE (a)-[:Y]->(a) RETURN r`, columns + 2 * numbers],
  ])('needs the stated memory: %s', (_, text, bytes) => {
    expect(within(text, bytes + slack)).not.toThrow();
    expect(within(text, bytes - slack)).toThrow(/more than a query can use|more memory than it can use/);
    expect(within(text, bytes - slack)).not.toThrow('paths of variable length');
  });
});
