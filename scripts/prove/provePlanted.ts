/**
 * Proves whether a plan makes changes that a careful administrator would make: compares each change of each card with the planted flaws
 * (`plantedVerdicts.ts`), and the number of exposed principals with stored figures.
 */
import {
  type AnalyzedWorld,
  type OtherPrices,
  type Plan,
  type PlannedPackage,
  packageText,
  type Repair,
  wholePlan,
} from '@clew/planning';
import { generated } from './organizations.ts';
import type { PlantedOrganization } from './plantedOrganizations.ts';
import { type Truth, truthOf } from './plantedTruth.ts';
import { type Mark, type Verdict, verdictOf } from './plantedVerdicts.ts';
import { readWorld, TIER_ZERO } from './reading.ts';

/** Principals of all environments that reach Tier Zero. */
export interface PlannedExposure {
  readonly before: number;
  readonly afterFirst: number;
  readonly atEnd: number;
}

export interface JudgedChange extends Verdict {
  /** Starts at 1. */
  readonly card: number;
  readonly title: string;
}

export interface PlantedResult extends PlannedExposure {
  readonly name: string;
  readonly principals: number;
  readonly cards: number;
  readonly packages: number;
  /** Number of packages with only right changes. */
  readonly rightPackages: number;
  readonly changes: readonly JudgedChange[];
  /** The first card breaks something, although a plan without such changes has a first card. */
  readonly isFirstWrong: boolean;
  readonly end: Plan['end'];
  /** Processor seconds. */
  readonly seconds: number;
}

type Judge = (world: AnalyzedWorld, truth: Truth, repair: Repair) => Verdict;

/** @param judge decides whether a change is right; replaced in tests @param otherPrices replace those of plans */
export async function provePlanted(
  organization: PlantedOrganization,
  judge: Judge = verdictOf,
  otherPrices: OtherPrices = {},
): Promise<PlantedResult> {
  const start = process.cpuUsage();
  const flawed = await generated(organization).files();
  const truth = await truthOf(flawed, await generated({ ...organization, flaws: 'none' }).files());
  const world = await readWorld(flawed);
  const plan = wholePlan(world, { zone: TIER_ZERO, otherPrices });
  if (plan === undefined) throw new Error(`${organization.name}: no plan exists`);
  const packages = plan.cards.flatMap((card, at) =>
    card.packages.map((one) =>
      changesOf(one).map(
        (repair): JudgedChange => ({
          ...{ card: at + 1, title: titleOf(world, repair) },
          ...judge(world, truth, repair),
        }),
      ),
    ),
  );
  const changes = packages.flat();
  const before = plan.before.reduce((sum, { exposed }) => sum + exposed, 0);
  return {
    name: organization.name,
    principals: plan.before.reduce((sum, { principals }) => sum + principals, 0),
    ...{ before, afterFirst: plan.cards[0]?.exposedAfter ?? before },
    atEnd: plan.cards.at(-1)?.exposedAfter ?? before,
    ...{ cards: plan.cards.length, packages: packages.length, changes, end: plan.end },
    rightPackages: packages.filter((one) => one.every(({ mark }) => mark === 'a')).length,
    isFirstWrong:
      changes.some(({ card, mark }) => card === 1 && breaks(mark)) &&
      helpsOtherwise(world, (repair) => breaks(judge(world, truth, repair).mark)),
    seconds: process.cpuUsage(start).user / 1e6,
  };
}

const breaks = (mark: Mark): boolean => mark === 'b' || mark === 'c';

/** @returns whether fewer are exposed after some set of changes that breaks nothing */
const helpsOtherwise = (world: AnalyzedWorld, isExcluded: (repair: Repair) => boolean): boolean =>
  (wholePlan(world, { zone: TIER_ZERO, isExcluded })?.cards.length ?? 0) > 0;

/** An entry of a container or of AdminSDHolder is one change, however many objects it affects. */
const changesOf = ({ kind, repairs }: PlannedPackage): readonly Repair[] =>
  kind === 'inherited-entry' || kind === 'protected-entry' ? repairs.slice(0, 1) : repairs;

const titleOf = (world: AnalyzedWorld, repair: Repair): string =>
  packageText(world, { kind: repair.kind, subjects: [repair.object], repairs: [repair] }).title;
