/** Compares the counts of principals that reach an object with a slow and obvious twin, on random graphs. */
import { graphOf, type TestEdge } from '@clew/graph/testing';
import { EdgeKind, edgeKindById, NodeKind } from '@clew/model';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type SmallWorld, STEP_KINDS, smallIdOf, smallWorlds } from '../../test/smallWorlds.ts';
import { unmetered } from '../meter.ts';
import type { QueryData } from '../queryData.ts';
import { reachingPrincipals } from './reachingPrincipals.ts';

const HOMES = ['D-A', 'D-B', 'D-C'] as const;
const TIER_ZERO = 1;
const OTHER_ZONE = 2;

const worlds = smallWorlds(HOMES.length, 20);

function build({ kinds, homes, edges, members, isForest }: SmallWorld) {
  const unique = new Map(edges.map((edge) => [edge.join(' '), edge]));
  const world = graphOf({
    nodes: [
      ...kinds.map((kind, at) => ({ id: smallIdOf(at), kinds: [kind], environment: HOMES[homes[at]] })),
      ...HOMES.map((id) => ({ id, kinds: [NodeKind.Domain], environment: id })),
    ],
    edges: [
      ...[...unique.values()].map(([from, kind, to]): TestEdge => [smallIdOf(from), kind, smallIdOf(to)]),
      ...(isForest ? [[HOMES[1], EdgeKind.SameForestTrust, HOMES[0]] as const] : []),
    ],
  });
  const bitmap = () => new Uint32Array(Math.ceil(world.graph.nodeCount / 32));
  const [inZone, nobody] = [bitmap(), bitmap()];
  for (const at of members) {
    const node = world.node(smallIdOf(at));
    inZone[node >>> 5] |= 1 << (node & 31);
  }
  const zones = [
    { id: TIER_ZERO, kind: 'Tag_Tier_Zero', members: inZone },
    { id: OTHER_ZONE, kind: 'Tag_Other', members: nobody },
  ];
  return { ...world, data: { graph: world.graph, zones } as unknown as QueryData };
}

/** @returns counts by environment name, in the forest of the object, and numbers of principals elsewhere that reach it */
function naive({ kinds, homes, edges, members, isForest }: SmallWorld, object: number, isInside: boolean) {
  const forestOf = (home: number): number => (isForest && home === 1 ? 0 : home);
  const reached = new Set([object]);
  for (let before = -1; before !== reached.size; ) {
    before = reached.size;
    for (const [from, kind, to] of edges)
      if (edgeKindById(kind)?.traversable && reached.has(to)) reached.add(from);
  }
  const counts: Record<string, { reaching: number; counted: number }> = {};
  const others: Record<string, number> = {};
  for (const [at, kind] of kinds.entries()) {
    if (at === object || kind === NodeKind.Group || (isInside && members.includes(at))) continue;
    const home = HOMES[homes[at]];
    if (forestOf(homes[at]) !== forestOf(homes[object])) {
      if (reached.has(at)) others[home] = (others[home] ?? 0) + 1;
      continue;
    }
    counts[home] ??= { reaching: 0, counted: 0 };
    counts[home].counted++;
    if (reached.has(at)) counts[home].reaching++;
  }
  return { counts, others };
}

test('counts the principals outside the zone that reach the object, except itself: of the forest, and of others', () => {
  let [reachingSome, reachingFromOthers] = [0, 0];
  fc.assert(
    fc.property(worlds, fc.nat(23), fc.boolean(), (world, place, isInside) => {
      const object = place % world.kinds.length;
      const { data, node, graph } = build(world);
      const inside = [isInside ? TIER_ZERO : OTHER_ZONE];
      const found = reachingPrincipals(data, { object: node(smallIdOf(object)), inside }, unmetered);
      const nameOf = (environment: number) => HOMES.find((id) => node(id) === environment) as string;
      const counts = Object.fromEntries(
        Array.from(found.environments, (environment, at) => [
          nameOf(environment),
          { reaching: found.reaching[at], counted: found.counted[at] },
        ]),
      );
      const expected = naive(world, object, isInside);
      expect(counts).toEqual(expected.counts);
      const elsewhere = Array.from(found.others, (one, at) => [nameOf(one), found.othersReaching[at]]);
      expect(Object.fromEntries(elsewhere)).toEqual(expected.others);
      reachingFromOthers += elsewhere.length > 0 ? 1 : 0;
      const home = world.homes[object];
      const others = world.isForest && home < 2 ? [0, 1] : [home];
      const known = others.filter((one) => one === home || graph.environmentOf.includes(node(HOMES[one])));
      expect([...found.forest].map(nameOf).sort()).toEqual(known.map((one) => HOMES[one]));
      reachingSome += found.reaching.some((count) => count > 0) ? 1 : 0;
    }),
    { numRuns: 300 },
  );
  expect(reachingSome).toBeGreaterThan(50);
  expect(reachingFromOthers).toBeGreaterThan(50);
});

test('counts principals declared by definitions, in environments of their kind', () => {
  const [ORG, ACCOUNT] = [60_000, 60_001];
  const { graph, node } = graphOf({
    nodes: [
      { id: 'ORG', kinds: [ORG], environment: 'ORG' },
      { id: 'OBJECT', kinds: [NodeKind.Group], environment: 'ORG' },
      { id: 'ACCOUNT', kinds: [ACCOUNT], environment: 'ORG' },
      { id: 'OTHER', kinds: [ACCOUNT], environment: 'ORG' },
    ],
    edges: [['ACCOUNT', STEP_KINDS[0], 'OBJECT']],
  });
  const countsWith = (kind: number) => {
    const environments = [{ kind, name: 'Org', principals: [ACCOUNT], family: 'X' }];
    const declared = { ...graph.declared, environments };
    const data = { graph: { ...graph, declared }, zones: [] } as unknown as QueryData;
    const { reaching, counted } = reachingPrincipals(data, { object: node('OBJECT'), inside: [] }, unmetered);
    return [[...reaching], [...counted]];
  };
  expect(countsWith(ORG)).toEqual([[1], [2]]);
  expect(countsWith(NodeKind.Domain)).toEqual([[], []]);
});
