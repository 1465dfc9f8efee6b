/** Plans: those of zones, those that people save and follow, and changes that are not possible. */
import type { Generated } from 'kysely';
import type { GeneratedId, GeneratedTimestamp, Json, Timestamp } from './columnTypes.ts';

/** A plan that someone means to follow. */
export interface SavedPlanTable {
  id: GeneratedId;
  name: string;
  description: string;
  created_by: string;
  created_at: GeneratedTimestamp;
  /** The request as the API received it. */
  request: Json<unknown>;
  /** The effect that it would have had when it was saved. */
  expected: Json<unknown>;
  /** Set once it is being carried out. */
  adopted_at: Timestamp | null;
  /** The changes as text and as facts, and the state when the plan was started. */
  adoption: Json<unknown> | null;
  /** The result of the newest analysis for it. */
  progress: Json<unknown> | null;
  /** User; null in plans of earlier releases. */
  owner_id: string | null;
  /** Object ids of the environments of all that it changes, when it was saved; null in plans of earlier releases. */
  environments: Json<readonly string[]> | null;
  /** The steps that people marked as done. */
  marks: Json<unknown> | null;
}

/** Assignment of a repair of a started plan. */
export interface PlanRepairTable {
  plan_id: number;
  /** Its place in the plan, from 1. */
  repair: number;
  owner_id: string | null;
  /** The day, `YYYY-MM-DD`. */
  due: string | null;
  notes: Generated<string>;
  updated_by: string;
  updated_at: GeneratedTimestamp;
}

export type PlanState = 'computing' | 'complete' | 'failed';

/** The plan of a zone for a generation, by its inputs. */
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
  /** How far it is. */
  cards: number;
  exposed: number | null;
  plan: Json<unknown> | null;
  fault: string | null;
}

/** `unneeded`: no one needs what the changes take; the others cannot be changed. */
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
  /** The change of many findings that made it, while that can be undone. */
  bulk_change_id: number | null;
}

/** Whether a certification authority has the update of November 2024 (CVE-2024-49019), as someone answered. */
export interface AuthorityAnswerTable {
  /** Object id. */
  authority_id: string;
  /** The name of the authority when the question was answered. */
  name: string;
  is_updated: boolean;
  answered_by: string;
  answered_at: GeneratedTimestamp;
}

export interface PlanTables {
  saved_plan: SavedPlanTable;
  plan_repair: PlanRepairTable;
  zone_plan: ZonePlanTable;
  plan_constraint: PlanConstraintTable;
  authority_answer: AuthorityAnswerTable;
}
