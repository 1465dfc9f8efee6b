/** Tests which parts of an answer are stored for a watched query, and when two rows are equal. */
import { type AttackGraph, GraphBuilder } from '@clew/graph';
import { EdgeKind, NodeKind } from '@clew/model';
import { expect, test } from 'vitest';
import { type PackedRows, RowPacker } from '../answerRows.ts';
import type { CypherAnswer } from '../cypherMessages.ts';
import { MAX_WATCHED_ROWS, watchedRows } from './watchedRows.ts';

const NAMES = { customNodeKinds: new Map(), customEdgeKinds: new Map() };

/** @param ids in the order of node numbers */
function graphOf(ids: readonly string[], nameOf = (id: string) => `${id}@A.EXAMPLE`): AttackGraph {
  const builder = new GraphBuilder();
  for (const [at, objectId] of ids.entries())
    builder.addNode({
      ...{ storeId: at + 1, objectId, name: nameOf(objectId), kinds: [NodeKind.Base, NodeKind.User] },
      environmentStoreId: 1,
    });
  for (let at = 1; at < ids.length; at++) builder.addEdge(at - 1, EdgeKind.GenericAll, at, 0);
  return builder.build();
}

const answerOf = (rows: readonly unknown[][], columns = ['one']): CypherAnswer => ({
  ...{ columns, rows: packed(rows), nodes: [], edges: [], warnings: [], isEmpty: rows.length === 0 },
  ...{ plan: [], milliseconds: 1 },
});
const packed = (rows: readonly unknown[][]): PackedRows => {
  const packer = new RowPacker();
  for (const row of rows) packer.add(row, row.length, true);
  return packer.rows();
};
const node = (number: number) => ({ $: { type: 'node', node: number } });
const edge = (number: number) => ({ $: { type: 'relationship', edge: number } });
const path = (nodes: number[], edges: number[]) => ({ $: { type: 'path', nodes, edges } });
const digests = (graph: AttackGraph, rows: readonly unknown[][]): string[] => [
  ...watchedRows(graph, NAMES, answerOf(rows)).rows.keys(),
];

test('a row is identified by ids, not by names or numbers of this generation', () => {
  const before = graphOf(['A', 'B', 'C']);
  const after = graphOf(['0', 'A', 'B', 'C'], (id) => `NEW NAME OF ${id}`);
  expect(digests(before, [[node(0)], [edge(0)], [path([0, 1, 2], [0, 1])]])).toEqual(
    digests(after, [[node(1)], [edge(1)], [path([1, 2, 3], [1, 2])]]),
  );
  expect(digests(before, [[{ a: 1, b: [node(1)] }]])).toEqual(digests(after, [[{ b: [node(2)], a: 1 }]]));
});

test('values that differ in any way are separate rows, and equal rows are one', () => {
  const graph = graphOf(['A', 'B', 'C']);
  const rows = [[node(0)], ['A'], [[node(0)]], [edge(0)], [edge(1)], [path([0, 1], [0])], [null], [0], ['']];
  expect(new Set(digests(graph, rows)).size).toBe(rows.length);
  expect(digests(graph, [...rows, ...rows])).toHaveLength(rows.length);
});

test('cells can be shown without the graph', () => {
  const graph = graphOf(['A', 'B']);
  const { rows } = watchedRows(graph, NAMES, answerOf([[node(0), path([0, 1], [0])]], ['a', 'p']));
  const shown = { type: 'node', kind: 'User', name: 'A@A.EXAMPLE', objectid: 'A' };
  expect(JSON.parse([...rows.values()][0])).toEqual([
    shown,
    {
      type: 'path',
      nodes: [shown, { ...shown, name: 'B@A.EXAMPLE', objectid: 'B' }],
      relationships: [{ type: 'relationship', kind: 'GenericAll', source: 'A', target: 'B' }],
    },
  ]);
});

test('texts that cannot be stored are repaired, and long ones cut', () => {
  const { rows, columns } = watchedRows(
    graphOf(['A']),
    NAMES,
    answerOf([['a\u0000b\ud800'], ['x'.repeat(5000)]], ['a\u0000']),
  );
  expect(columns).toEqual(['a\ufffd']);
  const [repaired, cut] = [...rows.values()].map((cells) => JSON.parse(cells)[0]);
  expect(repaired).toBe('a\ufffdb\ufffd');
  expect([cut.length, cut.at(-1)]).toEqual([2001, '…']);
});

test.each([
  [
    'too many rows',
    Array.from({ length: MAX_WATCHED_ROWS + 1 }, (_, at) => [at]),
    ['n'],
    /more than 10000 rows/,
  ],
  [
    'too long rows',
    Array.from({ length: 3000 }, (_, at) => ['x'.repeat(1900) + at]),
    ['n'],
    /4000000 characters/,
  ],
  ['too many columns', [], Array.from({ length: 21 }, (_, at) => `c${at}`), /more than 20 columns/],
])('%s are refused, not cut', (_, rows, columns, message) => {
  expect(() =>
    watchedRows(graphOf(['A']), NAMES, answerOf(rows as unknown[][], columns as string[])),
  ).toThrow(message as RegExp);
});
