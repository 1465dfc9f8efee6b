/** Values of an edge in answers besides its kind and ends. */
import type { Generation } from '@clew/generation';
import { edgeKindOf, endOf, startOf } from '@clew/graph';
import type { Properties } from '@clew/model';
import type { QueryData } from '@clew/queries';
import type { EdgePropertySource, NodeDetails } from '@clew/store';
import { edgeFlagProperties } from './graphMap.ts';

/** Last-seen times by store id. */
export type SeenNodes = ReadonlyMap<number, Partial<Pick<NodeDetails, 'lastSeen'>>>;

/** @returns properties by edge from its sources, besides its flags; edges without any are missing */
export async function readEdges(
  source: EdgePropertySource,
  { graph }: QueryData,
  edges: Iterable<number>,
): Promise<ReadonlyMap<number, Properties>> {
  const numbers = [...edges];
  const stored = await source.read(
    numbers.map((edge) => ({
      start: graph.storeIds[startOf(graph, edge)],
      kind: edgeKindOf(graph, edge),
      end: graph.storeIds[endOf(graph, edge)],
    })),
  );
  const found = new Map<number, Properties>();
  for (const [at, properties] of stored.entries())
    if (properties !== undefined) found.set(numbers[at], properties);
  return found;
}

/**
 * An edge is collected with one of its ends, so the earlier time applies. Objects created by analysis are not in any file: they use the
 * time of their linked objects, or of the generation.
 */
export function lastSeenOf(
  { graph }: QueryData,
  generation: Generation,
  seen: SeenNodes,
  edge: number,
): string {
  const times = [startOf(graph, edge), endOf(graph, edge)].map(
    (node) => seen.get(graph.storeIds[node])?.lastSeen,
  );
  return times.filter((time) => time !== undefined).sort()[0] ?? generation.publishedAt;
}

/** @returns all known facts about the edge, by their property names in files */
export function edgeFacts(
  data: QueryData,
  generation: Generation,
  { seen, stored }: { readonly seen: SeenNodes; readonly stored?: ReadonlyMap<number, Properties> },
  edge: number,
): Properties {
  return {
    ...stored?.get(edge),
    ...edgeFlagProperties(data, edge),
    lastseen: lastSeenOf(data, generation, seen, edge),
  };
}
