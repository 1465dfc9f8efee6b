import { contextOf, NOW, SID } from '@clew/analysis/testing';
import { NodeSet } from '@clew/graph';
import { graphOf } from '@clew/graph/testing';
import { EdgeFlag, EdgeKind, NodeKind } from '@clew/model';
import { describe, expect, it } from 'vitest';
import { worldOf } from '../simulation/simulate.ts';
import { chokePoints } from './chokePoints.ts';

/** Users are in Domain Users, which is in Authenticated Users, which controls a helper, which controls the zone. */
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
  const zone = { id: 1, position: 1, analyzed: true, members, pending: NodeSet.empty(test.graph.nodeCount) };
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

  it.each([false, true])(
    'are those of the exposed on their way to the zone of their forest (%s)',
    (isForest) => {
      const other = 'S-1-5-21-4-4-4';
      const domain = (id: string) => ({
        ...{ id, kinds: [NodeKind.Base, NodeKind.Domain] },
        props: { domainsid: id, collected: true },
      });
      const user = (sid: string, rid: number) => ({
        ...{ id: `${sid}-${rid}`, kinds: [NodeKind.Base, NodeKind.User] },
        props: { domainsid: sid },
      });
      const test = graphOf({
        nodes: [
          domain(SID),
          domain(other),
          ...[500, 1101, 1102].map((rid) => user(SID, rid)),
          user(other, 500),
        ],
        edges: [
          [`${SID}-1101`, EdgeKind.GenericAll, `${other}-500`],
          [`${SID}-1101`, EdgeKind.GenericAll, `${SID}-1102`],
          [`${SID}-1102`, EdgeKind.GenericAll, `${SID}-500`],
          ...(isForest ? [[other, EdgeKind.SameForestTrust, SID] as const] : []),
        ],
      });
      const members = NodeSet.of(test.graph.nodeCount, [test.node(`${SID}-500`), test.node(`${other}-500`)]);
      const zone = {
        ...{ id: 1, position: 1, analyzed: true, members },
        pending: NodeSet.empty(test.graph.nodeCount),
      };
      const found = chokePoints(worldOf(contextOf(test), { zonesOf: () => [zone], now: NOW }), 1, {
        count: 10,
      });
      // The other path of 1101 leads into another domain: into the same zone if it is one forest, otherwise into the zone of the other
      // forest.
      if (isForest) {
        expect(found?.exposed).toBe(2);
        expect(found?.nodes).toEqual([]);
        return;
      }
      expect(found?.exposed).toBe(2);
      expect(found?.nodes).toEqual([{ node: test.node(`${SID}-1102`), count: 1 }]);
      expect(found?.relations[0]).toEqual({
        ...{ start: test.node(`${SID}-1102`), end: test.node(`${SID}-500`), count: 2 },
      });
    },
  );

  it('are undefined for a zone that does not exist', () => {
    expect(chokePoints(world().made, 7, { count: 10 })).toBeUndefined();
  });
});
