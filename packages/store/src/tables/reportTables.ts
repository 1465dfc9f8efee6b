/** Reports that users save, and their output. */
import type { GeneratedId, GeneratedTimestamp, Json, Timestamp } from './columnTypes.ts';

export type ReportSchedule = 'none' | 'weekly' | 'monthly';

export interface ReportTable {
  id: GeneratedId;
  /** Null after the user was deleted. */
  user_id: string | null;
  owner_name: string;
  name: string;
  audience: 'management' | 'operations';
  zone: number;
  /** Object id of the environment; null for all. */
  environment: string | null;
  days: number;
  masked: boolean;
  schedule: ReportSchedule;
  next_at: Timestamp | null;
  /** Why it is no longer generated. */
  ended: string | null;
  ended_at: Timestamp | null;
  /** The first failure since the last success, and its reason. */
  failed_at: Timestamp | null;
  failure: string | null;
  /** Environments that its owner could see when it was last generated; null for all. */
  environments: Json<readonly string[]> | null;
  created_at: GeneratedTimestamp;
}

export interface ReportIssueTable {
  id: GeneratedId;
  report_id: number;
  made_at: GeneratedTimestamp;
  generation: number;
  /** The schedule that generated it; null on request. */
  schedule: ReportSchedule | null;
  /** Environments that it covers; null for all. */
  environments: Json<readonly string[]> | null;
  content: Json<unknown>;
}

export interface ReportTables {
  report: ReportTable;
  report_issue: ReportIssueTable;
}
