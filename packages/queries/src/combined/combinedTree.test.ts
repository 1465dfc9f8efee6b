/** Compares trees of combined nodes with a slow and obvious twin on random graphs. */
import { graphOf, type TestEdge, type TestNode } from '@clew/graph/testing';
import { EdgeKind, edgeKindById, NodeKind, nodeKindById } from '@clew/model';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type SmallWorld, STEP_KINDS, smallIdOf, smallWorlds } from '../../test/smallWorlds.ts';
import { unmetered } from '../meter.ts';
import { combinedTree } from './combinedTree.ts';

const HOMES = ['D-A', 'D-B'] as const;

const worlds = smallWorlds(HOMES.length);

function build({ kinds, homes, edges, members, isForest }: SmallWorld) {
  const nodes: TestNode[] = kinds.map((kind, at) => ({
    id: smallIdOf(at),
    kinds: [kind],
    environment: HOMES[homes[at]],
  }));
  const unique = new Map(
    edges.map(([from, kind, to]) => [`${from} ${kind} ${to}`, [from, kind, to] as const]),
  );
  const world = graphOf({
    nodes: [...nodes, ...HOMES.map((id) => ({ id, kinds: [NodeKind.Domain], environment: id }))],
    edges: [
      ...[...unique.values()].map(([from, kind, to]): TestEdge => [smallIdOf(from), kind, smallIdOf(to)]),
      ...(isForest ? [[HOMES[1], EdgeKind.SameForestTrust, HOMES[0]] as const] : []),
    ],
  });
  const inZone = new Uint32Array(Math.ceil(world.graph.nodeCount / 32));
  for (const at of members) {
    const node = world.node(smallIdOf(at));
    inZone[node >>> 5] |= 1 << (node & 31);
  }
  const labels = world.graph.kindSets.map(([kind]) => nodeKindById(kind)?.name ?? '');
  return { ...world, inZone, labels };
}

interface Combined {
  readonly parent: number;
  readonly kind: number;
  readonly label: string;
  readonly objects: string[];
}

/** Builds the levels in order; an object uses the smallest of its steps to the previous level. */
function naive(world: SmallWorld, environment?: number): Combined[] {
  const isRoot = (at: number) =>
    world.members.includes(at) &&
    (environment === undefined || world.isForest || world.homes[at] === environment);
  const all = world.kinds.map((_, at) => at);
  const tree: Combined[] = [{ parent: -1, kind: 0, label: '', objects: all.filter(isRoot).map(smallIdOf) }];
  const place = new Map(all.filter(isRoot).map((at) => [at, 0]));
  const labels = build(world).labels;
  for (let level = [...place.keys()]; level.length > 0; ) {
    const found = all.flatMap((at) => {
      if (place.has(at)) return [];
      const steps = world.edges
        .filter(([from, kind, to]) => from === at && level.includes(to) && edgeKindById(kind)?.traversable)
        .map(([, kind, to]) => [place.get(to) as number, kind] as const)
        .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
      if (steps.length === 0) return [];
      const label = nodeKindById(world.kinds[at])?.name ?? '';
      return [{ at, parent: steps[0][0], kind: steps[0][1], label }];
    });
    const order = (label: string) => labels.indexOf(label);
    found.sort(
      (a, b) => a.parent - b.parent || a.kind - b.kind || order(a.label) - order(b.label) || a.at - b.at,
    );
    for (const { at, ...step } of found) {
      const last = tree[tree.length - 1];
      const isSame =
        last.parent === step.parent &&
        last.kind === step.kind &&
        last.label === step.label &&
        tree.length > 1;
      if (isSame) last.objects.push(smallIdOf(at));
      else tree.push({ ...step, objects: [smallIdOf(at)] });
      place.set(at, tree.length - 1);
    }
    level = found.map(({ at }) => at);
  }
  return tree;
}

/** @returns whether a node reaches a member of its own forest */
function exposedTwin({ homes, edges, members, isForest }: SmallWorld): (at: number) => boolean {
  const reached = new Set(members.map((at) => `${at} ${homes[at]}`));
  for (let before = -1; before !== reached.size; ) {
    before = reached.size;
    for (const [from, kind, to] of edges)
      for (const home of [0, 1])
        if (edgeKindById(kind)?.traversable && reached.has(`${to} ${home}`)) reached.add(`${from} ${home}`);
  }
  return (at) => reached.has(`${at} ${homes[at]}`) || (isForest && reached.has(`${at} ${1 - homes[at]}`));
}

const isPrincipal = (kind: number): boolean => kind !== NodeKind.Group;

describe('a tree of combined nodes', () => {
  test('equals the naive twin', () => {
    fc.assert(
      fc.property(worlds, fc.constantFrom(undefined, 0, 1), (world, environment) => {
        const { graph, node, ids, inZone, labels } = build(world);
        const request = {
          members: inZone,
          inside: inZone,
          ...(environment === undefined ? {} : { environment: node(HOMES[environment]) }),
        };
        const tree = combinedTree(graph, labels, request, unmetered);
        const expected = naive(world, environment);
        const places = Array.from({ length: tree.size }, (_, at) => at);
        expect(
          places.map((at) => ({
            parent: at === 0 ? -1 : tree.parents[at],
            kind: tree.edgeKinds[at],
            label: at === 0 ? '' : labels[tree.kindSets[at]],
            objects: tree.objects[at],
            samples: ids([...tree.samples.subarray(at * 5, at * 5 + Math.min(5, tree.objects[at]))]),
          })),
        ).toEqual(
          expected.map(({ objects, ...step }) => ({
            ...step,
            objects: objects.length,
            samples: objects.slice(0, 5),
          })),
        );
        const exposed = exposedTwin(world);
        const outside = (id: string) => {
          const at = Number(id.slice(2));
          const isOwn = environment === undefined ? exposed(at) : world.homes[at] === environment;
          return !world.members.includes(at) && isPrincipal(world.kinds[at]) && isOwn;
        };
        expect([...tree.principals]).toEqual(expected.map(({ objects }) => objects.filter(outside).length));
        expect(tree.upstream[0]).toBe(tree.principals.reduce((sum, count) => sum + count, 0));
        for (const at of places) {
          const children = expected.flatMap(({ parent }, child) => (parent === at ? [child] : []));
          expect(tree.childCounts[at]).toBe(children.length);
          if (children.length > 0) expect(tree.firstChild[at]).toBe(children[0]);
        }
        expect(new Set(tree.ids).size).toBe(tree.size);
        expect([...tree.ids].every(Number.isSafeInteger)).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  test('counts and names only objects that the caller may see, and keeps its structure', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const { graph, node, inZone, labels } = build(world);
        const whole = combinedTree(graph, labels, { members: inZone, inside: inZone }, unmetered);
        const seen = HOMES.map((home) =>
          combinedTree(
            graph,
            labels,
            { members: inZone, inside: inZone, visible: new Set([node(home)]) },
            unmetered,
          ),
        );
        for (const tree of seen) expect([tree.ids, tree.parents]).toEqual([whole.ids, whole.parents]);
        for (const column of ['objects', 'principals', 'upstream'] as const)
          expect(seen[0][column].map((count, at) => count + seen[1][column][at])).toEqual(whole[column]);
      }),
    );
  });

  test('counts principals declared by definitions, in environments of their kind', () => {
    const [ORG, ACCOUNT] = [60_000, 60_001];
    const world = graphOf({
      nodes: [
        { id: 'ORG', kinds: [ORG], environment: 'ORG' },
        { id: 'D-A', kinds: [NodeKind.Domain], environment: 'D-A' },
        { id: 'MEMBER', kinds: [NodeKind.Group], environment: 'ORG' },
        { id: 'OF-ORG', kinds: [ACCOUNT], environment: 'ORG' },
        { id: 'OF-DOMAIN', kinds: [ACCOUNT], environment: 'D-A' },
        { id: 'OF-NOTHING', kinds: [ACCOUNT] },
      ],
      edges: ['OF-ORG', 'OF-DOMAIN', 'OF-NOTHING'].map((id): TestEdge => [id, STEP_KINDS[0], 'MEMBER']),
    });
    const environments = [{ kind: ORG, name: 'Org', principals: [ACCOUNT], family: 'X' }];
    const graph = { ...world.graph, declared: { ...world.graph.declared, environments } };
    const members = new Uint32Array(1);
    members[0] = 1 << world.node('MEMBER');
    const labels = graph.kindSets.map((kinds) => String(kinds[0]));
    for (const environment of [undefined, world.node('ORG')]) {
      const request = { members, inside: members, ...(environment !== undefined && { environment }) };
      const tree = combinedTree(graph, labels, request, unmetered);
      expect([...tree.objects]).toEqual([1, 3]);
      expect([...tree.principals]).toEqual([0, 1]);
    }
  });

  test('of an empty graph is a root', () => {
    const { graph } = graphOf({ nodes: [] });
    const none = new Uint32Array(0);
    const tree = combinedTree(graph, [], { members: none, inside: none }, unmetered);
    expect([tree.size, tree.objects[0], tree.childCounts[0]]).toEqual([1, 0, 0]);
  });
});
