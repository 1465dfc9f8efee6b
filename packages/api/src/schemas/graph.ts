/** Nodes, edges and graphs in answers. */
import Type, { type Static } from 'typebox';
import { column } from '../columns.ts';
import { Count, NotRead, nullable, Time } from './common.ts';
import { AssetGroupTag } from './zones.ts';

/** An environment: a domain or a tenant. Clients require every field except the last two. */
export const DomainSelector = Type.Object({
  type: Type.String({ description: '`active-directory`, `azure`, or the environment kind of an extension' }),
  name: Type.String(),
  id: Type.String({ description: 'Domain SID or tenant id; the value for `{domain_id}`' }),
  collected: Type.Boolean(),
  environment_kind_id: Type.Integer({ description: 'Kind of the node of the environment' }),
  environment_kind_name: Type.String(),
  environment_kind_display_name: Type.String(),
  impactValue: Type.Integer({ minimum: 0, maximum: 100 }),
  hygiene_attack_paths: Type.Optional(Count),
  exposures: Type.Optional(
    Type.Array(
      Type.Object({
        exposure_percent: Type.Integer({ minimum: 0, maximum: 100 }),
        asset_group_tag: AssetGroupTag,
      }),
    ),
  ),
  not_read: NotRead,
});
export type DomainSelector = Static<typeof DomainSelector>;

export const DOMAIN_SELECTOR_COLUMNS = {
  objectid: column('string'),
  name: column('string'),
  collected: column('boolean', { sortable: false }),
} as const;

export const SearchResult = Type.Object({
  objectid: Type.String(),
  type: Type.String({ description: 'Display kind' }),
  name: Type.String(),
  distinguishedname: Type.String(),
  system_tags: Type.String({ description: 'Separated by spaces: `admin_tier_0`, `owned`' }),
});
export type SearchResult = Static<typeof SearchResult>;

/** Properties, kinds, and one number per count key (`docs/reference/queries.md#entity-details`). */
export const EntityInfo = Type.Object(
  {
    props: Type.Record(Type.String(), Type.Unknown()),
    kinds: Type.Array(Type.String()),
  },
  { additionalProperties: Type.Integer({ minimum: 0 }) },
);
export type EntityInfo = {
  readonly props: Readonly<Record<string, unknown>>;
  readonly kinds: readonly string[];
} & Readonly<Record<string, unknown>>;

/** An entry of a related list (`objectID`, not `objectid`). */
export const NodeListEntry = Type.Object({
  objectID: Type.String(),
  name: Type.String(),
  label: Type.String({ description: 'Display kind' }),
  kinds: Type.Array(Type.String()),
});
export type NodeListEntry = Static<typeof NodeListEntry>;

export const UnifiedNode = Type.Object({
  label: Type.String(),
  kind: Type.String(),
  kinds: Type.Array(Type.String()),
  objectId: Type.String(),
  isTierZero: Type.Boolean(),
  isOwnedObject: Type.Boolean(),
  lastSeen: Time,
  hidden: Type.Optional(Type.Boolean({ description: 'The caller may not see this object' })),
  properties: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});
export type UnifiedNode = Static<typeof UnifiedNode>;

export const UnifiedEdge = Type.Object({
  source: Type.String({ description: 'Key of the start node in `nodes`' }),
  target: Type.String({ description: 'Key of the end node in `nodes`' }),
  label: Type.String(),
  kind: Type.String(),
  lastSeen: Time,
  properties: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});
export type UnifiedEdge = Static<typeof UnifiedEdge>;

export const UnifiedGraph = Type.Object({
  nodes: Type.Record(Type.String(), UnifiedNode),
  edges: Type.Array(UnifiedEdge),
});
export type UnifiedGraph = Static<typeof UnifiedGraph>;

/** All shortest paths; a reduced graph consists of complete paths and contains the number of omitted edges. */
export const PathGraph = Type.Object({ ...UnifiedGraph.properties, omitted_edges: Type.Optional(Count) });
export type PathGraph = Static<typeof PathGraph>;

const GraphLabel = Type.Object({
  text: Type.String(),
  backgroundColor: Type.Optional(Type.String()),
  fontSize: Type.Optional(Type.Integer()),
  center: Type.Optional(Type.Boolean()),
});

/** A node of the flat graph map (`docs/reference/queries.md#graph-answers`). */
export const GraphMapNode = Type.Object({
  color: Type.String(),
  size: Type.Integer(),
  border: Type.Object({ color: Type.String() }),
  fontIcon: Type.Object({ text: Type.String() }),
  label: GraphLabel,
  data: Type.Record(Type.String(), Type.Unknown()),
});
export type GraphMapNode = Static<typeof GraphMapNode>;

/** An edge of the flat graph map. */
export const GraphMapEdge = Type.Object({
  id1: Type.String(),
  id2: Type.String(),
  color: Type.String(),
  label: GraphLabel,
  end2: Type.Object({ arrow: Type.Boolean() }),
  lineStyle: Type.Optional(
    Type.String({
      description: '`dashed` for a way through objects that the graph does not show; `data` names them',
    }),
  ),
  data: Type.Record(Type.String(), Type.Unknown()),
});
export type GraphMapEdge = Static<typeof GraphMapEdge>;

/** Keys: node = graph id as text, edge = `rel_` + edge id. Sent without a `data` wrapper on related lists. */
export const GraphMap = Type.Record(Type.String(), Type.Union([GraphMapNode, GraphMapEdge]));
export type GraphMap = Static<typeof GraphMap>;

/** Nodes and edges by kind; a node counts under each of its kinds. */
export const KindCounts = Type.Object({
  nodes: Type.Record(Type.String(), Count),
  edges: Type.Record(Type.String(), Count),
  total_nodes: Count,
  total_edges: Count,
});

export const GraphStatistics = Type.Object({
  generation: Type.Integer({ description: 'Number of the graph these counts belong to' }),
  published_at: Time,
  collected: KindCounts,
  derived: KindCounts,
});
export type GraphStatistics = Static<typeof GraphStatistics>;

export const CypherQuery = Type.Object({
  query: Type.String(),
  include_properties: Type.Optional(Type.Boolean()),
  parameters: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: 'Values of `$name` in the query' }),
  ),
  rows: Type.Optional(Type.Boolean({ description: 'Also returns the rows, even if empty' })),
  profile: Type.Optional(Type.Boolean({ description: 'Measures the time of each step of the query plan' })),
  explain: Type.Optional(
    Type.Boolean({ description: 'Does not run the query; the answer says how it would run' }),
  ),
  partial: Type.Optional(
    Type.Boolean({
      description:
        'At a limit, or when four fifths of its time are over, answer with the results so far: `warnings` say for how many starts they are complete',
    }),
  ),
});
export type CypherQuery = Static<typeof CypherQuery>;

const CypherPlanLine = Type.Object({
  step: Type.String(),
  detail: Type.String(),
  estimate: Type.Optional(Type.Number({ description: 'Number of expected nodes' })),
  rows: Count,
  milliseconds: Type.Optional(
    Type.Number({ description: 'In this step alone, where `profile` was asked for' }),
  ),
});

const Names = (description: string) => Type.Array(Type.String(), { description });

/** Names for queries, for completion in editors. */
export const CypherNames = Type.Object({
  labels: Names('Kinds and zones of objects that the caller may see'),
  relationship_types: Names('Existing kinds of relationships, and the names that represent several of them'),
  properties: Names('Properties of objects'),
  relationship_properties: Names('Properties of all relationships'),
  functions: Names('Functions of the language'),
});
export type CypherNames = Static<typeof CypherNames>;

/** `columns` and the members after it are present when `rows` or `explain` was requested. */
export const CypherResult = Type.Object({
  ...UnifiedGraph.properties,
  literals: Type.Array(Type.Object({ key: Type.String(), value: Type.Unknown() }), {
    description: 'Values that are not part of the graph, row by row',
  }),
  node_keys: Type.Optional(Type.Array(Type.String())),
  edge_keys: Type.Optional(Type.Array(Type.String())),
  warnings: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Why the answer is empty; labels, types and properties that occur nowhere; paths that were cut',
    }),
  ),
  columns: Type.Optional(Type.Array(Type.String())),
  rows: Type.Optional(Type.Array(Type.Array(Type.Unknown()))),
  plan: Type.Optional(Type.Array(CypherPlanLine)),
  milliseconds: Type.Optional(Type.Number({ minimum: 0 })),
  generation: Type.Optional(Type.Integer({ description: 'Number of the graph that the query ran on' })),
  changes: Type.Optional(
    Type.Object(
      {
        nodes_created: Count,
        nodes_deleted: Count,
        relationships_created: Count,
        relationships_deleted: Count,
        properties_set: Count,
        labels_added: Count,
        labels_removed: Count,
      },
      { description: 'What the query changed in its layer' },
    ),
  ),
  hints: Type.Optional(
    Type.Array(
      Type.Object({ message: Type.String(), query: Type.String(), plan: Type.Array(CypherPlanLine) }),
      { description: 'With `explain`: other ways to write the query, with their plans' },
    ),
  ),
});
export type CypherResult = Static<typeof CypherResult>;

export const QueryLayer = Type.Object({
  name: Type.String(),
  changes: Type.Integer({
    minimum: 0,
    description: 'Numbers of changed, created and removed objects and relationships',
  }),
  bytes: Type.Integer({ minimum: 0 }),
  created_at: Time,
  changed_at: Time,
  ends_at: Time,
});
export type QueryLayer = Static<typeof QueryLayer>;

const AnyObject = Type.Record(Type.String(), Type.Unknown());
/** The source of the kind; null for kinds of uploads. */
const Extension = nullable(
  Type.Object({
    extension_id: Type.Integer(),
    name: Type.String(),
    display_name: Type.String(),
    namespace: Type.String(),
    version: Type.String(),
  }),
);
export type Extension = Static<typeof Extension>;

const Info = Type.Optional(Type.Array(AnyObject, { description: 'Descriptions of the kinds by extensions' }));

export const NodeDetails = Type.Object({
  node_id: Type.Integer(),
  kinds: Type.Array(Type.Object({ node_kind_id: Type.Integer(), name: Type.String() })),
  properties: AnyObject,
  info: Info,
});
export type NodeDetails = Static<typeof NodeDetails>;

export const RelationshipDetails = Type.Object({
  relationship_id: Type.Integer(),
  source_node_id: Type.Integer(),
  target_node_id: Type.Integer(),
  kind: Type.Object({ relationship_kind_id: Type.Integer(), name: Type.String() }),
  properties: Type.Object(
    { is_traversable: Type.Boolean(), lastSeen: Time },
    { additionalProperties: Type.Unknown() },
  ),
  info: Info,
});
export type RelationshipDetails = Static<typeof RelationshipDetails>;

export const NodeKindDetails = Type.Object({
  node_kind_id: Type.Integer(),
  name: Type.String(),
  display_name: Type.String(),
  description: Type.String(),
  is_display_kind: Type.Boolean(),
  icon: Type.String(),
  color: Type.String(),
  extension: Extension,
  info: AnyObject,
});
export type NodeKindDetails = Static<typeof NodeKindDetails>;

export const RelationshipKindDetails = Type.Object({
  relationship_kind_id: Type.Integer(),
  name: Type.String(),
  description: Type.String(),
  is_traversable: Type.Boolean(),
  extension: Extension,
  info: AnyObject,
});
export type RelationshipKindDetails = Static<typeof RelationshipKindDetails>;

const Derived = Type.Optional(
  Type.Boolean({
    description:
      'Whether an analysis derived it; wherever the graph is uploaded, the analysis derives it again',
  }),
);
const OpenGraphEnd = Type.Object({ match_by: Type.Literal('id'), value: Type.String() });

/** Graphs are also uploaded in this format. */
export const OpenGraph = Type.Object({
  graph: Type.Object({
    nodes: Type.Array(
      Type.Object({
        id: Type.String(),
        kinds: Type.Array(Type.String()),
        properties: AnyObject,
        derived: Derived,
      }),
    ),
    edges: Type.Array(
      Type.Object({
        kind: Type.String(),
        start: OpenGraphEnd,
        end: OpenGraphEnd,
        properties: AnyObject,
        derived: Derived,
      }),
    ),
  }),
});
export type OpenGraph = Static<typeof OpenGraph>;
