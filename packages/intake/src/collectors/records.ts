/** Converts clients, schedules and jobs of collectors to their API representation. */
import {
  type ClientJob,
  type ClientSchedule,
  type CollectorClient,
  JOB_STATUS,
  type JobStatus,
  NOT_DELETED,
  ZERO_TIME,
} from '@clew/api';
import { TOKEN_COLUMNS, tokenRecord } from '@clew/identity';
import type { CollectorClientViewTable, Db } from '@clew/store';
import type { Selectable } from 'kysely';
import { type Hydration, scopeView } from './collectionScope.ts';
import type { ShownJob } from './collectorJobs.ts';
import type { CollectionEvent } from './schedules.ts';

/** Client id of a job whose client was deleted. */
const NO_CLIENT = '00000000-0000-0000-0000-000000000000';

export type ClientRow = Selectable<CollectorClientViewTable>;

/** Token keys of clients, by client id. A key is shown only when the token is created. */
type Keys = ReadonlyMap<string, string>;

export async function clientRecords(
  db: Db,
  clients: readonly ClientRow[],
  hydration: Hydration,
  keys: Keys = new Map(),
): Promise<CollectorClient[]> {
  if (clients.length === 0) return [];
  const ids = clients.map(({ id }) => id);
  const events = await db
    .selectFrom('collection_event')
    .selectAll()
    .where('client_id', 'in', ids)
    .orderBy('id')
    .execute();
  const running = await db
    .selectFrom('collector_job_view')
    .selectAll()
    .where('client_id', 'in', ids)
    .where('status', '=', JOB_STATUS.running)
    .execute();
  const tokens = await db
    .selectFrom('auth_token')
    .select(TOKEN_COLUMNS)
    .where('client_id', 'in', ids)
    .execute();
  const shownEvents = await scheduleRecords(db, events, hydration);
  const shownJobs = await jobRecords(db, running, hydration);
  return clients.map((client) => {
    const token = tokens.find(({ client_id }) => client_id === client.id);
    if (token === undefined) throw new Error(`client ${client.id} has no token`);
    const job = shownJobs.find(({ client_id }) => client_id === client.id) ?? null;
    return {
      id: client.id,
      name: client.name,
      type: client.type,
      ip_address: client.ip_address,
      hostname: client.hostname,
      configured_user: client.configured_user,
      version: client.version,
      user_sid: client.user_sid,
      domain_controller: client.domain_controller,
      last_checkin: client.last_checkin,
      events: shownEvents.filter(({ client_id }) => client_id === client.id),
      token: tokenRecord(token, keys.get(client.id) ?? ''),
      current_job_id: job?.id ?? null,
      current_task_id: job?.id ?? null,
      current_job: job,
      current_task: job,
      completed_job_count: client.completed_job_count,
      completed_task_count: client.completed_job_count,
      ...timesOf(client),
    };
  });
}

export async function scheduleRecords(
  db: Db,
  events: readonly CollectionEvent[],
  hydration: Hydration,
): Promise<ClientSchedule[]> {
  const view = await scopeView(db, events, hydration);
  return events.map((event) => ({
    id: event.id,
    client_id: event.client_id,
    rrule: event.rrule,
    next_scheduled_at: event.next_scheduled_at ?? ZERO_TIME,
    ...view(event),
    ...timesOf(event),
  }));
}

export async function jobRecords(
  db: Db,
  jobs: readonly ShownJob[],
  hydration: Hydration,
): Promise<ClientJob[]> {
  if (jobs.length === 0) return [];
  const view = await scopeView(db, jobs, hydration);
  const ids = jobs.map(({ id }) => id);
  const results = await db
    .selectFrom('collector_job_result')
    .selectAll()
    .where('job_id', 'in', ids)
    .orderBy('id')
    .execute();
  return jobs.map((job) => ({
    id: job.id,
    client_id: job.client_id ?? NO_CLIENT,
    client_name: job.client_name,
    event_id: job.event_id,
    event_title: job.event_title,
    execution_time: job.execution_time,
    start_time: job.start_time,
    end_time: job.end_time,
    last_ingest: job.last_ingest,
    ingest_job_id: job.upload_job_id,
    status: job.status as JobStatus,
    status_message: job.status_message,
    statusMessage: job.status_message,
    log_path: null,
    domain_controller: job.domain_controller,
    ...view(job),
    domain_results: results
      .filter(({ job_id }) => job_id === job.id)
      .map(({ id, job_id, domain_name, success, message, counts, created_at }) => ({
        id,
        job_id,
        domain_name,
        success,
        message,
        ...(counts as CountsOf),
        ...timesOf({ created_at, updated_at: created_at }),
      })),
    ...timesOf(job),
  }));
}

type CountsOf = Omit<
  ClientJob['domain_results'][number],
  'id' | 'job_id' | 'domain_name' | 'success' | 'message' | 'created_at' | 'updated_at' | 'deleted_at'
>;

const timesOf = ({
  created_at,
  updated_at,
}: {
  readonly created_at: string;
  readonly updated_at: string;
}) => ({
  created_at,
  updated_at,
  deleted_at: NOT_DELETED,
});
