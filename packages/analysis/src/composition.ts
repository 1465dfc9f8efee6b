/** The subgraph that explains one derived edge: it shows defenders why the edge exists, and where to cut it. */
import type { EdgeRef } from './edgeRef.ts';

export interface Composition {
  /** Ascending. */
  readonly nodes: Uint32Array;
  /** Ascending by (start, kind, end), each once. */
  readonly edges: readonly EdgeRef[];
}

export const EMPTY_COMPOSITION: Composition = { nodes: new Uint32Array(0), edges: [] };

export class CompositionBuilder {
  readonly #nodes = new Set<number>();
  readonly #edges = new Map<string, EdgeRef>();

  addNode(node: number): void {
    this.#nodes.add(node);
  }

  /** Adds an edge and its ends. */
  addEdge(start: number, kind: number, end: number): void {
    this.#nodes.add(start).add(end);
    this.#edges.set(`${start} ${kind} ${end}`, { start, kind, end });
  }

  build(): Composition {
    return {
      nodes: Uint32Array.from(this.#nodes).sort(),
      edges: [...this.#edges.values()].sort((a, b) => a.start - b.start || a.kind - b.kind || a.end - b.end),
    };
  }
}
