/** Custom node kinds, source kinds, schema extensions and kinds of edges. */
import Type, { type Static } from 'typebox';

/** The default is a question mark on white. */
export const CustomNodeConfig = Type.Object({
  icon: Type.Optional(
    Type.Object({
      type: Type.Optional(Type.Literal('font-awesome')),
      name: Type.Optional(
        Type.String({
          pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
          'x-form': 'lower-case words with hyphens, as user-group',
          maxLength: 64,
          description: 'Name of a free Font Awesome icon in the solid style',
        }),
      ),
      color: Type.Optional(
        Type.String({
          pattern: '^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$',
          'x-form': 'a color, as #17e625',
          description: '`#RGB` or `#RRGGBB`',
        }),
      ),
    }),
  ),
});
export type CustomNodeConfig = Static<typeof CustomNodeConfig>;

export const CustomNode = Type.Object({
  id: Type.Integer(),
  kindName: Type.String(),
  config: Type.Object({
    icon: Type.Object({ type: Type.String(), name: Type.String(), color: Type.String() }),
  }),
});
export type CustomNode = Static<typeof CustomNode>;

export const SourceKind = Type.Object({
  id: Type.Integer({ description: '0 means nodes without a source kind' }),
  name: Type.String(),
  waiting_relationships: Type.Integer({
    description:
      'Relationships of its payloads with an end that matches no object yet: they are kept until one is uploaded',
  }),
  ambiguous_relationships: Type.Integer({
    description:
      'Of those, relationships for which several objects came: each waits until it is uploaded again',
  }),
});
export type SourceKind = Static<typeof SourceKind>;

export const ExtensionRecord = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  version: Type.String(),
  is_builtin: Type.Boolean(),
  namespace: Type.String(),
  schema_name: Type.String({
    description: '`schema.name` of the definition, which identifies the extension; `name` is the one to show',
  }),
});
export type ExtensionRecord = Static<typeof ExtensionRecord>;

const Moment = Type.Union([Type.String({ format: 'date-time' }), Type.Null()]);

export const DerivedRelationship = Type.Object({
  kind: Type.String({ description: 'Kind of the relationships' }),
  derived_by: Type.Union([Type.Literal('pattern'), Type.Literal('identity')]),
  definition: Type.Object(
    {},
    { additionalProperties: Type.Unknown(), description: 'The definition in the extension' },
  ),
  ran_at: Moment,
  milliseconds: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
  error: Type.Union([Type.String(), Type.Null()], {
    description: 'Why the last run failed; the relationships are those of `found_at` then',
  }),
  found_at: Moment,
  relationship_count: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: 'Null for users who may not see all environments',
  }),
  ambiguous_count: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: 'Number of values or nodes with more than one match, so that no relationship was created',
  }),
  ambiguous: Type.Array(Type.Object({ start: Type.Array(Type.String()), end: Type.Array(Type.String()) }), {
    description: 'Object ids of the first ones',
  }),
});
export type DerivedRelationship = Static<typeof DerivedRelationship>;

const Members = (description: string) => Type.Optional(Type.Unknown({ description }));

/** The service checks the members, because it reports every fault with its place; a schema reports only the first. */
export const ExtensionDefinition = Type.Object(
  {
    schema: Members('`name`, `display_name`, `version` and `namespace` of the extension'),
    node_kinds: Members(
      'List of kinds of nodes: `name`, `display_name`, `description`, `is_display_kind`, `icon`, `color`, `info`',
    ),
    relationship_kinds: Members(
      'List of kinds of relationships: `name`, `description`, `phrase`, `removal`, `is_traversable`, `effort`, `effort_reason`, `info`',
    ),
    environments: Members('List of environments: `environment_kind`, `source_kind`, `principal_kinds`'),
    relationship_findings: Members(
      'List of findings: `name`, `display_name`, `environment_kind`, `relationship_kind`, `remediation`',
    ),
    privilege_zone_rules: Members(
      'List of rules of zones: `name`, `description`, `cypher`, `enabled`, `zone`, `allow_disable`',
    ),
    node_findings: Members('List of custom checks, with names of the namespace (`docs/checks.md#the-file`)'),
    derived_relationships: Members(
      'List of relationships that follow from others: `kind`, `pattern`, `start`, `end`, `reason`',
    ),
    identities: Members(
      'List of relationships between nodes that are the same: `kind`, `matcher`, `start`, `end`, `both_directions`',
    ),
    repairs: Members(
      'List of repairs: `relationship_kind`, `object`, `cost`, `title`, `change`, `check`, `risk`',
    ),
    saved_searches: Members('List of queries for all users: `name`, `description`, `query`'),
    icons: Members('List of icons of node kinds that name none: `kind`, `name`, `color`'),
  },
  // Unknown members are accepted, so that the service can warn about each with its place.
  { additionalProperties: Type.Unknown() },
);
export type ExtensionDefinition = Static<typeof ExtensionDefinition>;

export const ListedEdgeKind = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  description: Type.String(),
  is_traversable: Type.Boolean(),
  schema_name: Type.String({ description: 'Empty for kinds of uploads' }),
  is_builtin: Type.Boolean(),
});
