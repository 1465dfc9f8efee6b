/** Numbered lists of integers, concatenated in one array. */
export class Lists {
  readonly #values: Int32Array;
  readonly #starts: Int32Array;
  readonly #lengths: Int32Array;
  #at = 0;

  /** @param values total number of values in all lists */
  constructor(lists: number, values: number) {
    this.#values = new Int32Array(values);
    this.#starts = new Int32Array(lists);
    this.#lengths = new Int32Array(lists);
  }

  /** @returns the array of the list's values, to be filled */
  add(list: number, length: number): Int32Array {
    this.#starts[list] = this.#at;
    this.#lengths[list] = length;
    this.#at += length;
    return this.of(list);
  }

  /** @returns the values; empty for a list that was not added */
  of(list: number): Int32Array {
    const start = this.#starts[list];
    return this.#values.subarray(start, start + this.#lengths[list]);
  }
}
