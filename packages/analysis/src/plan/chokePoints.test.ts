import { NodeSet } from '@clew/graph';
import { graphOf } from '@clew/graph/testing';
import { EdgeFlag, EdgeKind, NodeKind } from '@clew/model';
import { describe, expect, it } from 'vitest';
import { contextOf, NOW, SID } from '../findings/testing/worlds.ts';
import { chokePoints } from './chokePoints.ts';
import { worldOf } from './simulate.ts';

/** Users are in Domain Users, which is in Authenticated Users; that controls a helper, which controls the zone. */
function world() {
  const props = { domainsid: SID };
  const node = (id: string, kind: number) => ({ id, kinds: [NodeKind.Base, kind], props });
  const users = ['1101', '1102', '1103'].map((rid) => `${SID}-${rid}`);
  const [domainUsers, everybody, helper, target] = [`${SID}-513`, 'T-S-1-5-11', `${SID}-1200`, `${SID}-500`];
  const test = graphOf({
    nodes: [
      { id: SID, kinds: [NodeKind.Base, NodeKind.Domain], props: { ...props, collected: true } },
      ...[...users, helper, target].map((id) => node(id, NodeKind.User)),
      ...[domainUsers, everybody].map((id) => node(id, NodeKind.Group)),
    ],
    edges: [
      ...users.map((user) => [user, EdgeKind.MemberOf, domainUsers] as const),
      [domainUsers, EdgeKind.MemberOf, everybody, EdgeFlag.Derived],
      [everybody, EdgeKind.GenericAll, helper],
      [helper, EdgeKind.GenericAll, target],
    ],
  });
  const members = NodeSet.of(test.graph.nodeCount, [test.node(target)]);
  const zone = { id: 1, position: 1, analysed: true, members, pending: NodeSet.empty(test.graph.nodeCount) };
  const made = worldOf(contextOf(test), { zonesOf: () => [zone], now: NOW });
  return {
    made,
    named: (node: number) =>
      [domainUsers, everybody, helper, target, ...users].find((id) => test.node(id) === node),
  };
}

describe('choke points', () => {
  it('leave out memberships that Windows makes, and say how many', () => {
    const { made, named } = world();
    const found = chokePoints(made, 1, { count: 10 });
    const shown = found?.relations.map(({ start, end, count }) => [named(start), named(end), count]);
    expect(shown).toEqual([
      [`${SID}-1200`, `${SID}-500`, 4],
      ['T-S-1-5-11', `${SID}-1200`, 3],
    ]);
    expect(found?.leftOut).toBe(4);
  });

  it('show them when asked', () => {
    const { made } = world();
    const found = chokePoints(made, 1, { count: 10, withFixed: true });
    expect(found?.relations).toHaveLength(6);
    expect(found?.leftOut).toBe(0);
  });

  it('are none of a zone that is not there', () => {
    expect(chokePoints(world().made, 7, { count: 10 })).toBeUndefined();
  });
});
