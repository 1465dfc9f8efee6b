/**
 * The plan graph against the analysis of the changed facts, equal to the principal: random small directories, random sets of
 * repairs.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attackSteps } from '../findings/attackSteps.ts';
import { largeDefaultGroups } from '../findings/largeGroups.ts';
import { RULES, ruleKinds } from '../index.ts';
import { type PlanGraph, planGraph } from './planGraph.ts';
import { changeOf, RepairCatalogue } from './repairs.ts';
import { type AnalysedWorld, changedWorld, exposuresOf } from './simulate.ts';
import type { LabelScope } from './stepLabels.ts';
import { randomDirectories, randomWorld } from './testing/randomDirectories.ts';

/** More of them now and then: `CLEW_TEST_ORGANIZATIONS=1000`. */
const ORGANIZATIONS = Number(process.env.CLEW_TEST_ORGANIZATIONS ?? 30);
const SETS = 2;
const SECONDS_EACH = 3;

function graphOf({ context, zones }: AnalysedWorld, scope: LabelScope): PlanGraph {
  const { members } = zones[0];
  return planGraph({
    ...{ context, scope, steps: attackSteps(), rules: RULES, zone: members, above: members },
    catalogue: new RepairCatalogue(context, ruleKinds(), members),
    broad: largeDefaultGroups(context).all,
  });
}

const comesBy = ({ realms, steps }: PlanGraph, choice: readonly number[]): number =>
  realms.reduce((sum, { targets, weights }) => sum + steps.weigh(targets, [choice], weights)[0], 0);

const exposedIn = (world: AnalysedWorld): number =>
  exposuresOf(world).reduce((sum, { exposed }) => sum + exposed, 0);

const sets = fc.array(fc.array(fc.nat(10_000), { minLength: 1, maxLength: 6 }), {
  minLength: SETS,
  maxLength: SETS,
});

describe('the plan graph of random directories', () => {
  const options = { timeout: ORGANIZATIONS * SECONDS_EACH * 1000 };
  it('says what a simulation says, with all labels and with wide ones', options, () => {
    const tried = new Set<string>();
    let fell = 0;
    fc.assert(
      fc.property(randomDirectories, sets, (spec, drawn) => {
        const world = randomWorld(spec);
        const before = exposedIn(world);
        for (const scope of ['all', 'wide'] as const) {
          const graph = graphOf(world, scope);
          const { repairs } = graph;
          expect(comesBy(graph, [])).toBe(before);
          if (repairs.length === 0) continue;
          for (const numbers of drawn) {
            const choice = [...new Set(numbers.map((number) => number % repairs.length))];
            const chosen = choice.map((at) => repairs[at]);
            const names = chosen.map(({ id }) => id);
            for (const { kind } of chosen) tried.add(kind);
            const exposed = exposedIn(changedWorld(world, changeOf(chosen)));
            if (exposed < before) fell++;
            expect([names, comesBy(graph, choice)]).toEqual([names, exposed]);
          }
        }
      }),
      { numRuns: ORGANIZATIONS },
    );
    // Nothing above was agreement on nothing.
    expect(fell).toBeGreaterThan(ORGANIZATIONS / 4);
    expect(tried.size).toBeGreaterThan(10);
  });
});
