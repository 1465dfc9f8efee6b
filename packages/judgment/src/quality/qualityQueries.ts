/** Reads the measures of generations: rows by run, and counts by kind. */

import { type ColumnReferences, type Sort, sortOrders } from '@clew/common';
import { type DataQualityMetricView, type DataQualityTable, type Db, inSnapshot } from '@clew/store';
import { type Expression, type Selectable, type SqlBool, sql } from 'kysely';

export type QualityRow = Selectable<DataQualityTable>;
export type MetricRow = Selectable<DataQualityMetricView>;
export type MetricTotalRow = Omit<MetricRow, 'environment_id'>;

export interface QualityScope {
  /** Only environments of this kind. */
  readonly environmentKind?: number;
  /** Only these environments; `null` for all. */
  readonly environments: readonly string[] | null;
  /** Inclusive. */
  readonly start: string;
  /** Inclusive; no end by default. */
  readonly end?: string;
}

export interface QualityPage {
  readonly sorts: readonly Sort[];
  readonly skip: number;
  readonly limit: number;
}

/** The environments of one generation. */
export interface QualityRun {
  readonly id: number;
  readonly run_id: string;
  readonly created_at: string;
  readonly rows: readonly QualityRow[];
}

interface Counted<Row> {
  /** Number of rows before paging. */
  readonly count: number;
  readonly rows: readonly Row[];
}

/** Measures never change. */
const REFERENCES: ColumnReferences = { updated_at: sql.ref('created_at') };
const NEWEST_FIRST: readonly Sort[] = [{ column: 'created_at', type: 'time', descending: true }];

function orders({ sorts }: QualityPage) {
  return sortOrders(sorts.length === 0 ? NEWEST_FIRST : sorts, REFERENCES);
}

/** @returns runs of the scope with their environments, newest first by default */
export function qualityRuns(db: Db, scope: QualityScope, page: QualityPage): Promise<Counted<QualityRun>> {
  return inSnapshot(db, async (snapshot) => {
    const chosen = snapshot.selectFrom('data_quality').where((eb) => eb.and(conditions(scope)));
    const { count } = await chosen
      .select(sql<number>`count(distinct generation_id)::integer`.as('count'))
      .executeTakeFirstOrThrow();
    const runs = await orders(page)
      .reduce((query, order) => query.orderBy(order), chosen)
      .groupBy(['generation_id', 'run_id', 'created_at'])
      .select(['generation_id', 'run_id', 'created_at', sql<number>`min(id)`.as('id')])
      .orderBy('generation_id')
      .offset(page.skip)
      .limit(page.limit)
      .execute();
    const rows = await chosen
      .selectAll()
      .where('generation_id', '=', sql<number>`any(${runs.map((run) => run.generation_id)}::bigint[])`)
      .orderBy('environment_id')
      .execute();
    const byGeneration = Map.groupBy(rows, (row) => row.generation_id);
    return {
      count,
      rows: runs.map(({ generation_id, ...run }) => ({
        ...run,
        rows: byGeneration.get(generation_id) ?? [],
      })),
    };
  });
}

/** @returns counts by kind for each environment of the scope */
export function qualityMetrics(db: Db, scope: QualityScope, page: QualityPage): Promise<Counted<MetricRow>> {
  return inSnapshot(db, async (snapshot) => {
    const chosen = snapshot.selectFrom('data_quality_metric').where((eb) => eb.and(conditions(scope)));
    const { count } = await chosen
      .select(sql<number>`count(*)::integer`.as('count'))
      .executeTakeFirstOrThrow();
    const rows = await orders(page)
      .reduce((query, order) => query.orderBy(order), chosen.selectAll())
      .orderBy('id')
      .offset(page.skip)
      .limit(page.limit)
      .execute();
    return { count, rows };
  });
}

/** Columns that are equal for one metric in all environments. */
const ONE_METRIC = [
  ...(['generation_id', 'run_id', 'created_at', 'environment_kind'] as const),
  ...(['metric_type', 'kind_id', 'metric_name'] as const),
];

/** @returns counts by kind, summed over all environments of the scope */
export function qualityMetricTotals(
  db: Db,
  scope: QualityScope,
  page: QualityPage,
): Promise<Counted<MetricTotalRow>> {
  return inSnapshot(db, async (snapshot) => {
    const totals = snapshot
      .selectFrom('data_quality_metric')
      .where((eb) => eb.and(conditions(scope)))
      .groupBy(ONE_METRIC)
      .select([
        ...ONE_METRIC,
        sql<number>`min(id)`.as('id'),
        sql<number>`sum(metric_value)::bigint`.as('metric_value'),
      ]);
    const { count } = await snapshot
      .selectFrom(totals.as('totals'))
      .select(sql<number>`count(*)::integer`.as('count'))
      .executeTakeFirstOrThrow();
    const rows = await orders(page)
      .reduce((query, order) => query.orderBy(order), snapshot.selectFrom(totals.as('totals')).selectAll())
      .orderBy('id')
      .offset(page.skip)
      .limit(page.limit)
      .execute();
    return { count, rows };
  });
}

/** @returns the measures of a generation in these environments */
export function qualityOfGeneration(
  db: Db,
  generation: number,
  environments: readonly string[] | null,
): Promise<QualityRow[]> {
  let query = db.selectFrom('data_quality').selectAll().where('generation_id', '=', generation);
  if (environments !== null) {
    query = query.where('environment_id', '=', sql<string>`any(${environments}::text[])`);
  }
  return query.execute();
}

/**
 * Reads the parts of each environment of a generation that were not collected, by environment id (`UNREAD_PARTS` of `@clew/model`).
 * Environments that were not collected at all have no row.
 */
export function storedUnread(db: Db): (generation: number) => Promise<Map<string, readonly string[]>> {
  return async (generation) => {
    const rows = await db
      .selectFrom('data_quality')
      .select(['environment_id', 'not_read'])
      .where('generation_id', '=', generation)
      .execute();
    return new Map(rows.map(({ environment_id, not_read }) => [environment_id, not_read]));
  };
}

/** @returns the uncollected parts of each environment at a time, in order, from the newest measure until then */
export async function unreadAt(
  db: Db,
  asked: readonly { readonly environment_id: string; readonly at: string }[],
): Promise<readonly (readonly string[])[]> {
  if (asked.length === 0) return [];
  const { rows } = await sql<{ not_read: readonly string[] | null }>`
    select newest.not_read
    from unnest(${asked.map(({ environment_id }) => environment_id)}::text[], ${asked.map(({ at }) => at)}::timestamptz[])
      with ordinality as asked (environment_id, at, place)
    left join lateral (
      select not_read from data_quality
      where data_quality.environment_id = asked.environment_id and data_quality.created_at <= asked.at
      order by data_quality.created_at desc limit 1
    ) newest on true
    order by asked.place`.execute(db);
  // Environments that were not collected have no measure.
  return rows.map(({ not_read }) => not_read ?? ['environment']);
}

/** Whether any measure of the environment exists. */
export async function wasMeasured(db: Db, environmentId: string, environmentKind?: number): Promise<boolean> {
  let query = db.selectFrom('data_quality').select('id').where('environment_id', '=', environmentId);
  if (environmentKind !== undefined) query = query.where('environment_kind', '=', environmentKind);
  return (await query.limit(1).executeTakeFirst()) !== undefined;
}

function conditions({ environmentKind, environments, start, end }: QualityScope): Expression<SqlBool>[] {
  return [
    sql`created_at >= ${start}::timestamptz`,
    ...(end === undefined ? [] : [sql<SqlBool>`created_at <= ${end}::timestamptz`]),
    ...(environmentKind === undefined ? [] : [sql<SqlBool>`environment_kind = ${environmentKind}::bigint`]),
    ...(environments === null ? [] : [sql<SqlBool>`environment_id = any (${environments}::text[])`]),
  ] as Expression<SqlBool>[];
}
