/**
 * Receives one uploaded file: it is stored as received, in chunks, before it is acknowledged. Each chunk is
 * written in its own transaction, so a slow client holds no connection. The file becomes valid only when its last
 * byte has arrived and passed the checks while the job is still open.
 */
import { createHash } from 'node:crypto';
import { ACCEPTED_UPLOAD_TYPES, type ErrorCode, JOB_STATUS } from '@clew/api';
import {
  type FileFaultCode,
  looksLikeArchive,
  looksLikeEmptyArchive,
  UploadValidator,
} from '@clew/collections';
import { ApiError, apiError } from '@clew/common';
import type { Db } from '@clew/store';
import { sql } from 'kysely';
import { safeFileName } from './fileName.ts';
import { ChunkWriter } from './uploadChunks.ts';
import { findUploadJob } from './uploadJobs.ts';
import type { UploadRoom } from './uploadRoom.ts';

/** Interval for updating the activity of a job during a long upload, which prevents its timeout. */
const ACTIVITY_INTERVAL_MS = 60_000;

export interface UploadedFile {
  /** Header `X-File-Upload-Name`. */
  readonly name: string | undefined;
  /** Header `Content-Type`. */
  readonly contentType: string | undefined;
  /** Whether it is a batch of a collector, which may be repeated: each content is stored once per job. */
  readonly isBatch?: boolean;
  /** The decoded body. If it ends with an error (connection, invalid compression), nothing is kept. */
  readonly stream: AsyncIterable<Uint8Array>;
}

export interface UploadLimits {
  readonly uploadBytes: number;
  /** Checks for free space before and during the upload; no limit if absent. */
  readonly room?: UploadRoom;
}

/** Number of bytes between two checks for free space. */
const ROOM_BYTES = 16 * 1024 * 1024;

type UploadKind = 'json' | 'zip';

export interface StoredFile {
  readonly id: number;
  /** Number of bytes read. */
  readonly size: number;
  readonly sha256: Buffer;
  /** Whether the job already has this batch, so that it was not stored again. */
  readonly isRepeated: boolean;
}

/** @throws ApiError if the job does not accept files, or the file is invalid */
export async function storeUpload(
  db: Db,
  jobId: number,
  file: UploadedFile,
  limits: UploadLimits,
): Promise<StoredFile> {
  const job = await findUploadJob(db, jobId);
  if (job === undefined) throw apiError('resourceNotFound');
  if (job.status !== JOB_STATUS.running) throw apiError('jobNotRunningForFiles');
  const kind = uploadKind(file.contentType);
  await limits.room?.();
  const { id } = await db
    .insertInto('upload_file')
    .values({ job_id: jobId, name: '', content_type: kind })
    .returning('id')
    .executeTakeFirstOrThrow();
  const writer = new ChunkWriter(db, id, kind === 'json');
  try {
    const check = kind === 'json' ? new JsonCheck() : new ArchiveCheck();
    const content = await storeContent(db, jobId, writer, file.stream, check, limits);
    check.finish();
    const name = safeFileName(file.name, `${file.isBatch === true ? 'batch' : 'upload'}-${id}.${kind}`);
    const isRepeated = await complete(db, jobId, { id, name, isBatch: file.isBatch === true }, content);
    return { id, size: content.size, sha256: content.sha256, isRepeated };
  } catch (error) {
    await writer.settle();
    await db.deleteFrom('upload_file').where('id', '=', id).execute();
    throw error;
  }
}

/** Deletes partial uploads of services that were killed. @returns the number of files */
export async function removeAbandonedUploads(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('upload_file')
    .where('complete', '=', false)
    .where('job_id', 'in', (eb) =>
      eb.selectFrom('upload_job').select('id').where('status', '!=', JOB_STATUS.running),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

function uploadKind(contentType: string | undefined): UploadKind {
  const mediaType = (contentType ?? '').split(';')[0].trim().toLowerCase();
  if (!(ACCEPTED_UPLOAD_TYPES as readonly string[]).includes(mediaType)) throw apiError('uploadContentType');
  return mediaType === 'application/json' ? 'json' : 'zip';
}

interface StoredContent {
  readonly size: number;
  readonly sha256: Buffer;
  readonly chunks: number;
}

async function storeContent(
  db: Db,
  jobId: number,
  writer: ChunkWriter,
  stream: AsyncIterable<Uint8Array>,
  check: ContentCheck,
  limits: UploadLimits,
): Promise<StoredContent> {
  const hash = createHash('sha256');
  let size = 0;
  let roomSeenAt = 0;
  // Uses a monotonic clock: if the clock jumps back, the job would be considered inactive.
  let active = performance.now();
  for await (const piece of stream) {
    size += piece.length;
    if (size - roomSeenAt > ROOM_BYTES) {
      roomSeenAt = size;
      await limits.room?.();
    }
    if (size > limits.uploadBytes) throw apiError('bodyTooLarge', { limit: limits.uploadBytes });
    hash.update(piece);
    check.write(piece);
    await writer.write(piece);
    if (performance.now() - active > ACTIVITY_INTERVAL_MS) {
      active = performance.now();
      await touch(db, jobId);
    }
  }
  const chunks = await writer.finish();
  return { size, sha256: hash.digest(), chunks };
}

async function touch(db: Db, jobId: number): Promise<void> {
  await db
    .updateTable('upload_job')
    .set({ last_ingest: sql`clock_timestamp()`, updated_at: sql`clock_timestamp()` })
    .where('id', '=', jobId)
    .where('status', '=', JOB_STATUS.running)
    .execute();
}

async function complete(
  db: Db,
  jobId: number,
  { id: fileId, name, isBatch }: { readonly id: number; readonly name: string; readonly isBatch: boolean },
  { size, sha256, chunks }: StoredContent,
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    // Locks the job, so it cannot end between this check and the commit.
    const { numUpdatedRows } = await transaction
      .updateTable('upload_job')
      .set({ last_ingest: sql`clock_timestamp()`, updated_at: sql`clock_timestamp()` })
      .where('id', '=', jobId)
      .where('status', '=', JOB_STATUS.running)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw apiError('jobNotRunningForFiles');
    if (isBatch && (await hasBatch(transaction, jobId, sha256))) {
      await transaction.deleteFrom('upload_file').where('id', '=', fileId).execute();
      return true;
    }
    const { stored } = await transaction
      .selectFrom('upload_chunk')
      .select((eb) => eb.fn.countAll<string>().as('stored'))
      .where('file_id', '=', fileId)
      .executeTakeFirstOrThrow();
    if (Number(stored) !== chunks) {
      throw apiError('notReady', {
        reason: 'the database was restarted and lost part of the upload; send it again',
      });
    }
    await transaction
      .updateTable('upload_file')
      .set({ name, size, sha256, complete: true, batch: isBatch, received_at: sql`clock_timestamp()` })
      .where('id', '=', fileId)
      .execute();
    return false;
  });
}

/** @returns whether the job already has a batch with this content */
export async function hasBatch(db: Db, jobId: number, sha256: Buffer): Promise<boolean> {
  const found = await db
    .selectFrom('upload_file')
    .select('id')
    .where('job_id', '=', jobId)
    .where('batch', '=', true)
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  return found !== undefined;
}

/** Checks a file while it is streamed. */
interface ContentCheck {
  write(piece: Uint8Array): void;
  /** @throws ApiError if the file does not match its media type */
  finish(): void;
}

class JsonCheck implements ContentCheck {
  readonly #validator = new UploadValidator();

  write(piece: Uint8Array): void {
    this.#validator.write(piece);
  }

  finish(): void {
    const verdict = this.#validator.finish();
    if (!('code' in verdict)) return;
    const code = ANSWERS[verdict.code] ?? 'uploadNotJson';
    if (verdict.problems !== undefined) {
      throw new ApiError('uploadSchema', apiError('uploadSchema').message, { details: verdict.problems });
    }
    const at = verdict.offset === undefined ? '' : ` (at byte ${verdict.offset})`;
    const { message } = apiError(code);
    const reason = `${verdict.message}${at}`;
    // The general message alone would not explain the fault of a file that has other members.
    if (code === 'uploadNoMetaOrData')
      throw new ApiError(code, reason.startsWith(message) ? reason : `${message}: ${reason}`);
    throw new ApiError(code, message, { details: [reason] });
  }
}

/** Errors with a specific message; all others are reported as "not valid json". */
const ANSWERS: Partial<Record<FileFaultCode, Extract<ErrorCode, `upload${string}`>>> = {
  'no-meta': 'uploadNoMeta',
  'no-data': 'uploadNoData',
  'no-tags': 'uploadNoMetaOrData',
  'invalid-data': 'uploadInvalidData',
  'unknown-type': 'uploadNoMeta',
  'mixed-formats': 'uploadNoMetaOrData',
  'repeated-member': 'uploadNoMetaOrData',
  'not-object': 'uploadNoMetaOrData',
};

const MAGIC_BYTES = 4;

class ArchiveCheck implements ContentCheck {
  #head = Buffer.alloc(0);

  write(piece: Uint8Array): void {
    if (this.#head.length < MAGIC_BYTES)
      this.#head = Buffer.concat([this.#head, piece.subarray(0, MAGIC_BYTES)]);
  }

  finish(): void {
    if (looksLikeArchive(this.#head)) return;
    if (looksLikeEmptyArchive(this.#head))
      throw new ApiError('uploadNotZip', 'Error saving ingest file: the archive has no files');
    // Clients show only the longer of two messages with the same beginning.
    const details = ['file is not a zip archive: it does not start like one'];
    throw new ApiError('uploadNotZip', apiError('uploadNotZip').message, { details });
  }
}
