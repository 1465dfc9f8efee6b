/** Proves one plan: the changed files give the results that its first packages promise, and random sets are not better. */
import { type PlanCard, wholePlan } from '@clew/planning';
import type { Organization } from './organizations.ts';
import { bestOfChance } from './randomSets.ts';
import {
  differences,
  exposedIn,
  exposuresIn,
  principalsIn,
  readWorld,
  repaired,
  TIER_ZERO,
} from './reading.ts';

/** Minimum number of proven packages; a card that begins before the last of them is proven completely. */
const FIRST_PACKAGES = 5;
/** Maximum advantage of chance, in percentage points of the principals. */
const MAX_POINTS = 5;

export interface Proof {
  readonly name: string;
  readonly principals: number;
  readonly before: number;
  readonly cards: number;
  readonly packages: number;
  readonly changes: number;
  readonly cost: number;
  readonly promised: number;
  readonly real: number;
  /** Minimum cost of any set with the same effect. */
  readonly bound: number | undefined;
  readonly chance: number | undefined;
  readonly seconds: number;
  readonly faults: readonly string[];
  readonly texts: readonly string[];
}

export interface ProofOptions {
  readonly tries: number;
  readonly log: (text: string) => void;
}

export async function proveOrganization(
  { name, files: load }: Organization,
  { tries, log }: ProofOptions,
): Promise<Proof> {
  const files = await load();
  const world = await readWorld(files);
  const start = performance.now();
  const plan = wholePlan(world, { zone: TIER_ZERO });
  const seconds = (performance.now() - start) / 1000;
  if (plan === undefined) throw new Error(`${name}: no plan exists`);
  log(`${name}: ${plan.cards.length} cards in ${seconds.toFixed(1)} s`);
  const faults = plan.rejected.map(
    ({ packages, promised, simulated }) =>
      `a card promised ${promised} and the simulation says ${simulated}: ${packages.join(' + ')}`,
  );
  const before = exposuresIn(world, plan.before);
  faults.push(...differences(before, exposuresIn(world)).map((text) => `before: ${text}`));
  faults.push(...slopeFaults(plan.cards, exposedIn(before)));

  const cards = firstCards(plan.cards);
  const packages = cards.flatMap((card) => card.packages);
  const repairs = packages.flatMap((each) => each.repairs);
  let real = exposedIn(before);
  for (const [at, card] of cards.entries()) {
    const done = cards.slice(0, at + 1).flatMap((one) => one.packages.flatMap((each) => each.repairs));
    try {
      const after = await readWorld(repaired(files, world, done));
      const found = exposuresIn(after);
      real = exposedIn(found);
      const promised = exposuresIn(world, card.exposures);
      faults.push(...differences(promised, found).map((text) => `card ${at + 1}: ${text}`));
    } catch (error) {
      faults.push(`card ${at + 1} cannot be carried out in the files: ${(error as Error).message}`);
    }
  }
  const promised = cards.at(-1)?.exposedAfter ?? exposedIn(before);
  const principals = principalsIn(before);
  const cost = packages.reduce((sum, each) => sum + each.cost, 0);
  const chance =
    packages.length === 0 || tries === 0
      ? undefined
      : bestOfChance(world, { keys: packages.map(({ key }) => key), cost, tries, seed: 1 });
  if (chance !== undefined && (100 * (promised - chance.exposed)) / principals > MAX_POINTS)
    faults.push(`chance leaves ${chance.exposed} for a cost of ${cost}: ${chance.packages.join(' + ')}`);
  return {
    ...{ name, principals, before: exposedIn(before), cards: cards.length, packages: packages.length },
    ...{ changes: repairs.length, cost, promised, real, seconds, faults },
    bound: cards.at(-1)?.bound.cost,
    chance: chance?.exposed,
    texts: packages.map(({ key }) => key),
  };
}

/** @returns complete cards that contain the first packages */
export function firstCards(cards: readonly PlanCard[]): PlanCard[] {
  const found: PlanCard[] = [];
  let packages = 0;
  for (const card of cards) {
    if (packages >= FIRST_PACKAGES) break;
    found.push(card);
    packages += card.packages.length;
  }
  return found;
}

/** Cards must be sorted by their fall per cost, begin at the end of the previous one, and have an effect. */
function slopeFaults(cards: readonly PlanCard[], before: number): string[] {
  const faults: string[] = [];
  let last = Number.POSITIVE_INFINITY;
  let exposed = before;
  for (const [at, { exposedBefore, exposedAfter, cost }] of cards.entries()) {
    if (exposedBefore !== exposed)
      faults.push(`card ${at + 1} begins at ${exposedBefore}, not at ${exposed}`);
    if (exposedAfter >= exposedBefore) faults.push(`card ${at + 1} has no effect`);
    const slope = (exposedBefore - exposedAfter) / cost;
    if (slope > last * 1.000_001)
      faults.push(`card ${at + 1} is steeper (${slope}) than the one before (${last})`);
    last = slope;
    exposed = exposedAfter;
  }
  return faults;
}
