/** Lists the derived edges of a generation, for tests that compare all of them. */

import type { Generation } from '@clew/generation';
import { objectIdOf } from '@clew/graph';
import { EdgeFlag, edgeKindById } from '@clew/model';

/** @returns all derived edges as `KIND start end`, ascending */
export function derivedEdges({ graph }: Generation): string[] {
  const found: string[] = [];
  for (let start = 0; start < graph.nodeCount; start++) {
    for (let edge = graph.out.offsets[start]; edge < graph.out.offsets[start + 1]; edge++) {
      if ((graph.out.flags[edge] & EdgeFlag.Derived) === 0) continue;
      const end = objectIdOf(graph, graph.out.neighbors[edge]);
      found.push(`${edgeKindById(graph.out.kinds[edge])?.name} ${objectIdOf(graph, start)} ${end}`);
    }
  }
  return found.sort();
}
