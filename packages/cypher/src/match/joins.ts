/** Hash joins of parts of a match: an index of nodes by the value of an expression. */
import { CypherError } from '../cypherError.ts';
import type { Spends } from '../run/budget.ts';
import { keyOf } from '../values/compare.ts';
import { isPlain, type Value } from '../values/values.ts';

export class ValueIndex {
  readonly #byKey = new Map<string, number[]>();
  /** Nodes whose value is a list, a time or similar, or an error: they are candidates for every value. */
  readonly #others: number[] = [];
  readonly #all: number[] = [];

  readonly #budget: Spends;

  /** @param evaluate returns the value of a node; its errors are ignored here, because the condition reports them */
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

  /** @returns all nodes whose value may be equal; the condition itself is still tested */
  candidates(value: Value): readonly number[] {
    if (value === null) return [];
    if (!isPlain(value)) return this.#all;
    const nodes = this.#byKey.get(keyOf(value, this.#budget)) ?? [];
    return this.#others.length === 0 ? nodes : [...nodes, ...this.#others];
  }
}

/** @returns `undefined` if evaluation fails: another condition may exclude the node before this one is tested */
function valueUnlessError(evaluate: (node: number) => Value, node: number): Value | undefined {
  try {
    return evaluate(node);
  } catch (error) {
    if (error instanceof CypherError && error.kind === 'value') return undefined;
    throw error;
  }
}
