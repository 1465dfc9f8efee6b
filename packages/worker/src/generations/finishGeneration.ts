/** Turns a loaded graph into a generation, with its number and its counts. */

import type { Generation } from '@clew/generation';
import type { AttackGraph } from '@clew/graph';
import type { LoadedGraph } from './loadedGraph.ts';

/** @param graph the loaded graph, or the one with derived edges */
export function generationOf(
  published: Pick<Generation, 'id' | 'publishedAt' | 'zones'>,
  loaded: LoadedGraph,
  graph: AttackGraph,
): Generation {
  const { environments, marks, customNodeKinds, customEdgeKinds } = loaded;
  const counts = loaded.counter.finish(graph, { nodes: customNodeKinds, edges: customEdgeKinds });
  return { ...published, graph, marks, environments, ...counts, customNodeKinds, customEdgeKinds };
}
