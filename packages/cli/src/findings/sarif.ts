/**
 * Findings as SARIF 2.1.0 (OASIS), the format of code scanning and build dashboards: a rule per finding type, a result per finding. A
 * directory object has no file, so it is a logical location; its artifact address consists of environment and object id, because some
 * readers show nothing without one.
 */
import { createHash } from 'node:crypto';
import type { UnifiedFindingRow } from '@clew/api';

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';
const LEVELS: Readonly<Record<string, string>> = { critical: 'error', high: 'error', moderate: 'warning' };
/** Severity scores of rules in code scanning: 0 to 10. */
const SECURITY_SEVERITY: Readonly<Record<string, string>> = {
  critical: '9.5',
  high: '8.0',
  moderate: '5.5',
  low: '2.5',
};

interface Rule {
  readonly index: number;
  readonly title: string;
  /** Severity of the most severe finding. */
  severity: string;
}

/** Streams results, because there may be a million; their rules follow at the end. */
export class SarifWriter {
  readonly #rules = new Map<string, Rule>();
  #isFirst = true;

  head(): string {
    return `{"$schema":${JSON.stringify(SCHEMA)},"version":"2.1.0","runs":[{"results":[`;
  }

  result(row: UnifiedFindingRow): string {
    const { index } = this.#ruleOf(row);
    const comma = this.#isFirst ? '\n' : ',\n';
    this.#isFirst = false;
    return comma + JSON.stringify(resultOf(row, index));
  }

  /** @param url address of the service @param version version of the program */
  end(url: string, version: string): string {
    const rules = [...this.#rules].map(([id, { title, severity }]) => ({
      ...{ id, name: id, shortDescription: { text: title } },
      defaultConfiguration: { level: levelOf(severity) },
      properties: {
        tags: ['security', 'identity'],
        'security-severity': SECURITY_SEVERITY[severity] ?? '0.0',
      },
    }));
    const driver = { name: 'Clew', semanticVersion: version, informationUri: url, rules };
    return `\n],"tool":${JSON.stringify({ driver })},"columnKind":"utf16CodeUnits"}]}\n`;
  }

  #ruleOf({ finding, title, severity }: UnifiedFindingRow): Rule {
    let rule = this.#rules.get(finding);
    if (rule === undefined) {
      rule = { index: this.#rules.size, title, severity };
      this.#rules.set(finding, rule);
    }
    if (rankOf(severity) > rankOf(rule.severity)) rule.severity = severity;
    return rule;
  }
}

const rankOf = (severity: string): number => Number(SECURITY_SEVERITY[severity] ?? 0);
const levelOf = (severity: string): string => LEVELS[severity] ?? 'note';

function resultOf(row: UnifiedFindingRow, ruleIndex: number) {
  const isRelationship = row.finding_type === 'relationship';
  const source = nameOf(row.source_principal_name, row.source_principal_id);
  const target = nameOf(row.target_principal_name, row.target_principal_id);
  const text = isRelationship ? `${row.title}: ${source} to ${target}` : `${row.title}: ${target}`;
  const objects = [
    [row.target_principal_id, target, row.target_principal_kind],
    ...(isRelationship ? [[row.source_principal_id, source, row.source_principal_kind]] : []),
  ];
  return {
    ruleId: row.finding,
    ruleIndex,
    level: levelOf(row.severity),
    message: { text: row.severity_reason === undefined ? text : `${text} (${row.severity_reason})` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: `${segment(row.environment_name)}/${segment(row.target_principal_id)}` },
        },
        logicalLocations: objects.map(([fullyQualifiedName, name, kind]) => ({
          ...{ fullyQualifiedName, name, kind },
        })),
      },
    ],
    partialFingerprints: { 'clewFinding/v1': fingerprintOf(row) },
    ...(row.status === 'accepted' && {
      suppressions: [
        {
          kind: 'external',
          status: 'accepted',
          justification: row.accepted_reason ?? 'The risk was accepted.',
        },
      ],
    }),
    properties: {
      ...{ id: row.id, severity: row.severity, zone: row.zone_name, environment: row.environment_name },
      ...{ exposure: row.exposure_percentage, impact: row.impact_percentage, firstSeen: row.first_seen },
      ...(row.owner_name && { owner: row.owner_name }),
    },
  };
}

const nameOf = (name: string, id: string): string => name || id;
const segment = (text: string): string => encodeURIComponent(text.toWellFormed());

/** Identifies a finding: equal in each analysis, and in each service with the same data. */
function fingerprintOf(row: UnifiedFindingRow): string {
  const { finding, zone_name, environment_id, source_principal_id, target_principal_id } = row;
  const facts = [finding, zone_name, environment_id, source_principal_id, target_principal_id];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}
