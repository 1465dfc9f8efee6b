/** Zones, findings and posture figures. */
import type { ColumnType, Generated } from 'kysely';
import type {
  BigInteger,
  BigIntegerDefault,
  GeneratedId,
  GeneratedTimestamp,
  Json,
  Timestamp,
} from './columnTypes.ts';
import type { ChangeCause } from './graphTables.ts';

/** A zone (1), a label (2), Owned (3), decoys (4). */
export interface AssetGroupTagTable {
  id: GeneratedId;
  type: number;
  /** Number of the node kind `Tag_<Name>`. */
  kind_id: number;
  name: string;
  description: Generated<string>;
  /** 1 is the most privileged; zones only, consecutive. */
  position: number | null;
  require_certify: boolean | null;
  analysis_enabled: boolean | null;
  glyph: string | null;
  /** Tag of members of the asset group, if its creator set one. */
  group_tag: string | null;
  created_at: GeneratedTimestamp;
  created_by: string;
  updated_at: GeneratedTimestamp;
  updated_by: string;
  deleted_at: Timestamp | null;
  deleted_by: string | null;
}

/** A rule that puts objects into a zone. */
export interface AssetGroupTagSelectorTable {
  id: GeneratedId;
  asset_group_tag_id: number;
  /** Key of a rule of `DEFAULT_SELECTORS`. */
  default_key: string | null;
  name: string;
  description: Generated<string>;
  is_default: Generated<boolean>;
  allow_disable: Generated<boolean>;
  /** 0 off, 1 all members, 2 seeds only. */
  auto_certify: Generated<number>;
  created_at: GeneratedTimestamp;
  created_by: string;
  updated_at: GeneratedTimestamp;
  updated_by: string;
  disabled_at: Timestamp | null;
  disabled_by: string | null;
  /** Why the last run of the selector's query failed. */
  query_error: string | null;
  /** Why it found nothing in the last run. */
  query_warnings: string[] | null;
  /** Duration of the last run. */
  query_ms: number | null;
  /** Set while an analysis waits for it. */
  query_started_at: Timestamp | null;
  query_timed_out: Json<{ readonly edges: number; readonly digest: string }> | null;
  /** The extension that installed it and removes it. */
  extension_id: number | null;
}

export interface AssetGroupTagSelectorSeedTable {
  selector_id: number;
  /** 1 object id, 2 query. */
  type: number;
  value: string;
}

/** Members of the newest generation: one row per member of a zone, even if several rules select it. */
export interface ZoneMemberTable {
  id: GeneratedId;
  tag_id: number;
  /** Graph id. */
  node_id: number;
  object_id: string;
  name: string;
  primary_kind: string;
  environment_id: string | null;
  /** 1 seed, 2 child, 3 parent. */
  source: number;
  /** 0 pending, 1 revoked, 2 manual, 3 automatic. */
  certified: number;
  certified_by: string | null;
  /** False for a member that awaits certification or belongs to a more privileged zone. */
  tagged: boolean;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** A stay of an object in a zone, between two published instants. */
export interface ZoneStayTable {
  id: GeneratedId;
  tag_id: number;
  object_id: string;
  name: string;
  primary_kind: string;
  environment_id: string | null;
  joined_at: Timestamp;
  /** Null while it lasts. */
  left_at: Timestamp | null;
}

/** An instant at which the members of a zone changed. */
export interface ZoneCollectionTable {
  id: GeneratedId;
  tag_id: number;
  created_at: Timestamp;
}

export interface ZoneRuleMemberTable {
  selector_id: number;
  node_id: number;
  source: number;
}

export interface ZoneDecisionTable {
  tag_id: number;
  node_id: number;
  /** 1 revoked, 2 certified. */
  certified: number;
  decided_by: string;
  decided_at: Timestamp;
  note: Generated<string>;
}

export interface AssetGroupHistoryTable {
  id: GeneratedId;
  created_at: GeneratedTimestamp;
  actor: string;
  email: string | null;
  action: string;
  target: string;
  asset_group_tag_id: number;
  environment_id: string | null;
  note: string | null;
}

export interface PublicationClockTable {
  published_at: Timestamp;
}

export interface FindingRunTable {
  id: GeneratedId;
  generation_id: BigInteger;
  published_at: Timestamp;
  /** Some types could not be computed and stayed unchanged. */
  is_partial: boolean;
  report: Json<unknown>;
}

export type FindingKind = 'relationship' | 'list';
export type FindingStatus = 'active' | 'accepted' | 'remediated' | 'orphaned' | 'deprecated';

/** Position of findings after the first ones of the list. */
export const NO_PLACE = 2_147_483_647;

export interface FindingTable {
  id: GeneratedId;
  environment_id: string;
  /** 0 for findings that belong to no zone. */
  tag_id: number;
  finding: string;
  /** Empty for list findings. */
  source_id: string;
  target_id: string;
  kind: FindingKind;
  edge_kind: number | null;
  is_inherited: boolean;
  source_name: string;
  source_kind: string;
  source_environment_id: string | null;
  target_name: string;
  target_kind: string;
  /** The object's own environment: a finding may be repaired in another one. Null for an object without an environment. */
  target_environment_id: string | null;
  /** Smaller default groups with the same right. */
  also_from: string[];
  principal_hash: string;
  status: FindingStatus;
  accepted_until: Timestamp | null;
  accepted_by: string | null;
  accepted_reason: string | null;
  exposure_count: BigInteger;
  /** Fractions 0..1. */
  exposure_percentage: number;
  impact_count: BigInteger;
  impact_percentage: number;
  /** Index in `SEVERITIES`: 0 low .. 3 critical. */
  severity: number;
  /** Row of the severity table that rated it; empty for findings of an earlier release. */
  rated_row: Generated<string>;
  /** Index in `ReasonBasis`: the meaning of `rated_count` of `rated_of`. */
  rated_basis: Generated<number>;
  rated_count: BigIntegerDefault;
  rated_of: BigIntegerDefault;
  /** Class of attack effort: 1, 2, 4 or 8. */
  rated_effort: Generated<number>;
  /** Type of the finding that represents this one in lists; empty for findings that are listed themselves. */
  part_of: Generated<string>;
  /** Types of findings that it represents. */
  parts: Generated<string[]>;
  /** Subject of that finding, as text; empty without one. */
  part_of_key: Generated<string>;
  /** Id of that finding. */
  part_of_id: number | null;
  /** Id of the finding with which this one was accepted; null if it was accepted itself. */
  accepted_through: number | null;
  /** Position among the first of the list; `NO_PLACE` for all others. */
  place: Generated<number>;
  /** Number of the card of the plan that closes it. */
  plan_card: number | null;
  /** Key of the work package, and the exposed share after the card. */
  plan_package: string | null;
  plan_after: number | null;
  /** Number of the card after which its severity is lower, and that severity (index in `SEVERITIES`). */
  plan_lowered_card: number | null;
  plan_lowered_to: number | null;
  /** The reason why the plan does not close it, and the number of principals that can use it after the plan. */
  plan_open: string | null;
  plan_open_users: BigInteger | null;
  /** Digest of the repair that closes it together with others, if no card does. */
  plan_repair: string | null;
  /** Title of that repair; names objects that some users may not see. */
  plan_repair_title: string | null;
  /** Shared by findings with the same cause. */
  group_id: Generated<string>;
  /** Other environments whose principals can use it. */
  exposure_from: Json<readonly ExposureFrom[]>;
  /** The archived finding about the same thing, if any. */
  previous_id: number | null;
  created_at: Timestamp;
  updated_at: Timestamp;
  deleted_at: Timestamp | null;
  began_by: Generated<ChangeCause>;
  /** Why it last changed or ended. */
  changed_by: Generated<ChangeCause>;
  /** Version of the rules that last opened, changed or ended it. */
  rules_version: Generated<string>;
  /** When its last acceptance ended: its days start again. Null if it was never accepted. */
  due_from: Timestamp | null;
  /** The second approver of its last acceptance; null without one. */
  approved_by: string | null;
  /** The evidence of its last acceptance; null without one. */
  accepted_evidence: number | null;
}

/** A file that a user attached. */
export interface AttachmentTable {
  id: GeneratedId;
  /** Null once the user is deleted. */
  user_id: string | null;
  uploaded_by: string;
  uploaded_at: GeneratedTimestamp;
  name: string;
  media_type: string;
  byte_count: number;
  /** Hexadecimal. */
  sha256: string;
  content: Buffer;
}

/** A template of the reason of an acceptance. */
export interface AcceptanceTemplateTable {
  id: GeneratedId;
  name: string;
  reason: string;
  /** Days until an acceptance ends; null without a default. */
  days: number | null;
  changed_by: string;
  changed_at: GeneratedTimestamp;
}

export interface AcceptanceTemplateFileTable {
  template_id: number;
  attachment_id: number;
}

/** The template and the files of acceptances that were made together. */
export interface EvidenceTable {
  id: GeneratedId;
  /** Name of the template at that time; null without one. */
  template: string | null;
  created_at: GeneratedTimestamp;
}

export interface EvidenceFileTable {
  evidence_id: number;
  attachment_id: number;
}

export interface ExposureFrom {
  readonly environment_id: string;
  /** Absent if it has none, and in findings of an earlier release. */
  readonly environment_name?: string;
  readonly count: number;
  /** Share of the principals of that environment outside the zone; 0..1. */
  readonly percentage: number;
}

/** Finding types of this release, for joins. */
export interface FindingTypeTable {
  id: string;
  title: string;
  platform: string;
}

/** An acceptance that waits for a second approver, or that was decided. */
export interface AcceptanceRequestTable {
  id: GeneratedId;
  /** Null once the user is deleted. */
  user_id: string | null;
  requested_by: string;
  requested_at: GeneratedTimestamp;
  expires_at: Timestamp;
  /** Null without an end. */
  accept_until: Timestamp | null;
  reason: string;
  leave_out_of_plan: boolean;
  finding_count: number;
  /** The 100 most severe. */
  finding_ids: number[];
  /** Title of the most severe. */
  title: string;
  environments: string[];
  /** Environments that the user who asked saw; null for all. */
  seen_environments: string[] | null;
  state: Generated<'waiting' | 'approved' | 'refused' | 'withdrawn' | 'expired' | 'closed'>;
  /** Findings that the approval accepted so far. */
  accepted_count: Generated<number>;
  /** Findings that the approval left as they are. */
  skipped_count: Generated<number>;
  bulk_change_id: number | null;
  decided_by: string | null;
  decided_at: Timestamp | null;
  note: Generated<string>;
  /** Null without a template and files. */
  evidence_id: number | null;
}

/** A finding of a waiting request. */
export interface AcceptanceRequestFindingTable {
  request_id: number;
  finding_id: number;
  /** The acceptance of the finding when the request was made; null without one. */
  acceptance: object | null;
  /** Null until an approval comes to the finding; false if it left the finding as it was. */
  is_accepted: boolean | null;
}

/** Days until findings of a severity are due. */
export interface ServiceLevelTable {
  /** Index in `SEVERITIES`. */
  severity: number;
  days: number;
  /** Day from which days count for findings that opened earlier. */
  since: string;
}

/** An overdue finding that events reported. */
export interface OverdueFindingTable {
  finding_id: number;
  /** The end of the due day, or the last time at which the finding was not yet overdue. */
  since: Timestamp;
  noticed_at: Timestamp;
}

/** The user who works on a finding; without a row, it has no owner. */
export interface FindingOwnerTable {
  finding_id: number;
  user_id: string;
  assigned_at: GeneratedTimestamp;
  /** Name of the user who assigned it. */
  assigned_by: string;
}

/** A change of many findings by one request. */
export interface BulkChangeTable {
  id: GeneratedId;
  action: 'AcceptFindings' | 'AssignFindings';
  user_id: string | null;
  user_name: string;
  /** Number of changed findings. */
  findings: Generated<number>;
  changed_at: GeneratedTimestamp;
  /** Number of findings restored so far by undoing it. */
  restored: Generated<number>;
  /** Number of findings that undoing it has left unchanged so far. */
  kept: Generated<number>;
  undone_at: Timestamp | null;
  undone_by: string | null;
}

/** A finding's state before and after a bulk change. */
export interface BulkChangeRowTable {
  bulk_change_id: number;
  finding_id: number;
  before: Json<unknown>;
  after: Json<unknown>;
}

/** Findings with columns of other tables. */
export interface FindingView extends FindingTable {
  owner_id: string | null;
  owner_name: string | null;
  assigned_at: Timestamp | null;
  assigned_by: string | null;
  /** Name of the relationship's kind; null for findings about one object. */
  relation: string | null;
  /** Whether the acceptance is in force. */
  is_accepted: boolean;
  /** Day (UTC, `YYYY-MM-DD`) by its service level; null without one, for accepted and for archived findings. */
  due: string | null;
  /** The due day has passed. */
  is_overdue: boolean;
  /** Ids of the findings that it represents, ascending. */
  part_ids: number[];
  severity_name: string;
  /** Names the zone unless it is Tier Zero. */
  title: string;
  platform: string;
  zone_name: string;
  environment_name: string;
  source_environment_name: string;
  /** Graph ids of the nodes; absent for unknown objects. */
  source_graph_id: number | null;
  target_graph_id: number | null;
}

interface Series {
  id: GeneratedId;
  run_id: BigInteger;
  environment_id: string;
  tag_id: number;
  created_at: Timestamp;
  updated_at: Timestamp;
  deleted_at: Timestamp | null;
}

/** One row per environment, zone, finding type and run. */
export interface RiskCountTable extends Series {
  finding: string;
  /** 0..100. */
  composite_risk: number;
  finding_count: number;
  impacted_asset_count: number;
  exposure_count: BigInteger;
  impact_count: BigInteger;
}

/** One row per environment, zone and run. */
export interface PostureStatTable extends Series {
  /** Fraction 0..1. */
  exposure_index: number;
  tier_zero_count: BigInteger;
  critical_risk_count: number;
  finding_count: number;
  attack_path_count: BigInteger;
  /** Number of principals that the exposure index refers to. */
  principal_count: BigInteger;
  exposure_from: Json<readonly ExposureFrom[]>;
}

/** One row per environment and run. */
export interface EnvironmentStatTable {
  run_id: ColumnType<number, number | bigint, never>;
  environment_id: string;
  environment_name: string;
  platform: string;
  active_computers: number;
  session_computers: number;
  group_computers: number;
  created_at: Timestamp;
}

export interface FindingTables {
  asset_group_tag: AssetGroupTagTable;
  asset_group_tag_selector: AssetGroupTagSelectorTable;
  asset_group_tag_selector_seed: AssetGroupTagSelectorSeedTable;
  zone_member: ZoneMemberTable;
  zone_rule_member: ZoneRuleMemberTable;
  zone_stay: ZoneStayTable;
  zone_collection: ZoneCollectionTable;
  zone_decision: ZoneDecisionTable;
  asset_group_history: AssetGroupHistoryTable;
  publication_clock: PublicationClockTable;
  finding_run: FindingRunTable;
  finding: FindingTable;
  finding_owner: FindingOwnerTable;
  service_level: ServiceLevelTable;
  overdue_finding: OverdueFindingTable;
  acceptance_request: AcceptanceRequestTable;
  acceptance_request_finding: AcceptanceRequestFindingTable;
  attachment: AttachmentTable;
  acceptance_template: AcceptanceTemplateTable;
  acceptance_template_file: AcceptanceTemplateFileTable;
  evidence: EvidenceTable;
  evidence_file: EvidenceFileTable;
  bulk_change: BulkChangeTable;
  bulk_change_row: BulkChangeRowTable;
  finding_type: FindingTypeTable;
  finding_view: FindingView;
  risk_count: RiskCountTable;
  posture_stat: PostureStatTable;
  environment_stat: EnvironmentStatTable;
}
