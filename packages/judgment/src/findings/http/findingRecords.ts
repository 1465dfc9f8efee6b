/** Records of findings for answers, in JSON and in CSV. Rule: `docs/reference/api.md#findings`. */

import {
  type EffortClass,
  ReasonBasis,
  SEVERITIES,
  SEVERITY_ROWS,
  type Severity,
  severitySentence,
} from '@clew/analysis';
import { type CsvCell, type Finding, nullTime, type UnifiedFindingRow, ZERO_TIME } from '@clew/api';
import { edgeKindById, formatShare, type Properties } from '@clew/model';
import { changedBecause } from '../answersOfFindings.ts';
import { type FindingRow, NO_CARD, propertiesOf } from '../findingQueries.ts';
import { notClosedText } from './openReasons.ts';

/** @param properties properties of the ends, by node number */
export function findingRecord(row: FindingRow, properties: ReadonlyMap<number, Properties>): Finding {
  const reason = severityReason(row);
  const common = {
    id: row.id,
    created_at: row.created_at,
    updated_at: row.updated_at,
    deleted_at: nullTime(row.deleted_at),
    Finding: row.finding,
    DomainSID: row.environment_id,
    Accepted: row.is_accepted,
    AcceptedUntil: acceptedUntil(row),
    ImpactPercentage: row.impact_percentage,
    ImpactCount: row.impact_count,
    ExposurePercentage: row.exposure_percentage,
    ExposureCount: row.exposure_count,
    Severity: row.severity_name as Severity,
    ...(reason !== undefined && { SeverityReason: reason }),
    ...(row.part_of !== '' && { PartOf: row.part_of }),
    ...(row.part_of !== '' && row.part_of_id !== null && { PartOfID: row.part_of_id }),
  };
  if (row.kind === 'list') {
    return {
      ...common,
      Principal: row.target_id,
      PrincipalKind: row.target_kind,
      PrincipalName: row.target_name,
      Props: propertiesOf(row, 'target', properties),
      Environment: row.environment_name,
    };
  }
  return {
    ...common,
    FromPrincipal: row.source_id,
    FromPrincipalKind: row.source_kind,
    FromPrincipalName: row.source_name,
    FromPrincipalProps: propertiesOf(row, 'source', properties),
    FromEnvironment: row.source_environment_name,
    FromEnvironmentID: row.source_environment_id ?? '',
    ToPrincipal: row.target_id,
    ToPrincipalKind: row.target_kind,
    ToPrincipalName: row.target_name,
    ToPrincipalProps: propertiesOf(row, 'target', properties),
    ToEnvironment: row.environment_name,
    ToEnvironmentID: row.environment_id,
    RelProps: relationProperties(row),
    ComboGraphRelationID: null,
    PrincipalHash: row.principal_hash,
    IsInherited: row.is_inherited,
  };
}

/** An expired acceptance does not count. */
const acceptedUntil = (row: FindingRow): string =>
  row.is_accepted && row.accepted_until !== null ? row.accepted_until : ZERO_TIME;

function relationProperties(row: FindingRow): Record<string, unknown> {
  const { edge_kind, relation, is_inherited, also_from } = row;
  const isAcl = edge_kind === null ? undefined : edgeKindById(edge_kind)?.acl;
  return {
    ...(relation === null ? {} : { kind: relation, isacl: isAcl ?? false }),
    isinherited: is_inherited,
    ...(also_from.length === 0 ? {} : { also_from }),
  };
}

export function unifiedFinding(row: FindingRow): UnifiedFindingRow {
  const isRelationship = row.kind === 'relationship';
  return {
    id: row.id,
    severity: row.severity_name,
    finding: row.finding,
    title: row.title,
    finding_type: row.kind,
    platform: row.platform,
    environment_id: row.environment_id,
    environment_name: row.environment_name,
    asset_group_tag_id: row.tag_id,
    zone_name: row.zone_name,
    source_principal_id: isRelationship ? row.source_id : '',
    source_principal_kind: isRelationship ? row.source_kind : '',
    source_principal_name: isRelationship ? row.source_name : '',
    target_principal_id: row.target_id,
    target_principal_kind: row.target_kind,
    target_principal_name: row.target_name,
    ...relationOf(row),
    exposure_count: row.exposure_count,
    exposure_percentage: row.exposure_percentage,
    impact_count: row.impact_count,
    impact_percentage: row.impact_percentage,
    status: statusOf(row),
    group_id: row.group_id,
    exposure_from: [...row.exposure_from],
    ...reasonsOf(row),
    first_seen: row.created_at,
    last_seen: row.updated_at,
    began_by: row.began_by,
    changed_by: row.changed_by,
    ...causeOf(row),
    rules_version: row.rules_version,
    ...acceptanceOf(row),
    ...ownerOf(row),
    ...(row.due !== null && { due: row.due, overdue: row.is_overdue }),
  };
}

function causeOf({ changed_answers }: FindingRow): { changed_because?: string } {
  const changed_because = changedBecause(changed_answers);
  return changed_because === undefined ? {} : { changed_because };
}

const relationOf = ({ kind, relation }: FindingRow): { relation?: string } =>
  kind !== 'relationship' || relation === null ? {} : { relation };

const ROWS = new Map<string, number>(SEVERITY_ROWS.map(({ id }, at) => [id, at]));

/** @returns undefined for a finding of an earlier release that was not rated since */
export function severityReason(row: FindingRow): string | undefined {
  const place = ROWS.get(row.rated_row);
  if (place === undefined) return undefined;
  return severitySentence({
    severity: row.severity_name as Severity,
    row: place,
    isByUsers: row.rated_basis !== ReasonBasis.falling,
    count: row.rated_count,
    of: row.rated_of,
    effort: row.rated_effort as EffortClass,
    isForeign: row.rated_basis === ReasonBasis.foreignUsers,
    isUnread: row.rated_basis === ReasonBasis.unreadUsers,
    environment: ratedEnvironment(row),
  });
}

/** If the environment of the source was not collected, its users are unknown, which is not the same as none. */
function notClosedBy(row: FindingRow): string | undefined {
  const isUnread = row.plan_open === 'unused' && row.rated_basis === ReasonBasis.unreadUsers;
  return isUnread
    ? `not closed by the plan: the principals that can use it are unknown, because ${row.source_environment_name || 'the environment of its source'} was not collected`
    : notClosedText(row.plan_open, row.plan_open_users);
}

/** @returns the name of the other environment in the reason, if the caller may see it */
function ratedEnvironment({ rated_basis, exposure_from, source_environment_name }: FindingRow): string {
  if (rated_basis === ReasonBasis.unreadUsers) return source_environment_name;
  if (rated_basis !== ReasonBasis.foreignUsers) return '';
  const [widest] = [...exposure_from].sort((one, other) => other.percentage - one.percentage);
  return widest?.environment_name ?? '';
}

/** "closed by card 3 of the plan: afterward, 33.0% are exposed", of the users and computers of all environments outside Tier Zero */
export function closedBy({ plan_card, plan_after }: FindingRow): string | undefined {
  if (plan_card === null) return undefined;
  if (plan_after === null) return 'closed by the plan of all environments';
  return `closed by card ${plan_card} of the plan: afterward, ${formatShare(plan_after)} are exposed`;
}

/** "low after card 1 of the plan" */
function loweredBy({ plan_lowered_card, plan_lowered_to, severity }: FindingRow): string | undefined {
  // The finding was rated again after the plan was made.
  if (plan_lowered_card === null || plan_lowered_to === null || plan_lowered_to >= severity) return undefined;
  const plan =
    plan_lowered_card === NO_CARD ? 'the plan of all environments' : `card ${plan_lowered_card} of the plan`;
  return `${SEVERITIES[plan_lowered_to]} after ${plan}`;
}

function reasonsOf(row: FindingRow) {
  const [severity_reason, closed_by] = [severityReason(row), closedBy(row)];
  const lowered_by = closed_by === undefined ? loweredBy(row) : undefined;
  const isAnswered = closed_by !== undefined || lowered_by !== undefined;
  const not_closed = isAnswered ? undefined : notClosedBy(row);
  return {
    ...(severity_reason !== undefined && { severity_reason }),
    ...partsOf(row),
    ...(closed_by !== undefined && { closed_by }),
    ...(closed_by !== undefined &&
      row.plan_after !== null && { repair: row.plan_card as number, exposure_after: row.plan_after }),
    ...(lowered_by !== undefined && {
      lowered_by,
      ...(row.plan_lowered_card !== NO_CARD && { lowered_repair: row.plan_lowered_card as number }),
      severity_after: SEVERITIES[row.plan_lowered_to as number] as Severity,
    }),
    ...(not_closed !== undefined && { not_closed }),
  };
}

/** Maximum number of listed part ids; the count covers all. */
const MAX_PART_IDS = 100;

function partsOf({ parts, part_ids, part_of, part_of_id }: FindingRow) {
  return {
    ...(parts.length > 0 && {
      parts: [...parts],
      part_count: part_ids.length,
      part_ids: part_ids.slice(0, MAX_PART_IDS),
    }),
    ...(part_of !== '' && { part_of, ...(part_of_id !== null && { part_of_id }) }),
  };
}

function acceptanceOf(row: FindingRow) {
  const { is_accepted, accepted_by, approved_by, accepted_until, accepted_reason, accepted_through } = row;
  const { accepted_evidence } = row;
  if (!is_accepted || accepted_until === null) return {};
  return {
    accepted_until,
    ...(accepted_by !== null && { accepted_by }),
    ...(approved_by !== null && { approved_by }),
    ...(accepted_reason !== null && { accepted_reason }),
    ...(accepted_evidence !== null && { accepted_evidence: true }),
    ...(accepted_through !== null && { accepted_through }),
  };
}

function ownerOf({ owner_id, owner_name, assigned_at, assigned_by }: FindingRow) {
  return {
    owner_id,
    owner_name,
    ...(assigned_at !== null && { assigned_at }),
    ...(assigned_by !== null && { assigned_by }),
  };
}

/** An expired acceptance does not count. */
function statusOf({ status, is_accepted }: FindingRow): FindingRow['status'] {
  return status === 'accepted' && !is_accepted ? 'active' : status;
}

/** Columns of a CSV file: title and cell. */
export type CsvColumns = readonly (readonly [title: string, cell: (row: FindingRow) => CsvCell])[];

export const RELATIONSHIP_CSV: CsvColumns = [
  ['id', (row) => row.id],
  ['finding_type', (row) => row.title],
  ['exposure_count', (row) => row.exposure_count],
  ['exposure_percentage', (row) => row.exposure_percentage],
  ['impact_count', (row) => row.impact_count],
  ['impact_percentage', (row) => row.impact_percentage],
  ['domain_sid', (row) => row.environment_id],
  ['from_principal_name', (row) => row.source_name],
  ['from_principal', (row) => row.source_id],
  ['from_principal_kind', (row) => row.source_kind],
  ['to_principal_name', (row) => row.target_name],
  ['to_principal', (row) => row.target_id],
  ['to_principal_kind', (row) => row.target_kind],
  ['combo_graph_relation_id', () => ''],
  ['domain', (row) => row.environment_name],
  ['accepted', (row) => row.is_accepted],
  ['accepted_until', acceptedUntil],
  ['principals_hash', (row) => row.principal_hash],
  ['created_at', (row) => row.created_at],
  ['updated_at', (row) => row.updated_at],
  ['is_inherited', (row) => (row.is_inherited ? 'Yes' : 'No')],
];

export const LIST_CSV: CsvColumns = [
  ['id', (row) => row.id],
  ['finding_type', (row) => row.finding],
  ['impact_count', (row) => row.impact_count],
  ['impact_percentage', (row) => row.impact_percentage],
  ['domain', (row) => row.environment_name],
  ['domain_sid', (row) => row.environment_id],
  ['principal_name', (row) => row.target_name],
  ['principal_kind', (row) => row.target_kind],
  ['principal', (row) => row.target_id],
  ['accepted', (row) => row.is_accepted],
  ['accepted_until', acceptedUntil],
  ['created_at', (row) => row.created_at],
  ['updated_at', (row) => row.updated_at],
];

const shown = (
  title: string,
  key: Exclude<keyof UnifiedFindingRow, 'exposure_from' | 'parts' | 'part_ids'>,
): CsvColumns[number] => [title, (row) => unifiedFinding(row)[key] ?? ''];

export const UNIFIED_CSV: CsvColumns = [
  shown('Severity', 'severity'),
  shown('Finding', 'finding'),
  shown('Title', 'title'),
  shown('FindingType', 'finding_type'),
  shown('Platform', 'platform'),
  shown('EnvironmentID', 'environment_id'),
  shown('EnvironmentName', 'environment_name'),
  shown('AssetGroupTagID', 'asset_group_tag_id'),
  shown('ZoneName', 'zone_name'),
  shown('SourcePrincipalID', 'source_principal_id'),
  shown('SourcePrincipalKind', 'source_principal_kind'),
  shown('SourcePrincipalName', 'source_principal_name'),
  shown('TargetPrincipalID', 'target_principal_id'),
  shown('TargetPrincipalKind', 'target_principal_kind'),
  shown('TargetPrincipalName', 'target_principal_name'),
  shown('Status', 'status'),
  shown('FirstSeen', 'first_seen'),
  shown('LastSeen', 'last_seen'),
  shown('SeverityReason', 'severity_reason'),
  shown('ClosedBy', 'closed_by'),
  ['StandsFor', (row) => row.parts.join(' ')],
  shown('NotClosed', 'not_closed'),
  shown('LoweredBy', 'lowered_by'),
  shown('PartOfID', 'part_of_id'),
  shown('Owner', 'owner_name'),
  shown('ChangedBecause', 'changed_because'),
  shown('Due', 'due'),
  shown('ID', 'id'),
  shown('ExposureCount', 'exposure_count'),
  shown('ExposurePercentage', 'exposure_percentage'),
  shown('ImpactCount', 'impact_count'),
  shown('ImpactPercentage', 'impact_percentage'),
];
