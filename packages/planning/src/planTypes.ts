/**
 * A plan: cards, each a set of work packages that lowers the exposure of a zone, in order of effect per cost. The plan service and its
 * clients use these types.
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
import type { Repair } from './repairs/repair.ts';
import type { RepairKind } from './repairs/repairKinds.ts';
import type { FindingChanges } from './simulation/findingKeys.ts';
import type { AnalyzedWorld, ZoneExposure } from './simulation/simulate.ts';
import type { CardsSoFar, Steps } from './steps.ts';

/** @typeParam Details result of `detailsOf` */
export interface PlanOptions<Details = unknown> {
  /** Id of the zone. */
  readonly zone: number;
  /** Share of the principals of each environment that may remain exposed, 0 to 1; the plan ends there. Default: 0.1. */
  readonly goal?: number;
  /** Nodes of environments; only their principals and targets count. Default: all. */
  readonly environments?: ReadonlySet<number>;
  readonly costs?: Readonly<Partial<Record<RepairKind, number>>>;
  /** Other constants of prices, to measure their effect. */
  readonly otherPrices?: OtherPrices;
  /** Returns true for a change that removes something a user called unneeded: its price is only its work. */
  readonly isUnused?: (repair: Repair) => boolean;
  /** Returns true for a repair (by its facts) that no one can make: the relationships that it would remove become permanent. */
  readonly isExcluded?: (repair: Repair) => boolean;
  /**
   * Searches and reports cards of wide packages, of `previous` cards or (without these, and in the largest graphs) of packages near the
   * most crowded nodes before it searches all packages.
   */
  readonly tellsEarly?: boolean;
  /**
   * Called once per simulated card, with the facts before and after it, while they exist, because rebuilding them takes as long
   * as the simulation. The result is stored with the card, in each plan that has this card after the same cards.
   */
  readonly detailsOf?: (before: AnalyzedWorld, after: AnalyzedWorld) => Details;
  /** Time limit of the search; the plan then has the cards found so far. Default: 10 minutes of CPU time. */
  readonly searchMs?: number;
  /** Package keys of each card of an earlier plan: cards that still have an effect are kept. */
  readonly previous?: readonly (readonly string[])[];
  /** Minimum number of objects at which packages near crowded nodes are searched first, for early cards. Default: 500,000. */
  readonly minNear?: number;
}

/** The least cost, over all candidates, of a set that leaves at most this many principals exposed. */
export interface PlanBound {
  readonly cost: number;
  readonly packages: number;
  /** Single changes. */
  readonly changes: number;
  /** Whether no set that leaves at most this many principals exposed costs less than this card and all cards before it. */
  readonly isProvenCheapest: boolean;
}

/** A package of a card. */
export interface PlannedPackage extends PricedPackage {
  /** Principals that lose access. */
  readonly affected: number;
  /** Lower bound of the remaining cost of its card after this package; 0 for the last package of a card. */
  readonly costStillNeeded: number | undefined;
  /** Number of changes at the start of `repairs` that the card needs for its effect; all others add no effect. */
  readonly needed: number;
  /** The uses of the access that it removes; missing on cards that are reported before the plan is complete. */
  readonly uses?: PackageUses;
  /** Up to three alternatives with the same effect, cheapest first; missing if not searched, as on early cards. */
  readonly notThis?: readonly Alternative[];
  readonly questions: readonly PackageQuestion[];
}

/** A card without its effect on findings. */
export interface FirstCard<Details = unknown> {
  readonly key: string;
  /** Several packages have their effect only together. */
  readonly packages: readonly PlannedPackage[];
  readonly cost: number;
  /** Exposure after this card and all before it. */
  readonly exposures: readonly ZoneExposure[];
  /** Principals of all environments in scope. */
  readonly exposedBefore: number;
  readonly exposedAfter: number;
  readonly bound: PlanBound;
  /** Whether its effect depends on the observed sessions. */
  readonly restsOnSessions: boolean;
  /** Result of `detailsOf`; undefined without it, and until the card is simulated. */
  readonly details?: Details;
}

export interface PlanCard<Details = unknown> extends FirstCard<Details>, FindingChanges {}

/** A card contradicted by the simulation, which is not shown. */
export interface RejectedCard {
  readonly packages: readonly string[];
  readonly promised: number;
  readonly simulated: number;
}

/**
 * Why a plan ends: the goal is met, no further change is worth its cost, no one is exposed, no change keeps out the remaining
 * principals, the search timed out, or more cards follow (`PlanEvent`).
 */
export type PlanEnd = 'goal' | 'no-gain' | 'nothing-exposed' | 'unreachable' | 'out-of-time' | 'unfinished';

export interface FirstPlan<Details = unknown> {
  readonly before: readonly ZoneExposure[];
  /** The decrease of exposure per cost never grows from card to card; pages are prefixes. */
  readonly cards: readonly FirstCard<Details>[];
  readonly end: PlanEnd;
  /** Principals that no candidate keeps out. */
  readonly unreachable: number;
  /** The bound proves that no small number of changes keeps out half of the exposed principals. */
  readonly noShortList: boolean;
  readonly rejected: readonly RejectedCard[];
  /** Cases in which the graph of this search treats removable relationships as permanent. */
  readonly exceptions: readonly CountedException[];
}

export interface Plan<Details = unknown> extends FirstPlan<Details> {
  readonly cards: readonly PlanCard<Details>[];
  /**
   * If the goal is not met: changes that would lead further toward it, in this order. They break something or keep few principals
   * out, so they are not on cards. They are questions for users who know which access is needed.
   */
  readonly decisions: readonly PlanDecision[];
  /** One question per authority on which ADCSESC15 applies, most users first. */
  readonly questions: readonly AuthorityQuestion[];
  /** The principals that can still reach the zone after all cards; missing until the bounds of cards are known. */
  readonly left?: LeftExposed;
  /** Missing if `left` is missing. */
  readonly explanation?: PlanExplanation;
}

/** Options of the search for cards. */
export type SearchOptions = Omit<PlanOptions, 'detailsOf'>;

/**
 * Events of a plan. `searched` and `first-simulated` have the figures of the search, without `details` and closed findings, except for the
 * first card after its simulation; the simulation may reject a card, in which case others follow. `simulated` has all cards but not their
 * bounds, which take as long again. The plan is computed synchronously in the calling thread.
 */
export type PlanEvent<Details = unknown> =
  | { readonly state: 'searching'; readonly done: CardsSoFar }
  | {
      readonly state: 'searched';
      readonly packages: SearchRun['packages'];
      readonly plan: () => FirstPlan<Details>;
    }
  | { readonly state: 'first-simulated'; readonly plan: () => FirstPlan<Details> }
  | { readonly state: 'simulated'; readonly plan: () => Plan<Details> };

/** A generator of plan events; its result is the plan with its bounds, or undefined if the zone does not exist or is not analyzed. */
export type PlanEvents<Details = unknown> = Steps<Plan<Details> | undefined, PlanEvent<Details>>;
