/** Shortest paths between two objects, in both forms the API has. */
import type { GraphMap, ServedQuery } from '@clew/api';
import { findEntity, type Paths, type QueryData, queryDataOf } from '@clew/queries';
import type { NodeDetails } from '@clew/store';
import { apiError } from '../../operation/apiError.ts';
import type { Handler, Handlers } from '../../operation/handler.ts';
import { parseEdgeKindFilter } from '../paths/edgeKindFilter.ts';
import type { QueryServices } from '../queryServices.ts';
import { edgeFacts, readEdges } from '../render/edgeFacts.ts';
import { mapEdge, nodeKey, visibleMapNode } from '../render/graphMap.ts';
import { unifiedGraph } from '../render/unifiedGraph.ts';
import { missingFrom, requireVisible, type Visibility, visibilityOf } from '../visibility.ts';

export function pathHandlers(services: QueryServices): Handlers<'GetShortestPath' | 'Pathfinding'> {
  return { GetShortestPath: shortestPath(services), Pathfinding: pathfinding(services) };
}

function shortestPath(services: QueryServices): Handler<'GetShortestPath'> {
  return async ({ query }, { principal, signal }) => {
    const generation = services.generations.current();
    const data = queryDataOf(generation);
    const { relationship_kinds, only_traversable, ...ends } = query;
    const kinds = parseEdgeKindFilter(generation, relationship_kinds, only_traversable, services.rules);
    const visibility = visibilityOf(data, principal);
    const paths = await findBetween(services, data, ends, kinds, visibility, signal);
    if (paths === undefined) throw apiError('pathNotFound');
    const details = await readDetails(services, data, paths);
    const edgeProperties = await readEdges(services.edgeProperties, data, paths.edges);
    const graph = unifiedGraph(data, generation, visibility, paths.nodes, paths.edges, details, {
      edgeProperties,
    });
    const omitted = paths.omittedEdges > 0 ? { omitted_edges: paths.omittedEdges } : {};
    return { status: 200, json: { data: { ...graph, ...omitted } } };
  };
}

/** The older form: no filter of kinds, and no path is an empty graph. */
function pathfinding(services: QueryServices): Handler<'Pathfinding'> {
  return async ({ query }, { principal, signal }) => {
    const generation = services.generations.current();
    const data = queryDataOf(generation);
    const kinds = parseEdgeKindFilter(generation, undefined, undefined, services.rules);
    const visibility = visibilityOf(data, principal);
    const paths = await findBetween(services, data, query, kinds, visibility, signal);
    if (paths === undefined) return { status: 200, json: { data: {} } };
    const details = await readDetails(services, data, paths);
    const looks = await services.looks.read();
    const stored = await readEdges(services.edgeProperties, data, paths.edges);
    const map: GraphMap = Object.fromEntries([
      ...Array.from(paths.nodes, (node) => [
        nodeKey(data, node),
        visibleMapNode(data, visibility, node, details.get(data.graph.storeIds[node]), { looks }),
      ]),
      ...Array.from(paths.edges, (edge) =>
        mapEdge(data, generation, edge, edgeFacts(data, generation, { seen: details, stored }, edge)),
      ),
    ]);
    return { status: 200, json: { data: map } };
  };
}

async function findBetween(
  services: QueryServices,
  data: QueryData,
  { start_node, end_node }: ServedQuery<'Pathfinding'>,
  walk: ReturnType<typeof parseEdgeKindFilter>,
  visibility: Visibility,
  signal: AbortSignal,
): Promise<Paths | undefined> {
  const start = findEntity(data, start_node);
  const end = findEntity(data, end_node);
  if (start === undefined || end === undefined) throw missingFrom(visibility);
  for (const node of [start, end]) requireVisible(data, visibility, node);
  return services.pool.run(data, 'paths', { start, end, ...walk }, signal);
}

function readDetails(
  services: QueryServices,
  data: QueryData,
  { nodes }: Paths,
): Promise<ReadonlyMap<number, NodeDetails>> {
  return services.properties.read(Array.from(nodes, (node) => data.graph.storeIds[node]));
}
