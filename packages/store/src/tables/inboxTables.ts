/** Tables of the inbox of changes. */
import type { Generated } from 'kysely';
import type { GeneratedId, GeneratedTimestamp, Timestamp } from './columnTypes.ts';

export interface InboxMarkTable {
  user_id: string;
  /** Names a row of the inbox. */
  key: string;
  done_at: GeneratedTimestamp;
}

export interface InboxReadTable {
  user_id: string;
  /** All changes up to this time are read. */
  read_before: Timestamp;
}

/** A user whom a note mentions. */
export interface MentionTable {
  id: GeneratedId;
  user_id: string;
  /** `repair`, `change`, `acceptance`, `constraint` or `certification`. */
  place: string;
  plan_id: number | null;
  /** Place of the repair or the change in its plan, from 1. */
  number: number | null;
  finding_id: number | null;
  constraint_id: number | null;
  zone_id: number | null;
  /** Object ids of the environments of all that the note is about; only of certifications. */
  environments: string[] | null;
  /** Findings or members that the note is about together. */
  count: Generated<number>;
  /** The beginning of the note. */
  text: string;
  mentioned_by: string;
  mentioned_at: GeneratedTimestamp;
}

export interface InboxTables {
  mention: MentionTable;
  inbox_mark: InboxMarkTable;
  inbox_read: InboxReadTable;
}
