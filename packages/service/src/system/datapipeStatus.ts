/** What the data pipe is doing, read from what is left to do. Rule: `docs/reference/api.md#data-pipe`. */
import { type DatapipeStatus, JOB_STATUS, ZERO_TIME } from '@clew/api';
import type { Db } from '@clew/store';
import { sql } from 'kysely';

interface Row {
  readonly ingesting: boolean;
  readonly analyzing: boolean;
  readonly updated_at: string | null;
  readonly published_at: string | null;
}

/** Jobs and facts move on in the transactions of the work itself, so there is no idle moment between two steps. */
export async function datapipeStatus(db: Db): Promise<DatapipeStatus> {
  const { rows } = await sql<Row>`
    with latest as (select * from generation order by id desc limit 1)
    select
      exists (select from upload_job where status = ${JOB_STATUS.ingesting}) as ingesting,
      exists (select from upload_job where status = ${JOB_STATUS.analyzing})
        or (select version from facts_state) > coalesce((select facts_version from latest), 0) as analyzing,
      greatest((select max(updated_at) from upload_job), (select published_at from latest)) as updated_at,
      (select published_at from latest) as published_at`.execute(db);
  const [{ ingesting, analyzing, updated_at, published_at }] = rows;
  return {
    status: ingesting ? 'ingesting' : analyzing ? 'analyzing' : 'idle',
    updated_at: updated_at ?? ZERO_TIME,
    last_complete_analysis_at: published_at ?? ZERO_TIME,
    last_analysis_run_at: published_at ?? ZERO_TIME,
    // Analysis follows each ingest; there is none at a set time.
    next_scheduled_analysis_at: ZERO_TIME,
  };
}
