/**
 * Principals that lose access through repairs: a card, its packages and its changes count them in the same way, including through
 * local groups.
 */
import { AnalysisContext, defaultOptions, environments } from '@clew/analysis';
import { graphOf, type TestEdge } from '@clew/graph/testing';
import { EdgeKind, NodeKind } from '@clew/model';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { randomDirectories, randomWorld } from '../../test/randomDirectories.ts';
import type { Repair } from '../repairs/repair.ts';
import { affectedBy, affectedByAll } from './affected.ts';

it('counts all who have a right through groups and local groups, for one repair and for several', () => {
  let most = 0;
  fc.assert(
    fc.property(randomDirectories, (spec) => {
      const { context } = randomWorld(spec);
      const { principals } = context.use(environments);
      const above = context.edges('MemberOf', 'AZMemberOf', 'MemberOfLocalGroup');
      const local: number[] = [];
      context.edges('LocalToComputer').forEach((group) => void local.push(group));
      const repairs = local.map(
        (group): Repair => ({
          ...{ id: String(group), kind: 'remove-logon-right', object: group, principal: group },
          ...{ edgeKinds: ['RemoteInteractiveLogonRight'], change: { removed: [], properties: [] } },
        }),
      );
      const all = new Set<number>();
      for (const repair of repairs) {
        const own = new Set([repair.object]);
        for (const node of own) for (const member of above.startsOf(node)) own.add(member);
        const counted = [...own].filter((node) => principals.has(node));
        for (const node of counted) all.add(node);
        expect(affectedBy(context, repair)?.count).toBe(counted.length);
        expect(affectedByAll(context, [repair])).toBe(counted.length);
        most = Math.max(most, counted.length);
      }
      expect(affectedByAll(context, repairs)).toBe(all.size);
    }),
    { numRuns: 30 },
  );
  expect(most).toBeGreaterThan(1);
});

it('counts the 29 who log on over a local group on each of 21 hosts, for a card as for its only package', () => {
  const props = { domainsid: 'S-1-5-21-1' };
  const hosts = Array.from({ length: 21 }, (_, at) => `H${at}`);
  const users = Array.from({ length: 29 }, (_, at) => `U${at}`);
  const node = (id: string, kind: 'Domain' | 'Computer' | 'User' | 'Group' | 'ADLocalGroup') => ({
    ...{ id, kinds: [NodeKind.Base, NodeKind[kind]], props },
  });
  const test = graphOf({
    nodes: [
      node('S-1-5-21-1', 'Domain'),
      ...hosts.flatMap((host) => [node(host, 'Computer'), node(`${host}-555`, 'ADLocalGroup')]),
      ...users.map((user) => node(user, 'User')),
      node('DEPT', 'Group'),
    ],
    edges: [
      ...users.map((user): TestEdge => [user, EdgeKind.MemberOf, 'DEPT']),
      ...hosts.flatMap((host): TestEdge[] => [
        ['DEPT', EdgeKind.MemberOfLocalGroup, `${host}-555`],
        [`${host}-555`, EdgeKind.LocalToComputer, host],
      ]),
    ],
  });
  const context = new AnalysisContext({ ...test, options: defaultOptions() });
  const repairs = hosts.map((host): Repair => {
    const group = test.node(`${host}-555`);
    return {
      ...{ id: host, kind: 'remove-logon-right', object: test.node(host), principal: group },
      ...{ edgeKinds: ['RemoteInteractiveLogonRight'], change: { removed: [], properties: [] } },
    };
  });
  const counts = repairs.map((repair) => [
    affectedByAll(context, [repair]),
    affectedBy(context, repair)?.count,
  ]);
  expect(counts).toEqual(hosts.map(() => [29, 29]));
  expect(affectedByAll(context, repairs)).toBe(29);
});
