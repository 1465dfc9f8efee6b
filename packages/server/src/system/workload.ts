/** Pending and completed work, and the duration of the latest analysis, for metrics. */
import { JOB_STATUS } from '@clew/api';
import type { Db } from '@clew/store';
import { sql } from 'kysely';
import type { Workload } from './metrics/metricSources.ts';

interface Row {
  readonly queued_bytes: string | number;
  readonly oldest_seconds: number | null;
  readonly ingested: Workload['ingested'] | null;
  readonly steps: Readonly<Record<string, number>> | null;
}

export async function workload(db: Db): Promise<Workload> {
  const { rows } = await sql<Row>`
    select
      (select coalesce(sum(file.size), 0) from upload_file file join upload_job job on job.id = file.job_id
        where job.status = ${JOB_STATUS.ingesting}) as queued_bytes,
      (select extract(epoch from clock_timestamp() - min(end_time))::float8 from upload_job
        where status = ${JOB_STATUS.ingesting}) as oldest_seconds,
      (select value from setting where key = 'ingest.sums') as ingested,
      (select report -> 'ms' from generation order by id desc limit 1) as steps`.execute(db);
  const [{ queued_bytes, oldest_seconds, ingested, steps }] = rows;
  return {
    queuedBytes: Number(queued_bytes),
    oldestSeconds: Math.max(0, oldest_seconds ?? 0),
    ingested: ingested ?? { jobs: 0, objects: 0, seconds: 0 },
    steps: new Map(Object.entries(steps ?? {}).map(([step, ms]) => [step, ms / 1000])),
  };
}
