import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { curveOf, drawingOf } from './drawing.ts';
import { forceLayout } from './force.ts';
import { CLASS_COLOURS, kindLook } from './kinds.ts';
import { layeredLayout } from './layered.ts';
import {
  fold,
  fromGraphMap,
  fromUnified,
  type Graph,
  plainEdge,
  plainNode,
  unite,
  without,
} from './model.ts';
import { svgOf } from './paintSvg.ts';
import { DARK, LIGHT } from './theme.ts';

const graphOf = (...relations: readonly (readonly [string, string])[]): Graph =>
  unite(
    relations.map(([from, to]) => ({
      nodes: new Map([from, to].map((id) => [id, plainNode({ object_id: id, name: id, kind: 'User' })])),
      edges: [plainEdge(from, 'GenericAll', to)],
    })),
  );

const anyGraph = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 20 })), {
    minLength: 1,
    maxLength: 60,
  })
  .map((pairs) => graphOf(...pairs.map(([a, b]) => [`n${a}`, `n${b}`] as const)));

describe('the layered layout', () => {
  it('puts objects by their distance from the start', () => {
    const places = layeredLayout(graphOf(['a', 'b'], ['b', 'c'], ['a', 'c'], ['d', 'c']), ['a']);
    const x = (id: string) => places.get(id)!.x;
    expect(x('a')).toBeLessThan(x('b'));
    expect(x('b')).toBe(x('c'));
    expect(x('d')).toBeLessThan(x('c'));
  });

  it('gives each object a place of its own, the same each time', () => {
    fc.assert(
      fc.property(anyGraph, (graph) => {
        const places = layeredLayout(graph);
        expect(places.size).toBe(graph.nodes.size);
        const all = [...places.values()];
        for (const [at, one] of all.entries())
          for (const other of all.slice(at + 1))
            expect(Math.abs(one.x - other.x) >= 200 || Math.abs(one.y - other.y) >= 70).toBe(true);
        expect(layeredLayout(graph)).toEqual(places);
      }),
    );
  });
});

it('the free layout is the same each time, and has numbers only', () => {
  const request = { count: 5, links: new Uint32Array([0, 1, 1, 2, 2, 3, 3, 4]) };
  const places = forceLayout(request);
  expect([...places].every(Number.isFinite)).toBe(true);
  expect(forceLayout(request)).toEqual(places);
});

describe('a graph', () => {
  const fan = graphOf(...Array.from({ length: 6 }, (_, at) => [`u${at}`, 'g'] as const), ['g', 't']);

  it('folds objects that are alike, but those that were asked for', () => {
    const folded = fold(fan, new Set(['u0']), new Set());
    const [group] = [...folded.nodes.values()].filter((node) => node.folded !== undefined);
    expect(group.folded).toEqual(['u1', 'u2', 'u3', 'u4', 'u5']);
    expect(folded.nodes.has('u0')).toBe(true);
    expect(folded.edges).toHaveLength(3);
    expect(fold(fan, new Set(), new Set([`folded:u0`]))).toBe(fan);
  });

  it('folding loses no object', () => {
    fc.assert(
      fc.property(anyGraph, (graph) => {
        const folded = fold(graph, new Set(), new Set());
        const all = [...folded.nodes.values()].flatMap((node) => node.folded ?? [node.id]);
        expect(all.sort()).toEqual([...graph.nodes.keys()].sort());
        for (const { source, target } of folded.edges) {
          expect(folded.nodes.has(source)).toBe(true);
          expect(folded.nodes.has(target)).toBe(true);
        }
      }),
    );
  });

  it('is without what is hidden', () => {
    const rest = without(fan, new Set(['g']));
    expect(rest.nodes.size).toBe(7);
    expect(rest.edges).toEqual([]);
  });

  it('comes from both shapes of answers', () => {
    const node = {
      label: 'A',
      kind: 'User',
      kinds: ['User'],
      isTierZero: true,
      isOwnedObject: false,
      lastSeen: '',
    };
    const unified = fromUnified({
      nodes: { 1: { ...node, objectId: 'S-1' }, 2: { ...node, objectId: '', hidden: true } },
      edges: [
        {
          source: '1',
          target: '2',
          label: 'x',
          kind: 'Owns',
          lastSeen: '',
          properties: { isinherited: true, isacl: true },
        },
      ],
    });
    expect([...unified.nodes.keys()]).toEqual(['S-1', '2']);
    expect(unified.edges[0]).toMatchObject({ source: 'S-1', target: '2', kind: 'Owns', isInherited: true });
    const drawn = { color: '', size: 1, border: { color: '' }, fontIcon: { text: '' }, label: { text: 'A' } };
    const map = fromGraphMap({
      1: {
        ...drawn,
        data: { objectid: 'S-1', name: 'A', nodetype: 'User', system_tags: 'admin_tier_0 owned' },
      },
      2: { ...drawn, data: { objectid: 'S-2', name: 'B', nodetype: 'Group' } },
      rel_1: {
        id1: '1',
        id2: '2',
        color: '',
        label: { text: 'MemberOf' },
        end2: { arrow: true },
        data: {},
        lineStyle: 'dashed',
      },
    });
    expect(map.nodes.get('S-1')).toMatchObject({ isTierZero: true, isOwned: true });
    expect(map.edges[0]).toMatchObject({ source: 'S-1', target: 'S-2', isWay: true });
  });
});

describe('a drawing', () => {
  it('is an SVG in which names are text', () => {
    const graph = graphOf(['<script>alert(1)</script>', 'a&"b']);
    const drawing = drawingOf(graph, layeredLayout(graph), ({ name }) => name);
    const svg = svgOf(drawing, LIGHT);
    expect(svg).not.toContain('<script');
    expect(svg).toContain('a&amp;&quot;b');
    expect(svg.match(/<path /g)!.length).toBeGreaterThan(2);
  });

  it('bundles relations with the same ends, and bends those that lead both ways', () => {
    const graph = unite([
      graphOf(['a', 'b'], ['b', 'a']),
      { nodes: new Map(), edges: [plainEdge('a', 'Owns', 'b')] },
    ]);
    const drawing = drawingOf(graph, layeredLayout(graph), ({ name }) => name);
    expect(drawing.edges.map(({ label }) => label).sort()).toEqual(['GenericAll', 'GenericAll + 1']);
    const { fromY, midY } = curveOf(drawing.edges[0]);
    expect(midY).not.toBeCloseTo(fromY, 0);
  });

  it('knows a look for every kind, and for those that it does not know', () => {
    expect(kindLook('User').label).toBe('User');
    expect(kindLook('AZNewThing')).toMatchObject({ label: 'NewThing', letters: 'Ne', shape: 'cloud' });
    expect(kindLook('__proto__').letters).toBe('pr');
  });
});

/** Relative luminance of WCAG 2. */
function luminance(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const contrast = (a: string, b: string): number => {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
};

describe.each([
  ['light', LIGHT],
  ['dark', DARK],
])('colours in %s', (_, theme) => {
  it('can be told from the ground', () => {
    for (const ink of [theme.ink, theme.quiet, theme.marked, theme.lit])
      expect(contrast(ink, theme.ground)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(theme.line, theme.ground)).toBeGreaterThanOrEqual(3);
    for (const colour of Object.values(CLASS_COLOURS)) {
      expect(contrast(colour, '#ffffff')).toBeGreaterThanOrEqual(4.5);
      expect(contrast(colour, theme.ground)).toBeGreaterThanOrEqual(3);
    }
  });
});
