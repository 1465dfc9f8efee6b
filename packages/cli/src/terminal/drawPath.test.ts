import type { UnifiedGraph } from '@clew/api';
import { builtInPhrase } from '@clew/connector';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testScreen } from '../../test/testScreen.ts';
import { drawPath, summarizePaths } from './drawPath.ts';

const at = '2026-06-01T09:30:00.000000Z';

function graphOf(
  edges: readonly (readonly [string, string, string])[],
  tierZero: readonly string[] = [],
): UnifiedGraph {
  const keys = new Set(edges.flatMap(([start, , end]) => [start, end]));
  const node = (key: string) => ({
    ...{ label: `${key}@CORP`, kind: key.startsWith('u') ? 'User' : 'Group', kinds: ['Base'], objectId: key },
    ...{ isTierZero: tierZero.includes(key), isOwnedObject: false, lastSeen: at },
  });
  return {
    nodes: Object.fromEntries([...keys].map((key) => [key, node(key)])),
    edges: edges.map(([source, kind, target]) => ({ source, target, kind, label: kind, lastSeen: at })),
  };
}

describe('a path', () => {
  it('is drawn from top to bottom', () => {
    const graph = graphOf(
      [
        ['u1', 'MemberOf', 'g1'],
        ['g1', 'GenericAll', 'g2'],
        ['g1', 'WriteDacl', 'g2'],
      ],
      ['g2'],
    );
    expect(drawPath(testScreen().screen, graph, { from: 'u1', to: 'g2' }, builtInPhrase)).toBe(
      [
        'User   u1@CORP',
        '   │ is a member of',
        '   ▼',
        'Group  g1@CORP',
        '   │ has full control of, and can change the rights on',
        '   ▼',
        'Group  g2@CORP  Tier Zero',
        '',
        '2 steps, the only shortest path',
        '',
      ].join('\n'),
    );
  });

  it('reports how many others there are, and where they diverge', () => {
    const graph = graphOf([
      ['u1', 'MemberOf', 'g1'],
      ['u1', 'MemberOf', 'g2'],
      ['u1', 'MemberOf', 'g3'],
      ['g1', 'Owns', 'g9'],
      ['g2', 'Owns', 'g9'],
      ['g3', 'Owns', 'g9'],
    ]);
    const drawing = drawPath(testScreen({ env: {} }).screen, graph, { from: 'u1', to: 'g9' }, builtInPhrase);
    expect(drawing).toContain('Group  g1@CORP  or 2 more\n');
    expect(drawing).toContain('   | owns\n   v\n');
    expect(drawing).toContain('2 steps, one of 3 shortest paths');
  });

  it('is safe, whatever the names of its objects', () => {
    const graph = graphOf([['u1', 'MemberOf', 'g1']]);
    graph.nodes.u1!.label = 'EVE\u001b[1A\u001b[2KADMIN';
    graph.nodes.g1!.label = 'A\nB';
    const drawing = drawPath(testScreen().screen, graph, { from: 'u1', to: 'g1' }, builtInPhrase);
    expect(drawing).not.toContain('\u001b');
    expect(drawing.split('\n')).toHaveLength(7);
  });

  it.each([80, 40])('wraps at a terminal of %i columns, and names are not split', (columns) => {
    const graph = graphOf(
      [
        ['u1', 'MemberOf', 'g1'],
        ['u1', 'MemberOf', 'g3'],
        ...['GenericAll', 'WriteDacl', 'WriteOwner', 'AddMember', 'AddSelf', 'Owns'].map(
          (kind) => ['g1', kind, 'g2'] as const,
        ),
        ['g3', 'Owns', 'g2'],
      ],
      ['g1', 'g2'],
    );
    const long = 'ADMINISTRATORS OF THE WAREHOUSE@NORTH.CORP';
    graph.nodes.g1!.label = long;
    const { screen } = testScreen({ isTty: true, columns, env: { LANG: 'C.UTF-8', NO_COLOR: '1' } });
    const ends = { from: 'u1', to: 'g2' };
    const over = ' over an edge that all of them contain';
    const drawing = drawPath(screen, graph, ends, builtInPhrase, over);
    const lines = drawing.split('\n');
    for (const line of lines) if (!line.includes(long)) expect(line.length).toBeLessThanOrEqual(columns);
    // The same words as with unlimited width.
    const { screen: wide } = testScreen({
      isTty: true,
      columns: 500,
      env: { LANG: 'C.UTF-8', NO_COLOR: '1' },
    });
    const words = (text: string): string[] => text.split(/[\s│]+/);
    expect(words(drawing)).toEqual(words(drawPath(wide, graph, ends, builtInPhrase, over)));
    expect(lines.filter((line) => line.startsWith('   │ ')).length).toBeGreaterThan(columns === 40 ? 3 : 2);
    expect(lines).toContain(columns === 40 ? `  ${long}` : `Group  ${long}  Tier Zero  or 1 more`);
  });

  it('shows hidden objects as hidden', () => {
    const graph = graphOf([['u1', 'MemberOf', 'g1']]);
    graph.nodes.u1!.hidden = true;
    expect(drawPath(testScreen().screen, graph, { from: 'u1', to: 'g1' }, builtInPhrase)).toContain(
      'User   (hidden)\n',
    );
  });

  it('is undefined if the ends are not connected', () => {
    const graph = graphOf([['u1', 'MemberOf', 'g1']]);
    expect(summarizePaths(graph, 'g1', 'u1')).toMatchObject({ length: 0, paths: 0n });
    expect(drawPath(testScreen().screen, graph, { from: 'g1', to: 'u1' }, builtInPhrase)).toBe('');
  });

  it('is counted like in a walk through the layers', () => {
    // Layers of 1 to 4 nodes, with or without each edge between neighboring layers; each node is reachable and on a path.
    const layered = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(layered, (sizes) => {
        const layers = [
          ['u'],
          ...sizes.map((size, depth) => Array.from({ length: size }, (_, n) => `n${depth}_${n}`)),
          ['end'],
        ];
        const edges = layers
          .slice(1)
          .flatMap((layer, depth) =>
            layer.flatMap((end) => (layers[depth] as string[]).map((start) => [start, 'Owns', end] as const)),
          );
        const summary = summarizePaths(graphOf(edges), 'u', 'end');
        expect(summary.length).toBe(sizes.length + 1);
        expect(summary.paths).toBe(sizes.reduce((product, size) => product * BigInt(size), 1n));
        expect(summary.route).toHaveLength(sizes.length + 2);
        expect(summary.layers).toEqual(layers);
      }),
    );
  });
});
