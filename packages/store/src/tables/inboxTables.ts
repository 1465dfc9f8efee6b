/** Tables of the inbox of changes. */
import type { Generated } from 'kysely';
import type { GeneratedId, GeneratedTimestamp, Timestamp } from './columnTypes.ts';

export interface InboxMarkTable {
  user_id: string;
  /** Identifies a row of the inbox. */
  key: string;
  done_at: GeneratedTimestamp;
}

export interface InboxReadTable {
  user_id: string;
  /** All earlier changes are read. */
  read_before: Timestamp;
}

/** A user mentioned in a note. */
export interface MentionTable {
  id: GeneratedId;
  user_id: string;
  /** `repair`, `change`, `acceptance`, `constraint` or `certification`. */
  place: string;
  plan_id: number | null;
  /** Number of the repair or change in its plan, from 1. */
  number: number | null;
  finding_id: number | null;
  constraint_id: number | null;
  zone_id: number | null;
  /** Object ids of the environments of everything the note is about; only for certifications. */
  environments: string[] | null;
  /** Number of findings or members that the note is about. */
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
