/** The origin of an inherited right, for an edge named by the graph ids of its ends and its kind. */

import type { Handlers } from '@clew/common';
import { edgeKindOf, startOf } from '@clew/graph';
import { EdgeFlag } from '@clew/model';
import { inheritanceChains, placesAbove, type QueryData, queryDataOf } from '@clew/queries';
import { findAskedEdge } from '../paths/findAskedEdge.ts';
import { readEdgeProperties } from '../paths/storedEdge.ts';
import type { QueryServices } from '../queryServices.ts';
import { readEdges } from '../render/edgeFacts.ts';
import { unifiedGraph } from '../render/unifiedGraph.ts';
import { visibilityOf } from '../visibility.ts';

export function aclInheritanceHandlers(services: QueryServices): Handlers<'GetACLInheritancePath'> {
  return {
    async GetACLInheritancePath({ query }, { principal }) {
      const generation = services.generations.current();
      const data = queryDataOf(generation);
      const edge = findAskedEdge(generation, query);
      const edges = await edgesOfInheritance(services, data, edge);
      const nodes = [
        ...new Set(edges.flatMap((each) => [startOf(data.graph, each), data.graph.out.neighbors[each]])),
      ].sort((a, b) => a - b);
      const details = await services.properties.read(nodes.map((node) => data.graph.storeIds[node]));
      const graph = unifiedGraph(data, generation, visibilityOf(data, principal), nodes, edges, details, {
        withProperties: true,
        edgeProperties: await readEdges(services.edgeProperties, data, edges),
      });
      return { status: 200, json: { data: graph } };
    },
  };
}

/** @returns the chains, with the edge itself at their end; empty if the right is not inherited */
async function edgesOfInheritance(
  services: QueryServices,
  data: QueryData,
  edge: number,
): Promise<readonly number[]> {
  const { graph } = data;
  const inherited = EdgeFlag.Acl | EdgeFlag.Inherited;
  if ((graph.out.flags[edge] & inherited) !== inherited) return [];
  const target = graph.out.neighbors[edge];
  const { inheritancehash } = await readEdgeProperties(services.database.db, {
    start: graph.storeIds[startOf(graph, edge)],
    end: graph.storeIds[target],
    kind: edgeKindOf(graph, edge),
  });
  if (typeof inheritancehash !== 'string' || inheritancehash === '') return [];

  const places = placesAbove(graph, target);
  const details = await services.properties.read(places.map((place) => graph.storeIds[place]));
  const property = (node: number, key: string): unknown => details.get(graph.storeIds[node])?.properties[key];
  const chains = inheritanceChains(graph, target, inheritancehash, {
    isProtected: (node) => property(node, 'isaclprotected') === true,
    handsDown: (node, hash) => [property(node, 'inheritancehashes')].flat().includes(hash),
  });
  return chains.length === 0 ? [] : [...chains, edge].sort((a, b) => a - b);
}
