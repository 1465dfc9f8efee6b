import { describe, expect, it } from 'vitest';
import { pathDrawingOf } from './drawing.ts';
import { fittedView } from './fit.ts';
import { layeredLayout } from './layered.ts';
import { type Graph, plainEdge, plainNode } from './model.ts';
import { sceneOf } from './scene.ts';
import { sideFor } from './side.ts';

const graphOf = (pairs: readonly (readonly [string, string])[]): Graph => ({
  nodes: new Map(
    pairs.flat().map((id) => [id, plainNode({ object_id: id, name: `${id}@LONG.EXAMPLE`, kind: 'Group' })]),
  ),
  edges: pairs.map(([source, target]) => plainEdge(source, 'GenericAll', target)),
});

/** Three alternative paths with this number of steps between two objects. */
const alternatives = (steps: number): Graph =>
  graphOf(
    [0, 1, 2].flatMap((row) =>
      Array.from(
        { length: steps },
        (_, at) =>
          [at === 0 ? 'start' : `n${row}-${at}`, at === steps - 1 ? 'target' : `n${row}-${at + 1}`] as const,
      ),
    ),
  );

describe('the view after a layout', () => {
  const size = { width: 975, height: 800 };

  it.each([4, 6, 9, 20])('has start, target and cut of paths of %i steps on the canvas', (steps) => {
    const plain = pathDrawingOf(alternatives(steps), ['start']);
    const drawing = { ...plain, ends: ['start', 'target'] };
    const cut = new Set([drawing.edges.find(({ source }) => source.id === 'n1-2')!.id]);
    const insets = { left: 0, right: 172, bottom: 52 };
    const view = fittedView(drawing, size, [insets], cut);
    const scene = sceneOf(drawing, view, size, undefined, cut);
    for (const id of ['start', 'target', 'n1-2', 'n1-3']) {
      const { x, y, halfWidth, halfHeight } = scene.nodes.get(id)!;
      expect([id, x - halfWidth >= 0, x + halfWidth <= size.width - 172]).toEqual([id, true, true]);
      expect([id, y - halfHeight >= 0, y + halfHeight <= size.height - 52]).toEqual([id, true, true]);
    }
    for (const id of ['start', 'target']) expect(scene.nodes.get(id)!.level).toBe('box');
  });

  it('has every card of a drawing of many objects on the canvas', () => {
    const pairs = Array.from({ length: 80 }, (_, at) => ['hub', `n${at}`] as const);
    const drawing = { ...pathDrawingOf(graphOf(pairs), ['hub']), isPath: false, ends: [] };
    const insets = { left: 0, right: 0, bottom: 52 };
    const view = fittedView(drawing, size, [insets]);
    expect(view.scale).toBeLessThan(1);
    const cards = [...sceneOf(drawing, view, size).nodes.values()].filter(({ level }) => level === 'box');
    expect(cards.length).toBeGreaterThan(0);
    for (const { x, y, halfWidth, halfHeight } of cards) {
      expect([x - halfWidth >= 0, x + halfWidth <= size.width]).toEqual([true, true]);
      expect([y - halfHeight >= 0, y + halfHeight <= size.height - insets.bottom]).toEqual([true, true]);
    }
  });

  it('turns layers into bands that fit the room, in order, without an object on another', () => {
    const graph = alternatives(9);
    const sizes = { widthOf: () => 160, gapOf: () => 120 };
    const places = layeredLayout(graph, ['start'], sizes, 900);
    for (const { x } of places.values()) {
      expect(x - 80).toBeGreaterThanOrEqual(0);
      expect(x + 80).toBeLessThanOrEqual(900);
    }
    const all = [...places.values()];
    for (const [at, one] of all.entries())
      for (const other of all.slice(at + 1))
        expect(Math.abs(one.x - other.x) >= 160 || Math.abs(one.y - other.y) >= 60).toBe(true);
    expect(places.get('target')!.y).toBeGreaterThan(places.get('start')!.y);
  });
});

it('a panel stays at its side, unless it covers what it is about there', () => {
  expect(sideFor({ from: 100, to: 300 }, 'right', 368, 975)).toBe('right');
  expect(sideFor({ from: 700, to: 900 }, 'right', 368, 975)).toBe('left');
  expect(sideFor({ from: 450, to: 550 }, 'left', 368, 975)).toBe('left');
  // Both sides cover a part of it; this one covers less.
  expect(sideFor({ from: 300, to: 900 }, 'right', 368, 975)).toBe('left');
});
