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

it('fault 7: placed objects stay, and new ones are put next to them without covering anything', () => {
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

it('1,500 new neighbors of one object find their places in the time of a blink', () => {
  const children = Array.from({ length: 1500 }, (_, at) => ['a', `new ${at}`] as const);
  const began = process.threadCpuUsage();
  const places = keptPlaces(graphOf(children), new Map([['a', { x: 0, y: 0 }]]), widthOf)!;
  // Comparing each place with all others took 5.5 s.
  const { user, system } = process.threadCpuUsage(began);
  expect((user + system) / 1000).toBeLessThan(3000);
  expect(new Set([...places.values()].map(({ x, y }) => `${x} ${y}`)).size).toBe(1501);
});

it('a drawing of other objects has no place to keep', () => {
  expect(keptPlaces(graphOf([['c', 'd']]), new Map([['a', { x: 0, y: 0 }]]), widthOf)).toBeUndefined();
});
