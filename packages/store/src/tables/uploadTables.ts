/** Received uploads, and the outcome of each file. */
import type { ColumnType, Generated } from 'kysely';
import type { GeneratedId, GeneratedTimestamp, Json, Timestamp } from './columnTypes.ts';

export interface UploadJobTable {
  id: GeneratedId;
  user_id: string | null;
  /** Null for collectors, and for users without one. */
  user_email_address: string | null;
  /** Collector that uploaded the batch; null for manual uploads. */
  client_id: string | null;
  /** Numbers of `JobStatus`. */
  status: number;
  status_message: Generated<string>;
  start_time: GeneratedTimestamp;
  /** The zero time until the job ends. */
  end_time: GeneratedTimestamp;
  /** Last activity of the uploader. */
  last_ingest: GeneratedTimestamp;
  /** Number of times its ingest was started. */
  attempts: Generated<number>;
  /** Number of times its own ingest failed. */
  failures: Generated<number>;
  total_files: Generated<number>;
  failed_files: Generated<number>;
  /** Files with some rejected records. */
  partial_files: Generated<number>;
  created_at: GeneratedTimestamp;
  updated_at: GeneratedTimestamp;
  deleted_at: Timestamp | null;
  /** The generation that shows its facts; null until one does, and for jobs without facts. */
  generation: number | null;
  /** Trace of the request that ended the upload (W3C Trace Context). */
  traceparent: string | null;
}

export interface UploadFileTable {
  id: GeneratedId;
  job_id: number;
  name: string;
  content_type: string;
  size: ColumnType<number, number | undefined, number>;
  sha256: Buffer | null;
  received_at: GeneratedTimestamp;
  /** False during the upload: no reader sees the file until then. */
  complete: Generated<boolean>;
  /** Uploaded by a collector: the same content is stored once per job. */
  batch: Generated<boolean>;
}

export interface UploadChunkTable {
  file_id: number;
  number: number;
  bytes: Buffer;
  /** `bytes` is a zstd frame. */
  packed: Generated<boolean>;
}

/** A processed file of a job; also a file in an archive. */
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

/** A kind of relationship that lost a large share in an environment through the job. */
export interface RelationshipFallTable {
  job_id: number;
  environment_id: string;
  kind_id: number;
  removed_count: number;
  before_count: number;
  /** Whether the files describe what their run collected, for at least half of the removed relationships. */
  names_methods: boolean;
}

export interface UploadTables {
  relationship_fall: RelationshipFallTable;
  upload_job: UploadJobTable;
  upload_file: UploadFileTable;
  upload_chunk: UploadChunkTable;
  ingest_task: IngestTaskTable;
}
