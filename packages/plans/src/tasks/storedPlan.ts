/** The plan of a zone as it is stored: the records of an answer without what depends on the user who asks. */
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

/** Fields that an answer adds for the user who asks. */
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
  /** Objects that its texts and its key name. Absent in plans of earlier releases. */
  readonly subject_ids?: readonly string[];
  /** The title as words and objects; absent where its words are not Clew's, and in plans of earlier releases. */
  readonly title_parts?: readonly (string | ReturnType<typeof objectRecord>)[];
}

export interface StoredCard extends Omit<CardRecord, 'packages'> {
  readonly packages: StoredPackage[];
  /** Findings by environment: of those that a user may see, the count is made of these. Nothing where the counts are not known yet. */
  readonly closed_in: Readonly<Record<string, number>> | null;
  readonly opened_in: Readonly<Record<string, number>> | null;
}

export interface StoredLeft extends LeftRecord {
  /** Objects that its changes name. */
  readonly subject_ids: readonly string[];
}

export interface StoredPlan extends Omit<PlanRecord, OfTheAnswer | 'left'> {
  readonly cards: readonly StoredCard[];
  /** Absent in plans of earlier releases. */
  readonly left?: { readonly holder_count: number; readonly holders: readonly StoredLeft[] } | null;
  readonly decisions?: readonly StoredDecision[];
  readonly authority_questions?: readonly Omit<AuthorityQuestionRecord, 'answer'>[];
  readonly exceptions?: readonly PlanExceptionRecord[];
  /** Absent while the plan is not whole as well. */
  readonly explanation?: PlanExplanationRecord;
  /** Environments that are one forest, or one tenant. */
  readonly forests: readonly (readonly string[])[];
  /** Cards that the simulation contradicts. */
  readonly rejected: number;
  /** Contradictions by kind. Absent in plans of earlier releases. */
  readonly contradictions?: PlanContradictions;
  /** Only where they were asked for; not stored with the plan. */
  readonly closes?: FindingPlan;
}
