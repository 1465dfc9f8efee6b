/** A growable list of 32-bit unsigned integers. */
import { uint32s } from './largeArrays.ts';
export class Uint32List {
  #items = uint32s(16);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  at(index: number): number {
    return this.#items[index];
  }

  push(item: number): void {
    if (this.#length === this.#items.length) {
      const grown = uint32s(this.#length * 2);
      grown.set(this.#items);
      this.#items = grown;
    }
    this.#items[this.#length++] = item;
  }

  /** @returns a copy of the items in insertion order */
  toArray(): Uint32Array {
    return this.#items.slice(0, this.#length);
  }

  /** @returns a copy of the items in ascending order. */
  toSortedArray(): Uint32Array {
    return this.toArray().sort();
  }
}
