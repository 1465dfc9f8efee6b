/** Events about scheduled reports: made, failed, or ended. Rule: `docs/reference/webhooks.md#events`. */
import type { Db } from '@clew/store';
import { sql } from 'kysely';
import { NAME_LENGTH, NEWS_HOURS, type WebhookEvent, type WebhookRow } from './webhookEvent.ts';

/** A webhook with limited environments gets only reports within them. */
const isSeenBy = ({ environments }: WebhookRow) =>
  sql`(${environments}::text[] is null or covered.environments <@ to_jsonb(${environments}::text[]))`;

/** Events from before the webhook was created are not reported. */
const isNews = ({ created_at }: WebhookRow) =>
  sql`at > greatest(${created_at}::timestamptz, clock_timestamp() - make_interval(hours => ${NEWS_HOURS}))`;

interface MadeReport {
  readonly report_id: number;
  readonly issue_id: number;
  readonly name: string;
  readonly owner: string;
  readonly schedule: string;
  readonly generation: number;
  readonly at: string;
}

export async function madeReports(db: Db, webhook: WebhookRow): Promise<WebhookEvent[]> {
  const { rows } = await sql<MadeReport>`
    select report_id, covered.id as issue_id, left(report.name, ${NAME_LENGTH}) as name, owner_name as owner,
      covered.schedule, generation, made_at as at
    from (select *, made_at as at from report_issue where schedule is not null) covered
    join report on report.id = report_id
    where ${isNews(webhook)} and ${isSeenBy(webhook)} order by covered.id`.execute(db);
  return rows.map(({ at, ...made }) => ({
    ...{ type: 'report.made', timestamp: at, cause: `report made ${made.issue_id}` },
    data: {
      ...made,
      ...{
        page: `/ui/reports/${made.report_id}`,
        issue: `/api/v2/reports/${made.report_id}/issues/${made.issue_id}`,
      },
    },
  }));
}

interface FailedReport {
  readonly report_id: number;
  readonly name: string;
  readonly owner: string;
  readonly schedule: string;
  readonly reason: string;
  readonly has_ended: boolean;
  readonly next_at: string | null;
  readonly at: string;
}

/** One event for the first failure since a report was made, regardless of retries, and one for the end of its schedule. */
export async function failedReports(db: Db, webhook: WebhookRow): Promise<WebhookEvent[]> {
  const { rows } = await sql<FailedReport>`
    select id as report_id, left(name, ${NAME_LENGTH}) as name, owner_name as owner, schedule, reason, has_ended,
      next_at, at
    from (
      select *, failed_at as at, failure as reason, false as has_ended from report where failed_at is not null and ended is null
      union all
      select *, ended_at, ended, true from report where ended_at is not null
    ) covered
    where ${isNews(webhook)} and ${isSeenBy(webhook)} order by at, id`.execute(db);
  return rows.map(({ at, ...failed }) => ({
    ...{ type: 'report.failed', timestamp: at },
    cause: `report ${failed.has_ended ? 'ended' : 'failed'} ${failed.report_id} ${at}`,
    data: { ...failed, page: `/ui/reports/${failed.report_id}` },
  }));
}
