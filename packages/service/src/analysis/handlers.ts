/** Handlers of analysis: explanations of edges, features, requests. */
import { type Composition, compose, relayTargets } from '@clew/analysis';
import { edgeKindOf, endOf, findEdge, NO_EDGE, startOf } from '@clew/graph';
import { edgeKindById } from '@clew/model';
import type { Generation } from '../generation/generation.ts';
import { apiError } from '../http/apiError.ts';
import type { Answer, Handler, HandlerTable, RequestContext } from '../http/handler.ts';
import { recordAudit } from '../identity/auditLog.ts';
import { requireUser } from '../identity/principals.ts';
import { type EdgeQuery, findAskedEdge } from '../queries/findAskedEdge.ts';
import { queryDataOf } from '../queries/queryData.ts';
import type { QueryServices } from '../queries/queryServices.ts';
import { unifiedGraph } from '../queries/render/unifiedGraph.ts';
import { visibilityOf } from '../queries/visibility.ts';
import { Explanations } from './explanations.ts';
import { listFeatures, toggleFeature } from './features.ts';
import { requestAnalysis, waitingRequest, withdrawRequest } from './requests.ts';

export function analysisHandlers(services: QueryServices): HandlerTable {
  const { db } = services.database;
  const explanations = new Explanations(services.database, services.rules);
  const ask: Handler = async (_input, { principal }) => {
    await requestAnalysis(db, requireUser(principal).userId);
    return { status: 202 };
  };
  return {
    GetPathComposition: explainEdge(services, explanations, 'composition'),
    GetRelayTargets: explainEdge(services, explanations, 'relay targets'),
    ListFeatureFlags: async () => ({ status: 200, json: { data: await listFeatures(db) } }),
    ToggleFeatureFlag: async ({ params }, context) => {
      const id = /^\d{1,9}$/.test(params.feature_id) ? Number(params.feature_id) : undefined;
      if (id === undefined) throw apiError('malformedId');
      const enabled = await toggleFeature(db, id);
      if (enabled === undefined) throw apiError('resourceNotFound');
      await recordAudit(db, context, {
        action: 'ToggleEarlyAccessFeature',
        status: 'success',
        fields: { feature_id: id, enabled },
      });
      return { status: 200, json: { data: { enabled } } };
    },
    GetAnalysisRequest: async () => ({ status: 200, json: { data: await waitingRequest(db) } }),
    StartAnalysis: ask,
    StartAnalysisBhe: ask,
    CancelAnalysisRequest: async () => {
      await withdrawRequest(db);
      return { status: 202 };
    },
  };
}

function explainEdge(
  services: QueryServices,
  explanations: Explanations,
  what: 'composition' | 'relay targets',
): Handler {
  return async ({ query }, context) => {
    const generation = services.generations.current();
    const { graph } = generation;
    const edge = findAskedEdge(generation, query as unknown as EdgeQuery);
    const ref = { start: startOf(graph, edge), kind: edgeKindOf(graph, edge), end: endOf(graph, edge) };
    const facts = await explanations.of(generation);
    const found: Composition =
      what === 'composition' ? compose(facts, ref) : { nodes: relayTargets(facts, ref), edges: [] };
    return answerGraph(services, generation, found, context);
  };
}

async function answerGraph(
  services: QueryServices,
  generation: Generation,
  { nodes, edges }: Composition,
  { principal }: RequestContext,
): Promise<Answer> {
  const data = queryDataOf(generation);
  const numbers = edges.map(({ start, kind, end }) => {
    const edge = findEdge(generation.graph, start, kind, end);
    // Whatever explains an edge is in the graph: a rule that names another edge is broken.
    if (edge === NO_EDGE) throw new Error(`a composition names a missing ${edgeKindById(kind)?.name} edge`);
    return edge;
  });
  const details = await services.properties.read(
    Array.from(nodes, (node) => generation.graph.storeIds[node]),
  );
  const graph = unifiedGraph(data, generation, visibilityOf(data, principal), nodes, numbers, details, {
    withProperties: true,
  });
  return { status: 200, json: { data: graph } };
}
