/** Uploads as they were received, and what became of each file. */
import type { BigInteger, GeneratedId, GeneratedTimestamp, Json, Timestamp } from './columnTypes.ts';

export interface UploadJobTable {
  id: GeneratedId;
  user_id: string | null;
  user_email: string | null;
  /** Collector whose batch this is; null for manual uploads. */
  client_id: string | null;
  /** Numbers of `JobStatus`. */
  status: number;
  status_message: string;
  start_time: GeneratedTimestamp;
  end_time: Timestamp | null;
  /** Last activity of the uploader. */
  last_ingest: GeneratedTimestamp;
  total_files: number;
  failed_files: number;
  /** Files of which some records were rejected. */
  partial_files: number;
  updated_at: GeneratedTimestamp;
}

export interface UploadFileTable {
  id: GeneratedId;
  job_id: number;
  name: string;
  content_type: string;
  size: BigInteger;
  sha256: Buffer | null;
  received_at: GeneratedTimestamp;
  /** False while bytes are still coming: nobody sees the file before. */
  complete: boolean;
}

export interface UploadChunkTable {
  file_id: number;
  number: number;
  bytes: Buffer;
}

/** One processed file of a job; a file inside an archive is one, too. */
export interface IngestTaskTable {
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

export interface UploadTables {
  upload_job: UploadJobTable;
  upload_file: UploadFileTable;
  upload_chunk: UploadChunkTable;
  ingest_task: IngestTaskTable;
}
