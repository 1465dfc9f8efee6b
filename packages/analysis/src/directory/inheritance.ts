/** Finds the source of an inherited access list entry. Collectors report that it is inherited, but not from where. */
import { type AttackGraph, findEdge, getOrMake, NO_EDGE, NO_NODE, uint32s } from '@clew/graph';
import { EdgeFlag, EdgeKind } from '@clew/model';
import type { AnalysisContext } from '../analysisContext.ts';
import type { EdgeRef } from '../edgeRef.ts';

/** @returns the nearest container above with the same explicit entry; undefined if there is no such container */
export function inheritanceSource(graph: AttackGraph, { start, kind, end }: EdgeRef): number | undefined {
  const { offsets, neighbors, kinds } = graph.in;
  const above = [end];
  const seen = new Set(above);
  for (const object of above) {
    for (let at = offsets[object]; at < offsets[object + 1]; at++) {
      const container = neighbors[at];
      if (kinds[at] !== EdgeKind.Contains || seen.has(container)) continue;
      if (hasExplicit(graph, start, kind, container)) return container;
      seen.add(container);
      above.push(container);
    }
  }
  return undefined;
}

/** Whether a container has the entry explicitly. */
export function hasExplicit(graph: AttackGraph, start: number, kind: number, container: number): boolean {
  const entry = findEdge(graph, start, kind, container);
  return entry !== NO_EDGE && (graph.out.flags[entry] & EdgeFlag.Inherited) === 0;
}

/** Marks a node in several containers. */
const SEVERAL = NO_NODE - 1;

/** Same for millions of entries: memoizes the source per container, for all objects in it. */
export class InheritanceSources {
  readonly #graph: AttackGraph;
  /** Container of each node; `NO_NODE` if missing, `SEVERAL` if there are several. */
  readonly containers: Uint32Array;
  /** Keyed by kind and start packed into one number, then by container: the source of its entry, which may be the container itself. */
  readonly #known = new Map<number, Map<number, number | undefined>>();

  constructor(context: AnalysisContext) {
    this.#graph = context.graph;
    const containers = uint32s(context.graph.nodeCount).fill(NO_NODE);
    context.edges('Contains').forEach((container, _, node) => {
      const known = containers[node];
      containers[node] = known === NO_NODE || known === container ? container : SEVERAL;
    });
    this.containers = containers;
  }

  of(entry: EdgeRef): number | undefined {
    const container = this.containers[entry.end];
    if (container === NO_NODE) return undefined;
    if (container === SEVERAL) return inheritanceSource(this.#graph, entry);
    const sources = this.#sourcesOf(entry);
    if (!sources.has(container)) {
      const { start, kind } = entry;
      const source = hasExplicit(this.#graph, start, kind, container)
        ? container
        : inheritanceSource(this.#graph, { start, kind, end: container });
      sources.set(container, source);
    }
    const source = sources.get(container);
    // Cyclic containers.
    return source === entry.end ? inheritanceSource(this.#graph, entry) : source;
  }

  #sourcesOf({ start, kind }: EdgeRef): Map<number, number | undefined> {
    const key = kind * this.#graph.nodeCount + start;
    return getOrMake(this.#known, key, () => new Map());
  }
}
