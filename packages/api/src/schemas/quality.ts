/**
 * Statistics of collected data, by environment, platform and kind. Rule:
 * `docs/findings.md#records-over-time` for completeness.
 */
import Type, { type Static, type TObject, type TSchema } from 'typebox';
import { column } from '../columns.ts';
import { Count, NullTime, Time, Uuid } from './common.ts';

/** Kinds that are counted in a domain, by the name of their count. */
export const AD_QUALITY_KINDS = {
  users: 'User',
  groups: 'Group',
  computers: 'Computer',
  ous: 'OU',
  containers: 'Container',
  gpos: 'GPO',
  aiacas: 'AIACA',
  rootcas: 'RootCA',
  enterprisecas: 'EnterpriseCA',
  ntauthstores: 'NTAuthStore',
  certtemplates: 'CertTemplate',
  issuancepolicies: 'IssuancePolicy',
} as const;

/** Kinds that are counted in a tenant, by the name of their count. */
export const AZURE_QUALITY_KINDS = {
  users: 'AZUser',
  groups: 'AZGroup',
  apps: 'AZApp',
  service_principals: 'AZServicePrincipal',
  devices: 'AZDevice',
  management_groups: 'AZManagementGroup',
  subscriptions: 'AZSubscription',
  resource_groups: 'AZResourceGroup',
  vms: 'AZVM',
  key_vaults: 'AZKeyVault',
} as const;

export const QUALITY_COLUMNS = {
  created_at: column('time', { filterable: false }),
  updated_at: column('time', { filterable: false }),
} as const;

const countsOf = <const Names extends Readonly<Record<string, string>>>(names: Names) =>
  Object.fromEntries(Object.keys(names).map((name) => [name, Count])) as {
    [Name in keyof Names]: typeof Count;
  };

const Share = Type.Number({
  minimum: 0,
  maximum: 1,
  description:
    'Scanned share of the enabled computers with a logon in the last 14 days; 0 without such computers',
});

const record = {
  id: Type.Integer(),
  created_at: Time,
  updated_at: Time,
  deleted_at: NullTime,
  run_id: Uuid,
};

const adCounts = {
  ...countsOf(AD_QUALITY_KINDS),
  acls: Count,
  sessions: Count,
  relationships: Count,
  session_completeness: Share,
  local_group_completeness: Share,
};
const azureCounts = { ...countsOf(AZURE_QUALITY_KINDS), relationships: Count };

export const AdDomainQuality = Type.Object({ ...record, domain_sid: Type.String(), ...adCounts });
export const AzureTenantQuality = Type.Object({ ...record, tenantid: Type.String(), ...azureCounts });
export const AdQuality = Type.Object({ ...record, domains: Count, ...adCounts });
export const AzureQuality = Type.Object({ ...record, tenants: Count, ...azureCounts });

const metric = {
  ...record,
  extension_id: Type.Integer({ description: '0 for built-in kinds' }),
  environment_kind_id: Type.Integer(),
  metric_type: Type.Union([Type.Literal('node'), Type.Literal('relationship')]),
  metric_name: Type.String({ description: 'Name of the kind' }),
  metric_value: Type.Number(),
  kind_id: Type.Integer(),
};

export const QualityMetric = Type.Object({ ...metric, environment_id: Type.String() });
export const QualityMetricTotal = Type.Object(metric);

/** A page of a series, with its start time. */
export const seriesOf = <T extends TSchema>(entry: T) =>
  Type.Object({
    count: Count,
    skip: Count,
    limit: Count,
    start: Time,
    end: Time,
    data: Type.Array(entry),
  }) satisfies TObject;

export const Completeness = Type.Object({ SessionCompleteness: Share, LocalGroupCompleteness: Share });
export type Completeness = Static<typeof Completeness>;
