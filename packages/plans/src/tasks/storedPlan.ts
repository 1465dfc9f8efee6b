/** The stored plan of a zone: the records of an answer without the parts that depend on the user. */
import type {
  AuthorityQuestionRecord,
  CardRecord,
  LeftRecord,
  PackageRecord,
  PlanExceptionRecord,
  PlanExplanationRecord,
  PlanRecord,
} from '@clew/api';
import type { FindingPlan } from '@clew/judgment';
import type { PlanContradictions } from './planContradictions.ts';
import type { objectRecord } from './planRecords.ts';
import type { StoredAlternative, StoredDecision, StoredQuestion } from './pricedRecords.ts';

/** Fields that the answer adds for its user. */
type OfTheAnswer =
  | 'card_count'
  | 'outline'
  | 'computing'
  | 'not_shown'
  | 'made_at'
  | 'order'
  | 'repairs'
  | 'excluded'
  | 'decisions'
  | 'authority_questions'
  | 'exceptions'
  | 'explanation'
  | 'cards';

/** Plans of earlier releases have no prices. */
type Priced = 'is_kept' | 'why' | 'prices' | 'uses' | 'not_this' | 'questions';

export interface StoredPackage
  extends Omit<PackageRecord, Priced>,
    Partial<Pick<PackageRecord, 'is_kept' | 'why' | 'prices' | 'uses'>> {
  readonly not_this?: readonly StoredAlternative[];
  readonly questions?: readonly StoredQuestion[];
  /** Objects named in its texts and its key. Missing in plans of earlier releases. */
  readonly subject_ids?: readonly string[];
  /** The title as words and objects; missing if its words come from a definition, and in plans of earlier releases. */
  readonly title_parts?: readonly (string | ReturnType<typeof objectRecord>)[];
}

export interface StoredCard extends Omit<CardRecord, 'packages'> {
  readonly packages: StoredPackage[];
  /** Findings by environment, from which the counts for a user are computed. Null if the counts are not known yet. */
  readonly closed_in: Readonly<Record<string, number>> | null;
  readonly opened_in: Readonly<Record<string, number>> | null;
}

export interface StoredLeft extends LeftRecord {
  /** Objects named in its changes. */
  readonly subject_ids: readonly string[];
}

export interface StoredPlan extends Omit<PlanRecord, OfTheAnswer | 'left'> {
  readonly cards: readonly StoredCard[];
  /** Missing in plans of earlier releases. */
  readonly left?: { readonly holder_count: number; readonly holders: readonly StoredLeft[] } | null;
  readonly decisions?: readonly StoredDecision[];
  readonly authority_questions?: readonly Omit<AuthorityQuestionRecord, 'answer'>[];
  readonly exceptions?: readonly PlanExceptionRecord[];
  /** Also missing until the plan is complete. */
  readonly explanation?: PlanExplanationRecord;
  /** Environments grouped by forest or tenant. */
  readonly forests: readonly (readonly string[])[];
  /** Number of cards contradicted by the simulation. */
  readonly rejected: number;
  /** Contradictions by kind. Missing in plans of earlier releases. */
  readonly contradictions?: PlanContradictions;
  /** Only on request; not stored with the plan. */
  readonly closes?: FindingPlan;
}
