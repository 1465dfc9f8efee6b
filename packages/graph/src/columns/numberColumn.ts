/** One optional number per node: a hash map while few nodes have one, a typed array once that is smaller. */

import { float64s, int32s } from './largeArrays.ts';

/** Number of typed array elements that take as much memory as one map entry. */
const NODES_PER_ENTRY = 8;

/** The same numbers for another thread. */
export interface SharedNumbers {
  /** A copy, in shared memory if it is large. */
  readonly dense?: Int32Array | Float64Array;
  readonly sparse?: ReadonlyMap<number, number>;
}

export class NumberColumn {
  readonly #nodeCount: number;
  readonly #newDense: (nodeCount: number) => Int32Array | Float64Array;
  readonly #absent: number;
  #sparse: Map<number, number> | undefined = new Map();
  #dense: Int32Array | Float64Array | undefined;

  /** @param absent represents a missing number in the typed array; setting it clears the node */
  constructor(nodeCount: number, newDense: (nodeCount: number) => Int32Array | Float64Array, absent: number) {
    this.#nodeCount = nodeCount;
    this.#newDense = newDense;
    this.#absent = absent;
  }

  copy(): NumberColumn {
    const copy = new NumberColumn(this.#nodeCount, this.#newDense, this.#absent);
    copy.#sparse = this.#sparse && new Map(this.#sparse);
    copy.#dense = this.#dense?.slice();
    return copy;
  }

  toShared(): SharedNumbers {
    const dense = this.#dense;
    if (dense === undefined) return { sparse: new Map(this.#sparse) };
    const copy = dense instanceof Int32Array ? int32s(dense.length) : float64s(dense.length);
    copy.set(dense);
    return { dense: copy };
  }

  /** Fills this column with the numbers of another thread's column of the same node count. @returns this column */
  fill({ dense, sparse }: SharedNumbers): this {
    this.#dense = dense;
    this.#sparse = sparse === undefined ? undefined : new Map(sparse);
    return this;
  }

  /** @returns the node's number, or `undefined`. */
  get(node: number): number | undefined {
    if (this.#dense === undefined) return this.#sparse!.get(node);
    const value = this.#dense[node];
    return value === undefined || Object.is(value, this.#absent) ? undefined : value;
  }

  set(node: number, value: number): void {
    if (Object.is(value, this.#absent)) {
      this.delete(node);
      return;
    }
    if (this.#dense !== undefined) {
      this.#dense[node] = value;
      return;
    }
    this.#sparse!.set(node, value);
    if (this.#sparse!.size * NODES_PER_ENTRY > this.#nodeCount) this.#makeDense();
  }

  delete(node: number): void {
    if (this.#dense !== undefined) this.#dense[node] = this.#absent;
    else this.#sparse!.delete(node);
  }

  /** Calls `visit` for each node that has a number, in no particular order. */
  forEach(visit: (node: number, value: number) => void): void {
    if (this.#dense === undefined) {
      for (const [node, value] of this.#sparse!) visit(node, value);
      return;
    }
    for (let node = 0; node < this.#nodeCount; node++) {
      const value = this.get(node);
      if (value !== undefined) visit(node, value);
    }
  }

  #makeDense(): void {
    const dense = this.#newDense(this.#nodeCount);
    if (this.#absent !== 0) dense.fill(this.#absent);
    for (const [node, value] of this.#sparse!) dense[node] = value;
    this.#dense = dense;
    this.#sparse = undefined;
  }
}
