/** The current generation for requests: one reference, which is swapped atomically. */
import { setTimeout as sleep } from 'node:timers/promises';
import { exportColumns, GraphBuilder, type GraphColumns, importColumns } from '@clew/graph';
import type {
  EarlyGenerationSource,
  Generation,
  GenerationFacts,
  KindCounts,
  Prepare,
} from './generation.ts';
import { noMarks } from './nodeMarks.ts';

/** The preparing threads may be busy with requests. */
const MAX_PREPARATION_MS = 10_000;

interface Coming {
  readonly generation: Generation;
  /** Resolves when all preparations have ended. */
  readonly prepared: Promise<unknown>;
}

export class GenerationHolder implements EarlyGenerationSource {
  #current = emptyGeneration();
  readonly #listeners = new Set<(generation: Generation) => void>();
  readonly #preparations = new Set<Prepare>();
  readonly #early = new Set<Prepare>();
  readonly #mostPreparationMs: number;
  #coming: Coming | undefined;

  constructor(mostPreparationMs = MAX_PREPARATION_MS) {
    this.#mostPreparationMs = mostPreparationMs;
  }

  current(): Generation {
    return this.#current;
  }

  onSwap(listener: (generation: Generation) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  beforeSwap(prepare: Prepare): () => void {
    this.#preparations.add(prepare);
    return () => this.#preparations.delete(prepare);
  }

  beforeFindings(prepare: Prepare): () => void {
    this.#early.add(prepare);
    return () => this.#early.delete(prepare);
  }

  /** Begins to prepare for a generation that has no findings yet; its publication may still fail. */
  announceGraph(generation: Generation, facts: GenerationFacts): void {
    for (const prepare of this.#early) prepare(generation, facts).catch(() => {});
  }

  /** Begins to prepare for a generation that is being published; its publication may still fail. */
  announce(generation: Generation, facts?: GenerationFacts): void {
    this.#coming = this.#prepare(generation, facts);
  }

  /** Swaps when all data that requests need is prepared; the request that needs a failed preparation repeats it. */
  async offer(generation: Generation): Promise<void> {
    if (generation.id <= this.#current.id) return;
    const coming = this.#coming?.generation.id === generation.id ? this.#coming : this.#prepare(generation);
    this.#coming = undefined;
    const patience = new AbortController();
    const late = sleep(this.#mostPreparationMs, undefined, { signal: patience.signal }).catch(() => {});
    await Promise.race([coming.prepared, late]);
    patience.abort();
    this.swap(coming.generation);
  }

  #prepare(generation: Generation, facts?: GenerationFacts): Coming {
    const prepared = Promise.allSettled([...this.#preparations].map((prepare) => prepare(generation, facts)));
    return { generation, prepared };
  }

  /** A generation older than the current one is ignored. */
  swap(generation: Generation): void {
    if (generation.id <= this.#current.id) return;
    this.#current = generation;
    for (const listener of this.#listeners) listener(generation);
  }
}

const NO_COUNTS: KindCounts = { nodes: {}, edges: {}, total_nodes: 0, total_edges: 0 };

/** The generation that serves requests before the first ingest. */
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
