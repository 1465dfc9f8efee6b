/** The last status of upload jobs whose facts a generation answers for. Rule: shared reference `api-behaviour.md` 7.4. */
import { JOB_STATUS } from '@clew/api';
import type pg from 'pg';

/** `partial`: some rules of the analysis failed; `failed`: all of it did. */
export type AnalysisOutcome = 'complete' | 'partial' | 'failed';

export async function finishJobs(
  client: pg.ClientBase,
  jobIds: readonly number[],
  outcome: AnalysisOutcome,
): Promise<void> {
  if (jobIds.length === 0) return;
  await client.query(
    `update upload_job
     set status = final.status, status_message = final.message, end_time = clock_timestamp(),
         updated_at = clock_timestamp()
     from (
       select id, case
         when $2 = 'failed' then ${JOB_STATUS.failed}
         when failed_files > 0 or partial_files > 0 or $2 = 'partial' then ${JOB_STATUS.partiallyComplete}
         else ${JOB_STATUS.complete} end as status, case
         when $2 = 'failed' then 'Analysis failed'
         when failed_files > 0 then failed_files || ' File(s) failed to ingest as JSON Content'
         when partial_files > 0 then partial_files || ' File(s) partially failed to ingest as JSON Content'
         when $2 = 'partial' then 'Partially Completed'
         else 'Complete' end as message
       from upload_job
     ) final
     where upload_job.id = final.id and upload_job.id = any ($1) and upload_job.status = ${JOB_STATUS.analyzing}`,
    [jobIds, outcome],
  );
}
