/** Zones, findings and figures of posture. */
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

/** A zone (1), a label (2), the mark of owned objects (3), decoys (4). */
export interface AssetGroupTagTable {
  id: GeneratedId;
  type: number;
  /** Number of the node kind `Tag_<Name>`. */
  kind_id: number;
  name: string;
  description: Generated<string>;
  /** 1 is the most privileged; zones only, without gaps. */
  position: number | null;
  require_certify: boolean | null;
  analysis_enabled: boolean | null;
  glyph: string | null;
  /** Tag that members of the asset group carry, where its creator gave one. */
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
  /** Why the query of the selector did not work the last time. */
  query_error: string | null;
  /** Why it found nothing the last time. */
  query_warnings: string[] | null;
  /** How long it took the last time. */
  query_ms: number | null;
  /** Set while an analysis waits for it. */
  query_started_at: Timestamp | null;
  query_timed_out: Json<{ readonly edges: number; readonly digest: string }> | null;
  /** The extension that installed it, and whose removal removes it. */
  extension_id: number | null;
}

export interface AssetGroupTagSelectorSeedTable {
  selector_id: number;
  /** 1 object id, 2 query. */
  type: number;
  value: string;
}

/** Members of the newest generation: one row a member of a zone, whatever the number of rules that select it. */
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
  /** False for one that awaits certification or belongs to a more privileged zone. */
  tagged: boolean;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** A stay of an object in a zone, from one instant of publication until another. */
export interface ZoneStayTable {
  id: GeneratedId;
  tag_id: number;
  object_id: string;
  name: string;
  primary_kind: string;
  environment_id: string | null;
  joined_at: Timestamp;
  /** Absent while it lasts. */
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
  /** Some types could not be computed and were left unchanged. */
  is_partial: boolean;
  report: Json<unknown>;
}

export type FindingKind = 'relationship' | 'list';
export type FindingStatus = 'active' | 'accepted' | 'remediated' | 'orphaned' | 'deprecated';

/** Place of findings that are not among the first of the list. */
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
  /** Where the object itself is: a finding may be repaired in another environment. Null for an object of none. */
  target_environment_id: string | null;
  /** Smaller default groups that hold the same right. */
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
  /** Place in `SEVERITIES`: 0 low .. 3 critical. */
  severity: number;
  /** Row of the table of severities that it was rated by; empty for findings of an earlier release. */
  rated_row: Generated<string>;
  /** Place in `ReasonBasis`: what `rated_count` of `rated_of` are. */
  rated_basis: Generated<number>;
  rated_count: BigIntegerDefault;
  rated_of: BigIntegerDefault;
  /** Class of attack effort: 1, 2, 4 or 8. */
  rated_effort: Generated<number>;
  /** Type of the finding that represents this one in lists; empty for those that are listed themselves. */
  part_of: Generated<string>;
  /** Types of findings that it represents. */
  parts: Generated<string[]>;
  /** Subject of the finding that represents this one, as text; empty without one. */
  part_of_key: Generated<string>;
  /** Number of that finding. */
  part_of_id: number | null;
  /** Number of the finding with which this one was accepted; nothing where it was accepted by itself. */
  accepted_through: number | null;
  /** Place among the first of the list; `NO_PLACE` for all others. */
  place: Generated<number>;
  /** Number of the card of the plan that closes it. */
  plan_card: number | null;
  /** Key of the work package, and the share that is exposed once the card is done. */
  plan_package: string | null;
  plan_after: number | null;
  /** Number of the card after which its severity is lower, and that severity; place in `SEVERITIES`. */
  plan_lowered_card: number | null;
  plan_lowered_to: number | null;
  /** Why the plan does not close it, and how many can use it once the plan is done. */
  plan_open: string | null;
  plan_open_users: BigInteger | null;
  /** Digest of the repair that closes it together with others, where no card does. */
  plan_repair: string | null;
  /** Title of that repair; it names objects that not every user may see. */
  plan_repair_title: string | null;
  /** Shared by findings of one cause. */
  group_id: Generated<string>;
  /** Other environments whose principals can use it. */
  exposure_from: Json<readonly ExposureFrom[]>;
  /** The archived finding about the same thing, when there was one. */
  previous_id: number | null;
  created_at: Timestamp;
  updated_at: Timestamp;
  deleted_at: Timestamp | null;
  began_by: Generated<ChangeCause>;
  /** Why it was last changed, or ended. */
  changed_by: Generated<ChangeCause>;
  /** Version of the rules that last opened, changed or ended it. */
  rules_version: Generated<string>;
}

export interface ExposureFrom {
  readonly environment_id: string;
  /** Absent where it has none, and in findings of an earlier release. */
  readonly environment_name?: string;
  readonly count: number;
  /** Share of the principals of that environment outside the zone; 0..1. */
  readonly percentage: number;
}

/** Types of this release, for joins. */
export interface FindingTypeTable {
  id: string;
  title: string;
  platform: string;
}

/** The user who works on a finding; a finding without a row has no owner. */
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
  /** Those that changed by it. */
  findings: Generated<number>;
  changed_at: GeneratedTimestamp;
  /** Findings that undoing it gave back what they had, so far. */
  restored: Generated<number>;
  /** Those that undoing it left as they are, so far. */
  kept: Generated<number>;
  undone_at: Timestamp | null;
  undone_by: string | null;
}

/** A finding's state before a change of many, and by it. */
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
  /** Name of the kind of the relationship; nothing for findings about one object. */
  relation: string | null;
  /** The acceptance is in force. */
  is_accepted: boolean;
  /** Numbers of the findings that it represents, ascending. */
  part_ids: number[];
  severity_name: string;
  /** Names the zone where that is not Tier Zero. */
  title: string;
  platform: string;
  zone_name: string;
  environment_name: string;
  source_environment_name: string;
  /** Numbers of the nodes in the graph; absent for objects that are unknown. */
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
  /** Principals that the exposure index is a share of. */
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
  bulk_change: BulkChangeTable;
  bulk_change_row: BulkChangeRowTable;
  finding_type: FindingTypeTable;
  finding_view: FindingView;
  risk_count: RiskCountTable;
  posture_stat: PostureStatTable;
  environment_stat: EnvironmentStatTable;
}
