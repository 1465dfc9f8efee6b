/** `clew jobs`, `clew job-log` and `clew client cancel`: runs of collectors. */
import { setTimeout as sleep } from 'node:timers/promises';
import { FINAL_JOB_STATUSES, jobMessage } from '@clew/api';
import { type ConnectionOptions, connect, type ThingCommand } from '../connection.ts';
import type { Context } from '../context.ts';
import { orNotFound } from '../failure.ts';
import { formatTable } from '../terminal/table.ts';
import { printable, writeJson } from '../terminal/text.ts';
import { shownTime } from '../terminal/time.ts';
import { chosenClient } from './clients.ts';
import { statusName } from './status.ts';

const COLUMNS = [
  { title: 'JOB', align: 'right' },
  { title: 'CLIENT' },
  { title: 'STATUS' },
  { title: 'PLANNED' },
  { title: 'STARTED' },
  { title: 'ENDED' },
  { title: 'MESSAGE' },
] as const;

export interface JobsOptions extends ConnectionOptions {
  readonly client?: string;
  readonly limit: number;
  readonly json?: boolean;
}

export async function collectorJobs(context: Context, options: JobsOptions): Promise<void> {
  const { out, err, signal } = context;
  const client = await connect(context, options);
  const of = options.client === undefined ? undefined : await chosenClient(client, options.client, signal);
  const query = {
    limit: options.limit,
    sort_by: '-id',
    ...(of !== undefined && { client_id: `eq:${of.id}` }),
  };
  const { data, count } = await client.call('GetClientJobs', { query }, { signal });
  if (options.json) return writeJson(out, data);
  if (data.length === 0) err.write('No jobs yet; "clew client collect NAME" starts one.\n');
  const rows = data.map((job) => [
    job.id,
    job.client_name,
    // "receiving files" is used for uploads.
    job.status === 1 ? 'running' : statusName(job.status),
    shownTime(job.execution_time),
    shownTime(job.start_time),
    shownTime(job.end_time),
    jobMessage(job),
  ]);
  out.write(formatTable(out, COLUMNS, rows));
  if (count > data.length) err.write(`The latest ${data.length} of ${count} jobs; --limit shows more.\n`);
}

const notFound = (jobId: number): string => `collection ${jobId} not found: "clew jobs" lists the latest`;

const FOLLOW_MS = 2_000;

export interface JobLogOptions extends ConnectionOptions {
  /** Until the job ends. */
  readonly follow?: boolean;
}

export const jobLog: ThingCommand<JobLogOptions, number> = async (context, jobId, options) => {
  const { out, signal } = context;
  const client = await connect(context, options);
  const params = { job_id: jobId };
  let shown = new Set<string>();
  for (;;) {
    // The status first: lines written in between are shown in the next iteration.
    const { data: job } = await orNotFound(
      client.call('GetClientJob', { params }, { signal }),
      notFound(jobId),
    );
    const { data } = await client.call('GetClientJobLog', { params }, { signal });
    const lines = data.log.split('\n').filter((line) => line !== '');
    // Lines about ingest have the times of their events, so new ones may appear between others.
    for (const line of lines.filter((one) => !shown.has(one))) out.write(`${printable(line)}\n`);
    shown = new Set(lines);
    if (options.follow !== true || FINAL_JOB_STATUSES.some((status) => status === job.status)) return;
    await sleep(FOLLOW_MS, undefined, { signal });
  }
};

export const cancelCollectorJob: ThingCommand<ConnectionOptions, number> = async (
  context,
  jobId,
  options,
) => {
  const client = await connect(context, options);
  await orNotFound(
    client.call('CancelClientJob', { params: { job_id: jobId } }, { signal: context.signal }),
    notFound(jobId),
  );
  context.err.write(`Job ${jobId} is canceled; its data is discarded.\n`);
};
