/** Analysis: the causes of derived edges, the active rules, and requests for a run. */
import Type from 'typebox';
import { integerId } from '../parameters.ts';
import { AnalysisRequest, FeatureFlag } from '../schemas/analysis.ts';
import { dataOf } from '../schemas/common.ts';
import { UnifiedGraph } from '../schemas/graph.ts';
import { defineRoutes } from './defineRoutes.ts';

const READ = ['graphdb/Read'] as const;

const EDGE = Type.Object({
  source_node: integerId('Number of the node the edge starts at: its key in graph answers'),
  target_node: integerId('Number of the node the edge ends at'),
  edge_type: Type.String({ minLength: 1, description: 'Kind of the edge' }),
});

export const analysisRoutes = defineRoutes([
  {
    method: 'GET',
    path: '/api/v2/graphs/edge-composition',
    operationId: 'GetPathComposition',
    tag: 'Graph',
    summary: 'The composition of a derived edge: the nodes and edges it follows from',
    access: READ,
    query: EDGE,
    responses: { 200: dataOf(UnifiedGraph) },
    errors: [404],
  },
  {
    method: 'GET',
    path: '/api/v2/graphs/relay-targets',
    operationId: 'GetRelayTargets',
    tag: 'Graph',
    summary: 'Nodes to which authentication coerced along an edge can be relayed',
    access: READ,
    query: EDGE,
    responses: { 200: dataOf(UnifiedGraph) },
    errors: [404],
  },
  {
    method: 'GET',
    path: '/api/v2/features',
    operationId: 'ListFeatureFlags',
    tag: 'Analysis',
    summary: 'List the features of analysis and whether they are on',
    access: ['app/ReadAppConfig'],
    responses: { 200: dataOf(Type.Array(FeatureFlag)) },
  },
  {
    method: 'PUT',
    path: '/api/v2/features/{feature_id}/toggle',
    operationId: 'ToggleFeatureFlag',
    tag: 'Analysis',
    summary: 'Turn a feature on or off; a new analysis follows',
    access: ['app/WriteAppConfig'],
    params: Type.Object({ feature_id: Type.String({ description: 'Id of the feature' }) }),
    responses: { 200: dataOf(Type.Object({ enabled: Type.Boolean() })) },
    errors: [404],
  },
  {
    method: 'GET',
    path: '/api/v2/analysis',
    operationId: 'GetAnalysisRequest',
    tag: 'Analysis',
    summary: 'The waiting request for analysis or deletion; empty values if no request waits',
    access: READ,
    responses: { 200: dataOf(AnalysisRequest) },
  },
  {
    method: 'PUT',
    path: '/api/v2/analysis',
    operationId: 'StartAnalysis',
    tag: 'Analysis',
    summary: 'Request an analysis; at most one request waits',
    access: ['graphdb/Write', 'analysis/Request'],
    responses: { 202: null },
  },
  {
    method: 'DELETE',
    path: '/api/v2/analysis',
    operationId: 'CancelAnalysisRequest',
    tag: 'Analysis',
    summary: 'Withdraw the waiting request for analysis; a deletion cannot be withdrawn',
    access: ['graphdb/Write', 'analysis/Request'],
    responses: { 202: null },
    errors: [409],
  },
  {
    method: 'PUT',
    path: '/api/v2/attack-paths',
    operationId: 'StartAnalysisBhe',
    tag: 'Analysis',
    summary: 'Request an analysis (older form)',
    access: ['graphdb/Write', 'analysis/Request'],
    editions: ['enterprise'],
    responses: { 202: null },
  },
]);
