/** Compares the remaining principals at the end of a plan with the easiest path of each principal. */
import { environments } from '@clew/analysis';
import { EdgeKind } from '@clew/model';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { randomDirectories, randomWorld } from '../../test/randomDirectories.ts';
import { changeOf } from '../repairs/repair.ts';
import { changedWorld, rankedZone } from '../simulation/simulate.ts';
import { easiestPath } from './easiestPath.ts';
import { leftExposed } from './leftExposed.ts';

/** Multiplies the number of random cases; nightly runs have more. */
const RUNS = Number(process.env.CLEW_TEST_RUNS ?? 1);

const SIGN_IN: ReadonlySet<number> = new Set([
  ...[EdgeKind.MemberOf, EdgeKind.AZMemberOf, EdgeKind.ClaimSpecialIdentity],
]);

it('counts each principal once, under the last node that a sign-in alone leads to', () => {
  let [named, cut] = [0, 0];
  fc.assert(
    fc.property(randomDirectories, fc.boolean(), (directory, isOnlyFirst) => {
      const world = randomWorld(directory);
      const { context } = world;
      const { of } = context.use(environments);
      const counts = (environment: number) => !isOnlyFirst || environment === 0;
      const left = leftExposed(world, 1, counts, { costOf: () => 1 });
      const above = rankedZone(world, 1)?.above;
      const holders = new Map<string, { principals: number; actions: number; effort: number }>();
      let [exposed, oneAction] = [0, 0];
      for (const principal of world.principals) {
        if (above?.has(principal) || !counts(of[principal])) continue;
        const path = easiestPath(world, 1, principal);
        if (path === undefined) continue;
        exposed++;
        if (path.effort <= 1) oneAction++;
        const first = path.steps.findIndex(({ kind, effort }) => effort > 0 || !SIGN_IN.has(kind));
        const holder = first === -1 ? path.steps.at(-1)?.end : path.steps[first].start;
        const key = `${holder} ${of[principal]}`;
        const known = holders.get(key) ?? {
          ...{ principals: 0, effort: path.effort },
          actions: path.steps.filter(({ effort }) => effort > 0).length,
        };
        known.principals++;
        holders.set(key, known);
      }
      expect(left).toMatchObject({ exposed, oneAction, holderCount: holders.size });
      for (const { holder, environment, principals, actions, effort, cut: repairs } of left?.holders ?? []) {
        expect({ principals, actions, effort }).toEqual(holders.get(`${holder} ${environment}`));
        named++;
        if (repairs === undefined) continue;
        cut++;
        const after = changedWorld(world, changeOf(repairs.repairs));
        const path = easiestPath(after, 1, holder, { environment });
        expect(path?.effort ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(effort);
      }
    }),
    { numRuns: 35 * RUNS },
  );
  expect(named).toBeGreaterThan(100);
  expect(cut).toBeGreaterThan(20);
});
