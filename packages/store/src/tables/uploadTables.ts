/** Uploads as they were received, and the outcome of each file. */
import type { ColumnType, Generated } from 'kysely';
import type { GeneratedId, GeneratedTimestamp, Json, Timestamp } from './columnTypes.ts';

export interface UploadJobTable {
  id: GeneratedId;
  user_id: string | null;
  /** Null for collectors, and users without one. */
  user_email_address: string | null;
  /** Collector whose batch this is; null for manual uploads. */
  client_id: string | null;
  /** Numbers of `JobStatus`. */
  status: number;
  status_message: Generated<string>;
  start_time: GeneratedTimestamp;
  /** The zero time until there is one. */
  end_time: GeneratedTimestamp;
  /** Last activity of the uploader. */
  last_ingest: GeneratedTimestamp;
  /** How often its ingest was started. */
  attempts: Generated<number>;
  /** How often its ingest failed by itself. */
  failures: Generated<number>;
  total_files: Generated<number>;
  failed_files: Generated<number>;
  /** Files of which some records were rejected. */
  partial_files: Generated<number>;
  created_at: GeneratedTimestamp;
  updated_at: GeneratedTimestamp;
  deleted_at: Timestamp | null;
  /** Shows its facts; null until one does, and for jobs without facts. */
  generation: number | null;
}

export interface UploadFileTable {
  id: GeneratedId;
  job_id: number;
  name: string;
  content_type: string;
  size: ColumnType<number, number | undefined, number>;
  sha256: Buffer | null;
  received_at: GeneratedTimestamp;
  /** False while bytes are still coming: no reader sees the file before. */
  complete: Generated<boolean>;
  /** A collector's: the same content is stored once per job. */
  batch: Generated<boolean>;
}

export interface UploadChunkTable {
  file_id: number;
  number: number;
  bytes: Buffer;
  /** `bytes` is a zstd frame. */
  packed: Generated<boolean>;
}

/** One processed file of a job; a file inside an archive is one, too. */
export interface IngestTaskTable {
  id: GeneratedId;
  job_id: number;
  number: number;
  file_name: string;
  parent_file_name: string;
  /** `ok`, `partial` (some records rejected) or `failed`. */
  outcome: string;
  errors: string[];
  report: Json<unknown>;
  created_at: GeneratedTimestamp;
}

/** A kind of relationship of which the job removed a large part from an environment. */
export interface RelationshipFallTable {
  job_id: number;
  environment_id: string;
  kind_id: number;
  removed_count: number;
  before_count: number;
  /** False: most of them went by files that do not say what their run collected. */
  names_methods: boolean;
}

export interface UploadTables {
  relationship_fall: RelationshipFallTable;
  upload_job: UploadJobTable;
  upload_file: UploadFileTable;
  upload_chunk: UploadChunkTable;
  ingest_task: IngestTaskTable;
}
