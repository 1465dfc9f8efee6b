/**
 * Webhook events: changes of findings, environments above the allowed exposure, late collector runs, failed jobs, scheduled reports,
 * repairs of started plans, overdue findings, accepted risks that end soon. Each has a cause, and is sent once per cause. Rule: `docs/reference/webhooks.md#events`.
 */
import { JOB_STATUS } from '@clew/api';
import type { ChangedAnswer, Db } from '@clew/store';
import { sql } from 'kysely';
import { answersAt, changedBecause } from '../findings/answersOfFindings.ts';
import { endOfFeed, type FeedPlace, writePlace } from '../findings/changes.ts';
import { changeType } from '../findings/findingQueries.ts';
import { acceptanceEvents } from './acceptanceEvents.ts';
import { overdueEvents } from './overdueEvents.ts';
import { repairEvents } from './repairEvents.ts';
import { failedReports, madeReports } from './reportEvents.ts';
import type { EventType, WebhookEvent, WebhookRow } from './webhookEvent.ts';
import { MAX_NAMED, NAME_LENGTH, NEWS_HOURS } from './webhookEvent.ts';

/** Minutes after which a collector that has not fetched its job is late. */
const LATE_MINUTES = 60;

interface NewEvents {
  readonly events: readonly WebhookEvent[];
  /** The feed position up to which events were read. */
  readonly place: FeedPlace;
  /** The time until which overdue findings are noticed; null if the webhook does not get them. */
  readonly overdueAt: string | null;
}

/** @returns events since the last delivery */
export async function eventsFor(db: Db, webhook: WebhookRow): Promise<NewEvents> {
  const wants = (type: EventType): boolean => webhook.event_types.includes(type);
  const place = await endOfFeed(db);
  const since = { instant: webhook.feed_instant, id: webhook.feed_id };
  const hasNews = place.instant > since.instant;
  const overdue = wants('finding.overdue') ? await overdueEvents(db, webhook) : undefined;
  return {
    place: hasNews ? place : since,
    overdueAt: overdue?.at ?? null,
    events: [
      ...(hasNews ? await findingEvents(db, webhook, since, place) : []),
      ...(hasNews && wants('posture.worsened') ? await postureEvents(db, webhook, since, place) : []),
      ...(hasNews && wants('watch.changed') ? await watchedEvents(db, webhook, since, place) : []),
      ...(wants('collection.late') ? await lateEvents(db) : []),
      ...(wants('job.failed') ? await failureEvents(db, webhook) : []),
      ...(wants('report.made') ? await madeReports(db, webhook) : []),
      ...(wants('report.failed') ? await failedReports(db, webhook) : []),
      ...(await repairEvents(db, webhook)),
      ...(overdue?.events ?? []),
      ...(wants('acceptance.ends') ? await acceptanceEvents(db, webhook) : []),
    ],
  };
}

interface ChangedGroup {
  readonly type: EventType;
  readonly environment_id: string;
  readonly environment_name: string;
  readonly by_severity: Readonly<Record<string, number>>;
  readonly count: number;
  readonly findings: readonly NamedFinding[];
}

interface NamedFinding {
  readonly changed_answers: readonly ChangedAnswer[] | null;
}

/** One event per kind of change and environment, for any number of findings. */
async function findingEvents(
  db: Db,
  webhook: WebhookRow,
  since: FeedPlace,
  place: FeedPlace,
): Promise<WebhookEvent[]> {
  const { rows } = await sql<ChangedGroup>`
    with changed as (
      select id, environment_id, severity, finding, source_name, target_name, tag_id, status,
        case when deleted_at is null and (created_at, id) > (${since.instant}::timestamptz, ${since.id}::integer)
          then began_by else changed_by end as cause,
        case when deleted_at is null and (created_at, id) > (${since.instant}::timestamptz, ${since.id}::integer)
          then created_at else updated_at end as caused_at,
        exposure_percentage, impact_percentage,
        ${changeType(since)} as type
      from finding
      where (updated_at, id) > (${since.instant}::timestamptz, ${since.id}::integer)
        and updated_at <= ${place.instant}::timestamptz
        and severity >= ${webhook.minimum_severity}
        and (${webhook.environments}::text[] is null or environment_id = any (${webhook.environments}::text[]))
        -- Findings that began and ended in between were never reported.
        and (deleted_at is null or (created_at, id) <= (${since.instant}::timestamptz, ${since.id}::integer))
    ), numbered as (
      select *, row_number() over (
        partition by environment_id, type order by severity desc, exposure_percentage desc, impact_percentage desc, id) as place
      from changed where type = any (${webhook.event_types}::text[])
    )
    select numbered.type, numbered.environment_id, coalesce(max(environment.name), numbered.environment_id) as environment_name,
      count(*)::integer as count,
      json_build_object('critical', count(*) filter (where severity = 3), 'high', count(*) filter (where severity = 2),
        'moderate', count(*) filter (where severity = 1), 'low', count(*) filter (where severity = 0)) as by_severity,
      json_agg(json_build_object('id', numbered.id, 'finding', finding,
        'severity', (array['low', 'moderate', 'high', 'critical'])[severity + 1],
        'asset_group_tag_id', tag_id, 'source', left(source_name, ${NAME_LENGTH}), 'target', left(target_name, ${NAME_LENGTH}), 'status', status, 'cause', cause,
        'changed_answers', ${answersAt({ cause: sql.ref('cause'), instant: sql.ref('caused_at') }, webhook.environments)},
        'exposure_percentage', exposure_percentage, 'impact_percentage', impact_percentage)
        order by place) filter (where place <= ${MAX_NAMED}) as findings
    from numbered
    left join object_id on object_id.object_id = numbered.environment_id
    left join node environment on environment.id = object_id.id
    group by numbered.type, numbered.environment_id order by numbered.environment_id, numbered.type`.execute(
    db,
  );
  return rows.map(({ type, findings, ...group }) => ({
    type,
    timestamp: place.instant,
    cause: `${type} ${group.environment_id} ${since.instant} ${place.instant}`,
    data: {
      ...group,
      findings: findings.map(({ changed_answers: _, ...finding }) => finding),
      ...becauseOf(findings),
      changes: `/api/v2/changes?since=${writePlace(since)}`,
    },
  }));
}

/** Maximum number of sentences about answers in an event; *Posture* has the rest. */
const SAID = 10;

/** Describes the answers that changed findings, once per event, because one answer usually closes many findings. */
function becauseOf(findings: readonly NamedFinding[]): { because?: readonly string[] } {
  const because = new Set(findings.map((finding) => changedBecause(finding.changed_answers)));
  because.delete(undefined);
  return because.size === 0 ? {} : { because: [...because].slice(0, SAID) as string[] };
}

interface WatchedChange {
  readonly query_id: number;
  readonly name: string;
  readonly owner: string;
  readonly at: string;
  readonly new_count: number;
  readonly gone_count: number;
  readonly columns: readonly string[];
  readonly changes: readonly object[];
}

/** Maximum number of rows of a watched query in an event. */
const SHOWN_ROWS = 10;
/** Maximum length of a row in an event. */
const ROW_LENGTH = 500;

/** One event per generation that changed a watched query; a webhook with limited environments gets only queries within them. */
async function watchedEvents(
  db: Db,
  webhook: WebhookRow,
  since: FeedPlace,
  place: FeedPlace,
): Promise<WebhookEvent[]> {
  const { rows } = await sql<WatchedChange>`
    select event.query_id, left(saved.name, ${NAME_LENGTH}) as name, owner.principal_name as owner, event.changed_at as at,
      event.new_count, event.gone_count, watch.found_columns as columns,
      (select json_agg(json_build_object('type', case when is_new then 'new' else 'gone' end,
          'row', case when length(cells::text) <= ${ROW_LENGTH} then cells end) order by is_new desc, id)
        from (
          select is_new, id, cells from query_watch_change change
          where change.query_id = event.query_id and change.changed_at = event.changed_at
          order by is_new desc, id limit ${SHOWN_ROWS}
        ) shown) as changes
    from query_watch_event event
    join query_watch watch on watch.query_id = event.query_id
    join saved_query saved on saved.id = event.query_id
    join user_account owner on owner.id = saved.user_id
    where event.changed_at > ${since.instant}::timestamptz and event.changed_at <= ${place.instant}::timestamptz
      and (${webhook.environments}::text[] is null or event.environments <@ ${webhook.environments}::text[])
    order by event.changed_at, event.query_id limit ${MAX_WATCH_EVENTS}`.execute(db);
  return rows.map(({ query_id, name, owner, at, new_count, gone_count, columns, changes }) => ({
    type: 'watch.changed',
    timestamp: at,
    cause: `watch.changed ${query_id} ${at}`,
    data: {
      ...{ query_id, name, owner, new_count, gone_count, columns, changes: changes ?? [] },
      all_changes: `/api/v2/saved-queries/${query_id}/watch/changes`,
    },
  }));
}

/** Maximum number of events read at once; a webhook that was off for a long time gets the oldest ones. */
const MAX_WATCH_EVENTS = 1000;

interface Posture {
  readonly environment_id: string;
  readonly environment_name: string;
  readonly tag_id: number;
  readonly exposure: number;
  readonly before: number | null;
  readonly at: string;
}

/** Sent when the exposure of an environment crosses the threshold, not while it stays above. */
async function postureEvents(
  db: Db,
  { exposure_threshold, environments }: WebhookRow,
  since: FeedPlace,
  place: FeedPlace,
): Promise<WebhookEvent[]> {
  if (exposure_threshold === null) return [];
  const { rows } = await sql<Posture>`
    with series as (
      select environment_id, tag_id, exposure_index as exposure, created_at as at,
        lag(exposure_index) over (partition by environment_id, tag_id order by created_at, id) as before
      from posture_stat
      where tag_id > 0 and created_at > ${since.instant}::timestamptz - interval '90 days'
    )
    select series.*, coalesce(environment.name, series.environment_id) as environment_name
    from series
    left join object_id on object_id.object_id = series.environment_id
    left join node environment on environment.id = object_id.id
    where at > ${since.instant}::timestamptz and at <= ${place.instant}::timestamptz
      and exposure > ${exposure_threshold} and (before is null or before <= ${exposure_threshold})
      and (${environments}::text[] is null or series.environment_id = any (${environments}::text[]))
    order by at, series.environment_id, tag_id`.execute(db);
  return rows.map(({ environment_id, environment_name, tag_id, exposure, before, at }) => ({
    type: 'posture.worsened',
    timestamp: at,
    cause: `posture ${environment_id} ${tag_id} ${at}`,
    data: {
      ...{ environment_id, environment_name, asset_group_tag_id: tag_id },
      ...{ exposure, exposure_before: before, threshold: exposure_threshold },
    },
  }));
}

async function lateEvents(db: Db): Promise<WebhookEvent[]> {
  const rows = await db
    .selectFrom('collector_job')
    .select(['id', 'client_name', 'event_title', 'execution_time'])
    .where('status', '=', JOB_STATUS.ready)
    .where(sql<boolean>`execution_time < clock_timestamp() - make_interval(mins => ${LATE_MINUTES})`)
    .orderBy('id')
    .execute();
  return rows.map(({ id, client_name, event_title, execution_time }) => ({
    type: 'collection.late',
    timestamp: new Date().toISOString(),
    cause: `late ${id}`,
    data: { job_id: id, client: client_name, schedule: event_title, planned: execution_time },
  }));
}

interface FailedJob {
  readonly id: number;
  readonly kind: 'collection' | 'upload';
  readonly name: string;
  readonly message: string;
  readonly at: string;
}

async function failureEvents(db: Db, { created_at }: WebhookRow): Promise<WebhookEvent[]> {
  const failed = [JOB_STATUS.failed, JOB_STATUS.timedOut];
  const { rows } = await sql<FailedJob>`
    select * from (
      select id, 'collection' as kind, client_name as name, status_message as message, end_time as at
      from collector_job_view where status = any (${failed}::smallint[])
      union all
      select id, 'upload', coalesce(user_email_address, ''), status_message, end_time
      from upload_job where status = any (${failed}::smallint[]) and client_id is null
    ) failed
    where at > greatest(${created_at}::timestamptz, clock_timestamp() - make_interval(hours => ${NEWS_HOURS}))
    order by at, kind, id`.execute(db);
  return rows.map(({ id, kind, name, message, at }) => ({
    type: 'job.failed',
    timestamp: at,
    cause: `failed ${kind} ${id}`,
    data: { job_id: id, kind, name, message: message.slice(0, 1_000) },
  }));
}
