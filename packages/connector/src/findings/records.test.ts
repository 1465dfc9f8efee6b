/** A finding is reported in the same words whether it comes from the list of its type or from the feed of changes. */
import { describe, expect, it } from 'vitest';
import { readRecord, readRow } from './records.ts';

const TRIPLE = {
  ...{ environmentId: 'S-1', environmentName: 'CORP.LOCAL', findingType: 'T0GenericAll' },
  ...{ zoneId: 1, zoneName: 'Tier Zero' },
};
const [CREATED, UPDATED] = ['2026-01-01T00:00:00.000000Z', '2026-01-02T00:00:00.000000Z'];
const REASON =
  'critical: 9 of 10 users and computers outside the zone can exploit it; the step itself takes one action';

const record = {
  ...{ id: 7, Severity: 'critical', SeverityReason: REASON, created_at: CREATED, updated_at: UPDATED },
  ...{ FromPrincipal: 'S-1-1', FromPrincipalName: 'A@CORP.LOCAL', FromPrincipalKind: 'Group' },
  ...{ ToPrincipal: 'S-1-2', ToPrincipalName: 'B@CORP.LOCAL', ToPrincipalKind: 'User' },
  ...{ FromEnvironment: '', ToEnvironment: 'CORP.LOCAL', Accepted: false },
  ...{ ExposurePercentage: 0.9, ExposureCount: 9, ImpactPercentage: 0.5, ImpactCount: 5 },
};
const row = {
  ...{ id: 7, severity: 'critical', severity_reason: REASON, status: 'active' },
  ...{ environment_id: 'S-1', environment_name: 'CORP.LOCAL', finding: 'T0GenericAll' },
  ...{ asset_group_tag_id: 1, zone_name: 'Tier Zero', first_seen: CREATED, last_seen: UPDATED },
  ...{ source_principal_id: 'S-1-1', source_principal_name: 'A@CORP.LOCAL', source_principal_kind: 'Group' },
  ...{ target_principal_id: 'S-1-2', target_principal_name: 'B@CORP.LOCAL', target_principal_kind: 'User' },
  ...{ exposure_percentage: 0.9, exposure_count: 9, impact_percentage: 0.5, impact_count: 5 },
};

describe('a finding', () => {
  it('reads the same in its list and in the feed', () => {
    expect(readRow(row).finding).toEqual(readRecord(record, TRIPLE));
    expect(readRow(row).finding.severityReason).toBe(REASON);
  });

  it('has no reason where the service gives none', () => {
    const { severity_reason: _, ...without } = row;
    const { SeverityReason: __, ...recordWithout } = record;
    expect(readRow(without).finding).toEqual(readRecord(recordWithout, TRIPLE));
    expect('severityReason' in readRow(without).finding).toBe(false);
  });
});
