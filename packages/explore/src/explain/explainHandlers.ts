/**
 * Explanations of edges: the parts of an edge, and the computers that a relay can reach. An edge derived by a definition consists of the
 * matches of its pattern.
 */
import { type Composition, compose, type EdgeRef, relayTargets } from '@clew/analysis';
import {
  apiError,
  type Handlers,
  isOutOfMemory,
  principalId,
  type RequestContext,
  type RequestInput,
} from '@clew/common';
import { CypherError, derivation } from '@clew/cypher';
import type { Generation } from '@clew/generation';
import {
  type DeclaredDerivation,
  edgeKindOf,
  endOf,
  findEdge,
  NO_EDGE,
  objectIdOf,
  startOf,
} from '@clew/graph';
import { EdgeFlag, edgeKindById } from '@clew/model';
import { queryDataOf } from '@clew/queries';
import { findAskedEdge } from '../graphs/paths/findAskedEdge.ts';
import type { QueryServices } from '../graphs/queryServices.ts';
import { readEdges } from '../graphs/render/edgeFacts.ts';
import { unifiedGraph } from '../graphs/render/unifiedGraph.ts';
import { visibilityOf } from '../graphs/visibility.ts';
import { Explanations } from './explanations.ts';

/** Runs a query on a whole generation, within the limits of checks. @returns numbers of the nodes and edges in the result */
export type AskGraph = (
  generation: Generation,
  query: string,
  origin: { readonly owner: string; readonly signal: AbortSignal },
) => Promise<{ readonly nodes: readonly number[]; readonly edges: readonly number[] }>;

export function explainHandlers(
  services: QueryServices,
  ask: AskGraph,
): Handlers<'GetPathComposition' | 'GetRelayTargets'> {
  const explanations = new Explanations(services.database, services.rules);
  return {
    GetPathComposition: explainEdge(services, explanations, 'composition', ask),
    GetRelayTargets: explainEdge(services, explanations, 'relay targets', ask),
  };
}

function explainEdge(
  services: QueryServices,
  explanations: Explanations,
  what: 'composition' | 'relay targets',
  ask: AskGraph,
) {
  return async (
    { query }: RequestInput<'GetPathComposition' | 'GetRelayTargets'>,
    context: RequestContext,
  ) => {
    const generation = services.generations.current();
    const { graph } = generation;
    const edge = findAskedEdge(generation, query);
    const ref = { start: startOf(graph, edge), kind: edgeKindOf(graph, edge), end: endOf(graph, edge) };
    const derived = graph.declared.derivations.find(({ kind }) => kind === ref.kind);
    if (derived !== undefined && (graph.out.flags[edge] & EdgeFlag.Derived) !== 0) {
      const matched =
        what === 'composition' ? await matchedBy(derived, ask, generation, ref, context) : NOTHING;
      return answerGraph(services, generation, matched, context);
    }
    const facts = await explanations.of(generation);
    const found: Composition =
      what === 'composition' ? compose(facts, ref) : { nodes: relayTargets(facts, ref), edges: [] };
    return answerGraph(
      services,
      generation,
      { nodes: found.nodes, edges: numbersOf(generation, found) },
      context,
    );
  };
}

/** Edge numbers instead of ends and kinds. */
interface Part {
  readonly nodes: Uint32Array;
  readonly edges: readonly number[];
}

const NOTHING: Part = { nodes: new Uint32Array(0), edges: [] };

/** @returns the ends, with the matches of the pattern between them @throws ApiError if this takes too long */
async function matchedBy(
  { by }: DeclaredDerivation,
  ask: AskGraph,
  generation: Generation,
  { start, end }: Pick<EdgeRef, 'start' | 'end'>,
  { principal, signal }: RequestContext,
): Promise<Part> {
  const ends = [start, end].sort((a, b) => a - b);
  if (by.type === 'identity') return { nodes: Uint32Array.from(ends), edges: [] };
  const { graph } = generation;
  const query = derivation(by).composition(objectIdOf(graph, start), objectIdOf(graph, end));
  try {
    // Nodes that a user may not see are shown as hidden nodes.
    const { nodes, edges } = await ask(generation, query, {
      owner: principalId(principal),
      signal,
    });
    return { nodes: Uint32Array.from(new Set([...ends, ...nodes])).sort(), edges };
  } catch (error) {
    if (error instanceof CypherError) throw apiError('cypherTooCostly', { reason: error.message });
    if (isOutOfMemory(error)) throw apiError('memoryExceeded');
    throw error;
  }
}

function numbersOf({ graph }: Generation, { edges }: Composition): number[] {
  return edges.map(({ start, kind, end }) => {
    const edge = findEdge(graph, start, kind, end);
    // All parts of an explanation must be in the graph: otherwise the rule is wrong.
    if (edge === NO_EDGE) throw new Error(`a composition names a missing ${edgeKindById(kind)?.name} edge`);
    return edge;
  });
}

async function answerGraph(
  services: QueryServices,
  generation: Generation,
  { nodes, edges: numbers }: Part,
  { principal }: RequestContext,
) {
  const data = queryDataOf(generation);
  const details = await services.properties.read(
    Array.from(nodes, (node) => generation.graph.storeIds[node]),
  );
  const graph = unifiedGraph(data, generation, visibilityOf(data, principal), nodes, numbers, details, {
    withProperties: true,
    edgeProperties: await readEdges(services.edgeProperties, data, numbers),
  });
  return { status: 200 as const, json: { data: graph } };
}
