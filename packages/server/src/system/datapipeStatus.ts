/** The state of the data pipe, computed from its pending work. Rule: `docs/reference/api.md#data-pipe`. */
import { type DatapipeStatus, JOB_STATUS, ZERO_TIME } from '@clew/api';
import type { Db } from '@clew/store';
import { sql } from 'kysely';

/** Each one is a metric series. */
const MAX_SELECTORS = 100;

interface Row {
  readonly ingesting: boolean;
  readonly analyzing: boolean;
  readonly updated_at: string | null;
  readonly published_at: string | null;
  readonly waits_for: { readonly id: number; readonly name: string; readonly zone: string } | null;
  readonly waits_since: string | null;
}

/** Durations of selector queries in their last analysis, longest first. */
export async function selectorTimes(
  db: Db,
): Promise<readonly { readonly selector: string; readonly zone: string; readonly ms: number }[]> {
  const { rows } = await sql<{ selector: string; zone: string; ms: number }>`
    select selector.id || ' ' || selector.name as selector, zone.name as zone, query_ms as ms
    from asset_group_tag_selector selector join asset_group_tag zone on zone.id = asset_group_tag_id
    where query_ms is not null and disabled_at is null order by query_ms desc limit ${MAX_SELECTORS}`.execute(
    db,
  );
  return rows;
}

/** Jobs and facts change in the transactions of the work, so the status is never idle between two steps. */
export async function datapipeStatus(db: Db): Promise<DatapipeStatus> {
  const { rows } = await sql<Row>`
    with latest as (select * from generation order by id desc limit 1),
    running as (
      select selector.id, selector.name, zone.name as zone, query_started_at
      from asset_group_tag_selector selector join asset_group_tag zone on zone.id = asset_group_tag_id
      where query_started_at is not null order by query_started_at desc limit 1
    )
    select
      exists (select from upload_job where status = ${JOB_STATUS.ingesting}) as ingesting,
      exists (select from upload_job where status = ${JOB_STATUS.analyzing})
        or (select version from facts_state) > coalesce((select facts_version from latest), 0) as analyzing,
      greatest((select max(updated_at) from upload_job), (select published_at from latest)) as updated_at,
      (select published_at from latest) as published_at,
      (select jsonb_build_object('id', id, 'name', name, 'zone', zone) from running) as waits_for,
      (select query_started_at from running) as waits_since`.execute(db);
  const [{ ingesting, analyzing, updated_at, published_at, waits_for, waits_since }] = rows;
  const contradictions = [...(await contradictionsOf(db))]
    .map(([kind, count]) => ({ kind, count }))
    .filter(({ count }) => count > 0);
  return {
    status: ingesting ? 'ingesting' : analyzing ? 'analyzing' : 'idle',
    updated_at: updated_at ?? ZERO_TIME,
    last_complete_analysis_at: published_at ?? ZERO_TIME,
    last_analysis_run_at: published_at ?? ZERO_TIME,
    // Analysis follows each ingest, and is never scheduled.
    next_scheduled_analysis_at: ZERO_TIME,
    ...(contradictions.length > 0 && { contradictions }),
    ...(analyzing &&
      waits_for !== null &&
      waits_since !== null && {
        waits_for: {
          ...{ selector_id: waits_for.id, selector: waits_for.name },
          ...{ zone: waits_for.zone, since: waits_since },
        },
      }),
  };
}

/** @returns the number of contradictions in the latest analysis and the stored plans, by kind */
export async function contradictionsOf(db: Db): Promise<ReadonlyMap<string, number>> {
  const row = await db
    .selectFrom('generation')
    .select(sql<Record<string, number> | null>`report->'contradictions'`.as('counts'))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const plans = await db
    .selectFrom('zone_plan')
    .select(sql<Record<string, number> | null>`plan->'plan'->'contradictions'`.as('counts'))
    .where('state', '=', 'complete')
    .execute();
  const sums = new Map(Object.entries(row?.counts ?? {}));
  for (const { counts } of plans)
    for (const [kind, count] of Object.entries(counts ?? {})) sums.set(kind, (sums.get(kind) ?? 0) + count);
  return sums;
}
