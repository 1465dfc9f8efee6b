/** Small random graphs and choices, for comparisons with an exhaustive search. */
import type { PropertyGraph } from '../src/graph/propertyGraph.ts';
import type { Value } from '../src/values/values.ts';
import { memoryGraph } from './memoryGraph.ts';

export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  below(count: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * count);
  }

  of<T>(items: readonly T[]): T {
    return items[this.below(items.length)];
  }

  chance(part: number): boolean {
    return this.below(1000) < part * 1000;
  }
}

export const LABELS = ['A', 'B', 'C'];
export const TYPES = ['X', 'Y'];

export function randomGraph(random: Random, { maxNodes = 6, maxEdges = 8, values = 3 } = {}): PropertyGraph {
  const nodes = Array.from({ length: 1 + random.below(maxNodes) }, () => ({
    labels: LABELS.filter(() => random.chance(0.4)),
    properties: (random.chance(0.7) ? { n: random.below(values) } : {}) as Record<string, number>,
  }));
  const edges = Array.from({ length: random.below(maxEdges + 1) }, () => ({
    start: random.below(nodes.length),
    end: random.below(nodes.length),
    type: random.of(TYPES),
    properties: (random.chance(0.5) ? { w: random.below(2) } : {}) as Record<string, number>,
  }));
  const graph = memoryGraph(nodes, edges);
  // Looked up where a real graph would have an index.
  const seek = (key: string, value: Value): number[] | undefined =>
    key === 'n' ? nodes.flatMap(({ properties }, node) => (properties.n === value ? [node] : [])) : undefined;
  return random.chance(0.5) ? graph : { ...graph, seek };
}
