/**
 * Operations that collectors call (`docs/reference/collectors.md#calls-of-collectors`). The principal is a client;
 * every call counts as a heartbeat.
 */
import { type EndJobRequest, JOB_COLUMNS, JOB_STATUS } from '@clew/api';
import {
  apiError,
  filterConditions,
  type Handlers,
  parseListQuery,
  type RequestContext,
  sortOrders,
  storableText,
} from '@clew/common';
import type { Db } from '@clew/store';
import { sql } from 'kysely';
import type { UploadLimits } from '../ingest/storeUpload.ts';
import { takeBatch } from './batches.ts';
import { checkIn } from './callers.ts';
import { shownClient } from './clientHandlers.ts';
import { HYDRATED, type Hydration } from './collectionScope.ts';
import { currentJob, endJob, latestJob, startJob } from './collectorJobs.ts';
import { writeCollectorLines } from './collectorLines.ts';
import { JOB_REFERENCES, shownJob } from './jobHandlers.ts';
import { writeCollectorLog } from './jobLog.ts';
import { jobRecords } from './records.ts';
import { makeDueJobs } from './schedules.ts';

type Operations =
  | 'UpdateClientInfo'
  | 'LogClientError'
  | 'ListAvailableClientManagement'
  | 'ListAvailableClientJobs'
  | 'ListAvailableClientTasks'
  | 'GetClientCurrentJob'
  | 'GetClientCurrentTask'
  | 'StartClientJob'
  | 'StartClientTask'
  | 'AddClientJobLog'
  | 'EndClientJob'
  | 'EndClientTask'
  | 'IngestData';

export function collectorHandlers(db: Db, limits: UploadLimits): Handlers<Operations> {
  async function available(
    { query, rawQuery }: { readonly query: Hydration; readonly rawQuery: URLSearchParams },
    context: RequestContext,
  ) {
    const clientId = await checkIn(db, context);
    const { filters, sorts } = parseListQuery(rawQuery, JOB_COLUMNS);
    await makeDueJobs(db, new Date(), clientId);
    const fitting = db
      .selectFrom('collector_job_view')
      .selectAll()
      .where('client_id', '=', clientId)
      .where('status', '=', JOB_STATUS.ready)
      .where((eb) => eb.and(filterConditions(filters, JOB_REFERENCES)));
    const sorted = sortOrders(sorts, JOB_REFERENCES).reduce((all, order) => all.orderBy(order), fitting);
    const rows = await sorted.orderBy('execution_time').orderBy('id').execute();
    return { status: 200 as const, json: { data: await jobRecords(db, rows, query) } };
  }

  async function current(context: RequestContext) {
    const job = await currentJob(db, await checkIn(db, context));
    if (job === undefined) throw apiError('resourceNotFound');
    return { status: 200 as const, json: { data: await shownJob(db, job.id, HYDRATED) } };
  }

  async function start({ body }: { readonly body: { readonly id: number } }, context: RequestContext) {
    const clientId = await checkIn(db, context);
    // Out of range for job ids.
    if (body.id > 2_147_483_647 || body.id < 0) throw apiError('resourceNotFound');
    await startJob(db, clientId, body.id);
    return { status: 200 as const, json: { data: await shownJob(db, body.id, HYDRATED) } };
  }

  async function end({ body }: { readonly body: EndJobRequest }, context: RequestContext) {
    const id = await endJob(db, await checkIn(db, context), body);
    return { status: 200 as const, json: { data: await shownJob(db, id, HYDRATED) } };
  }

  return {
    async UpdateClientInfo({ body }, context) {
      const id = await checkIn(db, context);
      const said = (text: string | null | undefined) => storableText(text ?? '');
      await db
        .updateTable('collector_client')
        .set({
          ip_address: said(body.address) || null,
          hostname: said(body.hostname) || null,
          configured_user: said(body.username),
          version: said(body.version),
          user_sid: said(body.usersid) || null,
          updated_at: sql`clock_timestamp()`,
        })
        .where('id', '=', id)
        .execute();
      return { status: 200, json: { data: await shownClient(db, id, HYDRATED) } };
    },

    async LogClientError({ body }, context) {
      const id = await checkIn(db, context);
      const job = (await currentJob(db, id)) ?? (await latestJob(db, id));
      const more = Object.entries(body.additional ?? {}).map(
        ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
      );
      const text = ['error', body.task_error, ...more].join('\n  ');
      if (job !== undefined) await writeCollectorLog(db, job.id, text);
      else
        context.log.warn(
          { client: id, error: body.task_error },
          'a collector without a job reports an error',
        );
      return { status: 202 };
    },

    async ListAvailableClientManagement(_, context) {
      // Collectors call this at every poll; it makes no sense for users.
      if (context.principal.kind !== 'client') throw apiError('notAuthorized');
      await checkIn(db, context);
      return { status: 200, json: { data: [] } };
    },

    ListAvailableClientJobs: available,
    ListAvailableClientTasks: available,
    GetClientCurrentJob: (_, context) => current(context),
    GetClientCurrentTask: (_, context) => current(context),
    StartClientJob: start,
    StartClientTask: start,
    async AddClientJobLog({ body }, context) {
      const job = await currentJob(db, await checkIn(db, context));
      if (job === undefined) throw apiError('resourceNotFound');
      await writeCollectorLines(db, job, body.lines);
      return { status: 202 };
    },

    EndClientJob: end,
    EndClientTask: end,

    async IngestData({ stream }, context) {
      await takeBatch(db, await checkIn(db, context), stream, limits);
      return { status: 202 };
    },
  };
}
