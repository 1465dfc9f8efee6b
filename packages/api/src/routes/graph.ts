/** Questions to the whole graph: environments, search, paths, counts. */
import Type from 'typebox';
import { listParameters } from '../columns.ts';
import { paging } from '../parameters.ts';
import { dataOf } from '../schemas/common.ts';
import {
  DOMAIN_SELECTOR_COLUMNS,
  DomainSelector,
  GraphStatistics,
  SearchResult,
  UnifiedGraph,
} from '../schemas/graph.ts';
import { defineRoutes } from './defineRoutes.ts';

const READ = ['graphdb/Read'] as const;

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
    errors: [400, 401, 403, 429, 500],
  },
  {
    method: 'GET',
    path: '/api/v2/search',
    operationId: 'Search',
    tag: 'Search',
    summary: 'Search objects by name or object id',
    access: READ,
    query: Type.Object({
      q: Type.String({ minLength: 1, description: 'Name or object id, or a part of one' }),
      type: Type.Optional(
        Type.Union([Type.String(), Type.Array(Type.String())], {
          description: 'Node kind; may be repeated',
        }),
      ),
      ...paging(10),
    }),
    parameterErrors: { q: 'missingSearchText', skip: 'invalidSearchPaging', limit: 'invalidSearchPaging' },
    responses: { 200: dataOf(Type.Array(SearchResult)) },
    errors: [400, 401, 403, 429, 500],
  },
  {
    method: 'GET',
    path: '/api/v2/graphs/shortest-path',
    operationId: 'GetShortestPath',
    tag: 'Graph',
    summary: 'All shortest paths from one object to another, as one graph',
    access: READ,
    query: Type.Object({
      start_node: Type.String({ minLength: 1, description: 'Object id of the start' }),
      end_node: Type.String({ minLength: 1, description: 'Object id of the end' }),
      relationship_kinds: Type.Optional(
        Type.String({ description: '`in:Kind1,Kind2` or `nin:Kind1,Kind2`' }),
      ),
      only_traversable: Type.Optional(
        Type.Boolean({ default: false, description: 'Walk traversable kinds only' }),
      ),
    }),
    parameterErrors: { start_node: 'missingPathEnd', end_node: 'missingPathEnd' },
    responses: { 200: dataOf(UnifiedGraph) },
    errors: [400, 401, 403, 404, 429, 500],
  },
  {
    method: 'GET',
    path: '/api/v2/graphs/statistics',
    operationId: 'GetGraphStatistics',
    tag: 'Graph',
    summary: 'Nodes and edges by kind: collected, and derived by the analysis',
    access: READ,
    responses: { 200: dataOf(GraphStatistics) },
    errors: [401, 403, 429, 500],
  },
]);
