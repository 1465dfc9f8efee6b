/** Events about repairs of started plans: done, undone, contradicted, overdue. Rule: `docs/reference/webhooks.md#events`. */
import type { Db, PlanEventKind } from '@clew/store';
import { sql } from 'kysely';
import type { EventType, WebhookEvent, WebhookRow } from './webhookEvent.ts';
import { MAX_NAMED, NAME_LENGTH, NEWS_HOURS } from './webhookEvent.ts';

const TYPES: Readonly<Record<PlanEventKind, EventType>> = {
  done: 'repair.done',
  undone: 'repair.undone',
  contradicted: 'repair.contradicted',
  overdue: 'repair.overdue',
};

interface NotedRepair {
  readonly kind: PlanEventKind;
  readonly id: number;
  readonly plan_id: number;
  readonly plan: string;
  readonly repair: number;
  readonly title: string | null;
  readonly owner: string | null;
  readonly due: string | null;
  readonly at: string;
  readonly change_count: number;
  readonly changes: readonly object[] | null;
}

/**
 * One event per repair, kind and time of noting. A webhook with limited environments gets only repairs of plans within them. Events noted
 * before the webhook was created are not reported, nor are old ones that a changed webhook now includes, nor results of old analyses that were
 * noted late. A contradiction has the date of its collection, which may be days before an analysis shows it, so only its noting counts;
 * likewise for a repair that is overdue since a day in the past.
 */
export async function repairEvents(db: Db, webhook: WebhookRow): Promise<WebhookEvent[]> {
  const kinds = Object.entries(TYPES).flatMap(([kind, type]) =>
    webhook.event_types.includes(type) ? [kind] : [],
  );
  if (kinds.length === 0) return [];
  const { created_at, environments } = webhook;
  const since = sql`greatest(${created_at}::timestamptz, clock_timestamp() - make_interval(hours => ${NEWS_HOURS}))`;
  const { rows } = await sql<NotedRepair>`
    select noted.kind, noted.id, noted.plan_id, left(plan.name, ${NAME_LENGTH}) as plan, noted.repair,
      left(plan.adoption -> 'packages' -> (noted.repair - 1) ->> 'title', ${NAME_LENGTH}) as title,
      owner.principal_name as owner, coalesce(assigned.due::text, (
        select min(finding_view.due) from plan_finding
        join finding_view using (environment_id, tag_id, finding, source_id, target_id)
        where plan_finding.plan_id = noted.plan_id and plan_finding.repair = noted.repair and finding_view.deleted_at is null
      )) as due, noted.at, noted.change_count,
      (select json_agg(json_build_object('number', event.change,
          'title', left(plan.progress -> 'changes' -> (event.change - 1) ->> 'title', ${NAME_LENGTH}),
          'said_by', event.said_by, 'said_at', event.said_at) order by event.change)
        from (select * from plan_event where id = any (noted.ids[:${sql.lit(MAX_NAMED)}])) event) as changes
    from (
      select plan_id, repair, kind, max(id) as id, max(happened_at) as at, count(change)::integer as change_count,
        array_agg(id order by change) filter (where change is not null) as ids
      from plan_event
      where kind = any (${kinds}::text[])
        and noted_at > ${since}
        and (kind in ('contradicted', 'overdue') or happened_at > ${since})
      group by plan_id, repair, kind, noted_at
    ) noted
    join saved_plan plan on plan.id = noted.plan_id
    left join plan_repair assigned on assigned.plan_id = noted.plan_id and assigned.repair = noted.repair
    left join user_account owner on owner.id = assigned.owner_id
    where (${environments}::text[] is null or plan.environments::jsonb <@ to_jsonb(${environments}::text[]))
    order by noted.id limit ${MAX_EVENTS}`.execute(db);
  return rows.map(({ kind, id, at, changes, title, ...repair }) => ({
    ...{ type: TYPES[kind], timestamp: at, cause: `repair ${kind} ${id}` },
    data: {
      ...{ ...repair, title: title ?? '', changes: changes ?? [] },
      page: `/ui/fix/${repair.plan_id}-${repair.repair}`,
      proof: `/api/v2/plans/${repair.plan_id}/proof`,
    },
  }));
}

/** Maximum number of events read at once. Those that are stored already count, so it is above what a day may have. */
const MAX_EVENTS = 10_000;
