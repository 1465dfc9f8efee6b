/** Costs of single repairs, the same as on the cards of a plan: work and expected damage. Rule: `docs/plan.md#prices`. */
import type { Kept } from '@clew/analysis';
import { getOrMake } from '@clew/graph';
import { DEFAULT_COSTS, Prices, type Repair, rankedZone } from '@clew/planning';
import { type ConstraintFacts, constraintFacts, type StoredConstraint, unneededIn } from './constraints.ts';
import type { PlanState } from './planState.ts';

interface AskedPrices {
  readonly zone: number;
  /** The answers that no one needs something, as a text. */
  readonly unneeded: string;
}

/** Reading the rights of a large directory takes longer than pricing some repairs. */
const PRICES: Kept<AskedPrices, Prices> = {
  name: 'prices of single repairs',
  max: 4,
  isSame: (a, b) => a.zone === b.zone && a.unneeded === b.unneeded,
};

type Facts = Pick<PlanState, 'generation' | 'world' | 'costs'>;

/** @returns the prices of single repairs, of the current facts or of facts derived from them */
export function repairPrices(state: Facts, zone: number, constraints: readonly StoredConstraint[]): Prices {
  const { world, costs } = state;
  const answers: ConstraintFacts[] = constraints
    .filter(({ subject }) => subject === 'unneeded')
    .map(constraintFacts);
  return world.memory.use(
    PRICES,
    { zone, unneeded: JSON.stringify(answers) },
    () =>
      new Prices(world.context, {
        costs: { ...DEFAULT_COSTS, ...costs },
        zone: rankedZone(world, zone)?.above,
        isUnused: unneededIn(state, answers),
      }),
  );
}

/** @returns the cost of a repair, computed once */
export function repairCosts(
  state: Facts,
  zone: number,
  constraints: readonly StoredConstraint[],
): (repair: Repair) => number {
  const prices = repairPrices(state, zone, constraints);
  const known = new Map<Repair, number>();
  return (repair) =>
    getOrMake(known, repair, () => {
      const { work, breaks } = prices.of(repair);
      return work + breaks;
    });
}
