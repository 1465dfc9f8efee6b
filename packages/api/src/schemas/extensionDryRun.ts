/** The effect of installing the definition of an extension (`docs/extensions.md#dry-run`). */
import Type, { type Static } from 'typebox';
import { Count, nullable } from './common.ts';
import { ExtensionRecord } from './openGraph.ts';
import { Changes, ExposureRecord, ObjectRecord } from './plan.ts';

const Names = Type.Array(Type.String());

export const DefinitionChange = Type.Object({
  part: Type.String({ description: 'Member of the definition, as `node_kinds`' }),
  added: Names,
  removed: Names,
  changed: Names,
});
export type DefinitionChange = Static<typeof DefinitionChange>;

const Move = Type.Object({
  asset_group_tag_id: Type.Integer(),
  name: Type.String(),
  member_count_before: Count,
  member_count_after: Count,
  added_count: Count,
  added: Type.Array(ObjectRecord, { description: 'The first of them' }),
  removed_count: Count,
  removed: Type.Array(ObjectRecord, { description: 'The first of them' }),
});

export const ExtensionEffect = Type.Object({
  generation: Type.Integer({ description: 'The analysis that it is worked out on' }),
  relationships: Type.Array(
    Type.Object({
      kind: Type.String(),
      relationship_count: Type.Integer({
        minimum: 0,
        description: 'Of the graph, with those that are derived',
      }),
      was_traversable: Type.Boolean(),
      is_traversable: Type.Boolean(),
    }),
    { description: 'Kinds that attack paths would use from then on, or no more' },
  ),
  derived: Type.Array(
    Type.Object({
      kind: Type.String(),
      relationship_count: Count,
      error: nullable(Type.String(), 'Why it could not be derived'),
    }),
    { description: 'Relationships that the definition derives' },
  ),
  checks: Type.Array(
    Type.Object({
      name: Type.String(),
      found_count: Count,
      error: nullable(Type.String(), 'Why its query could not be run'),
    }),
    { description: 'Checks of the definition' },
  ),
  zones: Type.Array(Move, { description: 'Zones whose members would be others' }),
  findings: Type.Object({
    types: Type.Array(
      Type.Object({ finding: Type.String(), title: Type.String(), opened_count: Count, closed_count: Count }),
    ),
    ...Changes,
  }),
  before: Type.Array(ExposureRecord),
  after: Type.Array(ExposureRecord),
  milliseconds: Type.Integer({ minimum: 0 }),
});
export type ExtensionEffect = Static<typeof ExtensionEffect>;

export const ExtensionDryRun = Type.Object({
  installed_version: nullable(Type.String(), 'That would be replaced; null for a new extension'),
  difference: Type.Array(DefinitionChange, {
    description: 'From the installed version; all is added for a new extension',
  }),
  effect: nullable(ExtensionEffect, 'On the latest analysis; null where it was not worked out'),
  not_computed: Type.Array(Type.String(), { description: 'What is not in it, and why' }),
});
export type ExtensionDryRun = Static<typeof ExtensionDryRun>;

export const InstalledExtension = Type.Object({
  ...ExtensionRecord.properties,
  warnings: Type.Array(Type.String(), {
    description: 'What was read otherwise than it stands in the definition, each with its place',
  }),
  dry_run: Type.Optional(ExtensionDryRun),
});
export type InstalledExtension = Static<typeof InstalledExtension>;
