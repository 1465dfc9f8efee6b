/** Where requests find the current generation: one reference that is swapped whole. */
import { exportColumns, GraphBuilder, type GraphColumns, importColumns } from '@clew/graph';
import type { Generation, GenerationSource, KindCounts } from './generation.ts';
import { noMarks } from './nodeMarks.ts';

export class GenerationHolder implements GenerationSource {
  #current = emptyGeneration();
  readonly #listeners = new Set<(generation: Generation) => void>();

  current(): Generation {
    return this.#current;
  }

  onSwap(listener: (generation: Generation) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** An older generation than the current one is passed over. */
  swap(generation: Generation): void {
    if (generation.id <= this.#current.id) return;
    this.#current = generation;
    for (const listener of this.#listeners) listener(generation);
  }
}

const NO_COUNTS: KindCounts = { nodes: {}, edges: {}, total_nodes: 0, total_edges: 0 };

/** What requests find before the first ingest. */
export function emptyGeneration(): Generation {
  return {
    id: 0,
    publishedAt: '0001-01-01T00:00:00.000000Z',
    graph: new GraphBuilder().build(),
    marks: noMarks(0),
    environments: [],
    collected: NO_COUNTS,
    derived: NO_COUNTS,
    customNodeKinds: new Map(),
    customEdgeKinds: new Map(),
  };
}

/** A generation as a message to another thread: its columns are shared, not copied. */
export interface GenerationMessage extends Omit<Generation, 'graph'> {
  readonly columns: GraphColumns;
}

export function toMessage({ graph, ...others }: Generation): GenerationMessage {
  return { ...others, columns: exportColumns(graph) };
}

export function fromMessage({ columns, ...others }: GenerationMessage): Generation {
  return { ...others, graph: importColumns(columns) };
}
