/** Answers about paths only name their objects; the zone, owner and number of each object are requested separately. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { fromUnified, type Graph, marked } from '../graph/model.ts';
import { call } from '../service/client.ts';

const QUERY = 'MATCH (n) WHERE n.objectid IN $ids RETURN n';

const unmarked = (graph: Graph): readonly string[] =>
  [...graph.nodes.values()].filter(({ key }) => key === undefined).map(({ id }) => id);

/** @returns the objects with their marks, as in answers of other operations */
async function readMarks(ids: readonly string[], signal: AbortSignal): Promise<Graph['nodes']> {
  const { data } = await call('RunCypherQuery', { body: { query: QUERY, parameters: { ids } } }, { signal });
  return fromUnified({ nodes: data.nodes, edges: [] }).nodes;
}

/** @returns the graph with the marks of all its objects */
export async function withMarks(graph: Graph, signal: AbortSignal): Promise<Graph> {
  const ids = unmarked(graph);
  return ids.length === 0 ? graph : marked(graph, await readMarks(ids, signal));
}

/** Returns the graph at once, and again with marks after they have loaded. */
export function useMarks(graph: Graph): Graph {
  const ids = unmarked(graph);
  // Caches only marks, because other graphs may have the same objects.
  const { data } = useQuery({
    queryKey: ['marks', ids],
    enabled: ids.length > 0,
    queryFn: ({ signal }) => readMarks(ids, signal),
  });
  return useMemo(() => (data === undefined ? graph : marked(graph, data)), [graph, data]);
}
