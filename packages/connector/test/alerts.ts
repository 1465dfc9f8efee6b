/** Alerts for tests of host platforms. */
import { type Alert, buildAlert, eventIdOf } from '../src/findings/alerts.ts';
import type { FindingFacts, ItemKind, Severity, WaitingItem } from '../src/findings/items.ts';
import { keyOf } from '../src/findings/records.ts';

export const SETTINGS = {
  server: 'https://clew.example',
  productFieldName: 'device_product',
  eventFieldName: 'finding_type',
  longRemediationInEvents: true,
};

/** The first finding contains every character that is special in some format. */
const HOSTILE = 'A|B=C\\D "E"]\r\nF, {G}';

export function testAlert(
  count: number,
  { kind = 'create' as ItemKind, size = 0, reasons = [] as readonly string[] } = {},
): Alert {
  const triple = { environmentId: 'S-1-5-21-1', zoneId: 1, findingType: 'T0GenericAll' };
  const items = Array.from({ length: count }, (_, at): WaitingItem => {
    const severity: Severity = at === 0 ? 'critical' : 'low';
    const finding: FindingFacts = {
      ...triple,
      id: at + 1,
      environmentName: 'CORP.LOCAL',
      zoneName: 'Tier Zero',
      severity,
      severityReason: `${severity}: 100 of 184 users and computers outside the zone can exploit it; the step itself takes one action`,
      exposurePercentage: 54.32,
      exposureCount: 100,
      impactPercentage: 99,
      impactCount: 200,
      accepted: false,
      acceptedUntil: '0001-01-01T00:00:00Z',
      createdAt: '2026-01-01T00:00:00.123456Z',
      updatedAt: '2026-01-02T00:00:00.123456Z',
      source: {
        id: `S-1-5-21-1-${1000 + at}`,
        name: at === 0 ? HOSTILE : `USER${at}@CORP.LOCAL`,
        kind: 'User',
        environment: 'CORP.LOCAL',
      },
      target: { id: 'S-1-5-21-1-2000', name: 'DC1.CORP.LOCAL', kind: 'Computer', environment: 'CORP.LOCAL' },
    };
    const key = keyOf(finding);
    const status = kind === 'close' ? 'remediated' : 'active';
    return {
      ...triple,
      seq: at,
      attempts: 0,
      key,
      kind,
      eventId: eventIdOf(key, kind, finding, { life: 0, status }),
      payload: {
        finding,
        status,
        reason: reasons[at] ?? (kind === 'close' ? 'remediated' : 'found'),
        details: 'x'.repeat(size),
      },
    };
  });
  return buildAlert(
    SETTINGS,
    {
      ...triple,
      id: 'b6d5f0de-0000-5000-8000-000000000000',
      kind,
      part: 1,
      parts: 1,
      total: count,
      first: 1,
    },
    items,
    {
      title: 'GenericAll on Tier Zero',
      shortDescription: 'Somebody has full control.',
      shortRemediation: 'Take it away.',
      longRemediation: '# Steps\n\n1. Take it away.',
    },
  );
}
