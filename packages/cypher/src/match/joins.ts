/** Joins of parts of a match by equal values: nodes by the value of a property, found without looking at all of them. */
import type { PropertyGraph } from '../graph/propertyGraph.ts';
import type { Spends } from '../run/budget.ts';
import { keyOf } from '../values/compare.ts';
import { isList, Special, type Value } from '../values/values.ts';

/** Whether equal values have equal keys, as for nearly all properties. */
const isPlain = (value: Value): boolean =>
  typeof value !== 'object' || !(value instanceof Special || isList(value));

export class PropertyIndex {
  readonly #byKey = new Map<string, number[]>();
  /** Nodes whose value is a list, a time or the like: they are candidates for every value. */
  readonly #others: number[] = [];
  readonly #all: number[] = [];

  readonly #budget: Spends;

  constructor(
    graph: PropertyGraph,
    key: string,
    every: (visit: (node: number) => boolean) => boolean,
    budget: Spends,
  ) {
    this.#budget = budget;
    every((node) => {
      const value = graph.nodeProperty(node, key);
      if (value === null) return true;
      this.#all.push(node);
      if (!isPlain(value)) this.#others.push(node);
      else {
        const text = keyOf(value, this.#budget);
        const nodes = this.#byKey.get(text);
        if (nodes === undefined) this.#byKey.set(text, [node]);
        else nodes.push(node);
      }
      return true;
    });
  }

  /** @returns all nodes whose value may be equal; the condition itself is tested afterward */
  candidates(value: Value): readonly number[] {
    if (value === null) return [];
    if (!isPlain(value)) return this.#all;
    const nodes = this.#byKey.get(keyOf(value, this.#budget)) ?? [];
    return this.#others.length === 0 ? nodes : [...nodes, ...this.#others];
  }
}
