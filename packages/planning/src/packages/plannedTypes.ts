/**
 * A package of a card as clients show it: its changes with their prices, who uses what it takes, the changes that would do the same and are
 * not made, and what the data cannot decide. Services and clients show these.
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

import type { Repair } from '../repairs/repairs.ts';
import type { ZoneExposure } from '../simulation/simulate.ts';
import type { PackageKind } from './packageKinds.ts';
import type { Price } from './prices/reasons.ts';

/** The price of some changes of a package. */
export interface PackagePrice extends Price {
  /** Places of the changes in the repairs of the package: one, or in a package of many all of one reason, with the facts of the first. */
  readonly repairs: readonly number[];
}

/** The work of one person in one session, with its price. */
export interface PricedPackage {
  /** The same in each generation: kind and object ids. */
  readonly key: string;
  readonly kind: PackageKind;
  /** Nodes that the text names. */
  readonly subjects: readonly number[];
  /** Its single changes. */
  readonly repairs: readonly Repair[];
  readonly cost: number;
  /** It breaks what a careful administrator keeps. */
  readonly isKept: boolean;
  /** The dearest first. */
  readonly prices: readonly PackagePrice[];
}

/** Changes that would do the same as a package, the others of its card and those before it done. */
export interface Alternative {
  /** Most often one. */
  readonly packages: readonly PricedPackage[];
  readonly cost: number;
}

/** The users of what a package takes, as far as the facts show it; a number is absent where they do not. */
export interface PackageUses {
  /** Users and computers that lose access and logged on in the 90 days before the collection. */
  readonly active?: number;
  /** Sessions seen of accounts that lose access, on the computers that the package is about. */
  readonly sessions?: number;
  /** Objects on which the groups that members leave have rights, or computers that they administer; `MAX_GIVEN` means that many or more. */
  readonly given?: number;
  /** Templates in which those who lose Enroll on an authority may enroll there. */
  readonly templates?: number;
}

export const QUESTION_KINDS = [
  /** Does anyone still use what the change takes? */
  'needed',
  /** Do people need the group for their work: shares, licenses, applications? */
  'membership',
  /** Does the service still need its rights on the computer? */
  'service',
  /** Does the team administer these few computers? */
  'team',
  /** Do the holders issue certificates as officers? */
  'officers',
  /** Do others than the attackers enroll at the authority? */
  'enrollment',
  /** Does the account read password hashes for a synchronization? */
  'replication',
] as const;
export type QuestionKind = (typeof QUESTION_KINDS)[number];

/** A question that only people answer, with the price of both answers. The answer is kept as a constraint. */
export interface PackageQuestion {
  readonly kind: QuestionKind;
  /** Places of the changes that it is about in the repairs of the package, ascending. */
  readonly repairs: readonly number[];
  /** No one needs it: the package costs this. */
  readonly unused: { readonly cost: number };
  /** Someone needs it: the cheapest alternative. Absent where none is known. */
  readonly used?: Alternative;
}

/**
 * Is the update of November 2024 (CVE-2024-49019) installed on the authority? No collector reports it; without it, those who enroll in the
 * templates log on as anyone (ADCSESC15). Asked with an answer, too, so that it can be taken back; the answer is `updatedAuthorities` of the
 * analysis.
 */
export interface AuthorityQuestion {
  readonly authority: number;
  /** Templates of version 1 over which it matters, ascending. */
  readonly templates: readonly number[];
  /** Users and computers that may enroll so, those of the zone included. */
  readonly principals: number;
}

/** Changes after the last card that would go on toward the goal; `isKept` of a package says whether it breaks something. */
export interface PlanDecision {
  readonly packages: readonly PricedPackage[];
  readonly cost: number;
  /** After it, all cards and all decisions before it; on the graph of steps. */
  readonly exposures: readonly ZoneExposure[];
  readonly exposedBefore: number;
  readonly exposedAfter: number;
  /** Principals that lose access. */
  readonly affected: number;
  /** The goal is met after it. */
  readonly meetsGoal: boolean;
}
