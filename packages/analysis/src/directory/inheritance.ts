/** Where an inherited entry of an access list comes from. Collectors say that it is inherited, and not whence. */
import { type AttackGraph, findEdge, NO_EDGE } from '@clew/graph';
import { EdgeFlag, EdgeKind } from '@clew/model';
import type { EdgeRef } from '../edgeRef.ts';

/** @returns the nearest container above that has the same explicit entry; nothing where no container was seen with it */
export function inheritanceSource(graph: AttackGraph, { start, kind, end }: EdgeRef): number | undefined {
  const { offsets, neighbors, kinds } = graph.in;
  const above = [end];
  const seen = new Set(above);
  for (const object of above) {
    for (let at = offsets[object]; at < offsets[object + 1]; at++) {
      const container = neighbors[at];
      if (kinds[at] !== EdgeKind.Contains || seen.has(container)) continue;
      const entry = findEdge(graph, start, kind, container);
      if (entry !== NO_EDGE && (graph.out.flags[entry] & EdgeFlag.Inherited) === 0) return container;
      seen.add(container);
      above.push(container);
    }
  }
  return undefined;
}
