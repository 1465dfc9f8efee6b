/**
 * A package of a card as clients show it: its changes with their prices, the users of what it removes, rejected alternatives with the same
 * effect, and what the data cannot decide.
 *
 *     PlannedPackage = PricedPackage + { affected, costStillNeeded, needed, uses?, notThis?, questions }
 *     PricedPackage  = { key, kind, subjects, repairs, cost, isKept, prices }
 *     prices         = [{ work, breaks, reason, facts?, repairs: [places in the repairs of the package] }]
 *     notThis        = [{ packages: [PricedPackage], cost }]
 *     questions      = [{ kind, repairs: [places], unused: { cost }, used?: { packages, cost } }]
 *     Plan.questions = [{ authority, templates: [nodes], principals }]
 *     PlanDecision   = { packages: [PricedPackage], cost, exposures, exposedBefore, exposedAfter, affected, meetsGoal }
 *
 * Rule: `docs/plan.md#prices`.
 */

import type { Repair } from '../repairs/repair.ts';
import type { ZoneExposure } from '../simulation/simulate.ts';
import type { PackageKind } from './packageKinds.ts';
import type { Price } from './prices/reasons.ts';

/** The price of one or more changes of a package. */
export interface PackagePrice extends Price {
  /**
   * Places of the changes in the repairs of the package: one, or in a large package all changes with the same reason, with the facts of the
   * first.
   */
  readonly repairs: readonly number[];
}

/** The work of one administrator in one session, with its price. */
export interface PricedPackage {
  /** Stable across generations; contains the kind and object ids. */
  readonly key: string;
  readonly kind: PackageKind;
  /** Nodes named in the text. */
  readonly subjects: readonly number[];
  /** Its single changes. */
  readonly repairs: readonly Repair[];
  readonly cost: number;
  /** Whether it removes access that a careful administrator keeps. */
  readonly isKept: boolean;
  /** Most expensive first. */
  readonly prices: readonly PackagePrice[];
}

/** Changes that could replace a package after the rest of its card and all earlier cards. */
export interface Alternative {
  /** Usually one. */
  readonly packages: readonly PricedPackage[];
  readonly cost: number;
}

/** Uses of the access that a package removes, according to the facts; a number is missing if the facts do not contain it. */
export interface PackageUses {
  /** Users and computers that lose access and logged on in the 90 days before the collection. */
  readonly active?: number;
  /** Sessions of accounts that lose access, on the computers of the package. */
  readonly sessions?: number;
  /**
   * Objects on which the groups give rights that members leave, including computers that the groups administer; capped at
   * `MAX_GIVEN`.
   */
  readonly given?: number;
  /** Templates in which principals that lose Enroll on an authority may enroll there. */
  readonly templates?: number;
}

export const QUESTION_KINDS = [
  /** Does anyone still use the access that the change removes? */
  'needed',
  /** Do users need the group for their work: shares, licenses, applications? */
  'membership',
  /** Does the service still need its rights on the computer? */
  'service',
  /** Does the team administer these few computers? */
  'team',
  /** Do the holders issue certificates as officers? */
  'officers',
  /** Do principals other than the attackers enroll at the authority? */
  'enrollment',
  /** Does the account read password hashes for a synchronization? */
  'replication',
  /** Does anyone enroll through the web pages of the authority? */
  'web-enrollment',
  /** Do requests contain additional names in an attribute? */
  'attribute-names',
  /** Do users without a delegated right join computers? */
  'joins',
  /** Does access depend on the former SID of the account? */
  'former-sid',
] as const;
export type QuestionKind = (typeof QUESTION_KINDS)[number];

/** A question that only users can answer, with the price of both answers. The answer is stored as a constraint. */
export interface PackageQuestion {
  readonly kind: QuestionKind;
  /** Places of the questioned changes in the repairs of the package, ascending. */
  readonly repairs: readonly number[];
  /** If no one needs it, the package has this cost. */
  readonly unused: { readonly cost: number };
  /** If someone needs it: the cheapest alternative. Missing if none is known. */
  readonly used?: Alternative;
}

/**
 * Is the update of November 2024 (CVE-2024-49019) installed on the authority? No collector reports it; without the update,
 * principals that enroll in the templates can log on as anyone (ADCSESC15). The question stays after it is answered, so that the
 * answer can be withdrawn; the analysis stores the answer in `updatedAuthorities`.
 */
export interface AuthorityQuestion {
  readonly authority: number;
  /** Templates of version 1 for which the answer matters, ascending. */
  readonly templates: readonly number[];
  /** Users and computers that may enroll in them, including those of the zone. */
  readonly principals: number;
}

/**
 * Changes after the last card that would lead further toward the goal; `isKept` of a package shows whether it breaks something.
 */
export interface PlanDecision {
  readonly packages: readonly PricedPackage[];
  readonly cost: number;
  /** After this decision, all cards and all earlier decisions; computed on the plan graph. */
  readonly exposures: readonly ZoneExposure[];
  readonly exposedBefore: number;
  readonly exposedAfter: number;
  /** Principals that lose access. */
  readonly affected: number;
  /** Whether the goal is met after this decision. */
  readonly meetsGoal: boolean;
}
