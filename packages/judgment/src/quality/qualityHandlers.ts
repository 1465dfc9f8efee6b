/** Data quality over HTTP: time series of collected amounts, and the completeness of the current graph. */
import { formatTime, QUALITY_COLUMNS } from '@clew/api';
import {
  type AnyInput,
  apiError,
  type Handler,
  type Handlers,
  type Principal,
  parseListQuery,
  parseTime,
} from '@clew/common';
import type { Generation, GenerationSource } from '@clew/generation';
import { namedObjectId } from '@clew/graph';
import { NodeKind } from '@clew/model';
import type { Db } from '@clew/store';
import { sql } from 'kysely';
import {
  type QualityPage,
  type QualityRun,
  type QualityScope,
  qualityMetrics,
  qualityMetricTotals,
  qualityOfGeneration,
  qualityRuns,
  wasMeasured,
} from './qualityQueries.ts';
import { adFigures, azureFigures, completenessOf, metricFigures, recordOf } from './qualityStats.ts';

export interface QualityServices {
  readonly db: Db;
  readonly generations: GenerationSource;
}

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;

type Operations = 'GetCompletenessStats' | SeriesOperations;
type SeriesOperations =
  | 'GetAdDomainDataQualityStats'
  | 'GetAzureTenantDataQualityStats'
  | 'GetPlatformDataQualityAggregate'
  | 'GetDataQualityStats'
  | 'GetDataQualityAggregations';

export function qualityHandlers(services: QualityServices): Handlers<Operations> {
  return {
    GetCompletenessStats: completeness(services),
    GetAdDomainDataQualityStats: (input, { principal }) =>
      environmentSeries(services, input, principal, [input.params.domain_id, NodeKind.Domain], (run) => ({
        ...recordOf(run),
        domain_sid: run.rows[0].environment_id,
        ...adFigures(run.rows),
      })),
    GetAzureTenantDataQualityStats: (input, { principal }) =>
      environmentSeries(services, input, principal, [input.params.tenant_id, NodeKind.AZTenant], (run) => ({
        ...recordOf(run),
        tenantid: run.rows[0].environment_id,
        ...azureFigures(run.rows),
      })),
    GetPlatformDataQualityAggregate: platformSeries(services),
    GetDataQualityStats: metricSeries(services),
    GetDataQualityAggregations: metricTotalSeries(services),
  };
}

/** Completeness of the current graph. */
function completeness({ db, generations }: QualityServices): Handler<'GetCompletenessStats'> {
  return async (_input, { principal }) => {
    const rows = await qualityOfGeneration(db, generations.current().id, visibleTo(principal));
    return { status: 200, json: { data: completenessOf(rows) } };
  };
}

async function environmentSeries<Entry>(
  services: QualityServices,
  input: SeriesInput,
  principal: Principal,
  [asked, environmentKind]: readonly [id: string, kind: number],
  entry: (run: QualityRun) => Entry,
) {
  const id = namedObjectId(services.generations.current().graph, asked);
  await requireEnvironment(services, principal, id, environmentKind);
  return series(input, async (window, page) => {
    const scope = { ...window, environmentKind, environments: [id] };
    const { count, rows } = await qualityRuns(services.db, scope, page);
    return { count, data: rows.map(entry) };
  });
}

const adEntry = (run: QualityRun) => ({
  ...recordOf(run),
  domains: run.rows.length,
  ...adFigures(run.rows),
});

const azureEntry = (run: QualityRun) => ({
  ...recordOf(run),
  tenants: run.rows.length,
  ...azureFigures(run.rows),
});

interface PlatformSeries {
  readonly kind: number;
  readonly entry: (run: QualityRun) => ReturnType<typeof adEntry> | ReturnType<typeof azureEntry>;
}

const PLATFORMS: ReadonlyMap<string, PlatformSeries> = new Map([
  ['ad', { kind: NodeKind.Domain, entry: adEntry }],
  ['azure', { kind: NodeKind.AZTenant, entry: azureEntry }],
]);

function platformSeries({ db }: QualityServices): Handler<'GetPlatformDataQualityAggregate'> {
  return async (input, { principal }) => {
    const platform = PLATFORMS.get(input.params.platform_id);
    if (platform === undefined) {
      throw apiError('malformedPathParameter', { name: 'platform_id', reason: 'must be one of ad, azure' });
    }
    return series(input, async (window, page) => {
      const scope = { ...window, environmentKind: platform.kind, environments: visibleTo(principal) };
      const { count, rows } = await qualityRuns(db, scope, page);
      return { count, data: rows.map(platform.entry) };
    });
  };
}

function metricSeries(services: QualityServices): Handler<'GetDataQualityStats'> {
  return async (input, { principal }) => {
    const id = namedObjectId(services.generations.current().graph, input.query.environment_id);
    await requireEnvironment(services, principal, id);
    return series(input, async (window, page) => {
      const { count, rows } = await qualityMetrics(services.db, { ...window, environments: [id] }, page);
      return {
        count,
        data: rows.map((row) => ({ ...metricFigures(row), environment_id: row.environment_id })),
      };
    });
  };
}

function metricTotalSeries({ db, generations }: QualityServices): Handler<'GetDataQualityAggregations'> {
  return async (input, { principal }) => {
    const { schema_environment_kind_id: environmentKind, schema_extension_id: extension = 0 } = input.query;
    if (extension !== 0 && !(await isOfExtension(db, generations.current(), extension, environmentKind)))
      throw apiError('resourceNotFound');
    return series(input, async (window, page) => {
      const scope = { ...window, environmentKind, environments: visibleTo(principal) };
      const { count, rows } = await qualityMetricTotals(db, scope, page);
      return { count, data: rows.map(metricFigures) };
    });
  };
}

/** Active Directory and Azure are the extensions 1 and 2. */
const BUILT_IN: ReadonlyMap<number, number> = new Map([
  [1, NodeKind.Domain],
  [2, NodeKind.AZTenant],
]);

/** Whether an extension declares environments of the kind. */
async function isOfExtension(
  db: Db,
  { customNodeKinds }: Generation,
  id: number,
  environmentKind: number,
): Promise<boolean> {
  if (BUILT_IN.has(id)) return BUILT_IN.get(id) === environmentKind;
  const extension = await db
    .selectFrom('extension')
    .select('definition')
    // Compared as bigint, because a request may contain any number.
    .where(sql<boolean>`id = ${id}::bigint`)
    .executeTakeFirst();
  const name = customNodeKinds.get(environmentKind);
  return (
    extension?.definition.environments.some(({ environment_kind }) => environment_kind === name) === true
  );
}

function visibleTo(principal: Principal): readonly string[] | null {
  return principal.kind !== 'user' || principal.environments === null ? null : [...principal.environments];
}

/** @throws ApiError 403 for an environment that the caller may not see, 404 for one that never existed */
async function requireEnvironment(
  { db, generations }: QualityServices,
  principal: Principal,
  id: string,
  kind?: number,
): Promise<void> {
  if (visibleTo(principal)?.includes(id) === false) throw apiError('environmentForbidden');
  const type = kind === NodeKind.AZTenant ? 'azure' : 'active-directory';
  const isThere = generations
    .current()
    .environments.some(
      (environment) => environment.id === id && (kind === undefined || environment.type === type),
    );
  if (!isThere && !(await wasMeasured(db, id, kind))) throw apiError('resourceNotFound');
}

type SeriesInput = AnyInput & { readonly query: { readonly skip: number; readonly limit: number } };
type Window = Pick<QualityScope, 'start' | 'end'>;

/** Common parts of all series: time range, sorting, paging. */
async function series<Entry>(
  { query: { skip, limit }, rawQuery }: SeriesInput,
  read: (window: Window, page: QualityPage) => Promise<{ count: number; data: readonly Entry[] }>,
) {
  const { sorts } = parseListQuery(rawQuery, QUALITY_COLUMNS);
  const now = Date.now();
  const end = readInstant(rawQuery, 'end');
  const start = readInstant(rawQuery, 'start') ?? formatTime(now - DEFAULT_DAYS * DAY_MS);
  const shownEnd = end ?? formatTime(now);
  if (start > shownEnd) throw apiError('invalidTimeRange');
  const { count, data } = await read({ start, end }, { sorts, skip, limit });
  return { status: 200 as const, json: { count, skip, limit, start, end: shownEnd, data } };
}

function readInstant(query: URLSearchParams, name: string): string | undefined {
  const value = query.get(name);
  if (value === null) return undefined;
  const time = parseTime(value);
  if (time === undefined) throw apiError('malformedTime', { value });
  return time;
}
