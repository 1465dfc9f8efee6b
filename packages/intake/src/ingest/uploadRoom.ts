/**
 * Checks whether there is room for more uploads. Uploads are rejected before the disk is full, because a full disk
 * stops the whole service.
 */
import { JOB_STATUS } from '@clew/api';
import { apiError, requireSpace } from '@clew/common';
import type { Db } from '@clew/store';
import { sql } from 'kysely';

export interface UploadRoomLimits {
  /** Maximum bytes of stored uploads. */
  readonly waitingBytes: number;
  /** Bytes of disk space that uploads must leave free. */
  readonly freeBytes: number;
  /** A directory on the disk of the database, if the database runs on this machine. */
  readonly directory?: string;
}

/** @throws ApiError 507 */
export type UploadRoom = () => Promise<void>;

export function uploadRoom(db: Db, limits: UploadRoomLimits): UploadRoom {
  return async () => {
    if (limits.directory !== undefined) await requireSpace(limits.directory, limits.freeBytes);
    const bytes = await keptBytes(db);
    if (bytes >= limits.waitingBytes) throw apiError('quotaReached', { bytes, limit: limits.waitingBytes });
  };
}

/** Bytes of uploads that wait for ingest, or are kept after their job was given up. */
async function keptBytes(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`
    select coalesce(sum(size), 0) as bytes from upload_file file
    where job_id in (
        select id from upload_job
        where status in (${JOB_STATUS.running}, ${JOB_STATUS.ingesting}, ${JOB_STATUS.failed})
      ) and exists (select from upload_chunk where file_id = file.id and number = 0)`.execute(db);
  return Number(rows[0].bytes);
}
