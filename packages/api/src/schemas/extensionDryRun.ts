/** The effect of installing the definition of an extension (`docs/extensions.md#dry-run`). */
import Type, { type Static } from 'typebox';
import { Count, nullable } from './common.ts';
import { ExtensionRecord } from './openGraph.ts';
import { Changes, ExposureRecord, ObjectRecord } from './plan.ts';

const Names = Type.Array(Type.String());

export const DefinitionChange = Type.Object({
  part: Type.String({ description: 'Member of the definition, such as `node_kinds`' }),
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
  added: Type.Array(ObjectRecord, { description: 'The first ones' }),
  removed_count: Count,
  removed: Type.Array(ObjectRecord, { description: 'The first ones' }),
});

export const ExtensionEffect = Type.Object({
  generation: Type.Integer({ description: 'The analysis that the answer is computed from' }),
  relationships: Type.Array(
    Type.Object({
      kind: Type.String(),
      relationship_count: Type.Integer({
        minimum: 0,
        description: 'Number in the graph, including derived relationships',
      }),
      was_traversable: Type.Boolean(),
      is_traversable: Type.Boolean(),
    }),
    { description: 'Kinds that attack paths would begin or stop using' },
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
  zones: Type.Array(Move, { description: 'Zones whose members would change' }),
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
  installed_version: nullable(Type.String(), 'The version that would be replaced; null for a new extension'),
  difference: Type.Array(DefinitionChange, {
    description: 'Difference from the installed version; for a new extension, everything is added',
  }),
  effect: nullable(ExtensionEffect, 'Computed on the latest analysis; null if it was not computed'),
  not_computed: Type.Array(Type.String(), { description: 'What the answer leaves out, and why' }),
});
export type ExtensionDryRun = Static<typeof ExtensionDryRun>;

export const InstalledExtension = Type.Object({
  ...ExtensionRecord.properties,
  warnings: Type.Array(Type.String(), {
    description:
      'Parts of the definition that were read differently from how they are written, each with its position',
  }),
  dry_run: Type.Optional(ExtensionDryRun),
});
export type InstalledExtension = Static<typeof InstalledExtension>;
