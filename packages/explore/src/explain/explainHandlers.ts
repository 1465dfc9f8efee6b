/** Explanations of edges: what an edge is composed of, and which computers a relay reaches. */
import { type Composition, compose, relayTargets } from '@clew/analysis';
import type { Handlers, RequestContext, RequestInput } from '@clew/common';
import type { Generation } from '@clew/generation';
import { edgeKindOf, endOf, findEdge, NO_EDGE, startOf } from '@clew/graph';
import { edgeKindById } from '@clew/model';
import { queryDataOf } from '@clew/queries';
import { findAskedEdge } from '../graphs/paths/findAskedEdge.ts';
import type { QueryServices } from '../graphs/queryServices.ts';
import { readEdges } from '../graphs/render/edgeFacts.ts';
import { unifiedGraph } from '../graphs/render/unifiedGraph.ts';
import { visibilityOf } from '../graphs/visibility.ts';
import { Explanations } from './explanations.ts';

export function explainHandlers(services: QueryServices): Handlers<'GetPathComposition' | 'GetRelayTargets'> {
  const explanations = new Explanations(services.database, services.rules);
  return {
    GetPathComposition: explainEdge(services, explanations, 'composition'),
    GetRelayTargets: explainEdge(services, explanations, 'relay targets'),
  };
}

function explainEdge(
  services: QueryServices,
  explanations: Explanations,
  what: 'composition' | 'relay targets',
) {
  return async (
    { query }: RequestInput<'GetPathComposition' | 'GetRelayTargets'>,
    context: RequestContext,
  ) => {
    const generation = services.generations.current();
    const { graph } = generation;
    const edge = findAskedEdge(generation, query);
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
) {
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
    edgeProperties: await readEdges(services.edgeProperties, data, numbers),
  });
  return { status: 200 as const, json: { data: graph } };
}
