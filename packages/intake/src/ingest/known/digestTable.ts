/** Numbers for digests of 16 bytes, from 0 on: an open table, since a map of a million strings takes ten times the memory. */

const NONE = -1;
const WORDS = 4;

export class DigestTable {
  /** Numbers, at the place that the digest gives or behind it. */
  readonly #places: Int32Array;
  readonly #words: Uint32Array;
  #count = 0;

  /** @param most digests that it will have */
  constructor(most: number) {
    this.#places = new Int32Array(2 ** Math.ceil(Math.log2(Math.max(2, most * 2)))).fill(NONE);
    this.#words = new Uint32Array(most * WORDS);
  }

  /** @returns its number, a new one if it has none */
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

  /** Where it is, or would be. */
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
