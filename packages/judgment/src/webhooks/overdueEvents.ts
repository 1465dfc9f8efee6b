/** Events about findings that became overdue. Rule: `docs/reference/webhooks.md#events`. */
import type { Db } from '@clew/store';
import { sql } from 'kysely';
import { IS_WHOLE } from '../findings/findingQueries.ts';
import { noticeOverdue } from './overdueFindings.ts';
import { MAX_NAMED, NAME_LENGTH, type WebhookEvent, type WebhookRow } from './webhookEvent.ts';

/** Days for which events are sent later if the webhook or the service was off: a long weekend, but not a month at once. */
const LATE_DAYS = 7;

interface OverdueGroup {
  readonly environment_id: string;
  readonly environment_name: string;
  /** The earliest due day. */
  readonly due: string;
  readonly noticed_at: string;
  readonly at: string;
  readonly count: number;
  readonly findings: readonly object[];
}

/**
 * One event per environment and time of noticing. A new webhook gets the findings of this day (UTC).
 * @returns also the time until which findings are noticed
 */
export async function overdueEvents(
  db: Db,
  webhook: WebhookRow,
): Promise<{ readonly events: readonly WebhookEvent[]; readonly at: string }> {
  const { minimum_severity, environments, overdue_at: told } = webhook;
  const noticed = await noticeOverdue(db);
  const isNews =
    told === null
      ? sql`overdue.since >= date_trunc('day', now(), 'UTC')`
      : sql`overdue.noticed_at > ${told}::timestamptz and overdue.since > now() - make_interval(days => ${LATE_DAYS})`;
  const { rows } = await sql<OverdueGroup>`
    with news as (
      select id, finding, severity, severity_name, tag_id, source_name, target_name, environment_id, environment_name,
        owner_name, created_at, finding_view.due, overdue.since, overdue.noticed_at
      from overdue_finding overdue join finding_view on finding_view.id = overdue.finding_id
      where overdue.noticed_at <= ${noticed}::timestamptz and ${isNews} and deleted_at is null and is_overdue and ${IS_WHOLE}
        and severity >= ${minimum_severity}
        and (${environments}::text[] is null or environment_id = any (${environments}::text[]))
    ), numbered as (
      select *, row_number() over (partition by environment_id, noticed_at order by severity desc, due, id) as place from news
    )
    select environment_id, max(environment_name) as environment_name, min(due) as due, noticed_at, max(since) as at,
      count(*)::integer as count,
      json_agg(json_build_object('id', id, 'finding', finding, 'severity', severity_name, 'asset_group_tag_id', tag_id,
        'source', left(source_name, ${NAME_LENGTH}), 'target', left(target_name, ${NAME_LENGTH}), 'owner', owner_name,
        'first_seen', created_at, 'due', due) order by place) filter (where place <= ${MAX_NAMED}) as findings
    from numbered group by environment_id, noticed_at order by noticed_at, environment_id`.execute(db);
  const events = rows.map(({ at, noticed_at, ...group }) => ({
    ...{ type: 'finding.overdue' as const, timestamp: at },
    cause: `finding overdue ${group.environment_id} ${noticed_at}`,
    data: group,
  }));
  return { events, at: noticed };
}
