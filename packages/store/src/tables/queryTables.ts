/** Tables of saved queries, and of those that are watched. */

import type { Generated, Selectable } from 'kysely';
import type { BigInteger, GeneratedId, GeneratedTimestamp, Json, Timestamp } from './columnTypes.ts';

export interface SavedQueryTable {
  id: GeneratedId;
  /** Null for a query of an extension. */
  user_id: string | null;
  extension_id: number | null;
  name: string;
  query: string;
  description: string;
  is_public: Generated<boolean>;
  created_at: GeneratedTimestamp;
  updated_at: GeneratedTimestamp;
}

export interface SavedQueryShareTable {
  id: GeneratedId;
  query_id: BigInteger;
  user_id: string;
  created_at: GeneratedTimestamp;
}

/** The last run of a query that runs with each generation, and the last successful one (`found_...`). */
export interface QueryRunColumns {
  ran_at: Timestamp | null;
  query_ms: number | null;
  query_error: string | null;
  query_timed_out: Json<unknown> | null;
  query_warnings: string[] | null;
  found_at: Timestamp | null;
  found_columns: Generated<string[]>;
}

/** The row of such a run. */
export type QueryRun = Readonly<Omit<Selectable<QueryRunColumns>, 'query_timed_out'>>;

/** A saved query that runs with each generation. */
export interface QueryWatchTable extends QueryRunColumns {
  query_id: BigInteger;
  created_at: GeneratedTimestamp;
  /** Text of the query that found the rows. */
  found_query: string | null;
  /** Environments that its owner could see at that time; null for all. */
  found_environments: string[] | null;
  row_count: Generated<number>;
}

export interface QueryWatchRowTable {
  query_id: BigInteger;
  digest: Buffer;
  cells: Json<readonly unknown[]>;
}

export interface QueryWatchChangeTable {
  id: GeneratedId;
  query_id: BigInteger;
  changed_at: Timestamp;
  /** Otherwise it is a deleted row. */
  is_new: boolean;
  cells: Json<readonly unknown[]>;
}

export interface QueryWatchEventTable {
  query_id: BigInteger;
  changed_at: Timestamp;
  new_count: number;
  gone_count: number;
  environments: string[] | null;
}

/** The changes that the queries of a user made over the graph, for this user alone. */
export interface QueryLayerTable {
  id: GeneratedId;
  user_id: string;
  name: string;
  /** Increases with each change. */
  version: number;
  changes: Buffer;
  change_count: number;
  created_at: Timestamp;
  changed_at: Timestamp;
  ends_at: Timestamp;
}

export interface QueryTables {
  query_layer: QueryLayerTable;
  query_watch: QueryWatchTable;
  query_watch_row: QueryWatchRowTable;
  query_watch_change: QueryWatchChangeTable;
  query_watch_event: QueryWatchEventTable;
  saved_query: SavedQueryTable;
  saved_query_share: SavedQueryShareTable;
}
