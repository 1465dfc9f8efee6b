/** Compares all statements of a plan about its packages with simulations: alternatives, needed changes, questions, and decisions. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomDirectories, randomWorld } from '../../test/randomDirectories.ts';
import { wholePlan } from '../plan.ts';
import type { Plan } from '../planTypes.ts';
import { changeOf, type Repair } from '../repairs/repair.ts';
import { type AnalyzedWorld, changedWorld, exposuresOf } from '../simulation/simulate.ts';

/** Multiplies the number of random cases; nightly runs have more. */
const RUNS = Number(process.env.CLEW_TEST_RUNS ?? 1);

const exposed = (world: AnalyzedWorld, repairs: readonly Repair[]): number =>
  exposuresOf(changedWorld(world, changeOf(repairs))).reduce((sum, one) => sum + one.exposed, 0);

const repairsOf = (packages: readonly { readonly repairs: readonly Repair[] }[]): Repair[] =>
  packages.flatMap(({ repairs }) => repairs);

/** Marks some changes as infeasible, so that the others often break something. @param share 0: none; 2: one in two */
const someOf =
  (share: number) =>
  ({ id }: Repair): boolean =>
    share > 0 && [...id].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % share === 0;

const EXCLUDED = fc.constantFrom(0, 2, 3);

describe('the cards of random directories', () => {
  it('name alternatives that do the same, and the changes that are needed', { timeout: 120_000 }, () => {
    let [alternatives, needless, questions, decisions] = [0, 0, 0, 0];
    fc.assert(
      fc.property(randomDirectories, fc.constantFrom(0, 0.1, 0.3), EXCLUDED, (spec, goal, share) => {
        const world = randomWorld(spec);
        const plan = wholePlan(world, { zone: 1, goal, isExcluded: someOf(share) }) as Plan;
        const before: Repair[] = [];
        for (const { packages, exposedAfter } of plan.cards) {
          for (const one of packages) {
            const rest = [...before, ...repairsOf(packages.filter((other) => other !== one))];
            for (const { packages: others, cost } of one.notThis ?? []) {
              alternatives++;
              expect(exposed(world, [...rest, ...repairsOf(others)])).toBeLessThanOrEqual(exposedAfter);
              expect(cost).toBeCloseTo(
                others.reduce((sum, other) => sum + other.cost, 0),
                2,
              );
              const own = new Set(one.repairs);
              expect(repairsOf(others).some((repair) => own.has(repair))).toBe(false);
            }
            const costs = (one.notThis ?? []).map(({ cost }) => cost);
            expect(one.notThis?.length ?? 0).toBeLessThanOrEqual(3);
            if (!one.isKept) expect(costs).toEqual(costs.toSorted((a, b) => a - b));
            if (one.needed < one.repairs.length) {
              needless++;
              expect(exposed(world, [...rest, ...one.repairs.slice(0, one.needed)])).toBe(exposedAfter);
            }
            for (const { unused, repairs } of one.questions) {
              questions++;
              expect(unused.cost).toBeLessThanOrEqual(one.cost);
              expect(repairs.every((place) => place < one.repairs.length)).toBe(true);
            }
          }
          before.push(...repairsOf(packages));
        }
        const isMet = plan.end === 'goal' || plan.end === 'nothing-exposed';
        if (isMet) expect(plan.decisions).toEqual([]);
        for (const { packages, exposedAfter } of plan.decisions) {
          decisions++;
          before.push(...repairsOf(packages));
          expect(exposed(world, before)).toBe(exposedAfter);
        }
      }),
      { numRuns: 200, seed: 4 },
    );
    expect(alternatives).toBeGreaterThan(30);
    expect(Math.min(questions, needless, decisions)).toBeGreaterThan(0);
  });

  it('never break something on the first card where another change helps, nor next to others later', {
    timeout: 120_000,
  }, () => {
    let later = 0;
    fc.assert(
      fc.property(randomDirectories, EXCLUDED, (spec, share) => {
        const world = randomWorld(spec);
        const isExcluded = someOf(share);
        const { cards } = wholePlan(world, { zone: 1, goal: 0, isExcluded }) as Plan;
        const [first, ...more] = cards;
        const isKept = (card: Plan['cards'][number]): boolean => card.packages.some((one) => one.isKept);
        if (first !== undefined && isKept(first)) {
          const without = wholePlan(world, {
            ...{ zone: 1, goal: 0 },
            isExcluded: (repair) =>
              isExcluded(repair) ||
              repairsOf(first.packages.filter((one) => one.isKept)).some(({ id }) => id === repair.id),
          }) as Plan;
          // All other changes break something as well.
          expect(without.cards.length === 0 || isKept(without.cards[0] as Plan['cards'][number])).toBe(true);
        }
        for (const card of more)
          if (isKept(card)) {
            later++;
            expect(card.packages).toHaveLength(1);
          }
      }),
      { numRuns: 20 * RUNS, seed: 4 },
    );
    expect(later).toBeGreaterThan(0);
  });
});
