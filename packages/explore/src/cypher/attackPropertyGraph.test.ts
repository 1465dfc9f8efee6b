/** Tests names in Cypher answers: the text in the graph, whatever the stored property is. */
import { runQuery } from '@clew/cypher';
import { type Generation, noMarks } from '@clew/generation';
import { NodeProperties } from '@clew/graph';
import { graphOf } from '@clew/graph/testing';
import { NodeKind } from '@clew/model';
import { queryDataOf } from '@clew/queries';
import { expect, test } from 'vitest';
import { attackPropertyGraph } from './attackPropertyGraph.ts';
import { NameIndex } from './nameIndex.ts';
import { PropertyColumns } from './propertyColumns.ts';

const { graph, node } = graphOf({
  nodes: ['BARE', 'EMPTY', 'NUMBER', 'TEXT'].map((id) => ({
    ...{ id, kinds: [NodeKind.Base, NodeKind.OU] },
    name: id === 'TEXT' ? 'OUTER' : id === 'NUMBER' ? '7' : '',
  })),
});
const none = { nodes: {}, edges: {}, total_nodes: 0, total_edges: 0 };
const generation: Generation = {
  ...{ id: 1, publishedAt: '2026-01-01T00:00:00.000000Z', graph, marks: noMarks(graph.nodeCount) },
  ...{ environments: [], collected: none, derived: none },
  ...{ customNodeKinds: new Map(), customEdgeKinds: new Map() },
};
const stored = new NodeProperties(graph.nodeCount);
stored.set('name', node('EMPTY'), '');
stored.set('name', node('NUMBER'), 7);
stored.set('name', node('TEXT'), 'OUTER');
const data = queryDataOf(generation);
const view = attackPropertyGraph({
  ...{ generation, data, columns: PropertyColumns.of(data, stored) },
  names: () => new NameIndex(graph),
});
const ask = (query: string) => runQuery(query, view).rows;

test('an empty stored name counts as missing, and a number as a text', () => {
  expect(
    ask('MATCH (n:OU) RETURN n.objectid, n.name, properties(n).name, "name" IN keys(n) ORDER BY n.objectid'),
  ).toEqual([
    ['BARE', null, null, false],
    ['EMPTY', null, null, false],
    ['NUMBER', '7', '7', true],
    ['TEXT', 'OUTER', 'OUTER', true],
  ]);
});

test.each([
  ["'OUTER'", ['TEXT']],
  ["'7'", ['NUMBER']],
  ['7', []],
  ["''", []],
])('the name %s is that of %j', (name, ids) => {
  for (const query of [`MATCH (n {name: ${name}})`, `MATCH (n) WHERE n.name + '' = ${name}`])
    expect(ask(`${query} RETURN n.objectid`).flat()).toEqual(ids);
});
