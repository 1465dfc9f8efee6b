/**
 * Alerts and events in the form that host platforms receive. Mapping rules of platforms read the field names, including blanks.
 * Rule: `docs/integration.md#fields-of-alerts-and-events`.
 */
import { stableUuid } from './identity.ts';
import {
  type FindingFacts,
  type FindingTexts,
  type ItemKind,
  type ItemStatus,
  type PlannedBatch,
  type Severity,
  severityRank,
  type WaitingItem,
} from './items.ts';

export const VENDOR = 'Clew';
export const PRODUCT = 'Clew Attack Paths';
const SCHEMA_VERSION = 1;

/** The scale of Google SecOps, from which other platforms convert. */
const PRIORITIES: Readonly<Record<Severity, number>> = { critical: 100, high: 80, moderate: 60, low: 40 };

export type EventFields = Readonly<Record<string, unknown>>;

export interface AlertEvent {
  readonly item: WaitingItem;
  readonly fields: EventFields;
}

export interface Alert {
  /** Equal for equal content. */
  readonly id: string;
  readonly kind: PlannedBatch['kind'];
  readonly displayId: string;
  readonly ticketId: string;
  readonly name: string;
  readonly description: string;
  readonly severity: Severity;
  readonly priority: number;
  /** Key for grouping cases: the name of the environment. */
  readonly sourceDomain: string;
  readonly ruleGenerator: string;
  readonly deviceEventClassId: string;
  readonly vendor: string;
  readonly product: string;
  /** Milliseconds since the epoch. */
  readonly startTime: number;
  readonly endTime: number;
  readonly isTest: boolean;
  readonly tags: readonly string[];
  readonly extensions: Readonly<Record<string, string | number>>;
  readonly texts: FindingTexts;
  readonly events: readonly AlertEvent[];
}

export interface AlertSettings {
  /** Address of the service, without a trailing slash. */
  readonly server: string;
  /** Names of the fields in which the platform expects the product and the kind of the event. */
  readonly productFieldName: string;
  readonly eventFieldName: string;
  readonly longRemediationInEvents: boolean;
}

/** @param items at least one */
export function buildAlert(
  settings: AlertSettings,
  batch: PlannedBatch,
  items: readonly WaitingItem[],
  texts: FindingTexts,
  isTest = false,
): Alert {
  const findings = items.map(({ payload }) => payload.finding);
  const [{ environmentName, zoneName }] = findings;
  const { host } = new URL(settings.server);
  const severity = findings
    .map((finding) => finding.severity)
    .reduce((worst, each) => (severityRank(each) > severityRank(worst) ? each : worst));
  const reason = findings.find((finding) => finding.severity === severity)?.severityReason;
  const startTime = Math.min(...findings.map(({ createdAt }) => timeOf(createdAt)));
  const endTime = Math.max(...findings.map(({ updatedAt }) => timeOf(updatedAt)));
  const title = texts.title || batch.findingType;
  const isSplit = batch.parts > 1;
  return {
    id: batch.id,
    kind: batch.kind,
    displayId: `${VENDOR}:${batch.id}`,
    ticketId: `${host}:${batch.environmentId}:${batch.zoneId}:${batch.findingType}:${batch.id}`,
    name: `${title} in ${environmentName}${SUFFIXES[batch.kind]}`,
    description: describe(batch, items, environmentName, texts),
    severity,
    priority: PRIORITIES[severity],
    sourceDomain: environmentName,
    ruleGenerator: title,
    deviceEventClassId: batch.findingType,
    vendor: VENDOR,
    product: PRODUCT,
    startTime,
    endTime,
    isTest,
    tags: [title, environmentName, zoneName, ...(isSplit ? [`Batch ${batch.part}/${batch.parts}`] : [])],
    extensions: {
      DomainName: environmentName,
      PathTitle: title,
      AttackPathCount: items.length,
      TotalAttackPathCount: batch.total,
      CaseId: `${host}:${environmentName}`,
      ShortRemediation: texts.shortRemediation,
      LongRemediation: texts.longRemediation,
      Description: texts.shortDescription,
      FindingType: batch.findingType,
      ...(reason !== undefined && { SeverityReason: reason }),
      ...(isSplit && { BatchNumber: batch.part, TotalBatches: batch.parts }),
      ZoneName: zoneName,
      AssetGroupTagId: batch.zoneId,
      EnvironmentId: batch.environmentId,
      SchemaVersion: SCHEMA_VERSION,
    },
    texts,
    events: items.map((item) => ({ item, fields: eventFields(settings, item, texts, startTime, endTime) })),
  };
}

const SUFFIXES: Readonly<Record<PlannedBatch['kind'], string>> = {
  create: '',
  reopen: ' (open again)',
  update: ' (changed)',
  close: ' (closed)',
};

function describe(
  batch: PlannedBatch,
  items: readonly WaitingItem[],
  environment: string,
  { shortDescription, shortRemediation }: FindingTexts,
): string {
  const what: Readonly<Record<PlannedBatch['kind'], string>> = {
    create: `Attack paths found in ${environment}.`,
    reopen: `Attack paths in ${environment} with ended acceptance.`,
    update: `Changed attack paths in ${environment}: ${reasonsOf(items)}.`,
    close: `Closed attack paths in ${environment}: ${reasonsOf(items)}.`,
  };
  const last = batch.first + items.length - 1;
  const part =
    batch.parts > 1
      ? `Part ${batch.part} of ${batch.parts}: findings ${batch.first} to ${last} of ${batch.total}.`
      : '';
  return [what[batch.kind], shortDescription, shortRemediation, part]
    .filter((text) => text !== '')
    .join('\n\n');
}

function reasonsOf(items: readonly WaitingItem[]): string {
  const reasons = [...new Set(items.map(({ payload }) => payload.reason))];
  return reasons.length > 3 ? `${reasons.slice(0, 3).join(', ')} and others` : reasons.join(', ');
}

function eventFields(
  settings: AlertSettings,
  { payload, eventId, key, kind }: WaitingItem,
  texts: FindingTexts,
  start: number,
  end: number,
): EventFields {
  const { finding, status, reason, details } = payload;
  const { source, target } = finding;
  const ends = source === undefined ? [target] : [source, target];
  const title = texts.title || finding.findingType;
  const fields: Record<string, unknown> = {
    StartTime: start,
    EndTime: end,
    name: `Attack Path ${finding.id}`,
    object_ids: list(ends.map(({ id }) => id)),
    object_names: list(ends.map(({ name }) => name)),
    device_product: PRODUCT,
    attack_id: String(finding.id),
    domain: finding.environmentName,
    base_url: settings.server,
    RemediationURL: `${settings.server}/ui/remediation?findingType=${encodeURIComponent(finding.findingType)}`,
    path_title: title,
    finding_type: finding.findingType,
    details,
    DomainSID: finding.environmentId,
    ImpactPercentage: finding.impactPercentage,
    ExposurePercentage: finding.exposurePercentage,
    ImpactCount: finding.impactCount,
    ExposureCount: finding.exposureCount,
    Severity: finding.severity,
    ...(finding.severityReason !== undefined && { SeverityReason: finding.severityReason }),
    ...(finding.partOf !== undefined && { PartOf: finding.partOf }),
    ...(finding.partOfId !== undefined && { PartOfID: finding.partOfId }),
    AcceptedUntil: finding.acceptedUntil,
    Accepted: finding.accepted,
    'Created at': finding.createdAt,
    'Updated at': finding.updatedAt,
    ShortRemediation: texts.shortRemediation,
    ...(settings.longRemediationInEvents && { LongRemediation: texts.longRemediation }),
    ShortDescription: texts.shortDescription,
    'Impacted Principal': target.id,
    'Impacted Principal Kind': target.kind,
    'Impacted Principal Name': target.name,
    'Impacted Principal Environment': target.environment,
    'Impacted Principal Object Id': target.id,
    ...(source !== undefined && {
      'Non Tier Zero Principal': source.id,
      'Non Tier Zero Principal Kind': source.kind,
      'Non Tier Zero Principal Name': source.name,
      'Non Tier Zero Principal Environment': source.environment,
      'Non Tier Zero Principal Object Id': source.id,
    }),
    EventId: eventId,
    FindingKey: key,
    ZoneName: finding.zoneName,
    Status: status,
    StatusReason: reason,
    Change: kind,
  };
  // Field names from the setup of the platform; existing values stay.
  fields[settings.productFieldName] ??= PRODUCT;
  fields[settings.eventFieldName] ??= finding.findingType;
  return fields;
}

const list = (texts: readonly string[]): string => texts.filter((text) => text !== '').join(', ');

/** Milliseconds since the epoch; 0 for an invalid time. */
export function timeOf(text: string): number {
  const time = Date.parse(text);
  return Number.isNaN(time) ? 0 : time;
}

/** @returns the id of one delivery about a finding, equal for repetitions */
export function eventIdOf(
  key: string,
  kind: ItemKind,
  { id, updatedAt }: Pick<FindingFacts, 'id' | 'updatedAt'>,
  { life, status }: { readonly life: number; readonly status: ItemStatus },
): string {
  return kind === 'create' ? stableUuid(key, id) : stableUuid(key, id, kind, life, status, updatedAt);
}
