/**
 * Figures over time: risk of a finding type per run, posture of an environment per run, and both per day.
 *
 * Rule: `docs/findings.md#records-over-time`. Days are UTC days with the value of their last run; alternatively each run is a point.
 */
import { findingText, type TypesById } from '@clew/analysis';
import { type ColumnReferences, filterConditions, type ListQuery, sortOrders } from '@clew/common';
import {
  type Db,
  HYGIENE,
  inSnapshot,
  type PostureStatTable,
  type RiskCountTable,
  TIER_ZERO,
} from '@clew/store';
import { type Expression, type Selectable, type SqlBool, sql } from 'kysely';
import { IS_WHOLE, type PagedQuery, titleOf } from './findingQueries.ts';

/** Half-open: from `from`, before `to`. Times as `YYYY-MM-DDTHH:MM:SS.ffffffZ`. */
export interface TimeWindow {
  readonly from: string;
  readonly to: string;
}

export interface SeriesScope extends TimeWindow {
  readonly visible: readonly string[] | null;
  readonly environments?: readonly string[];
  /** Default: Tier Zero and findings without a zone. */
  readonly zones?: readonly number[];
  /** Default: days. */
  readonly points?: PosturePoints;
}

/** One value per day, or one per analysis. */
export type PosturePoints = 'day' | 'analysis';

export const DEFAULT_ZONES: readonly number[] = [HYGIENE, TIER_ZERO];

export type RiskCountRow = Selectable<RiskCountTable>;
export type PostureStatRow = Selectable<PostureStatTable>;

const SERIES_REFERENCES: ColumnReferences = {
  CompositeRisk: sql.ref('composite_risk'),
  FindingCount: sql.ref('finding_count'),
  ImpactedAssetCount: sql.ref('impacted_asset_count'),
  domain_sid: sql.ref('environment_id'),
  DomainSID: sql.ref('environment_id'),
  asset_group_tag_id: sql.ref('tag_id'),
};

/** @returns one record per run and zone, oldest first by default */
export function riskCounts(
  db: Db,
  scope: SeriesScope & { readonly finding: string },
  { sorts, filters }: ListQuery,
): Promise<RiskCountRow[]> {
  const rows = db
    .selectFrom('risk_count')
    .selectAll()
    .where('finding', '=', scope.finding)
    .where((eb) => eb.and([...seriesConditions(scope), ...filterConditions(filters, SERIES_REFERENCES)]));
  return sortOrders(sorts, SERIES_REFERENCES)
    .reduce((query, order) => query.orderBy(order), rows)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** @returns one record per run, environment and zone, oldest first by default */
export function postureStats(
  db: Db,
  scope: SeriesScope,
  query: PagedQuery,
): Promise<{ count: number; rows: readonly PostureStatRow[] }> {
  return inSnapshot(db, async (snapshot) => {
    const chosen = snapshot
      .selectFrom('posture_stat')
      .where((eb) =>
        eb.and([...seriesConditions(scope), ...filterConditions(query.filters, SERIES_REFERENCES)]),
      );
    const { count } = await chosen
      .select(sql<number>`count(*)::integer`.as('count'))
      .executeTakeFirstOrThrow();
    let page = sortOrders(query.sorts, SERIES_REFERENCES)
      .reduce((rows, order) => rows.orderBy(order), chosen.selectAll())
      .orderBy('created_at')
      .orderBy('id')
      .offset(query.skip);
    if (query.limit > 0) page = page.limit(query.limit);
    return { count, rows: await page.execute() };
  });
}

export const POSTURE_HISTORY_TYPES = [
  'findings',
  'exposure',
  'assets',
  'attack-paths',
  'archived-findings',
  'session-completeness',
  'group-completeness',
] as const;

export type PostureHistoryType = (typeof POSTURE_HISTORY_TYPES)[number];

export interface DayValue {
  /** Start of the day, or the time of the analysis. */
  readonly date: string;
  readonly value: number;
}

/** With more analyses, which a chart cannot show, values are per day. */
const MAX_ANALYSES = 500;

/**
 * Counts of several environments are added; percentages are weighted by principals or computers.
 * @param scope its `points` are days if there are more than 500 analyses
 * @returns days or analyses with data, ascending, and which of the two they are
 */
export async function postureHistory(
  db: Db,
  type: PostureHistoryType,
  scope: SeriesScope,
): Promise<{ readonly points: PosturePoints; readonly data: readonly DayValue[] }> {
  const points =
    scope.points === 'analysis' && (await countAnalyses(db, scope)) <= MAX_ANALYSES ? 'analysis' : 'day';
  const { rows } = await HISTORY[type]({ ...scope, points }).execute(db);
  return { points, data: rows };
}

async function countAnalyses(db: Db, { from, to }: TimeWindow): Promise<number> {
  const { count } = await db
    .selectFrom('finding_run')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('published_at', '>=', from)
    .where('published_at', '<', to)
    .executeTakeFirstOrThrow();
  return Number(count);
}

const pointOf = (column: 'created_at' | 'deleted_at', { points }: SeriesScope) =>
  points === 'analysis' ? sql.ref(column) : sql`date_trunc('day', ${sql.ref(column)})`;

/** The last run per point that includes the environment. */
const lastOfPoint = (table: 'posture_stat' | 'environment_stat', scope: SeriesScope) => {
  const key = table === 'posture_stat' ? sql`point, environment_id, tag_id` : sql`point, environment_id`;
  return sql`
    select distinct on (${key}) * from (
      select ${pointOf('created_at', scope)} as point, * from ${sql.table(table)}
      where ${sql.join(seriesConditions(table === 'posture_stat' ? scope : { ...scope, zones: undefined }, table === 'posture_stat'), sql` and `)}
    ) as stats
    order by ${key}, run_id desc`;
};

const sumOf =
  (column: string, tagsOf: (scope: SeriesScope) => SeriesScope = (scope) => scope) =>
  (scope: SeriesScope) =>
    sql<DayValue>`
    select point as date, sum(${sql.ref(column)})::double precision as value
    from (${lastOfPoint('posture_stat', tagsOf(scope))}) as points group by point order by point`;

const shareOf =
  (table: 'posture_stat' | 'environment_stat', part: ReturnType<typeof sql>, whole: string) =>
  (scope: SeriesScope) =>
    sql<DayValue>`
    select point as date, coalesce(100 * sum(${part}) / nullif(sum(${sql.ref(whole)}), 0), 0)::double precision as value
    from (${lastOfPoint(table, table === 'posture_stat' ? zonesOnly(scope) : scope)}) as points
    group by point order by point`;

/** Exposure and size belong to a zone, by default Tier Zero. */
function zonesOnly(scope: SeriesScope): SeriesScope {
  return { ...scope, zones: (scope.zones ?? DEFAULT_ZONES).filter((zone) => zone !== HYGIENE) };
}

const HISTORY: Readonly<
  Record<PostureHistoryType, (scope: SeriesScope) => ReturnType<typeof sql<DayValue>>>
> = {
  findings: sumOf('finding_count'),
  'attack-paths': sumOf('attack_path_count'),
  assets: sumOf('tier_zero_count', zonesOnly),
  exposure: shareOf('posture_stat', sql`exposure_index * principal_count`, 'principal_count'),
  'session-completeness': shareOf('environment_stat', sql`session_computers`, 'active_computers'),
  'group-completeness': shareOf('environment_stat', sql`group_computers`, 'active_computers'),
  'archived-findings': (scope) => sql<DayValue>`
    select ${pointOf('deleted_at', scope)} as date, count(*)::double precision as value
    from finding
    where deleted_at >= ${scope.from} and deleted_at < ${scope.to}
      and ${IS_WHOLE} and ${sql.join(placeConditions(scope, true), sql` and `)}
    group by 1 order by 1`,
};

export interface FindingTrend {
  readonly environment_ids: readonly string[];
  readonly finding: string;
  readonly display_title: string;
  readonly display_type: string;
  readonly composite_risk: number;
  readonly finding_count_start: number;
  readonly finding_count_end: number;
  readonly finding_count_increase: number;
  readonly finding_count_decrease: number;
  readonly impact_count: number;
  readonly exposure_count: number;
  readonly archived_count: number;
}

/** Findings at both ends of a window and in between. */
interface TrendCounts {
  readonly at_start: number;
  readonly at_end: number;
  readonly came: number;
  readonly went: number;
}

export interface CountedTrend {
  /** Trend of all findings of the type, as in its list. */
  readonly trend: FindingTrend;
  /** Counts without findings that are parts of others: figures over several types use these. */
  readonly whole: TrendCounts;
}

interface TrendRow extends TrendCounts {
  readonly finding: string;
  readonly kind: string;
  readonly environment_ids: string[];
  readonly whole: TrendCounts;
  readonly composite_risk: number;
  readonly exposure_count: number;
  readonly impact_count: number;
}

/** @param zone the zone of the findings, if not Tier Zero @returns types that had a finding at any time in the window; by risk, then id */
export async function findingTrends(
  db: Db,
  scope: SeriesScope,
  types: TypesById,
  zone?: string,
): Promise<CountedTrend[]> {
  const places = sql.join(placeConditions(scope, true), sql` and `);
  const { rows } = await sql<TrendRow>`
    with counts as (
      select finding, min(kind) as kind, array_agg(distinct environment_id order by environment_id) as environment_ids,
             ${trendCounts(scope)},
             jsonb_build_object(${trendCounts(scope, true)}) as whole
      from finding
      where created_at <= ${scope.to} and (deleted_at is null or deleted_at > ${scope.from}) and ${places}
      group by finding
    ),
    last_run as (
      select environment_id, max(run_id) as run_id from posture_stat
      where created_at <= ${scope.to} and ${places} group by environment_id
    ),
    risks as (
      select risk_count.finding,
             coalesce(sum(risk_count.composite_risk * principal_count) / nullif(sum(principal_count), 0),
                      max(risk_count.composite_risk)) as composite_risk,
             sum(risk_count.exposure_count) as exposure_count, sum(risk_count.impact_count) as impact_count
      from risk_count
      join last_run using (environment_id, run_id)
      left join posture_stat using (run_id, environment_id, tag_id)
      where ${sql.join(placeConditions(scope, true, 'risk_count.'), sql` and `)}
      group by risk_count.finding
    )
    select counts.*, coalesce(risks.composite_risk, 0) as composite_risk,
           coalesce(risks.exposure_count, 0)::double precision as exposure_count,
           coalesce(risks.impact_count, 0)::double precision as impact_count
    from counts left join risks using (finding)
    order by coalesce(risks.composite_risk, 0) desc, finding`.execute(db);
  return rows.map((row) => ({ trend: trendOf(row, types, zone), whole: row.whole }));
}

/** @param isWhole counts only findings that are not part of another; otherwise all findings */
function trendCounts({ from, to }: TimeWindow, isWhole = false) {
  const conditions = {
    at_start: sql`created_at <= ${from} and (deleted_at is null or deleted_at > ${from})`,
    at_end: sql`deleted_at is null or deleted_at > ${to}`,
    came: sql`created_at > ${from}`,
    went: sql`deleted_at > ${from} and deleted_at <= ${to}`,
  } satisfies Readonly<Record<keyof TrendCounts, unknown>>;
  return sql.join(
    Object.entries(conditions).map(([name, condition]) =>
      isWhole
        ? sql`${sql.lit(name)}, count(*) filter (where (${condition}) and ${IS_WHOLE})`
        : sql`count(*) filter (where ${condition})::integer as ${sql.ref(name)}`,
    ),
  );
}

function trendOf(row: TrendRow, types: TypesById, zone: string | undefined): FindingTrend {
  const type = types(row.finding);
  return {
    environment_ids: row.environment_ids,
    finding: row.finding,
    display_title: titleOf(row.finding, types, zone),
    display_type: type === undefined ? '' : findingText(type, 'type', zone),
    composite_risk: row.composite_risk,
    finding_count_start: row.at_start,
    finding_count_end: row.at_end,
    finding_count_increase: row.came,
    finding_count_decrease: row.went,
    impact_count: row.impact_count,
    // 0 for a type without exposure, because clients compute with the value.
    exposure_count: row.exposure_count,
    archived_count: row.went,
  };
}

/** Exposure of each zone, and findings without a zone, from the newest run. */
export interface EnvironmentPosture {
  readonly environment_id: string;
  /** 0..100, for Tier Zero. */
  readonly impact_value: number;
  readonly hygiene_attack_paths: number;
  readonly exposures: readonly { readonly tag_id: number; readonly exposure_percent: number }[];
}

/** Used by the list of environments. @returns postures by environment id */
export async function currentPosture(db: Db): Promise<ReadonlyMap<string, EnvironmentPosture>> {
  const rows = await db
    .selectFrom('posture_stat')
    .select(['environment_id', 'tag_id', 'exposure_index', 'attack_path_count'])
    .where('run_id', '=', (eb) => eb.selectFrom('finding_run').select(({ fn }) => fn.max('id').as('id')))
    .orderBy('tag_id')
    .execute();
  const byEnvironment = Map.groupBy(rows, ({ environment_id }) => environment_id);
  return new Map(
    [...byEnvironment].map(([environment_id, stats]) => {
      const percent = (zone: number) =>
        (stats.find(({ tag_id }) => tag_id === zone)?.exposure_index ?? 0) * 100;
      const posture: EnvironmentPosture = {
        environment_id,
        impact_value: Math.round(percent(TIER_ZERO)),
        hygiene_attack_paths: stats.find(({ tag_id }) => tag_id === HYGIENE)?.attack_path_count ?? 0,
        exposures: stats
          .filter(({ tag_id }) => tag_id !== HYGIENE)
          .map(({ tag_id }) => ({ tag_id, exposure_percent: percent(tag_id) })),
      };
      return [environment_id, posture];
    }),
  );
}

function seriesConditions(scope: SeriesScope, hasZones = true): Expression<SqlBool>[] {
  return [
    sql`created_at >= ${scope.from}`,
    sql`created_at < ${scope.to}`,
    ...placeConditions(scope, hasZones),
  ];
}

function placeConditions(
  { visible, environments, zones = DEFAULT_ZONES }: SeriesScope,
  hasZones: boolean,
  table = '',
): Expression<SqlBool>[] {
  const conditions: Expression<SqlBool>[] = [];
  if (hasZones) conditions.push(sql`${sql.ref(`${table}tag_id`)} = any (${zones}::integer[])`);
  for (const allowed of [visible, environments]) {
    if (allowed) conditions.push(sql`${sql.ref(`${table}environment_id`)} = any (${allowed}::text[])`);
  }
  // A neutral condition, so that an empty list is valid SQL.
  return conditions.length === 0 ? [sql`true`] : conditions;
}
