import type { OpenedDrawing } from '@clew/api';
import { describe, expect, test } from 'vitest';
import { drawingOf } from '../../graph/drawing.ts';
import { type Graph, plainEdge, plainNode } from '../../graph/model.ts';
import { askedIn, drawingContent, missingText, openedGraph, openedPlaces, tooLarge } from './savedDrawing.ts';

const node = (id: string, isHidden = false) => ({
  ...plainNode({ object_id: id, name: `N${id}`, kind: 'User' }),
  isHidden,
});
const graph: Graph = {
  nodes: new Map(['1', '2', '3'].map((id) => [id, node(id, id === '3')])),
  edges: [plainEdge('1', 'MemberOf', '2'), plainEdge('2', 'MemberOf', '3')],
};
const places = new Map(['1', '2', '3'].map((id) => [id, { x: Number(id) * 10.4, y: 0 }]));

describe('a saved drawing', () => {
  test('has what was asked, and not how it was looked at', () => {
    const parameters = new URLSearchParams('mode=path&from=1&without=acl&without=adcs&selected=7&hide=9');
    expect(askedIn(parameters)).toBe('mode=path&from=1&without=acl&without=adcs');
  });

  test('has places and pins, and no part of hidden objects', () => {
    const drawing = drawingOf(graph, places, ({ name }) => name);
    const content = drawingContent(graph, drawing, new Set(['2']), new URLSearchParams('object=1'));
    expect(content).toEqual({
      address: 'object=1',
      objects: [
        { object_id: '1', name: 'N1', kind: 'User', x: 10, y: 0, pinned: false },
        { object_id: '2', name: 'N2', kind: 'User', x: 21, y: 0, pinned: true },
      ],
      relationships: [{ source: 0, kind: 'MemberOf', target: 1 }],
    });
  });

  test('has the place of the fold for objects that are folded, and opens with one of them in it', () => {
    const fold = { ...node('1'), id: 'folded:1', folded: ['1', '2'] };
    const folded: Graph = { nodes: new Map([[fold.id, fold]]), edges: [] };
    const drawing = drawingOf(folded, new Map([[fold.id, { x: 5, y: 6 }]]), ({ name }) => name);
    const { objects } = drawingContent(graph, drawing, new Set(), new URLSearchParams());
    expect(objects.map(({ x, y }) => [x, y])).toEqual([
      [5, 6],
      [5, 6],
    ]);
    expect([...openedPlaces({ places: objects }).places]).toEqual([['1', { x: 5, y: 6 }]]);
  });

  test('says how large it may be', () => {
    expect(tooLarge(graph)).toBeUndefined();
    expect(tooLarge({ ...graph, edges: Array(6001).fill(graph.edges[0]) })).toMatch(/6000 relationships/);
  });

  const opened = (objects: number, relationships: number) =>
    ({
      graph: { nodes: { 7: {} }, edges: Array(35).fill({}) },
      missing: {
        objects: Array.from({ length: objects }, (_, at) => ({
          ...{ object_id: `G${at}`, name: 'GONE', kind: 'User' },
        })),
        relationships: Array(relationships).fill({ source: 'G0', kind: 'MemberOf', target: 'G1' }),
      },
    }) as unknown as OpenedDrawing;

  test('says what no longer exists', () => {
    expect(missingText(opened(0, 0))).toBeUndefined();
    expect(missingText(opened(0, 5))).toBe('5 of 40 relationships no longer exist');
    expect(missingText(opened(0, 1))).toBe('1 of 36 relationships no longer exists');
    expect(missingText(opened(2, 1))).toBe('1 of 36 relationships and 2 of 3 objects no longer exist');
  });

  test('marks missing parts', () => {
    const empty = { ...opened(2, 1), graph: { nodes: {}, edges: [] } };
    const shown = openedGraph(empty);
    expect(shown.nodes.get('G0')).toMatchObject({ name: 'GONE', isGone: true });
    expect(shown.edges).toMatchObject([{ source: 'G0', target: 'G1', isGone: true }]);
  });
});
