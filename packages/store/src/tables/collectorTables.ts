/** Collector clients, their schedules and jobs, and the state of each run. */
import type { ColumnType, Generated } from 'kysely';
import type { BigInteger, GeneratedId, GeneratedTimestamp, Json, Timestamp } from './columnTypes.ts';

export type CollectorType = 'sharphound' | 'azurehound' | 'openhound' | 'clew';

/** The scope of a run. */
export interface CollectionScopeColumns {
  session_collection: Generated<boolean>;
  local_group_collection: Generated<boolean>;
  ad_structure_collection: Generated<boolean>;
  cert_services_collection: Generated<boolean>;
  ca_registry_collection: Generated<boolean>;
  dc_registry_collection: Generated<boolean>;
  all_trusted_domains: Generated<boolean>;
  /** Object ids. */
  ous: Generated<string[]>;
  /** Object ids. */
  domains: Generated<string[]>;
}

export interface CollectorClientTable {
  id: string;
  name: string;
  type: CollectorType;
  domain_controller: string | null;
  /** Null until the collector reports it; so is the next column. */
  ip_address: string | null;
  hostname: string | null;
  configured_user: Generated<string>;
  version: Generated<string>;
  user_sid: string | null;
  /** The zero time until the first check-in. */
  last_checkin: GeneratedTimestamp;
  created_at: GeneratedTimestamp;
  updated_at: GeneratedTimestamp;
}

export interface CollectorClientViewTable extends CollectorClientTable {
  current_job_id: number | null;
  completed_job_count: number;
}

export interface CollectionEventTable extends CollectionScopeColumns {
  id: GeneratedId;
  client_id: string;
  rrule: string;
  /** Null if the schedule has no further run. */
  next_scheduled_at: Timestamp | null;
  created_at: GeneratedTimestamp;
  updated_at: GeneratedTimestamp;
}

/** Jobs of collectors; a run that uploaded its data has the status of its ingest. */
export interface CollectorJobViewTable extends CollectionScopeColumns {
  id: GeneratedId;
  /** Null if the client was removed. */
  client_id: string | null;
  client_name: string;
  event_id: number | null;
  event_title: Generated<string>;
  /** Numbers of `JobStatus`. */
  status: Generated<number>;
  status_message: Generated<string>;
  execution_time: Timestamp;
  /** The zero time until it is known, like the next two. */
  start_time: GeneratedTimestamp;
  end_time: GeneratedTimestamp;
  last_ingest: GeneratedTimestamp;
  /** Receives the batches, from the start of the run. */
  upload_job_id: number | null;
  refused_batches: Generated<number>;
  domain_controller: Generated<string>;
  created_at: GeneratedTimestamp;
  updated_at: GeneratedTimestamp;
}

export interface CollectorJobTable extends CollectorJobViewTable {
  log_bytes: Generated<number>;
  /** Lines that exceed the limit of the log. */
  dropped_lines: Generated<number>;
}

export interface CollectorJobResultTable {
  id: GeneratedId;
  job_id: number;
  domain_name: string;
  success: boolean;
  message: string;
  /** Numbers of objects by count name. */
  counts: Json<Readonly<Record<string, number>>>;
  created_at: GeneratedTimestamp;
}

export interface CollectorJobLineTable {
  id: GeneratedId;
  job_id: number;
  at: GeneratedTimestamp;
  /** Whether the collector wrote the text, rather than the service. */
  by_collector: boolean;
  text: string;
  /** Digest of the time and text that the collector sent; null for lines without a time. */
  line_key: Buffer | null;
}

export interface DirectoryReadingTable {
  /** Object id of the domain or tenant. */
  environment_id: string;
  name: string;
  controller: string;
  /** Null for a tenant. */
  usn: BigInteger | null;
  account: string;
  reported_by: string;
  /** Null until the first full reading. */
  last_full_at: Timestamp | null;
  last_read_at: GeneratedTimestamp;
  notes: ColumnType<ReadingNote[], string | undefined, string>;
}

interface ReadingNote {
  readonly what: string;
  readonly count: number;
  readonly first: string;
}

export interface CollectorTables {
  collector_client: CollectorClientTable;
  collector_client_view: CollectorClientViewTable;
  collection_event: CollectionEventTable;
  collector_job: CollectorJobTable;
  collector_job_view: CollectorJobViewTable;
  collector_job_result: CollectorJobResultTable;
  collector_job_line: CollectorJobLineTable;
  directory_reading: DirectoryReadingTable;
}
