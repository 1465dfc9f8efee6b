/** Answers about paths name their objects; zone, owner mark and number of each come with the objects themselves. */
import { useQuery } from '@tanstack/react-query';
import { fromUnified, type Graph, unite } from '../graph/model.ts';
import { call } from '../service/client.ts';

const QUERY = 'MATCH (n) WHERE n.objectid IN $ids RETURN n';

const unmarked = (graph: Graph): readonly string[] =>
  [...graph.nodes.values()].filter(({ key }) => key === undefined).map(({ id }) => id);

/** @returns the graph with the marks of all its objects, as every other operation answers them */
export async function withMarks(graph: Graph, signal: AbortSignal): Promise<Graph> {
  const ids = unmarked(graph);
  if (ids.length === 0) return graph;
  const { data } = await call('RunCypherQuery', { body: { query: QUERY, parameters: { ids } } }, { signal });
  const known = fromUnified({ nodes: data.nodes, edges: [] });
  // Only what the graph has: an answer adds no object to it.
  const nodes = new Map([...known.nodes].filter(([id]) => graph.nodes.has(id)));
  return unite([graph, { nodes, edges: [] }]);
}

/** The graph at once, and with its marks as soon as they are there. */
export function useMarks(graph: Graph): Graph {
  const ids = unmarked(graph);
  const marked = useQuery({
    queryKey: ['marks', ids],
    enabled: ids.length > 0,
    queryFn: ({ signal }) => withMarks(graph, signal),
  });
  return marked.data ?? graph;
}
