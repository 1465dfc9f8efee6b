/** Queries over the complete graph: environments, search, paths, counts. */
import Type from 'typebox';
import { listParameters } from '../columns.ts';
import { integerId, paging, parsedByHandler, withDefault } from '../parameters.ts';
import { LIST_BODY_BYTES } from '../route.ts';
import { dataOf, nullable } from '../schemas/common.ts';
import {
  CypherNames,
  CypherQuery,
  CypherResult,
  DOMAIN_SELECTOR_COLUMNS,
  DomainSelector,
  GraphMap,
  GraphStatistics,
  NodeDetails,
  NodeKindDetails,
  OpenGraph,
  PathGraph,
  QueryLayer,
  RelationshipDetails,
  RelationshipKindDetails,
  SearchResult,
  UnifiedGraph,
} from '../schemas/graph.ts';
import { ReachRecord } from '../schemas/reach.ts';
import { defineRoutes } from './defineRoutes.ts';

const READ = ['graphdb/Read'] as const;

const PATH_ENDS = {
  start_node: Type.String({ minLength: 1, description: 'Object id of the start' }),
  end_node: Type.String({ minLength: 1, description: 'Object id of the end' }),
};

const WEIGHT = {
  weight: withDefault(
    Type.Enum(['length', 'effort'], {
      description:
        '`effort`: the attack path with the lowest attack effort; of equally easy paths, one with the fewest relationships. It cannot be combined with `relationship_kinds` or `only_traversable`.',
    }),
    'length',
  ),
};

const IncludeInfo = Type.Object({
  'include-info': withDefault(
    Type.Boolean({ description: 'Includes the descriptions that extensions give for kinds' }),
    false,
  ),
});

const repeatable = (description: string) =>
  Type.Optional(
    Type.Union([Type.String(), Type.Array(Type.String())], {
      description: `${description}. May be repeated.`,
    }),
  );

export const graphRoutes = defineRoutes([
  {
    method: 'GET',
    path: '/api/v2/available-domains',
    operationId: 'GetAvailableDomains',
    tag: 'Search',
    summary: 'List the environments with their collection state and exposure',
    access: READ,
    query: Type.Object(listParameters(DOMAIN_SELECTOR_COLUMNS)),
    columns: DOMAIN_SELECTOR_COLUMNS,
    responses: { 200: dataOf(Type.Array(DomainSelector)) },
  },
  {
    method: 'GET',
    path: '/api/v2/search',
    operationId: 'Search',
    tag: 'Search',
    summary: 'Search objects by name or object ID',
    access: READ,
    query: Type.Object({
      q: Type.String({ minLength: 1, description: 'A name or object id, or part of one' }),
      type: Type.Optional(
        Type.Union([Type.String(), Type.Array(Type.String())], {
          description: 'Node kind; may be repeated',
        }),
      ),
      ...paging(10),
    }),
    parameterErrors: { q: 'missingSearchText', skip: 'invalidSearchPaging', limit: 'invalidSearchPaging' },
    responses: { 200: dataOf(Type.Array(SearchResult)) },
    errors: [503],
  },
  {
    method: 'POST',
    path: '/api/v2/graphs/cypher',
    operationId: 'RunCypherQuery',
    tag: 'Cypher',
    summary: 'Runs a Cypher query that reads, or changes the layer that `Prefer: layer=NAME` names',
    access: READ,
    reads: true,
    bodyKind: 'json',
    body: CypherQuery,
    maxBodyBytes: LIST_BODY_BYTES,
    responses: { 200: dataOf(CypherResult) },
    errors: [404],
  },
  {
    method: 'POST',
    path: '/api/v2/graphs/environments',
    operationId: 'FindEnvironments',
    tag: 'Graph',
    summary: 'The environments of objects, of those that exist: for checks of what users see',
    access: ['auth/ManageUsers'],
    reads: true,
    bodyKind: 'json',
    body: Type.Object({
      object_ids: Type.Array(Type.String({ maxLength: 1_000 }), { maxItems: 5_000 }),
    }),
    responses: {
      200: dataOf(
        Type.Array(
          Type.Object({
            object_id: Type.String({ description: 'As in the request' }),
            environment_id: nullable(
              Type.String({ description: 'Null for an object whose environment is not known' }),
            ),
          }),
        ),
      ),
    },
  },
  {
    method: 'GET',
    path: '/api/v2/graphs/cypher/names',
    operationId: 'GetCypherNames',
    tag: 'Cypher',
    summary: 'Names for Cypher queries: existing labels, types, properties and functions',
    access: READ,
    responses: { 200: dataOf(CypherNames) },
  },
  {
    method: 'GET',
    path: '/api/v2/graphs/cypher/layers',
    operationId: 'ListQueryLayers',
    tag: 'Cypher',
    summary: 'The layers of the caller, with what their queries changed for the caller alone',
    access: READ,
    responses: { 200: dataOf(Type.Array(QueryLayer)) },
  },
  {
    method: 'DELETE',
    path: '/api/v2/graphs/cypher/layers/{layer_name}',
    operationId: 'EndQueryLayer',
    tag: 'Cypher',
    summary: 'End a layer of the caller',
    access: READ,
    params: Type.Object({ layer_name: Type.String({ minLength: 1, maxLength: 64 }) }),
    responses: { 204: null },
    errors: [404],
  },
  {
    method: 'GET',
    path: '/api/v2/graphs/shortest-path',
    operationId: 'GetShortestPath',
    tag: 'Graph',
    summary: 'All shortest paths from one object to another, as one graph',
    access: READ,
    query: Type.Object({
      ...PATH_ENDS,
      relationship_kinds: Type.Optional(
        Type.String({ description: '`in:Kind1,Kind2` or `nin:Kind1,Kind2`' }),
      ),
      only_traversable: Type.Optional(
        Type.Boolean({
          description:
            'Follow only traversable kinds: the default under clean rules, unless `relationship_kinds` lists the kinds to follow. `false` follows all kinds, including kinds that pass on no control: the default under parity rules',
        }),
      ),
      ...WEIGHT,
    }),
    parameterErrors: { start_node: 'missingPathEnd', end_node: 'missingPathEnd' },
    responses: { 200: dataOf(PathGraph) },
    errors: [404],
  },
  {
    method: 'GET',
    path: '/api/v2/graphs/reach',
    operationId: 'GetReach',
    tag: 'Graph',
    summary: 'How many users and computers can reach an object, and the easiest path of one',
    access: READ,
    query: Type.Object({
      object_id: Type.String({ minLength: 1, description: 'Object id' }),
      include_path: withDefault(
        Type.Boolean({ description: 'Also finds the easiest path, which takes longer' }),
        false,
      ),
    }),
    responses: { 200: dataOf(ReachRecord) },
    errors: [404, 503],
  },
  {
    method: 'GET',
    path: '/api/v2/pathfinding',
    operationId: 'Pathfinding',
    tag: 'Graph',
    summary: 'All shortest paths from one object to another, in the older form of graphs',
    access: READ,
    query: Type.Object({ ...PATH_ENDS, ...WEIGHT }),
    parameterErrors: { start_node: 'missingPathEnd', end_node: 'missingPathEnd' },
    responses: { 200: dataOf(GraphMap) },
    errors: [404],
    deprecated: true,
  },
  {
    method: 'GET',
    path: '/api/v2/graph-search',
    operationId: 'GetSearchResult',
    tag: 'Graph',
    summary: 'Objects whose name or object ID is or begins with a text, as nodes of a graph',
    access: READ,
    query: Type.Object({
      query: parsedByHandler('Name or object ID, or its beginning. At most 1,000 objects are shown.'),
      type: parsedByHandler(
        '`exact`, or `fuzzy` for beginnings, which is also the meaning of any other text',
      ),
    }),
    responses: { 200: dataOf(GraphMap) },
  },
  {
    method: 'GET',
    path: '/api/v2/graphs/kinds',
    operationId: 'GetKinds',
    tag: 'Graph',
    summary: 'Names of all kinds of nodes and edges',
    access: READ,
    query: Type.Object({ type: parsedByHandler('`eq:node` or `eq:edge`') }),
    responses: { 200: dataOf(Type.Object({ kinds: Type.Array(Type.String()) })) },
  },
  {
    method: 'GET',
    path: '/api/v2/graphs/acl-inheritance',
    operationId: 'GetACLInheritancePath',
    tag: 'Graph',
    summary: 'The source of an inherited right: the chain of containers that passes it on',
    access: READ,
    query: Type.Object({
      source_node: integerId('Number of the node the edge starts at: its key in graph answers'),
      target_node: integerId('Number of the node the edge ends at'),
      edge_type: Type.String({ minLength: 1, description: 'Kind of the edge' }),
    }),
    responses: { 200: dataOf(UnifiedGraph) },
  },
  {
    method: 'GET',
    path: '/api/v2/graphs/export',
    operationId: 'ExportGraph',
    tag: 'Graph',
    summary: 'The whole graph as OpenGraph JSON, streamed; you can upload it elsewhere',
    access: READ,
    query: Type.Object({
      environment: repeatable('Object id of an environment: only its nodes, and the edges between them'),
      kind: repeatable('Kind of nodes or edges: only these; edges only between exported nodes'),
    }),
    responses: { 200: OpenGraph },
  },
  {
    method: 'GET',
    path: '/api/v2/nodes/{node_id}',
    operationId: 'GetNodeByID',
    tag: 'OpenGraph',
    summary: 'A node by its number in the graph',
    access: READ,
    params: Type.Object({ node_id: integerId('Number of the node: its key in graph answers') }),
    query: IncludeInfo,
    responses: { 200: dataOf(NodeDetails) },
    errors: [404],
  },
  {
    method: 'GET',
    path: '/api/v2/relationships/{relationship_id}',
    operationId: 'GetRelationshipByID',
    tag: 'OpenGraph',
    summary: 'An edge by its number in the current graph; edges in a later graph may have other numbers',
    access: READ,
    params: Type.Object({
      relationship_id: Type.Integer({
        format: 'int64',
        description: 'Number of the edge: the end of its key in graph answers',
      }),
    }),
    query: IncludeInfo,
    responses: { 200: dataOf(RelationshipDetails) },
    errors: [404],
  },
  {
    method: 'GET',
    path: '/api/v2/node-kinds/{node_kind_id}',
    operationId: 'GetNodeKind',
    tag: 'OpenGraph',
    summary: 'A kind of nodes by its number',
    access: READ,
    params: Type.Object({ node_kind_id: integerId('Number of the kind') }),
    responses: { 200: dataOf(NodeKindDetails) },
    errors: [404],
  },
  {
    method: 'GET',
    path: '/api/v2/relationship-kinds/{relationship_kind_id}',
    operationId: 'GetRelationshipKind',
    tag: 'OpenGraph',
    summary: 'A kind of edges by its number',
    access: READ,
    params: Type.Object({ relationship_kind_id: integerId('Number of the kind') }),
    responses: { 200: dataOf(RelationshipKindDetails) },
    errors: [404],
  },
  {
    method: 'GET',
    path: '/api/v2/graphs/statistics',
    operationId: 'GetGraphStatistics',
    tag: 'Graph',
    summary: 'Nodes and edges by kind: collected, and derived by the analysis',
    access: READ,
    responses: { 200: dataOf(GraphStatistics) },
  },
]);
