/** Selects the edge kinds that a traversal follows. */
import { KIND_COUNT } from '../columns/attackGraph.ts';

export interface EdgeFilter {
  /** One entry per kind number, 65,536 in total: 1 to follow edges of that kind, else 0. */
  readonly allows: Uint8Array;
}

/** Follows every edge. */
export const ALL_EDGES: EdgeFilter = { allows: new Uint8Array(KIND_COUNT).fill(1) };

/** @param kinds kind numbers, 0 .. 65535. @returns a filter that follows these kinds only. */
export function edgesOfKind(...kinds: readonly number[]): EdgeFilter {
  const allows = new Uint8Array(KIND_COUNT);
  for (const kind of kinds) {
    if (!(kind >= 0 && kind < KIND_COUNT)) throw new RangeError(`${kind} is not the number of an edge kind`);
    allows[kind] = 1;
  }
  return { allows };
}
