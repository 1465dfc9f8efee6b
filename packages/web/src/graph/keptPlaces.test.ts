import { expect, it } from 'vitest';
import { BOX_HEIGHT } from './boxes.ts';
import { keptPlaces } from './keptPlaces.ts';
import { type Graph, plainEdge, plainNode } from './model.ts';

const graphOf = (edges: readonly (readonly [string, string])[]): Graph => ({
  nodes: new Map(
    edges.flat().map((id) => [id, plainNode({ object_id: id, name: id, kind: 'User' })] as const),
  ),
  edges: edges.map(([source, target]) => plainEdge(source, 'MemberOf', target)),
});
const widthOf = () => 160;

it('fault 7: what stood somewhere stays there, and what is new stands beside it without covering anything', () => {
  const before = new Map([
    ['a', { x: 0, y: 0 }],
    ['b', { x: 400, y: 0 }],
  ]);
  const children = Array.from({ length: 30 }, (_, at) => ['a', `new ${at}`] as const);
  const places = keptPlaces(graphOf([['a', 'b'], ...children, ['lone', 'other']]), before, widthOf)!;
  expect(places.get('a')).toEqual({ x: 0, y: 0 });
  expect(places.get('b')).toEqual({ x: 400, y: 0 });
  expect(places.size).toBe(34);
  const all = [...places.values()];
  for (const [at, one] of all.entries())
    for (const other of all.slice(at + 1))
      expect(Math.abs(one.x - other.x) >= 160 || Math.abs(one.y - other.y) >= BOX_HEIGHT).toBe(true);
});

it('a drawing of other objects has no place to keep', () => {
  expect(keptPlaces(graphOf([['c', 'd']]), new Map([['a', { x: 0, y: 0 }]]), widthOf)).toBeUndefined();
});
