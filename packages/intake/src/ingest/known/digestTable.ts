/**
 * Numbers 16-byte digests from 0 on, in an open-addressing hash table. A map of a million strings takes ten times
 * the memory.
 */

const NONE = -1;
const WORDS = 4;

export class DigestTable {
  /** Hash table of numbers, with linear probing. */
  readonly #places: Int32Array;
  readonly #words: Uint32Array;
  #count = 0;

  /** @param most maximum number of digests */
  constructor(most: number) {
    this.#places = new Int32Array(2 ** Math.ceil(Math.log2(Math.max(2, most * 2)))).fill(NONE);
    this.#words = new Uint32Array(most * WORDS);
  }

  /** @returns the number of the digest; a new digest gets the next number */
  add(digest: Buffer): number {
    const place = this.#placeOf(digest);
    if (this.#places[place] !== NONE) return this.#places[place];
    for (let word = 0; word < WORDS; word++)
      this.#words[this.#count * WORDS + word] = digest.readUInt32BE(word * 4);
    this.#places[place] = this.#count;
    return this.#count++;
  }

  find(digest: Buffer): number | undefined {
    const number = this.#places[this.#placeOf(digest)];
    return number === NONE ? undefined : number;
  }

  /** @returns the slot of the digest, or the free slot for it */
  #placeOf(digest: Buffer): number {
    const mask = this.#places.length - 1;
    let place = digest.readUInt32BE(0) & mask;
    while (this.#places[place] !== NONE && !this.#isAt(this.#places[place], digest))
      place = (place + 1) & mask;
    return place;
  }

  #isAt(number: number, digest: Buffer): boolean {
    for (let word = 0; word < WORDS; word++)
      if (this.#words[number * WORDS + word] !== digest.readUInt32BE(word * 4)) return false;
    return true;
  }
}
