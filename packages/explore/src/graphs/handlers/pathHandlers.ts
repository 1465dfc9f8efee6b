/** Shortest paths between two objects, in both forms of the API. */
import type { GraphMap, ServedQuery } from '@clew/api';
import { apiError, type Handler, type Handlers } from '@clew/common';
import type { Generation } from '@clew/generation';
import { findEntity, type Paths, type QueryData, queryDataOf } from '@clew/queries';
import type { NodeDetails } from '@clew/store';
import { parseEdgeKindFilter } from '../paths/edgeKindFilter.ts';
import type { EasiestPaths, QueryServices } from '../queryServices.ts';
import { edgeFacts, readEdges } from '../render/edgeFacts.ts';
import { mapEdge, nodeKey, visibleMapNode } from '../render/graphMap.ts';
import { unifiedGraph } from '../render/unifiedGraph.ts';
import { missingFrom, requireVisible, type Visibility, visibilityOf } from '../visibility.ts';

const FIXED_KINDS = 'effort follows attack paths, so kinds cannot be chosen';

export function pathHandlers(
  services: QueryServices,
  easiest: EasiestPaths,
): Handlers<'GetShortestPath' | 'Pathfinding'> {
  return {
    GetShortestPath: shortestPath(services, easiest),
    Pathfinding: pathfinding(services, easiest),
  };
}

function shortestPath(services: QueryServices, easiest: EasiestPaths): Handler<'GetShortestPath'> {
  return async ({ query }, { principal, signal }) => {
    const generation = services.generations.current();
    const data = queryDataOf(generation);
    const { relationship_kinds, only_traversable, weight, ...named } = query;
    if (weight === 'effort' && (relationship_kinds !== undefined || only_traversable !== undefined))
      throw apiError('malformedQueryParameter', { name: 'weight', reason: FIXED_KINDS });
    const kinds = parseEdgeKindFilter(generation, relationship_kinds, only_traversable, services.rules);
    const visibility = visibilityOf(data, principal);
    const ends = endsOf(data, named, visibility);
    const paths =
      weight === 'effort'
        ? await easiestOf(easiest, generation, ends, signal)
        : await services.pool.run(data, 'paths', { ...ends, ...kinds }, signal);
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

/** The older form: without a kind filter, and an empty graph if there is no path. */
function pathfinding(services: QueryServices, easiest: EasiestPaths): Handler<'Pathfinding'> {
  return async ({ query }, { principal, signal }) => {
    const generation = services.generations.current();
    const data = queryDataOf(generation);
    const kinds = parseEdgeKindFilter(generation, undefined, undefined, services.rules);
    const visibility = visibilityOf(data, principal);
    const ends = endsOf(data, query, visibility);
    const paths =
      query.weight === 'effort'
        ? await easiestOf(easiest, generation, ends, signal)
        : await services.pool.run(data, 'paths', { ...ends, ...kinds }, signal);
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

interface Ends {
  readonly start: number;
  readonly end: number;
}

/** @throws ApiError for objects that do not exist or are not visible */
function endsOf(
  data: QueryData,
  { start_node, end_node }: Pick<ServedQuery<'Pathfinding'>, 'start_node' | 'end_node'>,
  visibility: Visibility,
): Ends {
  const start = findEntity(data, start_node);
  const end = findEntity(data, end_node);
  if (start === undefined || end === undefined) throw missingFrom(visibility);
  for (const node of [start, end]) requireVisible(data, visibility, node);
  return { start, end };
}

/** Attack effort requires object properties, so it is computed in a different thread than queries. */
async function easiestOf(
  easiest: EasiestPaths,
  generation: Generation,
  ends: Ends,
  signal: AbortSignal,
): Promise<Paths | undefined> {
  const found = await easiest(generation, ends, signal);
  return found && { ...found, omittedEdges: 0 };
}

function readDetails(
  services: QueryServices,
  data: QueryData,
  { nodes }: Paths,
): Promise<ReadonlyMap<number, NodeDetails>> {
  return services.properties.read(Array.from(nodes, (node) => data.graph.storeIds[node]));
}
