/** Delivers to Microsoft Sentinel through the Logs Ingestion API. Rule: `docs/integration.md#microsoft-sentinel`. */
import type { Alert, AlertEvent } from '../findings/alerts.ts';
import { chunksOf, outcomeOf, PlatformHttp, same } from './http.ts';
import { AccessTokens } from './oauth.ts';
import type { HostPlatform, Outcome } from './platform.ts';
import { sendParts } from './sendParts.ts';
import type { SettingsOf } from './settings.ts';

const API_VERSION = '2023-01-01';
const SCOPE = 'https://monitor.azure.com/.default';
const MAX_BYTES = 1_000_000;
/** Maximum number of bytes of one field. */
const MAX_FIELD = 64_000;

export function sentinelPlatform(settings: SettingsOf<'sentinel'>): HostPlatform {
  const http = new PlatformHttp(settings);
  const login = (settings.loginUrl ?? 'https://login.microsoftonline.com').replace(/\/+$/, '');
  const { tenantId, clientId, clientSecret } = settings;
  const tokens = new AccessTokens(http, `${login}/${encodeURIComponent(tenantId)}/oauth2/v2.0/token`, () => ({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
    scope: SCOPE,
  }));
  const url = `${settings.endpoint.replace(/\/+$/, '')}/dataCollectionRules/${encodeURIComponent(settings.ruleId)}/streams/${encodeURIComponent(settings.stream)}?api-version=${API_VERSION}`;

  async function post(rows: readonly string[], signal?: AbortSignal): Promise<Outcome> {
    const authorization = `Bearer ${await tokens.get(signal)}`;
    const headers = { authorization, 'content-type': 'application/json' };
    const answer = await http.send({ url, headers, body: `[${rows.join(',')}]`, gzip: true }, signal);
    if (answer.status === 401) tokens.forget();
    return outcomeOf(answer);
  }

  return {
    name: `Sentinel at ${new URL(settings.endpoint).host}`,
    async test(signal) {
      await tokens.get(signal);
    },
    async deliver(alert, signal) {
      const rows = alert.events.map((event) => JSON.stringify(rowOf(alert, event)));
      return sendParts(
        chunksOf(rows, (row) => Buffer.byteLength(row), MAX_BYTES - 2),
        {
          send: async (chunk) => same(await post(chunk, signal), chunk.length),
          ...{ sizeOf: ({ length }) => length, signal },
        },
      );
    },
    close: () => http.close(),
  };
}

/** Columns of the table: those that dashboards of BloodHound users read, and ours. */
function rowOf(alert: Alert, { item, fields }: AlertEvent): Record<string, unknown> {
  const { finding, status } = item.payload;
  const row: Record<string, unknown> = {
    TimeGenerated: finding.updatedAt,
    FindingKey: item.key,
    EventId: item.eventId,
    AlertId: alert.id,
    Status: status,
    Change: item.kind,
    StatusReason: item.payload.reason,
    Zone: finding.zoneName,
    Severity: finding.severity,
    FindingType: finding.findingType,
    FindingId: finding.id,
    PartOf: finding.partOf ?? '',
    PartOfID: finding.partOfId ?? null,
    PathTitle: fields.path_title,
    tenant_url: fields.base_url,
    domain_name: finding.environmentName,
    DomainSID: finding.environmentId,
    Accepted: finding.accepted,
    AcceptedUntil: finding.acceptedUntil,
    ExposureCount: finding.exposureCount,
    ExposurePercentage: finding.exposurePercentage,
    ImpactCount: finding.impactCount,
    ImpactPercentage: finding.impactPercentage,
    CreatedAt: finding.createdAt,
    UpdatedAt: finding.updatedAt,
    NonTierZeroPrincipal: finding.source?.id ?? '',
    NonTierZeroPrincipalName: finding.source?.name ?? '',
    NonTierZeroPrincipalKind: finding.source?.kind ?? '',
    ImpactedPrincipal: finding.target.id,
    ImpactedPrincipalName: finding.target.name,
    ImpactedPrincipalKind: finding.target.kind,
    ShortDescription: alert.texts.shortDescription,
    ShortRemediation: alert.texts.shortRemediation,
    LongRemediation: alert.texts.longRemediation,
    RemediationURL: fields.RemediationURL,
    CaseId: alert.extensions.CaseId,
  };
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, cut(value)]));
}

function cut(value: unknown): unknown {
  if (typeof value !== 'string' || Buffer.byteLength(value) <= MAX_FIELD) return value;
  return Buffer.from(value)
    .subarray(0, MAX_FIELD - 3)
    .toString()
    .replace(/\ufffd$/, '')
    .concat('...');
}
