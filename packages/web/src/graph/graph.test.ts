import { NODE_KINDS } from '@clew/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BOX_HEIGHT } from './boxes.ts';
import { drawingOf, pathDrawingOf } from './drawing.ts';
import { fold, isFolded } from './fold.ts';
import { forceLayout } from './force.ts';
import { kindLook } from './kinds.ts';
import { layeredLayout } from './layered.ts';
import {
  fromGraphMap,
  fromUnified,
  type Graph,
  marked,
  plainEdge,
  plainNode,
  unite,
  without,
} from './model.ts';
import { svgOf } from './paintSvg.ts';
import { draggedScene, type Scene, sceneOf, tileRect, withoutNode } from './scene.ts';
import { chainOf, serpentineLayout } from './serpentine.ts';
import { LIGHT } from './theme.ts';

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

it('the free layout of a large graph puts related objects next to each other', () => {
  // Teams of 20 whose objects are related to each other, and once to the next team.
  const count = 2000;
  const pairs = Array.from({ length: count * 4 }, (_, n) => {
    const [at, round] = [n % count, Math.floor(n / count)];
    const team = at - (at % 20);
    return round === 0 && at % 20 === 0
      ? [at, (at + 20) % count]
      : [at, team + ((at * (round + 3) + 7) % 20)];
  });
  const places = forceLayout({ count, links: new Uint32Array(pairs.flat()) });
  const distance = ([a, b]: readonly number[]): number =>
    Math.hypot(places[a * 2] - places[b * 2], places[a * 2 + 1] - places[b * 2 + 1]);
  const mean = (all: readonly (readonly number[])[]): number =>
    all.reduce((sum, pair) => sum + distance(pair), 0) / all.length;
  const unrelated = pairs.map(([a], n) => [a, (n * 7919 + 13) % count]);
  expect(mean(pairs.filter(([a, b]) => a !== b))).toBeLessThan(mean(unrelated) / 4);
});

describe('a graph', () => {
  const fan = graphOf(...Array.from({ length: 6 }, (_, at) => [`u${at}`, 'g'] as const), ['g', 't']);

  it('folds similar objects, except for requested ones', () => {
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

  it('excludes hidden objects', () => {
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
    const [edge] = sceneOf(drawing, { x: 0, y: 0, scale: 1 }, { width: 900, height: 600 }).edges;
    expect(edge.midY).not.toBeCloseTo(edge.fromY, 0);
  });

  it('knows a look for every kind, each with its own label and letters', () => {
    const looks = NODE_KINDS.map(({ name }) => [name, kindLook(name)] as const);
    for (const [name, { icon, label, letters }] of looks) {
      expect(icon, name).toBeDefined();
      expect(label, name).toMatch(/^[A-Z]/);
      expect(letters, name).toMatch(/^[A-Z][a-z]$/);
    }
    for (const part of ['label', 'letters'] as const)
      expect(new Set(looks.map(([, look]) => look[part])).size, part).toBe(NODE_KINDS.length);
  });

  it('has a look for kinds that it does not know', () => {
    expect(kindLook('AZNewThing')).toMatchObject({ label: 'New thing', letters: 'Ne', shape: 'cloud' });
    expect(kindLook('__proto__').letters).toBe('pr');
  });
});

const NAMES = [
  'AB12',
  'DOMAIN USERS@PHANTOM.CORP',
  `${'LONG_NAME_OF_A_GROUP-'.repeat(3)}@SOUTH.AURORA.EXAMPLE`,
];

/** A path with alternating short and long names. */
const pathOf = (steps: number): Graph => {
  const ids = Array.from({ length: steps + 1 }, (_, at) => `n${at}`);
  return {
    nodes: new Map(
      ids.map((id, at) => [
        id,
        plainNode({ object_id: id, name: `${at} ${NAMES[at % NAMES.length]}`, kind: 'Group' }),
      ]),
    ),
    edges: ids
      .slice(1)
      .map((id, at) => plainEdge(ids[at], at % 2 === 0 ? 'GenericAll' : 'SyncedToEntraUser', id)),
  };
};

/** Rectangles of all painted parts: boxes, tiles with their badges, dots, texts of relationships, and scissors. */
const rectsOf = ({ nodes, edges }: Scene) => [
  ...[...nodes.values()].map(({ node, x, y, level, halfWidth, halfHeight }) => ({
    what: `${level} ${node.name}`,
    isDot: level === 'dot',
    ...(level === 'tile'
      ? tileRect(node, x, y)
      : { left: x - halfWidth, right: x + halfWidth, top: y - halfHeight, bottom: y + halfHeight }),
  })),
  ...edges.flatMap(({ edge, label, scissors }) => [
    ...(label === undefined
      ? []
      : [{ what: edge.label, isDot: false, ...square(label, label.width / 2, 8) }]),
    ...(scissors === undefined ? [] : [{ what: 'scissors', isDot: false, ...square(scissors, 11, 11) }]),
  ]),
];

const square = ({ x, y }: { readonly x: number; readonly y: number }, wide: number, high: number) => ({
  left: x - wide,
  right: x + wide,
  top: y - high,
  bottom: y + high,
});

/** Dots may overlap dots, which shows that many objects are there. */
function overlapsIn(scene: Scene): string[] {
  const rects = rectsOf(scene);
  return rects.flatMap((one, at) =>
    rects
      .slice(at + 1)
      .filter(
        (other) =>
          !(one.isDot && other.isDot) &&
          one.left < other.right - 0.01 &&
          other.left < one.right - 0.01 &&
          one.top < other.bottom - 0.01 &&
          other.top < one.bottom - 0.01,
      )
      .map((other) => `${one.what} and ${other.what}`),
  );
}

const SIZE = { width: 975, height: 848 };

describe('a scene', () => {
  it.each([2, 6, 12, 20])(
    'of a path of %i steps in rows shows every name and every relationship',
    (steps) => {
      const graph = pathOf(steps);
      const chain = chainOf(graph)!;
      expect(chain).toEqual([...graph.nodes.keys()]);
      const places = serpentineLayout(chain, () => 260, 170, SIZE.width);
      const drawing = drawingOf(graph, places, ({ name }) => name, true);
      expect(drawing.box.right - drawing.box.left).toBeLessThan(SIZE.width + 200);
      const scene = sceneOf(drawing, { x: 400, y: 400, scale: 1 }, { width: 3000, height: 5000 });
      expect([...scene.nodes.values()].every(({ level }) => level === 'box')).toBe(true);
      expect(scene.edges.every(({ label }) => label !== undefined)).toBe(true);
      expect(overlapsIn(scene)).toEqual([]);
      for (const { subtitle, title, width } of drawing.nodes) {
        expect(width).toBeLessThanOrEqual(260);
        expect(title).not.toBe('');
        if (title !== '0 AB12') expect(subtitle).not.toBe('');
      }
    },
  );

  it('in layers shows every box at its own size', () => {
    const drawing = pathDrawingOf(pathOf(12), ['n0']);
    const scene = sceneOf(drawing, { x: 0, y: 0, scale: 1 }, { width: 9000, height: 900 });
    expect([...scene.nodes.values()].every(({ level }) => level === 'box')).toBe(true);
    expect(overlapsIn(scene)).toEqual([]);
  });

  it('never puts a box or a text on another, whatever the zoom', () => {
    fc.assert(
      fc.property(anyGraph, fc.double({ min: 0.05, max: 2, noNaN: true }), (graph, scale) => {
        const drawing = drawingOf(graph, layeredLayout(graph), ({ name }) => name);
        expect(overlapsIn(sceneOf(drawing, { x: 300, y: 0, scale }, SIZE))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('puts no dot, badge, text or scissors on a card, however many objects are near each other', () => {
    const pairs = Array.from({ length: 100 }, (_, at) => [`u${at}`, `g${at % 7}`] as const);
    const graph = graphOf(...pairs);
    const marked = new Map(
      [...graph.nodes].map(([id, node], at) => [
        id,
        { ...node, isTierZero: at % 3 === 0, isOwned: at % 4 === 0 },
      ]),
    );
    for (const scale of [0.2, 0.4, 0.6]) {
      const drawing = drawingOf({ ...graph, nodes: marked }, layeredLayout(graph), ({ name }) => name);
      const view = { x: (drawing.box.left + drawing.box.right) / 2, y: 0, scale };
      const cut = new Set(drawing.edges.slice(0, 9).map(({ id }) => id));
      const scene = sceneOf(drawing, view, SIZE, undefined, cut);
      const levels = new Set([...scene.nodes.values()].map(({ level }) => level));
      expect(levels.has('box') && levels.has('dot')).toBe(true);
      expect(overlapsIn(scene)).toEqual([]);
    }
  });

  it('names ends first, then objects with many relationships, then Tier Zero', () => {
    const leaves = Array.from({ length: 40 }, (_, at) => [`leaf${at}`, 'hub'] as const);
    const graph = graphOf(...leaves, ['hub', 'end']);
    const nodes = new Map(
      [...graph.nodes].map(([id, node]) => [id, { ...node, isTierZero: id.startsWith('leaf') }]),
    );
    // All objects are at one place, so only one name fits.
    const places = new Map([...nodes.keys()].map((id) => [id, { x: 0, y: 0 }]));
    const named = (ends: readonly string[]) => {
      const drawing = drawingOf({ ...graph, nodes }, places, ({ name }) => name, true, undefined, ends);
      const scene = sceneOf(drawing, { x: 0, y: 0, scale: 1 }, SIZE);
      return [...scene.nodes.values()].filter(({ level }) => level === 'box').map(({ node }) => node.id);
    };
    expect(named([])).toEqual(['hub']);
    expect(named(['end'])).toEqual(['end']);
  });

  it('has every object, also where there is room for a dot only', () => {
    const fan = graphOf(...Array.from({ length: 500 }, (_, at) => [`u${at}`, 'g'] as const));
    const drawing = drawingOf(fan, layeredLayout(fan), ({ name }) => name);
    const scene = sceneOf(drawing, { x: 0, y: 0, scale: 0.02 }, SIZE);
    expect(scene.nodes.size).toBe(501);
    expect(overlapsIn(scene)).toEqual([]);
    for (const { halfHeight, level } of scene.nodes.values())
      if (level === 'box') expect(halfHeight * 2).toBe(BOX_HEIGHT);
  });

  it('rows are for one path alone', () => {
    expect(chainOf(graphOf(['a', 'b'], ['a', 'c']))).toBeUndefined();
    expect(chainOf(graphOf(['a', 'b'], ['b', 'a']))).toBeUndefined();
    expect(chainOf(graphOf(['a', 'b'], ['c', 'd']))).toBeUndefined();
  });
});

describe('a drawing of 500 objects or more', () => {
  const large = graphOf(
    ...Array.from({ length: 900 }, (_, at) => [`user${at}`, `group${at % 9}`] as const),
    ...Array.from({ length: 900 }, (_, at) => [`user${at}`, `other${at}`] as const),
    ...Array.from({ length: 9 }, (_, at) => [`group${at}`, 'admins'] as const),
  );

  it('folds into boxes by kind and parent that say so, and names what the rest is related to', () => {
    const folded = fold(large, new Set(['admins']), new Set());
    expect(folded.nodes.size).toBeLessThan(100);
    for (const id of ['admins', 'group0', 'group8']) expect(folded.nodes.has(id)).toBe(true);
    const boxes = [...folded.nodes.values()].filter(({ id }) => isFolded(id));
    expect(boxes.flatMap(({ folded: all }) => all ?? []).length + folded.nodes.size - boxes.length).toBe(
      large.nodes.size,
    );
    expect(boxes.some(({ foldedBy }) => foldedBy === 'near group0')).toBe(true);
  });

  it('opens a box without changing the others, and nothing folds what is open', () => {
    const closed = fold(large, new Set(), new Set());
    const box = [...closed.nodes.values()].find(({ foldedBy }) => foldedBy === 'near group0')!;
    const open = fold(large, new Set(), new Set([box.id]));
    for (const id of box.folded!) expect(open.nodes.has(id)).toBe(true);
    for (const id of closed.nodes.keys())
      if (id !== box.id && id.includes('near:')) expect(open.nodes.has(id)).toBe(true);
  });

  it('stays as it is below that number', () => {
    const small = graphOf(
      ...Array.from({ length: 400 }, (_, at) => [`u${at}`, `g${at}`] as const).slice(0, 240),
    );
    expect(fold(small, new Set(), new Set())).toBe(small);
  });
});

it('marks that were read of objects go onto any graph of them, with its own edges', () => {
  const record = (objectId: string) => ({
    ...{ label: objectId, kind: 'User', kinds: ['User'], objectId, lastSeen: '' },
    ...{ isTierZero: true, isOwnedObject: false },
  });
  const marks = fromUnified({ nodes: { 7: record('a'), 8: record('z') }, edges: [] }).nodes;
  const [one, other] = [graphOf(['a', 'b']), graphOf(['b', 'a'])];
  for (const graph of [one, other]) {
    const shown = marked(graph, marks);
    expect(shown.edges).toEqual(graph.edges);
    expect([...shown.nodes.keys()].sort()).toEqual(['a', 'b']);
    expect(shown.nodes.get('a')).toMatchObject({ isTierZero: true, key: '7' });
  }
});

it('an object that is dragged has its lines to where the others are, which stay', () => {
  let compared = 0;
  const view = { x: 0, y: 0, scale: 1 };
  const size = { width: 8000, height: 8000 };
  fc.assert(
    fc.property(anyGraph, fc.nat(), fc.integer({ min: -900, max: 900 }), (graph, pick, shift) => {
      const drawing = drawingOf(graph, layeredLayout(graph, ['n0']), ({ name }) => name);
      fc.pre(drawing.nodes.length > 0);
      const node = drawing.nodes[pick % drawing.nodes.length]!;
      const rest = withoutNode(drawing, node.id);
      const touches = ({ source, target }: (typeof drawing.edges)[number]) =>
        source.id === node.id || target.id === node.id;
      expect(rest.nodes).toEqual(drawing.nodes.filter((one) => one !== node));
      expect(rest.edges).toEqual(drawing.edges.filter((edge) => !touches(edge)));
      const others = sceneOf(rest, view, size);
      const held = { ...node, x: node.x + shift, y: node.y - shift };
      const scene = draggedScene(drawing, others, held, view, size);
      expect([...scene.nodes.keys()]).toEqual([node.id]);
      expect(scene.nodes.get(node.id)).toMatchObject({ x: held.x + 4000, y: held.y + 4000, level: 'box' });
      expect(scene.edges.map(({ edge }) => edge)).toEqual(drawing.edges.filter(touches));
      // Each line equals the line in a drawing of its two ends if both have space for their boxes.
      for (const { edge, ...line } of scene.edges) {
        const ends = [edge.source, edge.target].map((end) => (end.id === node.id ? held : end));
        const [source, target] = ends as [typeof held, typeof held];
        const nodes = edge.isLoop ? [source] : ends;
        const pair = sceneOf({ ...drawing, nodes, edges: [{ ...edge, source, target }] }, view, size);
        const isRoomy = nodes.every(
          ({ id }) =>
            pair.nodes.get(id)?.level === 'box' &&
            (others.nodes.get(id) ?? scene.nodes.get(id))?.level === 'box',
        );
        if (!isRoomy) continue;
        compared++;
        const { edge: _, label: __, ...expected } = pair.edges[0]!;
        expect(line).toMatchObject(expected);
      }
    }),
  );
  expect(compared).toBeGreaterThan(100);
});
