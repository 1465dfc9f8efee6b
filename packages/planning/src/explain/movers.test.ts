import { attackSteps } from '@clew/analysis';
import { contextOf, NOW, SID } from '@clew/analysis/testing';
import { changeEdges, NodeSet, reachableNodes } from '@clew/graph';
import { graphOf } from '@clew/graph/testing';
import { EdgeKind, NodeKind } from '@clew/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rankedZone, worldOf } from '../simulation/simulate.ts';
import { exposureMovers } from './movers.ts';

const USERS = 8;
const USER_NUMBERS = Array.from({ length: USERS }, (_, user) => user);
/** One of them is not a step of an attack path. */
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
  isForest: fc.boolean(),
});

const DOMAINS = [SID, 'S-1-5-21-4-4-4'];
const domainOf = (user: number): string => DOMAINS[user % 2] as string;
const idOf = (user: number): string => `${domainOf(user)}-${1000 + user}`;

/** Users 0 and 1 are in Tier Zero, one in each domain. */
function worldWith(relations: readonly Relation[], isForest = false) {
  const domains = DOMAINS.map((domain) => ({
    ...{ id: domain, kinds: [NodeKind.Base, NodeKind.Domain] },
    props: { domainsid: domain, collected: true },
  }));
  const users = Array.from({ length: USERS }, (_, user) => ({
    ...{ id: idOf(user), kinds: [NodeKind.Base, NodeKind.User], props: { domainsid: domainOf(user) } },
  }));
  const test = graphOf({
    nodes: [...domains, ...users],
    edges: [
      ...relations.map(([start, kind, end]) => [idOf(start), EdgeKind[kind], idOf(end)] as const),
      ...(isForest ? [[DOMAINS[0] as string, EdgeKind.SameForestTrust, DOMAINS[1] as string] as const] : []),
    ],
  });
  const members = NodeSet.of(
    test.graph.nodeCount,
    [0, 1].map((user) => test.node(idOf(user))),
  );
  const zone = { id: 1, position: 1, analyzed: true, members, pending: NodeSet.empty(test.graph.nodeCount) };
  const world = worldOf(contextOf(test), { zonesOf: () => [zone], now: NOW });
  const refs = (some: readonly Relation[]) =>
    some.map(([start, kind, end]) => ({
      ...{ start: test.node(idOf(start)), kind: EdgeKind[kind], end: test.node(idOf(end)) },
    }));
  return { test, world, refs };
}

describe('what moved the exposure', () => {
  it('equals a count without each added relation, and with each removed one', () => {
    fc.assert(
      fc.property(worlds, ({ old, came: drawn, went: gone, isForest }) => {
        const isOld = new Set(old.map(key));
        const came = drawn.filter((each) => !isOld.has(key(each)));
        const now = new Set([...old, ...came].map(key));
        const went = gone.filter((each) => !now.has(key(each)));
        const { test, world, refs } = worldWith([...old, ...came], isForest);
        const exposed = (change: Parameters<typeof changeEdges>[1]): number => {
          const graph = changeEdges(test.graph, change);
          return [0, 1].reduce((sum, domain) => {
            const zone = isForest ? [0, 1] : [domain];
            const roots = NodeSet.of(
              graph.nodeCount,
              zone.map((user) => test.node(idOf(user))),
            );
            const upstream = reachableNodes(graph, roots, { direction: 'in', filter: attackSteps(graph) });
            const isOwn = (user: number) => user > 1 && user % 2 === domain;
            return (
              sum + USER_NUMBERS.filter((user) => isOwn(user) && upstream.has(test.node(idOf(user)))).length
            );
          }, 0);
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
