/** Each relationship finding of a generated organization is closed by a card, or the plan says why it stays open. */

import { attackSteps } from '@clew/analysis';
import { reachableNodes } from '@clew/graph';
import { generateForest } from '@clew/synthetic';
import { beforeAll, describe, expect, it } from 'vitest';
import { analyzedWorld, COLLECTED_AT } from '../../test/analyzedWorld.ts';
import { collectedWorld, sourcesOf } from '../../test/collectedWorld.ts';
import { wholePlan } from '../plan.ts';
import type { PlanOptions } from '../planTypes.ts';
import { changeOf } from '../repairs/repair.ts';
import { type AnalyzedWorld, changedWorld, findingsOf } from '../simulation/simulate.ts';
import { evidenceOf } from './evidence.ts';
import { excludedChanges } from './excludedChanges.ts';
import { type OpenFinding, openFindings } from './openFindings.ts';

const RUNS = Number(process.env.CLEW_TEST_RUNS ?? 1);

const TIER_ZERO = 1;

function planned(world: AnalyzedWorld, options: Partial<PlanOptions>) {
  const zone = TIER_ZERO;
  const plan = wholePlan(world, { zone, ...options });
  if (plan === undefined) throw new Error('Tier Zero is not in the analysis');
  const repairs = plan.cards.flatMap(({ packages }) => packages.flatMap((one) => one.repairs));
  const after = plan.cards.length === 0 ? world : changedWorld(world, changeOf([...new Set(repairs)]));
  return { plan, after, open: openFindings(world, { zone, plan, after, ...options }) };
}

describe.each(RUNS > 1 ? [3, 21] : [3])('seed %i', (seed) => {
  let world: AnalyzedWorld;
  beforeAll(async () => {
    world = analyzedWorld(
      await collectedWorld(
        sourcesOf(generateForest({ users: 60, seed, domains: 2, collectedAt: COLLECTED_AT }).files),
      ),
    );
  });

  it('says of every relationship finding that no card closes why, and counts who is left', async () => {
    const { plan, after, open } = planned(world, { goal: 0.1 });
    const all = [...findingsOf(world).values()].filter(({ source }) => source !== undefined);
    const closed = new Set(plan.cards.flatMap((card) => card.closed));
    expect(open.length + [...closed].filter(({ source }) => source !== undefined).length).toBe(all.length);
    for (const { finding, reason, users } of open) {
      const { source, environment } = finding;
      const zone = after.zones[0].members;
      const into = reachableNodes(after.context.attackGraph, [source as number], {
        ...{ direction: 'in', filter: attackSteps(after.context.graph), blocked: zone },
      })
        .and(after.principals)
        .andNot(zone);
      const isLeft = users !== undefined;
      const { environmentOf } = after.context.graph;
      const home = after.environments[environment];
      if (isLeft) expect(into.isEmpty).toBe(false);
      if (isLeft)
        expect([reason, users]).toEqual([reason, into.filter((one) => environmentOf[one] === home).size]);
    }
  });

  it('says that a constraint excludes the change of a finding, where another change would also close it', async () => {
    const first = planned(world, { goal: 0.1 });
    const repairs = first.plan.cards.flatMap(({ packages }) => packages.flatMap((one) => one.repairs));
    const excluded = new Set(repairs.map(({ id }) => id));
    const { plan, open } = planned(world, { goal: 0.1, isExcluded: ({ id }) => excluded.has(id) });
    expect(plan.end).toBe('no-gain');
    const reasons = new Set(open.map(({ reason }) => reason));
    expect([...reasons]).toEqual(expect.arrayContaining(['excluded', 'partly-excluded']));
    const before = new Set(first.open.map(({ reason }) => reason));
    expect(before.has('excluded') || before.has('partly-excluded')).toBe(false);
  });

  it('says of a finding about one object that constraints exclude some or all of its changes', async () => {
    const all = [...findingsOf(world).values()].filter(({ source }) => source === undefined);
    expect(excludedChanges(world, all, undefined).size).toBe(0);
    expect(excludedChanges(world, all, () => false).size).toBe(0);
    const excluded = excludedChanges(world, all, () => true);
    expect(new Set(excluded.values())).toEqual(new Set(['excluded']));
    expect(excluded.size).toBeGreaterThan(5);
    const { context, zones } = world;
    const closing = [...excluded.keys()]
      .map(({ type, target }) => [...evidenceOf(context, { type, target }, zones[0].members).closing])
      .find(({ length }) => length > 1);
    const some = excludedChanges(world, all, ({ id }) => id === closing?.[0]?.id);
    expect([...some.values()]).toContain('partly-excluded');
  });

  it('says excluded where all is excluded that closes a finding, and nothing is planned then', async () => {
    const { plan, open } = planned(world, { isExcluded: () => true });
    expect(plan.cards).toEqual([]);
    const reasons = new Set(open.map(({ reason }: OpenFinding) => reason));
    expect(reasons).toContain('excluded');
    expect(reasons).not.toContain('below-goal');
  });
});
