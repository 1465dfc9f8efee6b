/** Zones and labels: tags, the rules that select their members, members, history, certification. */
import Type, { type Static } from 'typebox';
import { column, TIMESTAMP_COLUMNS } from '../columns.ts';
import { Count, int32, NullTime, nullable, Time } from './common.ts';

export const AssetGroupTag = Type.Object({
  id: Type.Integer({ description: '1 is Tier Zero' }),
  type: Type.Integer({ description: '1 zone, 2 label, 3 owned' }),
  kind_id: Type.Integer(),
  name: Type.String(),
  description: Type.String(),
  created_at: Time,
  created_by: Type.String(),
  updated_at: Time,
  updated_by: Type.String(),
  position: nullable(Type.Integer({ description: 'Zones: 1 is the most privileged' })),
  require_certify: nullable(Type.Boolean()),
  analysis_enabled: nullable(Type.Boolean()),
  glyph: nullable(Type.String()),
});
export type AssetGroupTag = Static<typeof AssetGroupTag>;

export const CountedTag = Type.Object({
  ...AssetGroupTag.properties,
  counts: Type.Optional(
    Type.Object({
      members: Count,
      selectors: Count,
      custom_selectors: Count,
      default_selectors: Count,
      disabled_selectors: Count,
    }),
  ),
});

export const ZONE_COLUMNS = {
  type: column('integer'),
  name: column('string'),
  description: column('string'),
  created_at: column('time'),
  created_by: column('string'),
  updated_at: column('time'),
  updated_by: column('string'),
  deleted_at: column('time'),
  deleted_by: column('string'),
  require_certify: column('boolean'),
} as const;

/** Some clients send the type as text. */
const TagType = Type.Union([int32(), Type.String({ pattern: '^[0-9]$', 'x-form': 'a number of one digit' })]);

export const CreateTagBody = Type.Object({
  name: Type.String({ description: 'Letters, digits, spaces and underscores' }),
  type: TagType,
  description: Type.Optional(Type.String()),
  require_certify: Type.Optional(nullable(Type.Boolean())),
  position: Type.Optional(nullable(int32())),
  glyph: Type.Optional(nullable(Type.String())),
});
export type CreateTagBody = Static<typeof CreateTagBody>;

export const UpdateTagBody = Type.Object({
  name: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  require_certify: Type.Optional(nullable(Type.Boolean())),
  analysis_enabled: Type.Optional(nullable(Type.Boolean())),
  position: Type.Optional(nullable(int32())),
  glyph: Type.Optional(nullable(Type.String())),
});
export type UpdateTagBody = Static<typeof UpdateTagBody>;

export const Seed = Type.Object({
  type: int32({ description: '1 object id, 2 query' }),
  value: Type.String(),
});

export const TagSelector = Type.Object({
  id: Type.Integer(),
  asset_group_tag_id: Type.Integer(),
  created_at: Time,
  created_by: Type.String(),
  updated_at: Time,
  updated_by: Type.String(),
  disabled_at: nullable(Time),
  disabled_by: nullable(Type.String()),
  name: Type.String(),
  description: Type.String(),
  auto_certify: Type.Integer({ description: '0 off, 1 all members, 2 seeds only' }),
  is_default: Type.Boolean(),
  allow_disable: Type.Boolean(),
  extension_id: Type.Optional(
    Type.Integer({ description: 'Id of the extension that it was installed with and is removed with' }),
  ),
  seeds: Type.Array(Seed),
  hidden_seeds: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Number of other objects that the user may not see' }),
  ),
  query_error: Type.Optional(
    nullable(Type.String({ description: 'Why the query fails; the objects that it selected before stay' })),
  ),
  query_warnings: Type.Optional(
    Type.Array(Type.String(), { description: 'Why the query selected nothing in the last analysis' }),
  ),
  query_milliseconds: Type.Optional(
    Type.Integer({ minimum: 0, description: 'How long the query took in the last analysis that ran it' }),
  ),
  query_started_at: Type.Optional(
    Type.String({ format: 'date-time', description: 'Set while an analysis runs the query' }),
  ),
  counts: Type.Optional(Type.Object({ members: Count })),
});
export type TagSelector = Static<typeof TagSelector>;

export const TAG_SELECTOR_COLUMNS = {
  // Type of its seeds: 1 object ids, 2 a query.
  type: column('integer', { sortable: false }),
  id: column('integer'),
  auto_certify: column('integer'),
  created_at: column('time'),
  created_by: column('string'),
  description: column('string'),
  disabled_at: column('time'),
  disabled_by: column('string'),
  is_default: column('boolean'),
  name: column('string'),
  updated_at: column('time'),
  updated_by: column('string'),
} as const;

/** Maximum number of seeds of one selector, enough for manual lists. */
const MAX_SEEDS = 10_000;

export const CreateSelectorBody = Type.Object({
  name: Type.String(),
  description: Type.Optional(Type.String()),
  auto_certify: Type.Optional(nullable(int32())),
  seeds: Type.Array(Seed, { maxItems: MAX_SEEDS }),
});
export type CreateSelectorBody = Static<typeof CreateSelectorBody>;

export const UpdateSelectorBody = Type.Object({
  name: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  auto_certify: Type.Optional(nullable(int32())),
  disabled: Type.Optional(Type.Boolean()),
  seeds: Type.Optional(Type.Array(Seed, { maxItems: MAX_SEEDS })),
});
export type UpdateSelectorBody = Static<typeof UpdateSelectorBody>;

/** Maximum number of zones and labels that are not deleted. */
export const MAX_ZONES = 100;

export const TagMember = Type.Object({
  id: Type.Integer({ description: 'Number of the node in the graph' }),
  asset_group_tag_id: Type.Optional(Type.Integer({ description: 'Absent in previews, which have no zone' })),
  object_id: Type.String(),
  environment_id: Type.String(),
  primary_kind: Type.String(),
  name: Type.String(),
  source: Type.Integer({ description: '1 seed, 2 child, 3 parent' }),
  properties: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});
export type TagMember = Static<typeof TagMember>;

export const TAG_MEMBER_COLUMNS = {
  id: column('integer'),
  object_id: column('string'),
  objectid: column('string'),
  primary_kind: column('string'),
  name: column('string'),
} as const;

export const MemberCounts = Type.Object({
  total_count: Count,
  counts: Type.Record(Type.String(), Count, { description: 'Number of objects by kind' }),
});

export const PreviewBody = Type.Object({
  seeds: Type.Array(Seed, { maxItems: MAX_SEEDS }),
  expansion: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 3, description: '0 none, 1 all, 2 children, 3 parents' }),
  ),
});
export type PreviewBody = Static<typeof PreviewBody>;

export const ZoneSearchBody = Type.Object({
  query: Type.String({ minLength: 1 }),
  tag_type: Type.Optional(int32()),
  asset_group_tag_id: Type.Optional(int32()),
});
export type ZoneSearchBody = Static<typeof ZoneSearchBody>;

export const HistoryRecord = Type.Object({
  id: Type.Integer(),
  created_at: Time,
  actor: Type.String(),
  email: nullable(Type.String()),
  action: Type.String(),
  target: Type.String(),
  asset_group_tag_id: Type.Integer(),
  environment_id: nullable(Type.String()),
  note: nullable(Type.String()),
});

export const HISTORY_COLUMNS = {
  created_at: column('time'),
  actor: column('string'),
  email: column('string'),
  action: column('string'),
  target: column('string'),
  asset_group_tag_id: column('integer'),
  environment_id: column('string', { isId: true }),
  note: column('string'),
} as const;

export const Certification = Type.Object({
  id: Type.Integer({ description: 'Number of the membership, for decisions' }),
  object_id: Type.String(),
  environment_id: Type.String(),
  primary_kind: Type.String(),
  name: Type.String(),
  asset_group_tag_id: Type.Integer(),
  created_at: Time,
  certified_by: nullable(Type.String()),
  certified: Type.Integer({ description: '0 pending, 1 revoked, 2 manual, 3 automatic' }),
});
export type Certification = Static<typeof Certification>;

export const CERTIFICATION_COLUMNS = {
  asset_group_tag_id: column('integer'),
  certified: column('integer'),
  certified_by: column('string'),
  created_at: column('time'),
  name: column('string'),
  object_id: column('string'),
  primary_kind: column('string'),
} as const;

export const CertifyBody = Type.Object({
  member_ids: Type.Array(int32({ minimum: 0 }), { minItems: 1, maxItems: 10_000 }),
  action: Type.Union([Type.Literal(1), Type.Literal(2)], { description: '1 revoke, 2 certify' }),
  note: Type.Optional(Type.String({ maxLength: 10_000 })),
});
export type CertifyBody = Static<typeof CertifyBody>;

/** Tags in the form of older clients. */
export const AssetGroupSelector = Type.Object({
  id: Type.Integer(),
  asset_group_id: Type.Integer(),
  name: Type.String(),
  selector: Type.String({ description: 'Object id' }),
  system_selector: Type.Boolean(),
  created_at: Time,
  updated_at: Time,
  deleted_at: NullTime,
});

export const AssetGroup = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  tag: Type.String({ description: 'Value of members in `system_tags`' }),
  system_group: Type.Boolean(),
  selectors: Type.Array(AssetGroupSelector),
  Selectors: Type.Array(AssetGroupSelector, { description: 'The same value for older clients' }),
  hidden_selectors: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Number of objects of selectors that the user may not see' }),
  ),
  member_count: Count,
  created_at: Time,
  updated_at: Time,
  deleted_at: NullTime,
});

export const ASSET_GROUP_COLUMNS = {
  id: column('integer'),
  name: column('string'),
  tag: column('string'),
  system_group: column('boolean'),
  member_count: column('integer'),
  created_at: column('time'),
  updated_at: column('time'),
  deleted_at: column('time'),
} as const;

export const CreateAssetGroupBody = Type.Object({
  name: Type.String(),
  tag: Type.Optional(
    Type.String({ maxLength: 250, description: 'Without spaces; if absent, made from the name' }),
  ),
});
export type CreateAssetGroupBody = Static<typeof CreateAssetGroupBody>;

export const SelectorSpecs = Type.Array(
  Type.Object({
    selector_name: Type.Optional(Type.String()),
    sid: Type.String({ minLength: 1, description: 'Object id' }),
    action: Type.Union([Type.Literal('add'), Type.Literal('remove')]),
  }),
  { maxItems: 10_000 },
);
export type SelectorSpecs = Static<typeof SelectorSpecs>;

export const ChangedSelectors = Type.Object({
  added_selectors: Type.Array(AssetGroupSelector),
  removed_selectors: Type.Array(AssetGroupSelector),
});

const SnapshotKeys = {
  id: Type.Integer(),
  created_at: Time,
  updated_at: Time,
  deleted_at: NullTime,
};

/** The members of an asset group at one moment. */
export const AssetGroupCollection = Type.Object({
  ...SnapshotKeys,
  entries: Type.Array(
    Type.Object({
      ...SnapshotKeys,
      asset_group_collection_id: Type.Integer(),
      object_id: Type.String(),
      node_label: Type.String({ description: 'Display kind' }),
      properties: Type.Record(Type.String(), Type.Unknown()),
    }),
  ),
});
export type AssetGroupCollection = Static<typeof AssetGroupCollection>;

export const ASSET_GROUP_COLLECTION_COLUMNS = { id: column('integer'), ...TIMESTAMP_COLUMNS } as const;

export const AssetGroupMember = Type.Object({
  asset_group_id: Type.Integer(),
  object_id: Type.String(),
  primary_kind: Type.String(),
  kinds: Type.Array(Type.String()),
  environment_id: Type.String(),
  environment_kind: Type.String(),
  name: Type.String(),
  custom_member: Type.Boolean({ description: 'Selected by a rule that people made' }),
});
export type AssetGroupMember = Static<typeof AssetGroupMember>;

export const ASSET_GROUP_MEMBER_COLUMNS = {
  object_id: column('string'),
  // The same for all members, for clients that sort by it.
  asset_group_id: column('integer'),
  primary_kind: column('string'),
  environment_id: column('string', { isId: true }),
  environment_kind: column('string'),
  name: column('string'),
  custom_member: column('boolean'),
} as const;
