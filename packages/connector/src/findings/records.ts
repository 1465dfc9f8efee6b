/**
 * Reads records of findings from servers of this API. Missing members and members of another type are reported, not
 * guessed.
 */
import type { UnifiedFindingRow } from '@clew/api';
import { naturalKey } from './identity.ts';
import { type FindingFacts, type ItemStatus, type Principal, severityOf, type Triple } from './items.ts';

/** A record without required members of a finding. */
export class RecordError extends Error {
  override readonly name = 'RecordError';
}

type Fields = Readonly<Record<string, unknown>>;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const number = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);
const fields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
/** Converts a fraction; two decimals. */
const percent = (value: unknown): number => Math.round(number(value) * 10_000) / 100;

const partOf = (type: unknown, id: unknown): Pick<FindingFacts, 'partOf' | 'partOfId'> => ({
  ...(text(type) !== '' && { partOf: text(type) }),
  ...(text(type) !== '' && number(id) > 0 && { partOfId: number(id) }),
});

export interface NamedTriple extends Triple {
  readonly environmentName: string;
  readonly zoneName: string;
}

/** Members that identify a finding, and its severity. */
const MUST_BE_TEXT = ['FromPrincipal', 'ToPrincipal', 'Principal', 'Severity'] as const;

/** @param value one entry of an environment's details @throws RecordError */
export function readRecord(value: unknown, triple: NamedTriple): FindingFacts {
  const record = fields(value);
  const { id } = record;
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 1)
    throw new RecordError('a record without an id');
  const isRelationship = record.FromPrincipal !== undefined || record.ToPrincipal !== undefined;
  if (isRelationship && text(record.FromPrincipal) === '')
    throw new RecordError(`record ${id} has no source principal`);
  const target: Principal = isRelationship
    ? {
        id: text(record.ToPrincipal),
        name: text(record.ToPrincipalName),
        kind: text(record.ToPrincipalKind),
        environment: text(record.ToEnvironment),
      }
    : {
        id: text(record.Principal),
        name: text(record.PrincipalName),
        kind: text(record.PrincipalKind),
        environment: text(record.Environment),
      };
  if (target.id === '') throw new RecordError(`record ${id} has no principal`);
  for (const name of MUST_BE_TEXT)
    if (record[name] !== undefined && typeof record[name] !== 'string')
      throw new RecordError(`record ${id} has a ${name} that is not a text`);
  return {
    ...triple,
    id,
    severity: severityOf(text(record.Severity)),
    ...(text(record.SeverityReason) !== '' && { severityReason: text(record.SeverityReason) }),
    ...partOf(record.PartOf, record.PartOfID),
    exposurePercentage: percent(record.ExposurePercentage),
    exposureCount: number(record.ExposureCount),
    impactPercentage: percent(record.ImpactPercentage),
    impactCount: number(record.ImpactCount),
    accepted: record.Accepted === true,
    acceptedUntil: text(record.AcceptedUntil),
    createdAt: text(record.created_at),
    updatedAt: text(record.updated_at) || text(record.created_at),
    ...(isRelationship && {
      source: {
        id: text(record.FromPrincipal),
        name: text(record.FromPrincipalName),
        kind: text(record.FromPrincipalKind),
        environment: text(record.FromEnvironment),
      },
    }),
    target,
  };
}

const STATUSES: readonly unknown[] = ['active', 'accepted', 'remediated', 'orphaned', 'deprecated'];
const ROW_TEXTS = [
  'environment_id',
  'finding',
  'severity',
  'target_principal_id',
  'first_seen',
  'last_seen',
] as const;

/** Reads a finding from the change feed. @throws RecordError */
export function readRow(value: unknown): {
  readonly row: UnifiedFindingRow & { readonly status: ItemStatus };
  readonly finding: FindingFacts;
} {
  const given = fields(value);
  const wrong =
    ROW_TEXTS.find((name) => text(given[name]) === '') ??
    (['id', 'asset_group_tag_id'] as const).find((name) => !Number.isSafeInteger(given[name])) ??
    (STATUSES.includes(given.status) ? undefined : 'status');
  if (wrong !== undefined) throw new RecordError(`a change without a readable ${wrong}`);
  const row = given as unknown as UnifiedFindingRow & { readonly status: ItemStatus };
  return { row, finding: factsOf(row) };
}

function factsOf(row: UnifiedFindingRow): FindingFacts {
  return {
    environmentId: row.environment_id,
    environmentName: text(row.environment_name),
    zoneId: row.asset_group_tag_id,
    zoneName: text(row.zone_name),
    findingType: row.finding,
    id: row.id,
    severity: severityOf(row.severity),
    ...(text(row.severity_reason) !== '' && { severityReason: text(row.severity_reason) }),
    ...partOf(row.part_of, row.part_of_id),
    exposurePercentage: percent(row.exposure_percentage),
    exposureCount: number(row.exposure_count),
    impactPercentage: percent(row.impact_percentage),
    impactCount: number(row.impact_count),
    accepted: row.status === 'accepted',
    acceptedUntil: '',
    createdAt: row.first_seen,
    updatedAt: row.last_seen,
    ...(text(row.source_principal_id) !== '' && {
      source: {
        id: row.source_principal_id,
        name: text(row.source_principal_name),
        kind: text(row.source_principal_kind),
        environment: '',
      },
    }),
    target: {
      id: row.target_principal_id,
      name: text(row.target_principal_name),
      kind: text(row.target_principal_kind),
      environment: text(row.environment_name),
    },
  };
}

/** Placeholder of services for an object in an environment that the account may not see. */
const HIDDEN = 'HIDDEN';

/** @param distinct distinguishes findings with the same subject */
export function keyOf(finding: FindingFacts, distinct?: number): string {
  const { environmentId, zoneId, findingType, source, target, id } = finding;
  const sourceId = source?.id ?? '';
  // This placeholder hides many objects.
  const number = distinct ?? (sourceId === HIDDEN ? id : undefined);
  return naturalKey({
    ...{ environmentId, zoneId, findingType },
    sourceId: number === undefined ? sourceId : `${sourceId} ${number}`,
    targetId: target.id,
  });
}
