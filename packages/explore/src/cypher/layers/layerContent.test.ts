/** The stored changes of a layer apply to the same objects of another generation, whatever their numbers are. */
import {
  GraphChanges,
  type LayerState,
  layeredGraph,
  layerStateOf,
  parseUpdates,
  runQuery,
  runUpdates,
} from '@clew/cypher';
import { type Generation, noMarks } from '@clew/generation';
import { NodeProperties } from '@clew/graph';
import { graphOf } from '@clew/graph/testing';
import { EdgeKind, NodeKind } from '@clew/model';
import { queryDataOf } from '@clew/queries';
import { expect, test } from 'vitest';
import { attackPropertyGraph } from '../attackPropertyGraph.ts';
import { NameIndex } from '../nameIndex.ts';
import { PropertyColumns } from '../propertyColumns.ts';
import { changesOf, contentOf } from './layerContent.ts';

const none = { nodes: {}, edges: {}, total_nodes: 0, total_edges: 0 };

/** @param ids objects with the store ids 1, 2, ...; in order of their ids, each has a right on the next one */
function generationOf(...ids: readonly string[]) {
  const sorted = ids.toSorted();
  const { graph } = graphOf({
    nodes: ids.map((id) => ({ id, kinds: [NodeKind.Base, NodeKind.User], name: id })),
    edges: sorted.slice(1).map((end, at) => [sorted[at], EdgeKind.GenericAll, end] as const),
  });
  const generation: Generation = {
    ...{ id: 1, publishedAt: '2026-01-01T00:00:00.000000Z', graph, marks: noMarks(graph.nodeCount) },
    ...{ environments: [], collected: none, derived: none },
    ...{ customNodeKinds: new Map(), customEdgeKinds: new Map() },
  };
  const data = queryDataOf(generation);
  const columns = PropertyColumns.of(data, new NodeProperties(graph.nodeCount));
  const view = attackPropertyGraph({ generation, data, columns, names: () => new NameIndex(graph) });
  return { generation, data, view };
}

const CHANGES = [
  "MATCH (n {objectid: 'C'}) SET n.owned = true, n.at = date('2026-01-02'), n.list = [1, 2.0, 'x'], n:Marked",
  "MATCH (a {objectid: 'B'})-[r]->(b {objectid: 'C'}) SET r.cost = 7",
  "MATCH (a {objectid: 'C'})-[r]->(b {objectid: 'D'}) DELETE r",
  "MATCH (a {objectid: 'B'}), (b {objectid: 'D'}) CREATE (a)-[:Knows {big: 9007199254740993}]->(:Password {name: 'W'})-[:Opens]->(b)",
  "MATCH (n {objectid: 'E'}) DETACH DELETE n",
];
const QUERIES = [
  'MATCH (n:Marked {owned: true}) RETURN n.objectid, toString(n.at), n.list',
  'MATCH (a)-[r {cost: 7}]->(b) RETURN a.objectid, b.objectid',
  "MATCH (a {objectid: 'C'})-[r]->(b) RETURN b.objectid",
  'MATCH (a)-[k:Knows]->(p:Password)-[o:Opens]->(b) RETURN a.objectid, k.big, p.name, b.objectid',
  "MATCH (n {objectid: 'E'}) RETURN n",
];

test('is the same after it was stored, and in a generation with other numbers', () => {
  const first = generationOf('B', 'C', 'D', 'E');
  let state: LayerState = { changes: new GraphChanges(), columns: undefined };
  for (const text of CHANGES) ({ state } = runUpdates(text, parseUpdates(text) ?? [], first.view, state));
  const expected = [
    [['C', '2026-01-02', [1, 2, 'x']]],
    [['B', 'C']],
    [],
    [['B', 9007199254740993n, 'W', 'D']],
    [],
  ];
  const content = contentOf(state.changes, first.data, first.generation);
  const plain = (rows: unknown): unknown =>
    Array.isArray(rows)
      ? rows.map(plain)
      : typeof rows === 'object' && rows !== null
        ? Number(Object(rows).value)
        : rows;
  for (const ids of [
    ['B', 'C', 'D', 'E'],
    ['B', 'C', 'D', 'E', 'A', 'F'],
  ]) {
    const { view, data, generation } = generationOf(...ids);
    const { changes, missing } = changesOf(content, data, generation);
    const graph = layeredGraph(view, changes, layerStateOf(view, changes).columns);
    expect([missing, QUERIES.map((query) => plain(runQuery(query, graph).rows))]).toEqual([0, expected]);
  }
});

test('leaves out what the generation no longer has, and counts it', () => {
  const first = generationOf('B', 'C', 'D', 'E');
  let state: LayerState = { changes: new GraphChanges(), columns: undefined };
  for (const text of CHANGES) ({ state } = runUpdates(text, parseUpdates(text) ?? [], first.view, state));
  const { view, data, generation } = generationOf('B', 'C', 'D');
  const { changes, missing } = changesOf(
    contentOf(state.changes, first.data, first.generation),
    data,
    generation,
  );
  // The layer removed an object that is not collected any more.
  expect(missing).toBe(1);
  const graph = layeredGraph(view, changes, layerStateOf(view, changes).columns);
  expect(runQuery('MATCH (a)-[:Knows]->()-[:Opens]->(b) RETURN a.objectid, b.objectid', graph).rows).toEqual([
    ['B', 'D'],
  ]);
});
