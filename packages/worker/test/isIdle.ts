/** Whether no upload job is waiting. */
import { JOB_STATUS } from '@clew/api';
import type { Database } from '@clew/store';

export async function isIdle({ db }: Database): Promise<boolean> {
  const waiting = await db
    .selectFrom('upload_job')
    .select('id')
    .where('status', 'in', [JOB_STATUS.ingesting, JOB_STATUS.analyzing])
    .executeTakeFirst();
  return waiting === undefined;
}
