/**
 * Cypher, as far as interfaces need it before they show anything: three fixed questions. Every other query is answered
 * 501, never with an empty result.
 */
import type { Generation } from '@clew/generation';
import { findEdge, findNodeByStoreId, NO_EDGE } from '@clew/graph';
import { edgeKindNumber, type QueryData, queryDataOf } from '@clew/queries';
import { apiError } from '../../operation/apiError.ts';
import type { Handlers } from '../../operation/handler.ts';
import type { QueryServices } from '../queryServices.ts';
import { unifiedGraph } from '../render/unifiedGraph.ts';
import { isVisible, type Visibility, visibilityOf } from '../visibility.ts';

/** `MATCH (n) WHERE ID(n) = 11 RETURN n LIMIT 1` */
const NODE_BY_ID = /^MATCH \((\w+)\) WHERE ID\(\1\) ?= ?(\d{1,10}) RETURN \1(?: LIMIT 1)?$/i;
/** `MATCH p=(s)-[r:MemberOf]->(t) WHERE ID(s) = 1 AND ID(t) = 2 RETURN p LIMIT 1` */
const EDGE_BY_ENDS =
  /^MATCH (?:\w+ ?= ?)?\((\w+)\) ?-\[(?:\w+)?:(\w+)\]-> ?\((\w+)\) WHERE ID\(\1\) ?= ?(\d{1,10}) AND ID\(\3\) ?= ?(\d{1,10}) RETURN \w+(?: LIMIT 1)?$/i;
/** `MATCH (n) RETURN n LIMIT 1` */
const ANY_NODE = /^MATCH \((\w+)\)(?: WHERE NOT \1:MigrationData)? RETURN \1 LIMIT 1$/i;

interface Found {
  readonly nodes: readonly number[];
  readonly edges: readonly number[];
}

export function cypherHandlers(services: QueryServices): Handlers<'RunCypherQuery'> {
  return {
    async RunCypherQuery({ body }, { principal }) {
      const generation = services.generations.current();
      const data = queryDataOf(generation);
      const visibility = visibilityOf(data, principal);
      const found = answerTo(body.query, generation, data, visibility);
      if (found === undefined) throw apiError('cypherNotBuilt');
      // What a query that finds nothing answers in this API.
      if (found.nodes.length === 0) throw apiError('resourceNotFound');
      const details = await services.properties.read(found.nodes.map((node) => data.graph.storeIds[node]));
      const withProperties = body.include_properties ?? false;
      const graph = unifiedGraph(data, generation, visibility, found.nodes, found.edges, details, {
        withProperties,
      });
      return { status: 200, json: { data: graph } };
    },
  };
}

/** @returns nothing for any other question. */
function answerTo(
  query: string,
  generation: Generation,
  data: QueryData,
  visibility: Visibility,
): Found | undefined {
  const text = query.trim().replace(/;$/, '').replace(/\s+/g, ' ').trim();
  const isSeen = (node: number): boolean => node < data.graph.nodeCount && isVisible(data, visibility, node);
  const byId = NODE_BY_ID.exec(text);
  if (byId !== null) {
    const node = findNodeByStoreId(data.graph, Number(byId[2]));
    return { nodes: isSeen(node) ? [node] : [], edges: [] };
  }
  if (ANY_NODE.test(text)) {
    for (let node = 0; node < data.graph.nodeCount; node++)
      if (isSeen(node)) return { nodes: [node], edges: [] };
    return { nodes: [], edges: [] };
  }
  const byEnds = EDGE_BY_ENDS.exec(text);
  if (byEnds === null) return undefined;
  const [start, end] = [byEnds[4], byEnds[5]].map((id) => findNodeByStoreId(data.graph, Number(id)));
  const kind = edgeKindNumber(generation, byEnds[2]);
  const edge =
    isSeen(start) && isSeen(end) && kind !== undefined ? findEdge(data.graph, start, kind, end) : NO_EDGE;
  return edge === NO_EDGE
    ? { nodes: [], edges: [] }
    : { nodes: [start, end].sort((a, b) => a - b), edges: [edge] };
}
