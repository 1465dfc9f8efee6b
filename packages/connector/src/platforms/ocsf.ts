/**
 * Findings as Detection Findings of the Open Cybersecurity Schema Framework (class 2004). Rule:
 * `docs/integration.md#ocsf`.
 */
import { type Alert, type AlertEvent, PRODUCT, timeOf, VENDOR } from '../findings/alerts.ts';
import type { ItemKind, ItemStatus, Principal, Severity } from '../findings/items.ts';

const VERSION = '1.3.0';
const CATEGORY = 2;
const CLASS = 2004;
const ACTIVITIES: Readonly<Record<ItemKind, number>> = { create: 1, reopen: 2, update: 2, close: 3 };
const SEVERITIES: Readonly<Record<Severity, number>> = { low: 2, moderate: 3, high: 4, critical: 5 };
/** New, in progress, suppressed, resolved. */
const STATUSES: Readonly<Record<ItemStatus, number>> = {
  active: 1,
  accepted: 3,
  remediated: 4,
  orphaned: 4,
  deprecated: 4,
};

export function ocsfFinding(
  { texts, isTest }: Alert,
  { item, fields }: AlertEvent,
): Readonly<Record<string, unknown>> {
  const { finding, status, reason } = item.payload;
  const activity = ACTIVITIES[item.kind];
  return {
    activity_id: activity,
    category_uid: CATEGORY,
    class_uid: CLASS,
    type_uid: CLASS * 100 + activity,
    time: timeOf(finding.updatedAt),
    severity_id: SEVERITIES[finding.severity],
    status_id: status === 'active' && item.kind !== 'create' ? 2 : STATUSES[status],
    status_detail: reason,
    message: `${fields.path_title} in ${finding.environmentName}`,
    metadata: {
      version: VERSION,
      uid: item.eventId,
      product: { name: PRODUCT, vendor_name: VENDOR },
      ...(isTest && { labels: ['test'] }),
    },
    finding_info: {
      uid: item.key,
      title: fields.path_title,
      desc: texts.shortDescription,
      types: [finding.findingType],
      created_time: timeOf(finding.createdAt),
      first_seen_time: timeOf(finding.createdAt),
      last_seen_time: timeOf(finding.updatedAt),
      src_url: fields.RemediationURL,
    },
    remediation: { desc: texts.shortRemediation },
    resources: [
      ...(finding.source === undefined ? [] : [resource(finding.source, 'source')]),
      resource(finding.target, 'target'),
    ],
    risk_score: Math.round(
      finding.source === undefined ? finding.impactPercentage : finding.exposurePercentage,
    ),
    unmapped: {
      environment_id: finding.environmentId,
      environment_name: finding.environmentName,
      zone: finding.zoneName,
      finding_id: finding.id,
      exposure_count: finding.exposureCount,
      exposure_percentage: finding.exposurePercentage,
      impact_count: finding.impactCount,
      impact_percentage: finding.impactPercentage,
      case_id: `${finding.environmentName}`,
    },
  };
}

const resource = ({ id, name, kind }: Principal, role: string) => ({
  uid: id,
  name,
  type: kind,
  labels: [role],
});
