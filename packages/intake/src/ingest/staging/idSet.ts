/** A bitmap of dictionary numbers, which are dense. */

export class IdSet {
  #words = new Uint32Array(1024);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** @returns whether the number is new to the set */
  add(id: number): boolean {
    const word = id >>> 5;
    if (word >= this.#words.length) this.#grow(word);
    const bit = 1 << (id & 31);
    if ((this.#words[word] & bit) !== 0) return false;
    this.#words[word] |= bit;
    this.#size++;
    return true;
  }

  has(id: number): boolean {
    return ((this.#words[id >>> 5] ?? 0) & (1 << (id & 31))) !== 0;
  }

  /** Adds every member of `other`. */
  addAll(other: IdSet): void {
    for (const id of other) this.add(id);
  }

  /** Iterates in ascending order. */
  *[Symbol.iterator](): Generator<number> {
    for (let word = 0; word < this.#words.length; word++) {
      let bits = this.#words[word];
      while (bits !== 0) {
        const lowest = bits & -bits;
        yield word * 32 + (31 - Math.clz32(lowest));
        bits ^= lowest;
      }
    }
  }

  #grow(word: number): void {
    const words = new Uint32Array(Math.max(this.#words.length * 2, word + 1));
    words.set(this.#words);
    this.#words = words;
  }
}
