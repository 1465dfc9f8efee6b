/**
 * Findings and posture figures. Keys deliberately mix snake and Pascal case, because clients expect them
 * (`docs/reference/api.md#findings`). A list finding has no keys for the ends of a relationship finding, and vice versa.
 */
import Type, { type Static } from 'typebox';
import { column, TIMESTAMP_COLUMNS } from '../columns.ts';
import { EvidenceTerms } from './attachments.ts';
import { Count, NotRead, NullTime, nullable, SEVERITIES, Severity, Time } from './common.ts';

const Share = Type.Number({ minimum: 0, maximum: 1, description: 'A fraction from 0 to 1' });
const Percent = Type.Number({ minimum: 0, maximum: 100 });
const Props = Type.Record(Type.String(), Type.Unknown());

export const ExposureFrom = Type.Array(
  Type.Object({
    environment_id: Type.String(),
    environment_name: Type.Optional(Type.String({ description: 'Absent if it has none' })),
    ...{ count: Count, percentage: Share },
  }),
  { description: 'Other environments and the numbers of their principals outside the zone that can use it' },
);

const CommonKeys = {
  id: Type.Integer(),
  created_at: Time,
  updated_at: Time,
  deleted_at: NullTime,
  Finding: Type.String({ description: 'Finding type' }),
  DomainSID: Type.String({ description: 'Object id of the environment' }),
  Accepted: Type.Boolean(),
  AcceptedUntil: Type.String({ format: 'date-time', description: 'The zero time when not accepted' }),
  ImpactPercentage: Share,
  ImpactCount: Count,
  ExposurePercentage: Share,
  ExposureCount: Count,
  Severity,
  SeverityReason: Type.Optional(
    Type.String({
      description: 'Why it has its severity; absent if it was last rated by an earlier release',
    }),
  ),
  PartOf: Type.Optional(Type.String({ description: 'Type of the finding that represents this one' })),
  PartOfID: Type.Optional(Type.Integer({ description: 'Its number, if the caller may see it' })),
};

export const RelationshipFinding = Type.Object(
  {
    ...CommonKeys,
    FromPrincipal: Type.String({ description: 'Object id of the source' }),
    FromPrincipalKind: Type.String(),
    FromPrincipalName: Type.String(),
    FromPrincipalProps: Props,
    FromEnvironment: Type.String({ description: 'Name of the environment of the source' }),
    FromEnvironmentID: Type.String(),
    ToPrincipal: Type.String({ description: 'Object id of the target' }),
    ToPrincipalKind: Type.String(),
    ToPrincipalName: Type.String(),
    ToPrincipalProps: Props,
    ToEnvironment: Type.String({ description: 'Name of the environment of the target' }),
    ToEnvironmentID: Type.String(),
    RelProps: Props,
    ComboGraphRelationID: nullable(Type.Integer()),
    PrincipalHash: Type.String({ description: 'Search key of the two ends together' }),
    IsInherited: Type.Boolean(),
  },
  { additionalProperties: false },
);
export type RelationshipFinding = Static<typeof RelationshipFinding>;

export const ListFinding = Type.Object(
  {
    ...CommonKeys,
    Principal: Type.String({ description: 'Object id' }),
    PrincipalKind: Type.String(),
    PrincipalName: Type.String(),
    Props,
    Environment: Type.String({ description: 'Name of the environment' }),
  },
  { additionalProperties: false },
);
export type ListFinding = Static<typeof ListFinding>;

export const Finding = Type.Union([RelationshipFinding, ListFinding]);
export type Finding = Static<typeof Finding>;

/** A column may have two spellings. */
export const FINDING_DETAIL_COLUMNS = {
  finding: column('string', { filterable: false }),
  id: column('integer'),
  index: column('integer', { filterable: false }),
  ...TIMESTAMP_COLUMNS,
  domain_sid: column('string', { isId: true }),
  asset_group_tag_id: column('integer', { sortable: false }),
  from_principal: column('string'),
  FromPrincipal: column('string'),
  to_principal: column('string'),
  ToPrincipal: column('string'),
  Principal: column('string'),
  principals_hash: column('string', { sortable: false }),
  accepted: column('boolean'),
  Accepted: column('boolean'),
  accepted_until: column('time'),
  AcceptedUntil: column('time'),
  exposure_percentage: column('number'),
  impact_percentage: column('number'),
} as const;

/** A finding in the list over all environments and types. */
export const CHANGE_CAUSES = ['data', 'rules', 'zones', 'answers', 'several', 'acceptance'] as const;

export const ChangeCause = Type.Enum([...CHANGE_CAUSES], {
  description:
    'Why it opened, was last changed or ended: the organization changed, an update changed rules or readers, a zone was edited, someone answered a question about a CA, several of these at once, or a user decided about it',
});
export type ChangeCause = Static<typeof ChangeCause>;

export const UnifiedFindingRow = Type.Object({
  id: Type.Integer(),
  severity: Type.String(),
  finding: Type.String(),
  title: Type.String(),
  finding_type: Type.Union([Type.Literal('relationship'), Type.Literal('list')]),
  platform: Type.String(),
  environment_id: Type.String(),
  environment_name: Type.String(),
  asset_group_tag_id: Type.Integer({ description: '0 for findings of no zone' }),
  zone_name: Type.String(),
  source_principal_id: Type.String({
    description: 'Empty for list findings, as are all properties of the source',
  }),
  source_principal_kind: Type.String(),
  source_principal_name: Type.String(),
  target_principal_id: Type.String(),
  target_principal_kind: Type.String(),
  target_principal_name: Type.String(),
  relation: Type.Optional(
    Type.String({
      description: 'Kind of the relationship from source to target; absent for list findings',
    }),
  ),
  exposure_count: Count,
  exposure_percentage: Share,
  impact_count: Count,
  impact_percentage: Share,
  status: Type.String({ description: '`active`, `accepted`, `remediated`, `orphaned`, `deprecated`' }),
  group_id: Type.String({ description: 'The same value for all findings of one cause' }),
  exposure_from: ExposureFrom,
  severity_reason: Type.Optional(
    Type.String({
      description: 'Why it has its severity: "critical: 1,204 of 1,310 users and computers, one action"',
    }),
  ),
  parts: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Types of findings that report the same fact and that this finding represents',
    }),
  ),
  part_count: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Number of findings that this finding represents' }),
  ),
  part_ids: Type.Optional(
    Type.Array(Type.Integer(), {
      description: 'Their numbers, the first 100; `part_of_id=eq:` with the number of this finding lists all',
    }),
  ),
  part_of: Type.Optional(Type.String({ description: 'Type of the finding that represents this one' })),
  part_of_id: Type.Optional(
    Type.Integer({
      description: 'Number of that finding; absent where it is of an environment that the user may not see',
    }),
  ),
  repair: Type.Optional(Type.Integer({ description: 'Number of the card of the plan that closes it' })),
  exposure_after: Type.Optional(Share),
  closed_by: Type.Optional(
    Type.String({
      description:
        '"closed by card 3 of the plan: afterward, 33.0% are exposed", of the users and computers of all environments; absent if the plan does not close it. For users who can see only some environments: "closed by the plan of all environments", without card and share',
    }),
  ),
  not_closed: Type.Optional(
    Type.String({
      description:
        'Why the plan of Tier Zero leaves a critical or high finding open: "not closed by the plan: no change is known that closes it"',
    }),
  ),
  lowered_by: Type.Optional(
    Type.String({
      description: 'If the plan does not close it but lowers its severity: "low after card 1 of the plan"',
    }),
  ),
  lowered_repair: Type.Optional(Type.Integer({ description: 'Number of that card' })),
  severity_after: Type.Optional(Severity),
  first_seen: Time,
  last_seen: Time,
  began_by: ChangeCause,
  changed_by: ChangeCause,
  changed_because: Type.Optional(
    Type.String({
      description:
        'For `answers` and users who can see all environments: who answered what and when, as a sentence without a period at its end',
    }),
  ),
  rules_version: Type.String({ description: 'Version of the rules that last opened, changed or ended it' }),
  accepted_by: Type.Optional(
    Type.String({
      description:
        'This and the other `accepted_…` properties are present only while the finding is accepted',
    }),
  ),
  approved_by: Type.Optional(
    Type.String({ description: 'The second approver of its acceptance, if one was required' }),
  ),
  accepted_until: Type.Optional(Time),
  accepted_reason: Type.Optional(Type.String({ description: 'If one was given' })),
  accepted_evidence: Type.Optional(
    Type.Boolean({ description: 'Its acceptance has a template or files: `GetAcceptanceEvidence`' }),
  ),
  accepted_through: Type.Optional(
    Type.Integer({
      description:
        'Id of the finding that represents it and with which it was accepted; both acceptances end together',
    }),
  ),
  owner_id: nullable(Type.String({ format: 'uuid', description: 'The user who works on it' })),
  owner_name: nullable(Type.String()),
  assigned_at: Type.Optional(Time),
  assigned_by: Type.Optional(Type.String({ description: 'Name of the user who assigned it' })),
  due: Type.Optional(
    Type.String({
      description:
        'Due day (UTC) by the service level of its severity; absent without one, and while it is accepted',
    }),
  ),
  overdue: Type.Optional(
    Type.Boolean({ description: 'Whether the due day has passed (UTC); absent without a due day' }),
  ),
});
export type UnifiedFindingRow = Static<typeof UnifiedFindingRow>;

export const UNIFIED_FINDING_COLUMNS = {
  id: column('integer'),
  severity: column('string', { words: [...SEVERITIES] }),
  finding: column('string'),
  title: column('string'),
  finding_type: column('string', { words: ['relationship', 'list'] }),
  platform: column('string', { words: ['active-directory', 'azure'] }),
  environment_id: column('string', { isId: true }),
  environment_name: column('string'),
  asset_group_tag_id: column('integer'),
  zone_name: column('string'),
  source_principal_id: column('string'),
  source_principal_kind: column('string'),
  source_principal_name: column('string'),
  target_principal_id: column('string'),
  target_principal_kind: column('string'),
  target_principal_name: column('string'),
  exposure_percentage: column('number'),
  impact_percentage: column('number'),
  status: column('string', { words: ['active', 'accepted', 'remediated', 'orphaned', 'deprecated'] }),
  first_seen: column('time'),
  group_id: column('string'),
  last_seen: column('time'),
  began_by: column('string', { words: [...CHANGE_CAUSES] }),
  changed_by: column('string', { words: [...CHANGE_CAUSES] }),
  part_of: column('string'),
  part_of_id: column('integer'),
  repair: column('integer'),
  urgency: column('integer'),
  owner: column('string', { sortable: false }),
  text: column('string', { sortable: false }),
  similar: column('string', { sortable: false }),
  owner_name: column('string'),
  due: column('time'),
  overdue: column('boolean'),
} as const;

export const FindingGroup = Type.Object({
  key: Type.String({ description: 'The common part of its findings' }),
  count: Count,
  findings: Type.Array(Type.String(), { description: 'Types that have findings, ascending' }),
  kinds: Type.Array(Type.String(), {
    description: 'Kinds of their sources, or of their targets if they have no source, ascending',
  }),
  lead: UnifiedFindingRow,
  repair: Type.Optional(
    Type.String({
      description: 'The change that closes them all, for groups by repair that no card of the plan closes',
    }),
  ),
});
export type FindingGroup = Static<typeof FindingGroup>;

export const FINDING_NAME_COLUMNS = { finding: column('string') } as const;

export const FINDING_TYPE_COLUMNS = {
  environment_id: column('string', { isId: true, sortable: false }),
  asset_group_tag_id: column('integer', { sortable: false }),
} as const;

export const FindingTitle = Type.Object({ finding: Type.String(), title: Type.String() });

/** All data of a finding: both ends, and the texts of its type. */
export const FindingBundle = Type.Object({
  findings: Type.Array(
    Type.Object({
      target_id: Type.String(),
      target_kind: Type.String(),
      target_properties: Props,
      source_id: Type.Optional(Type.String()),
      source_kind: Type.Optional(Type.String()),
      source_properties: Type.Optional(Props),
      attack_path_edge_id: Type.Optional(Type.Integer()),
      finding_name: Type.String(),
      environment_id: Type.String(),
      impact_percentage: Share,
      impact_count: Count,
      exposure_percentage: Type.Optional(Share),
      exposure_count: Type.Optional(Count),
      accepted_until: Type.Integer({ description: 'Seconds since the epoch; 0 when not accepted' }),
      asset_group: Type.String({ description: 'Name of the zone' }),
    }),
  ),
  finding_assets: Type.Record(Type.String(), Type.Record(Type.String(), Type.String()), {
    description: 'Markdown in base64, by finding type and file name',
  }),
});

export const AcceptanceTerms = {
  accepted: Type.Boolean(),
  accept_until: Type.Optional(
    nullable(Type.String({ description: 'A time (RFC 3339); if absent, the acceptance has no end' })),
  ),
  reason: Type.Optional(
    Type.String({ maxLength: 2000, description: 'The reason, for users who see the finding later' }),
  ),
  leave_out_of_plan: Type.Optional(
    Type.Boolean({
      description:
        'With an acceptance: the changes by which cards of the plan of Tier Zero close these findings become constraints, as long as it lasts (needs graphdb/Mutate)',
    }),
  ),
  ...EvidenceTerms,
};

export const AcceptanceBody = Type.Object({
  risk_type: Type.Optional(
    Type.String({ description: 'Finding type that the caller expects the finding to have' }),
  ),
  ...AcceptanceTerms,
});
export type AcceptanceBody = Static<typeof AcceptanceBody>;

/** `start` and `end` of the time window, next to `data`. */
export const Window = { start: Time, end: Time };

const SeriesKeys = {
  id: Type.Integer(),
  created_at: Time,
  updated_at: Time,
  deleted_at: NullTime,
};

export const RiskCounts = Type.Object({
  ...SeriesKeys,
  CompositeRisk: Percent,
  FindingCount: Count,
  ImpactedAssetCount: Count,
  DomainSID: Type.String(),
  Finding: Type.String(),
});
export type RiskCounts = Static<typeof RiskCounts>;

export const RISK_COUNT_COLUMNS = {
  id: column('integer'),
  ...TIMESTAMP_COLUMNS,
  CompositeRisk: column('number'),
  FindingCount: column('integer'),
  ImpactedAssetCount: column('integer'),
  domain_sid: column('string', { isId: true }),
  asset_group_tag_id: column('integer', { sortable: false }),
} as const;

export const PostureStat = Type.Object({
  ...SeriesKeys,
  domain_sid: Type.String(),
  asset_group_tag_id: Type.Integer(),
  exposure_index: Share,
  exposure_from: ExposureFrom,
  tier_zero_count: Count,
  critical_risk_count: Count,
  not_read: NotRead,
});
export type PostureStat = Static<typeof PostureStat>;

export const POSTURE_STAT_COLUMNS = {
  id: column('integer'),
  ...TIMESTAMP_COLUMNS,
  domain_sid: column('string', { isId: true }),
  asset_group_tag_id: column('integer'),
  exposure_index: column('number'),
  tier_zero_count: column('integer'),
  critical_risk_count: column('integer'),
} as const;

/** Trend of one type over all of its findings, as in its list. */
export const FindingTrend = Type.Object({
  environment_ids: Type.Array(Type.String()),
  finding: Type.String(),
  display_title: Type.String(),
  display_type: Type.String({ description: 'Category' }),
  composite_risk: Percent,
  finding_count_start: Count,
  finding_count_end: Count,
  finding_count_increase: Count,
  finding_count_decrease: Count,
  impact_count: Count,
  exposure_count: Count,
  archived_count: Count,
});

/** For figures of several environments: those with missing data. */
export const EnvironmentUnread = Type.Object({ environment_id: Type.String(), parts: NotRead });

export const DayValue = Type.Object({ date: Time, value: Type.Number() });
