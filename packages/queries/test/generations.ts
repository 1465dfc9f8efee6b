/** Generations for tests, from literal graphs. */

import {
  type Generation,
  type GenerationSource,
  type NodeMarks,
  noMarks,
  type PublishedZone,
} from '@clew/generation';
import { type AttackGraph, findNode, nameOf } from '@clew/graph';

const NO_COUNTS = { nodes: {}, edges: {}, total_nodes: 0, total_edges: 0 };

export function generationOf(
  graph: AttackGraph,
  parts: {
    readonly id?: number;
    readonly marks?: NodeMarks;
    readonly zones?: readonly PublishedZone[];
    /** Object ids of collected environments. */
    readonly environments?: readonly string[];
    readonly customNodeKinds?: ReadonlyMap<number, string>;
    readonly customEdgeKinds?: ReadonlyMap<number, string>;
  } = {},
): Generation {
  return {
    id: parts.id ?? 1,
    publishedAt: '2026-01-02T03:04:05.000000Z',
    graph,
    marks: parts.marks ?? noMarks(graph.nodeCount),
    ...(parts.zones === undefined ? {} : { zones: parts.zones }),
    environments: (parts.environments ?? []).map((id) => ({
      id,
      name: nameOf(graph, findNode(graph, id)),
      type: 'active-directory',
      node: findNode(graph, id),
      collected: true,
    })),
    collected: NO_COUNTS,
    derived: NO_COUNTS,
    customNodeKinds: parts.customNodeKinds ?? new Map(),
    customEdgeKinds: parts.customEdgeKinds ?? new Map(),
  };
}

/** A source whose generation a test can replace. */
export class SwappableGenerations implements GenerationSource {
  #current: Generation;
  readonly #listeners = new Set<(generation: Generation) => void>();

  constructor(generation: Generation) {
    this.#current = generation;
  }

  current(): Generation {
    return this.#current;
  }

  onSwap(listener: (generation: Generation) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Tests prepare nothing. */
  beforeSwap(): () => void {
    return () => {};
  }

  swap(generation: Generation): void {
    this.#current = generation;
    for (const listener of this.#listeners) listener(generation);
  }
}
