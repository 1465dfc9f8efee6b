/** Events about findings that became overdue. Rule: `docs/reference/webhooks.md#events`. */
import type { Db } from '@clew/store';
import { sql } from 'kysely';
import { IS_WHOLE } from '../findings/findingQueries.ts';
import { MAX_NAMED, NAME_LENGTH, type WebhookEvent, type WebhookRow } from './webhookEvent.ts';

/** Days for which events are sent later, if the service was off. */
const LATE_DAYS = 2;

interface OverdueGroup {
  readonly environment_id: string;
  readonly environment_name: string;
  readonly due: string;
  readonly at: string;
  readonly count: number;
  readonly findings: readonly object[];
}

/** Reads all open findings, therefore once a day (UTC) per webhook. @returns one event per environment and due day */
export async function overdueEvents(db: Db, webhook: WebhookRow): Promise<WebhookEvent[]> {
  const { minimum_severity, environments, overdue_at: noted } = webhook;
  const today = sql`date_trunc('day', now(), 'UTC')`;
  const first = sql`greatest(${noted}::timestamptz, ${today} - make_interval(days => ${noted === null ? 1 : LATE_DAYS + 1}))`;
  const { rows: due } = await sql<{ is_due: boolean }>`
    select ${noted}::timestamptz is null or ${noted}::timestamptz < ${today} as is_due`.execute(db);
  if (due[0]?.is_due !== true) return [];
  const { rows } = await sql<OverdueGroup>`
    with overdue as (
      select id, finding, severity, severity_name, tag_id, source_name, target_name, environment_id, environment_name,
        owner_name, created_at, finding_view.due, finding_view.due::timestamp at time zone 'UTC' + interval '1 day' as at
      from finding_view
      where deleted_at is null and is_overdue and ${IS_WHOLE}
        and finding_view.due >= to_char(${first} at time zone 'UTC', 'YYYY-MM-DD')
        and severity >= ${minimum_severity}
        and (${environments}::text[] is null or environment_id = any (${environments}::text[]))
    ), numbered as (
      select *, row_number() over (partition by environment_id, due order by severity desc, id) as place from overdue
    )
    select environment_id, max(environment_name) as environment_name, due, max(at) as at, count(*)::integer as count,
      json_agg(json_build_object('id', id, 'finding', finding, 'severity', severity_name, 'asset_group_tag_id', tag_id,
        'source', left(source_name, ${NAME_LENGTH}), 'target', left(target_name, ${NAME_LENGTH}), 'owner', owner_name,
        'first_seen', created_at) order by place) filter (where place <= ${MAX_NAMED}) as findings
    from numbered group by environment_id, due order by due, environment_id`.execute(db);
  return rows.map(({ at, ...group }) => ({
    ...{ type: 'finding.overdue', timestamp: at },
    cause: `finding overdue ${group.environment_id} ${group.due}`,
    data: group,
  }));
}
