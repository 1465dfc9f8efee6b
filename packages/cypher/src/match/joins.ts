/** Joins of parts of a match by equal values: nodes by the value of an expression, found without looking at all of them. */
import { CypherError } from '../cypherError.ts';
import type { Spends } from '../run/budget.ts';
import { keyOf } from '../values/compare.ts';
import { isPlain, type Value } from '../values/values.ts';

export class ValueIndex {
  readonly #byKey = new Map<string, number[]>();
  /** Nodes whose value is a list, a time or the like, or an error: they are candidates for every value. */
  readonly #others: number[] = [];
  readonly #all: number[] = [];

  readonly #budget: Spends;

  /** @param evaluate gives the value of a node; its errors belong to the condition, which tests the candidates */
  constructor(
    evaluate: (node: number) => Value,
    every: (visit: (node: number) => boolean) => boolean,
    budget: Spends,
  ) {
    this.#budget = budget;
    every((node) => {
      const value = valueUnlessError(evaluate, node);
      if (value === null) return true;
      this.#all.push(node);
      if (value === undefined || !isPlain(value)) this.#others.push(node);
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

/** @returns nothing where the value is an error: another condition may leave the node out before it is tested */
function valueUnlessError(evaluate: (node: number) => Value, node: number): Value | undefined {
  try {
    return evaluate(node);
  } catch (error) {
    if (error instanceof CypherError && error.kind === 'value') return undefined;
    throw error;
  }
}
