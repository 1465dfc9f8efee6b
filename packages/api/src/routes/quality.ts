/** Data quality: collected amounts over time. Rule: `docs/reference/api.md#data-quality`. */
import Type from 'typebox';
import { listParameters } from '../columns.ts';
import { paging, parsedElsewhere } from '../parameters.ts';
import { dataOf } from '../schemas/common.ts';
import {
  AdDomainQuality,
  AdQuality,
  AzureQuality,
  AzureTenantQuality,
  Completeness,
  QUALITY_COLUMNS,
  QualityMetric,
  QualityMetricTotal,
  seriesOf,
} from '../schemas/quality.ts';
import { defineRoutes } from './defineRoutes.ts';

const instant = (description: string) => parsedElsewhere(Type.String({ format: 'date-time', description }));

const series = {
  start: instant('Start of the period (inclusive, RFC 3339). Default: 30 days ago.'),
  end: instant('End of the period (inclusive, RFC 3339). Default: now.'),
  ...paging(1000),
  ...listParameters(QUALITY_COLUMNS),
};

const common = {
  method: 'GET',
  tag: 'Data Quality',
  access: ['graphdb/Read'],
  columns: QUALITY_COLUMNS,
} as const;

export const qualityRoutes = defineRoutes([
  {
    method: 'GET',
    path: '/api/v2/completeness',
    operationId: 'GetCompletenessStats',
    tag: 'Data Quality',
    summary: 'Share of the active computers that were scanned for sessions and local groups',
    access: ['graphdb/Read'],
    responses: { 200: dataOf(Completeness) },
  },
  {
    ...common,
    path: '/api/v2/ad-domains/{domain_id}/data-quality-stats',
    operationId: 'GetAdDomainDataQualityStats',
    summary: 'The data collected of a domain, over time, newest first',
    params: Type.Object({ domain_id: Type.String({ description: 'SID of the domain' }) }),
    query: Type.Object(series),
    responses: { 200: seriesOf(AdDomainQuality) },
    errors: [404],
  },
  {
    ...common,
    path: '/api/v2/azure-tenants/{tenant_id}/data-quality-stats',
    operationId: 'GetAzureTenantDataQualityStats',
    summary: 'The data collected of a tenant, over time, newest first',
    params: Type.Object({ tenant_id: Type.String({ description: 'Id of the tenant' }) }),
    query: Type.Object(series),
    responses: { 200: seriesOf(AzureTenantQuality) },
    errors: [404],
  },
  {
    ...common,
    path: '/api/v2/platform/{platform_id}/data-quality-stats',
    operationId: 'GetPlatformDataQualityAggregate',
    summary: 'The data collected of all domains, or of all tenants, over time, newest first',
    params: Type.Object({ platform_id: Type.String({ description: '`ad` or `azure`' }) }),
    query: Type.Object(series),
    responses: { 200: seriesOf(Type.Union([AdQuality, AzureQuality])) },
  },
  {
    ...common,
    path: '/api/v2/data-quality-stats',
    operationId: 'GetDataQualityStats',
    summary: 'Objects and relationships of an environment by kind, over time, newest first',
    query: Type.Object({
      environment_id: Type.String({ description: 'SID of a domain or id of a tenant' }),
      ...series,
    }),
    responses: { 200: seriesOf(QualityMetric) },
    errors: [404],
  },
  {
    ...common,
    path: '/api/v2/data-quality-stats-aggregations',
    operationId: 'GetDataQualityAggregations',
    summary: 'Objects and relationships by kind in all environments of a kind, over time, newest first',
    query: Type.Object({
      schema_environment_kind_id: Type.Integer({
        format: 'int32',
        description: 'Number of a node kind: domains or tenants',
      }),
      schema_extension_id: Type.Optional(
        Type.Integer({ format: 'int32', description: 'Number of an extension; 0 for built-in kinds' }),
      ),
      ...series,
    }),
    responses: { 200: seriesOf(QualityMetricTotal) },
    errors: [404],
  },
]);
