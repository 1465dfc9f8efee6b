/**
 * A plan: cards, each a set of work packages that lowers the exposure of a zone, in the order in which they do so for the least cost. The
 * plan service and its clients build on these types.
 *
 * Rule: `docs/plan.md#order`.
 */

import type { LeftExposed } from './explain/leftExposed.ts';
import type { PlanExplanation, SearchRun } from './explanation.ts';
import type {
  Alternative,
  AuthorityQuestion,
  PackageQuestion,
  PackageUses,
  PlanDecision,
  PricedPackage,
} from './packages/plannedTypes.ts';
import type { OtherPrices } from './packages/prices/reasons.ts';
import type { CountedException } from './relaxation/exceptions.ts';
import type { Repair, RepairKind } from './repairs/repairs.ts';
import type { FindingChanges } from './simulation/findingKeys.ts';
import type { AnalyzedWorld, ZoneExposure } from './simulation/simulate.ts';
import type { CardsSoFar, Steps } from './steps.ts';

/** @typeParam Look result of `look` */
export interface PlanOptions<Look = unknown> {
  /** Id of the zone. */
  readonly zone: number;
  /** Share of the principals of each environment that may stay exposed, 0 to 1; the plan ends there. Default 0.1. */
  readonly goal?: number;
  /** Nodes of environments; only their principals and targets count. Default all. */
  readonly environments?: ReadonlySet<number>;
  readonly costs?: Readonly<Partial<Record<RepairKind, number>>>;
  /** Other constants of prices, to measure what they do. */
  readonly otherPrices?: OtherPrices;
  /** True for a change of which someone answered that no one needs what it takes: its price is its work. */
  readonly isUnused?: (repair: Repair) => boolean;
  /** True for a repair (by its facts) that no one can carry out: the relationships that it would remove are permanent. */
  readonly isExcluded?: (repair: Repair) => boolean;
  /**
   * Cards of wide packages, of `previous` cards or, without these and in the largest graphs, of packages near the nodes that most principals
   * come through, are searched and reported before all packages are.
   */
  readonly tellsEarly?: boolean;
  /**
   * Called once for each simulated card, with the facts before and after it, while they exist: building them again takes as long as the
   * simulation. Its result is kept on the card, in each plan that has this card after the same ones.
   */
  readonly look?: (before: AnalyzedWorld, after: AnalyzedWorld) => Look;
  /** Time for the search; after it, the plan has the cards found so far. Default 10 minutes of the processor. */
  readonly searchMs?: number;
  /** Keys of the packages of each card of an earlier plan: cards that still have their effect stay. */
  readonly previous?: readonly (readonly string[])[];
  /** Objects from which on packages near some nodes are searched before all, for first cards. Default 500,000. */
  readonly minNear?: number;
}

/** The least cost of any set that leaves as few exposed, over all candidates. */
export interface PlanBound {
  readonly cost: number;
  readonly packages: number;
  /** Single changes. */
  readonly changes: number;
  /** No set that leaves as few exposed costs less than this card and all before it. */
  readonly isProvenCheapest: boolean;
}

/** A package of a card. */
export interface PlannedPackage extends PricedPackage {
  /** Principals that lose access. */
  readonly affected: number;
  /** Bound of the cost that is left in its card once it is done; 0 for the last of a card. */
  readonly costStillNeeded: number | undefined;
  /** Changes at the beginning of `repairs` that do what the card promises; the others close nothing more there. */
  readonly needed: number;
  /** The users of what it takes; absent on cards that are reported before the plan is whole. */
  readonly uses?: PackageUses;
  /** Changes that would do the same, at most three, the cheapest first; absent where they were not looked for, as on those cards. */
  readonly notThis?: readonly Alternative[];
  readonly questions: readonly PackageQuestion[];
}

/** Says nothing of findings. */
export interface FirstCard<Look = unknown> {
  readonly key: string;
  /** Several: only together. */
  readonly packages: readonly PlannedPackage[];
  readonly cost: number;
  /** After this card and all before it. */
  readonly exposures: readonly ZoneExposure[];
  /** Principals of all environments in scope. */
  readonly exposedBefore: number;
  readonly exposedAfter: number;
  readonly bound: PlanBound;
  /** Whether its effect depends on which sessions were seen. */
  readonly restsOnSessions: boolean;
  /** Result of `look`; nothing without it, and before the card is simulated. */
  readonly look?: Look;
}

export interface PlanCard<Look = unknown> extends FirstCard<Look>, FindingChanges {}

/** A card that the simulation contradicts: it is not shown. */
export interface RejectedCard {
  readonly packages: readonly string[];
  readonly promised: number;
  readonly simulated: number;
}

/**
 * Why a plan ends: the goal is met, nothing more helps for its cost, no one is exposed, nothing keeps out the remaining principals, the
 * search took too long, or more cards follow (`PlanEvent`).
 */
export type PlanEnd = 'goal' | 'no-gain' | 'nothing-exposed' | 'unreachable' | 'out-of-time' | 'unfinished';

export interface FirstPlan<Look = unknown> {
  readonly before: readonly ZoneExposure[];
  /** The fall of exposure per cost never rises from card to card; pages are prefixes. */
  readonly cards: readonly FirstCard<Look>[];
  readonly end: PlanEnd;
  /** Principals that no candidate keeps out. */
  readonly unreachable: number;
  /** The bound says that no few changes keep half of the exposed out. */
  readonly noShortList: boolean;
  readonly rejected: readonly RejectedCard[];
  /** The cases in which the graph of this search takes more as permanent than is. */
  readonly exceptions: readonly CountedException[];
}

export interface Plan<Look = unknown> extends FirstPlan<Look> {
  readonly cards: readonly PlanCard<Look>[];
  /**
   * Where the goal is not met: what would go on toward it, in this order. It breaks something or keeps few out, so that it is not on a card.
   * Questions for people who know what is needed.
   */
  readonly decisions: readonly PlanDecision[];
  /** Asked of each authority over which ADCSESC15 counts, the one with most users first. */
  readonly questions: readonly AuthorityQuestion[];
  /** The principals that can still reach the zone after all cards; absent before the bounds of cards are known. */
  readonly left?: LeftExposed;
  /** Absent with `left`. */
  readonly explanation?: PlanExplanation;
}

/** Options of the search for cards. */
export type SearchOptions = Omit<PlanOptions, 'look'>;

/**
 * A plan under way. `searched` and `first-simulated` have the figures of the search, without the results of `look` and the findings that
 * cards close, apart from the first card once it is simulated; the simulation may reject a card, so that others follow. `simulated` has all
 * cards, before their bounds are computed, which takes as long again. The plan is made where it is asked for, at once.
 */
export type PlanEvent<Look = unknown> =
  | { readonly state: 'searching'; readonly done: CardsSoFar }
  | {
      readonly state: 'searched';
      readonly packages: SearchRun['packages'];
      readonly plan: () => FirstPlan<Look>;
    }
  | { readonly state: 'first-simulated'; readonly plan: () => FirstPlan<Look> }
  | { readonly state: 'simulated'; readonly plan: () => Plan<Look> };

/** The events of a plan in steps; the result is the plan with its bounds, or nothing for a zone that is not there, or not analyzed. */
export type PlanEvents<Look = unknown> = Steps<Plan<Look> | undefined, PlanEvent<Look>>;
