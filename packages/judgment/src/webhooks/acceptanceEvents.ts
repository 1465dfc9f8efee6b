/** Events about accepted risks that end soon. Rule: `docs/reference/webhooks.md#events`. */
import type { Db } from '@clew/store';
import { sql } from 'kysely';
import { IS_WHOLE } from '../findings/findingQueries.ts';
import { MAX_NAMED, NAME_LENGTH, type WebhookEvent, type WebhookRow } from './webhookEvent.ts';

/**
 * Days before the day (UTC) on which acceptances end. There is one event for the day, so it has to be later than acceptances of 14 days,
 * which are made until the day before.
 */
const NOTICE_DAYS = 13;
/** Days for which a notice is sent later, if the service was off. */
const LATE_DAYS = 2;

interface EndingGroup {
  readonly environment_id: string;
  readonly environment_name: string;
  readonly ends_on: string;
  readonly at: string;
  readonly count: number;
  readonly findings: readonly object[];
}

/** One event per environment and day on which acceptances end. */
export async function acceptanceEvents(db: Db, webhook: WebhookRow): Promise<WebhookEvent[]> {
  const { minimum_severity, environments } = webhook;
  const today = sql`date_trunc('day', clock_timestamp(), 'UTC')`;
  const { rows } = await sql<EndingGroup>`
    with ending as (
      select id, finding, severity, tag_id, source_name, target_name, environment_id, accepted_by, accepted_until,
        date_trunc('day', accepted_until, 'UTC') as day
      from finding
      where status = 'accepted' and deleted_at is null and ${IS_WHOLE}
        and accepted_until >= ${today} + make_interval(days => ${NOTICE_DAYS - LATE_DAYS})
        and accepted_until < ${today} + make_interval(days => ${NOTICE_DAYS + 1})
        and severity >= ${minimum_severity}
        and (${environments}::text[] is null or environment_id = any (${environments}::text[]))
    ), numbered as (
      select *, row_number() over (partition by environment_id, day order by severity desc, id) as place from ending
    )
    select numbered.environment_id, coalesce(max(environment.name), numbered.environment_id) as environment_name,
      to_char(day at time zone 'UTC', 'YYYY-MM-DD') as ends_on,
      day - make_interval(days => ${NOTICE_DAYS}) as at, count(*)::integer as count,
      json_agg(json_build_object('id', numbered.id, 'finding', finding,
        'severity', (array['low', 'moderate', 'high', 'critical'])[severity + 1], 'asset_group_tag_id', tag_id,
        'source', left(source_name, ${NAME_LENGTH}), 'target', left(target_name, ${NAME_LENGTH}),
        'accepted_by', accepted_by, 'accepted_until', accepted_until) order by place) filter (where place <= ${MAX_NAMED}) as findings
    from numbered
    left join object_id on object_id.object_id = numbered.environment_id
    left join node environment on environment.id = object_id.id
    group by numbered.environment_id, day order by day, numbered.environment_id`.execute(db);
  return rows.map(({ at, ...group }) => ({
    ...{ type: 'acceptance.ends', timestamp: at },
    cause: `acceptance ends ${group.environment_id} ${group.ends_on}`,
    data: group,
  }));
}
