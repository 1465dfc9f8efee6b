/**
 * Google SecOps: alerts for its SOAR, events of the Unified Data Model for its SIEM, or both. Rule:
 * `docs/integration.md#google-secops`.
 */
import type { Alert, AlertEvent } from '../findings/alerts.ts';
import type { Principal, Severity } from '../findings/items.ts';
import { chunksOf, outcomeOf, PlatformHttp, same } from './http.ts';
import { AccessTokens, serviceAccountAssertion } from './oauth.ts';
import type { HostPlatform, Outcome } from './platform.ts';
import { sendParts } from './sendParts.ts';
import type { SettingsOf } from './settings.ts';

type Settings = SettingsOf<'google-secops'>;

const TOKEN_URL = 'https://oauth2.googleapis.com/token';
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
const MAX_BYTES = 1_000_000;

export function googleSecOpsPlatform(settings: Settings): HostPlatform {
  const { soar, udm } = settings;
  if (soar === undefined && udm === undefined)
    throw new Error('google-secops needs soar (alerts), udm (events), or both');
  const http = new PlatformHttp(settings);
  const siem = udm === undefined ? undefined : new UdmImport(http, udm);
  return {
    name: `Google SecOps at ${new URL((soar?.url ?? udm?.url) as string).host}`,
    async test(signal) {
      await siem?.test(signal);
    },
    // The SOAR API has no call without side effects.
    ...(soar !== undefined && { untested: 'the SOAR was not tested: every call creates an alert' }),
    async deliver(alert, signal) {
      const events = siem === undefined ? undefined : await siem.deliver(alert, signal);
      if (soar === undefined) return events ?? [];
      // The alert is sent last: its ticket id identifies a repetition.
      const waiting = events?.find(({ result }) => result === 'retry');
      if (waiting !== undefined) return same(waiting, alert.events.length);
      const outcome = await createAlert(http, soar, alert, signal);
      return (
        events?.map((event) => (event.result === 'rejected' ? event : outcome)) ??
        same(outcome, alert.events.length)
      );
    },
    close: () => http.close(),
  };
}

async function createAlert(
  http: PlatformHttp,
  { url, appKey, environment }: NonNullable<Settings['soar']>,
  alert: Alert,
  signal?: AbortSignal,
): Promise<Outcome> {
  const headers = { appkey: appKey, 'content-type': 'application/json' };
  const answer = await http.send(
    { url, headers, body: JSON.stringify(soarAlert(alert, environment)) },
    signal,
  );
  // The ticket already exists.
  if (answer.status === 409) return { result: 'duplicate', hostId: alert.ticketId };
  const outcome = outcomeOf(answer);
  return outcome.result === 'delivered' ? { ...outcome, hostId: alert.ticketId } : outcome;
}

/** Field names of the platform's alert, and those of the public connector. */
export function soarAlert(alert: Alert, environment = ''): Record<string, unknown> {
  return {
    environment,
    ticket_id: alert.ticketId,
    display_id: alert.displayId,
    name: alert.name,
    description: alert.description,
    device_vendor: alert.vendor,
    device_product: alert.product,
    device_event_class_id: alert.deviceEventClassId,
    rule_generator: alert.ruleGenerator,
    source_grouping_identifier: alert.sourceDomain,
    SourceDomain: alert.sourceDomain,
    source_system_url: String(alert.events[0]?.fields.base_url ?? ''),
    start_time: alert.startTime,
    end_time: alert.endTime,
    priority: alert.priority,
    Severity: alert.severity,
    is_test_case: alert.isTest,
    case_tags: alert.tags,
    extensions: alert.extensions,
    events: alert.events.map(({ fields }) => fields),
  };
}

class UdmImport {
  readonly #http: PlatformHttp;
  readonly #url: string;
  readonly #tokens: AccessTokens;

  constructor(
    http: PlatformHttp,
    { url, serviceAccount, tokenUrl = TOKEN_URL }: NonNullable<Settings['udm']>,
  ) {
    const account = readAccount(serviceAccount);
    this.#http = http;
    this.#url = url.endsWith('/events:import') ? url : `${url.replace(/\/+$/, '')}/events:import`;
    this.#tokens = new AccessTokens(http, tokenUrl, async () => ({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: await serviceAccountAssertion(account, tokenUrl, SCOPE),
    }));
  }

  async test(signal?: AbortSignal): Promise<void> {
    await this.#tokens.get(signal);
  }

  async deliver(alert: Alert, signal?: AbortSignal): Promise<Outcome[]> {
    const events = alert.events.map((event) => ({ udm: udmEvent(alert, event) }));
    return sendParts(
      chunksOf(events, (event) => Buffer.byteLength(JSON.stringify(event)), MAX_BYTES - 64),
      { send: (chunk) => this.#import(chunk, signal), sizeOf: ({ length }) => length, signal },
    );
  }

  /** A batch with one invalid event is refused completely: bisection finds the event. */
  async #import(events: readonly object[], signal?: AbortSignal): Promise<Outcome[]> {
    const headers = {
      authorization: `Bearer ${await this.#tokens.get(signal)}`,
      'content-type': 'application/json',
    };
    const body = JSON.stringify({ inlineSource: { events } });
    const answer = await this.#http.send({ url: this.#url, headers, body }, signal);
    if (answer.status === 401) this.#tokens.forget();
    const outcome = outcomeOf(answer);
    if (outcome.result !== 'rejected' || events.length === 1) return same(outcome, events.length);
    const half = Math.ceil(events.length / 2);
    return sendParts([events.slice(0, half), events.slice(half)], {
      ...{ send: (part) => this.#import(part, signal), sizeOf: ({ length }) => length, signal },
    });
  }
}

function readAccount(text: string): { readonly client_email: string; readonly private_key: string } {
  try {
    const { client_email, private_key } = JSON.parse(text);
    if (typeof client_email === 'string' && typeof private_key === 'string')
      return { client_email, private_key };
  } catch {
    // The error below does not repeat the contents.
  }
  throw new Error('udm.serviceAccount is not the JSON key of a service account');
}

const SEVERITIES: Readonly<Record<Severity, string>> = {
  critical: 'CRITICAL',
  high: 'HIGH',
  moderate: 'MEDIUM',
  low: 'LOW',
};

export function udmEvent(alert: Alert, { item, fields }: AlertEvent): Record<string, unknown> {
  const { finding, status, reason } = item.payload;
  return {
    metadata: {
      event_timestamp: finding.updatedAt,
      event_type: 'GENERIC_EVENT',
      vendor_name: alert.vendor,
      product_name: alert.product,
      product_event_type: finding.findingType,
      product_log_id: item.eventId,
      description: alert.texts.shortDescription,
      url_back_to_product: fields.RemediationURL,
    },
    ...(finding.source !== undefined && { principal: noun(finding.source) }),
    target: noun(finding.target),
    security_result: [
      {
        summary: fields.path_title,
        description: alert.texts.shortDescription,
        severity: SEVERITIES[finding.severity],
        rule_id: finding.findingType,
        rule_name: fields.path_title,
      },
    ],
    additional: {
      finding_key: item.key,
      zone: finding.zoneName,
      environment: finding.environmentName,
      exposure_percentage: finding.exposurePercentage,
      exposure_count: finding.exposureCount,
      impact_percentage: finding.impactPercentage,
      impact_count: finding.impactCount,
      accepted: finding.accepted,
      status,
      change: item.kind,
      reason,
    },
  };
}

const USERS = new Set(['User', 'AZUser', 'AZServicePrincipal']);
const GROUPS = new Set(['Group', 'AZGroup', 'AZRole']);

function noun({ id, name, kind }: Principal): Record<string, unknown> {
  const isSid = /^S-1-/.test(id);
  if (USERS.has(kind))
    return {
      user: { user_display_name: name, ...(isSid ? { windows_sid: id } : { product_object_id: id }) },
    };
  if (GROUPS.has(kind))
    return {
      group: { group_display_name: name, ...(isSid ? { windows_sid: id } : { product_object_id: id }) },
    };
  if (kind === 'Computer') return { asset: { hostname: name, asset_id: `${kind}:${id}` } };
  return { resource: { name, product_object_id: id, resource_subtype: kind } };
}
