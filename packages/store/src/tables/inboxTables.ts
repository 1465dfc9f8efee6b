/** Tables of the inbox of changes. */
import type { GeneratedTimestamp, Timestamp } from './columnTypes.ts';

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

export interface InboxTables {
  inbox_mark: InboxMarkTable;
  inbox_read: InboxReadTable;
}
