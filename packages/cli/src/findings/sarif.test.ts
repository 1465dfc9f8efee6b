import type { UnifiedFindingRow } from '@clew/api';
import { describe, expect, it } from 'vitest';
import { SarifWriter } from './sarif.ts';

const RELATIONSHIP = {
  ...{ id: 7, severity: 'high', finding: 'T0GenericAll', title: 'GenericAll on Tier Zero' },
  ...{ finding_type: 'relationship', environment_id: 'S-1-5-21-1', environment_name: 'A.EXAMPLE' },
  ...{ zone_name: 'Tier Zero', status: 'active', severity_reason: 'high: 9 of 10 users' },
  ...{ source_principal_id: 'S-1-5-21-1-1105', source_principal_kind: 'Group' },
  ...{ source_principal_name: 'HELP@A.EXAMPLE', target_principal_name: '' },
  ...{ target_principal_id: 'S-1-5-21-1-512', target_principal_kind: 'Group' },
  ...{ exposure_percentage: 0.9, impact_percentage: 0.1, first_seen: '2026-11-26T00:00:00Z' },
  owner_name: 'ann',
} as unknown as UnifiedFindingRow;
const LISTED = {
  ...RELATIONSHIP,
  ...{ id: 8, severity: 'low', finding: 'Kerberoasting', finding_type: 'list', status: 'accepted' },
  ...{
    title: 'Kerberoastable\u{1}"<x>\ud800',
    environment_name: 'A/..\ud800',
    accepted_reason: 'Retired in May',
  },
} as unknown as UnifiedFindingRow;

const written = (...rows: readonly UnifiedFindingRow[]) => {
  const writer = new SarifWriter();
  const text = [
    writer.head(),
    ...rows.map((row) => writer.result(row)),
    writer.end('https://clew.example', '1.2.3'),
  ];
  return JSON.parse(text.join(''));
};

describe('findings as SARIF', () => {
  it('are results of the rule for their type, with both ends and a severity', () => {
    const { version, runs } = written(RELATIONSHIP, { ...RELATIONSHIP, id: 9, severity: 'critical' });
    expect([version, runs.length]).toEqual(['2.1.0', 1]);
    const [{ results, tool }] = runs;
    expect(tool.driver.rules).toMatchObject([
      {
        id: 'T0GenericAll',
        defaultConfiguration: { level: 'error' },
        properties: { 'security-severity': '9.5' },
      },
    ]);
    expect(results[0]).toMatchObject({
      ...{ ruleId: 'T0GenericAll', ruleIndex: 0, level: 'error' },
      properties: { id: 7, owner: 'ann' },
      message: { text: 'GenericAll on Tier Zero: HELP@A.EXAMPLE to S-1-5-21-1-512 (high: 9 of 10 users)' },
      locations: [
        {
          physicalLocation: { artifactLocation: { uri: 'A.EXAMPLE/S-1-5-21-1-512' } },
          logicalLocations: [
            { fullyQualifiedName: 'S-1-5-21-1-512', kind: 'Group' },
            { fullyQualifiedName: 'S-1-5-21-1-1105', name: 'HELP@A.EXAMPLE', kind: 'Group' },
          ],
        },
      ],
    });
    expect(results[0]).not.toHaveProperty('suppressions');
  });

  it('keep a fingerprint as long as they concern the same thing', () => {
    const prints = (...rows: readonly UnifiedFindingRow[]): string[] =>
      written(...rows).runs[0].results.map((one: { partialFingerprints: object }) =>
        JSON.stringify(one.partialFingerprints),
      );
    const renamed = { ...RELATIONSHIP, id: 90, severity: 'low', source_principal_name: 'X' };
    const [first, again, other] = prints(RELATIONSHIP, renamed, {
      ...RELATIONSHIP,
      source_principal_id: 'S-2',
    });
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });

  it('of lists name one object, and state that a risk was accepted, whatever their texts contain', () => {
    const [{ results, tool }] = written(RELATIONSHIP, LISTED).runs;
    expect(results[1]).toMatchObject({
      ...{ ruleId: 'Kerberoasting', ruleIndex: 1, level: 'note' },
      suppressions: [{ kind: 'external', status: 'accepted', justification: 'Retired in May' }],
    });
    expect(results[1].locations[0].physicalLocation.artifactLocation.uri).toBe(
      'A%2F..%EF%BF%BD/S-1-5-21-1-512',
    );
    expect(results[1].locations[0].logicalLocations).toHaveLength(1);
    expect(tool.driver.rules).toHaveLength(2);
  });

  it('are an empty list without findings', () => {
    expect(written().runs[0]).toMatchObject({ results: [], tool: { driver: { name: 'Clew', rules: [] } } });
  });
});
