import { changeEdges, NodeSet, reachableNodes } from '@clew/graph';
import { graphOf } from '@clew/graph/testing';
import { EdgeKind, NodeKind } from '@clew/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attackSteps } from '../findings/attackSteps.ts';
import { contextOf, NOW, SID } from '../findings/testing/worlds.ts';
import { exposureMovers } from './movers.ts';
import { rankedZone, worldOf } from './simulate.ts';

const USERS = 8;
/** One of them is no step of an attack. */
const KINDS = ['GenericAll', 'MemberOf', 'GetChanges'] as const;
type Relation = readonly [start: number, kind: (typeof KINDS)[number], end: number];

const relation: fc.Arbitrary<Relation> = fc.tuple(
  fc.nat(USERS - 1),
  fc.constantFrom(...KINDS),
  fc.nat(USERS - 1),
);
const key = (each: Relation): string => each.join(' ');
const worlds = fc.record({
  old: fc.uniqueArray(relation, { selector: key, maxLength: 14 }),
  came: fc.uniqueArray(relation, { selector: key, maxLength: 6 }),
  went: fc.uniqueArray(relation, { selector: key, maxLength: 6 }),
});

const idOf = (user: number): string => `${SID}-${1000 + user}`;

/** User 0 is Tier Zero. */
function worldWith(relations: readonly Relation[]) {
  const domain = {
    ...{ id: SID, kinds: [NodeKind.Base, NodeKind.Domain] },
    props: { domainsid: SID, collected: true },
  };
  const users = Array.from({ length: USERS }, (_, user) => ({
    ...{ id: idOf(user), kinds: [NodeKind.Base, NodeKind.User], props: { domainsid: SID } },
  }));
  const test = graphOf({
    nodes: [domain, ...users],
    edges: relations.map(([start, kind, end]) => [idOf(start), EdgeKind[kind], idOf(end)]),
  });
  const members = NodeSet.of(test.graph.nodeCount, [test.node(idOf(0))]);
  const zone = { id: 1, position: 1, analysed: true, members, pending: NodeSet.empty(test.graph.nodeCount) };
  const world = worldOf(contextOf(test), { zonesOf: () => [zone], now: NOW });
  const refs = (some: readonly Relation[]) =>
    some.map(([start, kind, end]) => ({
      ...{ start: test.node(idOf(start)), kind: EdgeKind[kind], end: test.node(idOf(end)) },
    }));
  return { test, world, members, refs };
}

describe('what moved the exposure', () => {
  it('is what a count without each relation that came, and with each that went, says', () => {
    fc.assert(
      fc.property(worlds, ({ old, came: drawn, went: gone }) => {
        const isOld = new Set(old.map(key));
        const came = drawn.filter((each) => !isOld.has(key(each)));
        const now = new Set([...old, ...came].map(key));
        const went = gone.filter((each) => !now.has(key(each)));
        const { test, world, members, refs } = worldWith([...old, ...came]);
        const exposed = (change: Parameters<typeof changeEdges>[1]): number => {
          const graph = changeEdges(test.graph, change);
          const upstream = reachableNodes(graph, members, { direction: 'in', filter: attackSteps() });
          return upstream.and(world.principals).andNot(members).size;
        };
        const zone = rankedZone(world, 1);
        if (zone === undefined) throw new Error('the zone is there');
        const changes = { came: refs(came), went: refs(went) };
        const { movers, cameTogether, wentTogether } = exposureMovers(world, zone, changes, 1000);
        const before = exposed({});
        expect(cameTogether).toBe(before - exposed({ removed: changes.came }));
        expect(wentTogether).toBe(exposed({ added: changes.went }) - before);
        const told = new Map(
          movers.map(({ start, end, change, principals }) => [`${change} ${start} ${end}`, principals]),
        );
        for (const [change, edges] of Object.entries(changes)) {
          for (const group of Map.groupBy(edges, ({ start, end }) => `${start} ${end}`).values()) {
            const moved =
              change === 'came' ? before - exposed({ removed: group }) : exposed({ added: group }) - before;
            expect(told.get(`${change} ${group[0]?.start} ${group[0]?.end}`) ?? 0).toBe(moved);
          }
        }
        expect(movers.map(({ principals }) => principals)).toEqual(
          movers.map(({ principals }) => principals).sort((a, b) => b - a),
        );
      }),
    );
  });
});
