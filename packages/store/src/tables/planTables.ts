/** Plans of zones, plans that users save and follow, and changes that are not possible. */
import type { Generated } from 'kysely';
import type { GeneratedId, GeneratedTimestamp, Json, Timestamp } from './columnTypes.ts';

/** A plan that a user intends to follow. */
export interface SavedPlanTable {
  id: GeneratedId;
  name: string;
  description: string;
  created_by: string;
  created_at: GeneratedTimestamp;
  /** The request as the API received it. */
  request: Json<unknown>;
  /** The expected effect when it was saved. */
  expected: Json<unknown>;
  /** Set when the plan is started. */
  adopted_at: Timestamp | null;
  /** The changes as text and as facts, and the state at the start of the plan. */
  adoption: Json<unknown> | null;
  /** The progress of the plan at the latest analysis. */
  progress: Json<unknown> | null;
  /** User; null in plans of earlier releases. */
  owner_id: string | null;
  /** Object ids of the environments of everything that it changed when it was saved; null in plans of earlier releases. */
  environments: Json<readonly string[]> | null;
  /** The steps that users marked as done. */
  marks: Json<unknown> | null;
}

/** Assignment of a repair of a started plan. */
export interface PlanRepairTable {
  plan_id: number;
  /** Its number in the plan, from 1. */
  repair: number;
  owner_id: string | null;
  /** A date, `YYYY-MM-DD`. */
  due: string | null;
  notes: Generated<string>;
  updated_by: string;
  updated_at: GeneratedTimestamp;
}

export type PlanEventKind = 'done' | 'undone' | 'contradicted' | 'overdue';

/** An event of a repair of a started plan. */
export interface PlanEventTable {
  id: GeneratedId;
  plan_id: number;
  /** Its place in the plan, from 1. */
  repair: number;
  /** Number of one change; null for the whole repair. */
  change: number | null;
  kind: PlanEventKind;
  /** Names the event in its plan, so that it is noted once. */
  cause: string;
  happened_at: Timestamp;
  noted_at: GeneratedTimestamp;
  /** User who marked the change as done, and when. */
  said_by: string | null;
  said_at: Timestamp | null;
}

export type PlanState = 'computing' | 'complete' | 'failed';

/** The plan of a zone for a generation and its inputs. */
export interface ZonePlanTable {
  zone: number;
  generation: number;
  /** Fingerprint of costs, goal and constraints. */
  basis: string;
  state: PlanState;
  /** Time at which the generation was published. */
  published_at: Timestamp;
  started_at: GeneratedTimestamp;
  finished_at: Timestamp | null;
  /** Progress. */
  cards: number;
  exposed: number | null;
  plan: Json<unknown> | null;
  fault: string | null;
}

/** `unneeded`: no one needs what the changes remove; the other subjects cannot be changed. */
export type ConstraintSubject = 'repairs' | 'object' | 'kind' | 'container' | 'unneeded';

/** Constraints on changes that are not possible. */
export interface PlanConstraintTable {
  id: GeneratedId;
  subject: ConstraintSubject;
  title: string;
  repairs: Json<unknown> | null;
  object_id: string | null;
  repair_kind: string | null;
  reason: string;
  until: Timestamp | null;
  created_by: string;
  created_at: GeneratedTimestamp;
  /** The bulk change that created it, while that can be undone. */
  bulk_change_id: number | null;
}

/** A user's answer whether a certification authority has the update of November 2024 (CVE-2024-49019). */
export interface AuthorityAnswerTable {
  /** Object id. */
  authority_id: string;
  /** The name of the authority when the question was answered. */
  name: string;
  is_updated: boolean;
  answered_by: string;
  answered_at: GeneratedTimestamp;
}

/** A finding that a repair of a plan closed when the plan was started, by its subject. */
export interface PlanFindingTable {
  plan_id: number;
  /** Its place in the plan, from 1. */
  repair: number;
  environment_id: string;
  tag_id: number;
  finding: string;
  /** Empty for list findings. */
  source_id: string;
  target_id: string;
}

/** A transcript or backup of a kit, as evidence of changes of a started plan. */
export interface PlanEvidenceTable {
  id: GeneratedId;
  plan_id: number;
  attachment_id: number;
  kind: 'transcript' | 'backup';
  /** Claims of the file about changes of the plan. */
  claims: Json<readonly object[]>;
  added_by: string;
  added_at: GeneratedTimestamp;
}

export interface PlanTables {
  plan_evidence: PlanEvidenceTable;
  saved_plan: SavedPlanTable;
  plan_repair: PlanRepairTable;
  plan_event: PlanEventTable;
  plan_finding: PlanFindingTable;
  zone_plan: ZonePlanTable;
  plan_constraint: PlanConstraintTable;
  authority_answer: AuthorityAnswerTable;
}
