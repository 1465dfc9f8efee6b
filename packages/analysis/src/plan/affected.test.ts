/** Principals that lose something by repairs: a card, its packages and its changes count them in the same way, through local groups as well. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { environments } from '../findings/environments.ts';
import { affectedBy, affectedByAll } from './affected.ts';
import type { Repair } from './repairs.ts';
import { randomDirectories, randomWorld } from './testing/randomDirectories.ts';

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
