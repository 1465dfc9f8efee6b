/** Operations of users on collector jobs: create, list, read, cancel, log; each also under its older name. */

import { type ClientJob, JOB_COLUMNS, JOB_STATUS, type JobRequest } from '@clew/api';
import {
  apiError,
  type Handlers,
  NEVER_DELETED,
  parseListQuery,
  type RequestContext,
  recordSuccess,
  requireWholeView,
  tablePage,
} from '@clew/common';
import type { Db } from '@clew/store';
import { type SqlBool, sql } from 'kysely';
import { findClient } from './clientHandlers.ts';
import { HYDRATED, type Hydration, readScope } from './collectionScope.ts';
import { cancelJob, createJob, findShownJob } from './collectorJobs.ts';
import { readLog, writeLog } from './jobLog.ts';
import { jobRecords } from './records.ts';

type Operations =
  | 'GetClientJobs'
  | 'GetClientTasks'
  | 'ListClientFinishedJobs'
  | 'ListClientFinishedTasks'
  | 'ListClientCompletedJobs'
  | 'ListClientCompletedTasks'
  | 'GetClientJob'
  | 'GetClientTask'
  | 'CancelClientJob'
  | 'CancelClientTask'
  | 'GetClientJobLog'
  | 'GetClientTaskLog'
  | 'CreateClientScheduledJob'
  | 'CreateClientScheduledTask';

/** Statuses of jobs that the collector has finished: all except waiting and running. */
const FINISHED = Object.values(JOB_STATUS).filter(
  (status) => status !== JOB_STATUS.ready && status !== JOB_STATUS.running,
);

/** Columns of the list that jobs do not have. */
export const JOB_REFERENCES = { ...NEVER_DELETED, log_path: sql`null::text` };

type JobsInput = {
  readonly query: Hydration & { readonly skip: number; readonly limit: number };
  readonly rawQuery: URLSearchParams;
};

export function jobHandlers(db: Db): Handlers<Operations> {
  async function list({ query, rawQuery }: JobsInput, context: RequestContext, ...conditions: Condition[]) {
    requireWholeView(context);
    const { skip, limit } = query;
    const { count, rows } = await tablePage(db, {
      table: 'collector_job_view',
      list: parseListQuery(rawQuery, JOB_COLUMNS),
      page: query,
      conditions,
      references: JOB_REFERENCES,
      order: [sql`id desc`],
    });
    const data = await jobRecords(db, rows, query);
    return { status: 200 as const, json: { count, skip, limit, data } };
  }

  async function completed(input: JobsInput & { params: { client_id: string } }, context: RequestContext) {
    await findClient(db, input.params.client_id);
    return list(input, context, isFinished(), sql`client_id = ${input.params.client_id}`);
  }

  async function shown(id: number, hydration: Hydration) {
    return { status: 200 as const, json: { data: await shownJob(db, id, hydration) } };
  }

  async function cancel(id: number, context: RequestContext) {
    const user = requireWholeView(context);
    await db.transaction().execute(async (transaction) => {
      await cancelJob(transaction, id, user.name);
      const fields = { job_id: id };
      await recordSuccess(transaction, context, 'CancelClientJob', fields);
    });
    return shown(id, HYDRATED);
  }

  async function log(id: number, context: RequestContext) {
    requireWholeView(context);
    const text = await readLog(db, id);
    if (text === undefined) throw apiError('resourceNotFound');
    return { status: 200 as const, json: { data: { log: text } } };
  }

  async function create(
    { params, body }: { readonly params: { client_id: string }; readonly body: JobRequest },
    context: RequestContext,
  ) {
    const user = requireWholeView(context);
    const client = await findClient(db, params.client_id);
    const scope = await readScope(db, client.type, body);
    const id = await db.transaction().execute(async (transaction) => {
      const made = await createJob(transaction, client, {
        executionTime: new Date(),
        scope,
        domainController: body.domain_controller,
      });
      // Only scheduled jobs are limited to one waiting job.
      if (made === undefined) throw new Error('an on-demand job was not created');
      await writeLog(transaction, made, `requested by ${user.name}`, { always: true });
      const fields = { job_id: made, client_id: client.id };
      await recordSuccess(transaction, context, 'CreateClientJob', fields);
      return made;
    });
    return { status: 200 as const, json: { data: await shownJob(db, id, UNHYDRATED) } };
  }

  return {
    GetClientJobs: (input, context) => list(input, context),
    GetClientTasks: (input, context) => list(input, context),
    ListClientFinishedJobs: (input, context) => list(input, context, isFinished()),
    ListClientFinishedTasks: (input, context) => list(input, context, isFinished()),
    ListClientCompletedJobs: completed,
    ListClientCompletedTasks: completed,
    async GetClientJob({ params, query }, context) {
      requireWholeView(context);
      return shown(params.job_id, query);
    },
    async GetClientTask({ params, query }, context) {
      requireWholeView(context);
      return shown(params.task_id, query);
    },
    CancelClientJob: ({ params }, context) => cancel(params.job_id, context),
    CancelClientTask: ({ params }, context) => cancel(params.task_id, context),
    GetClientJobLog: ({ params }, context) => log(params.job_id, context),
    GetClientTaskLog: ({ params }, context) => log(params.task_id, context),
    CreateClientScheduledJob: create,
    CreateClientScheduledTask: create,
  };
}

type Condition = ReturnType<typeof isFinished>;

const isFinished = () => sql<SqlBool>`status = any (${FINISHED}::smallint[])`;

/** For responses that contain only ids, as in the public API description. */
const UNHYDRATED: Hydration = { hydrate_domains: false, hydrate_ous: false };

/** @throws ApiError 404 for an unknown job */
export async function shownJob(db: Db, id: number, hydration: Hydration): Promise<ClientJob> {
  const row = await findShownJob(db, id);
  if (row === undefined) throw apiError('resourceNotFound');
  const [job] = await jobRecords(db, [row], hydration);
  return job;
}
