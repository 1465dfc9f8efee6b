/** Sets of node numbers, and of pairs of them. A JavaScript Set takes ten times as much memory. */

const EMPTY = 0xffff_ffff;
const FIRST_SIZE = 128;
const FIRST_PAIRS = 8;
/** Sets up to this size use linear search: most sets are small, and there is one per group. */
const MAX_FEW = 32;

/** Takes 5 to 11 bytes per number in large sets. */
export class NumberSet {
  /** Memory of one number, as a fraction of a row's memory. */
  static readonly ROWS_OF_NUMBER = 1 / 8;
  readonly #few: number[] = [];
  #places: Uint32Array | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** @param number below 2^32 - 1 @returns whether the number is new */
  add(number: number): boolean {
    if (this.#places !== undefined) return this.#addTo(this.#places, number);
    if (this.#few.includes(number)) return false;
    this.#size++;
    if (this.#few.length < MAX_FEW) {
      this.#few.push(number);
      return true;
    }
    const places = new Uint32Array(FIRST_SIZE).fill(EMPTY);
    for (const one of [...this.#few, number]) places[placeOf(places, one)] = one;
    this.#few.length = 0;
    this.#places = places;
    return true;
  }

  #addTo(before: Uint32Array, number: number): boolean {
    let places = before;
    if (this.#size * 4 >= places.length * 3) {
      places = grown(places);
      this.#places = places;
    }
    const place = placeOf(places, number);
    if (places[place] === number) return false;
    places[place] = number;
    this.#size++;
    return true;
  }
}

function grown(places: Uint32Array): Uint32Array {
  const larger = new Uint32Array(places.length * 2).fill(EMPTY);
  for (const number of places) if (number !== EMPTY) larger[placeOf(larger, number)] = number;
  return larger;
}

/** A set of pairs of node numbers. Takes 11 to 22 bytes per pair. */
export class PairSet {
  /** Memory of one pair, as a fraction of a row's memory. */
  static readonly ROWS_OF_PAIR = 1 / 4;
  /** The two numbers of each pair are adjacent. */
  #places: Uint32Array = new Uint32Array(0);
  #size = 0;

  /** @param first below 2^32 - 1 @returns whether the pair is new */
  add(first: number, second: number): boolean {
    if (this.#size * 8 >= this.#places.length * 3) this.#grow();
    const place = placeOfPair(this.#places, first, second);
    if (this.#places[place] === first) return false;
    this.#places[place] = first;
    this.#places[place + 1] = second;
    this.#size++;
    return true;
  }

  #grow(): void {
    const [before, larger] = [
      this.#places,
      new Uint32Array(Math.max(2 * FIRST_PAIRS, this.#places.length * 2)).fill(EMPTY),
    ];
    for (let at = 0; at < before.length; at += 2) {
      const [first, second] = [before[at], before[at + 1]];
      if (first === EMPTY) continue;
      const place = placeOfPair(larger, first, second);
      larger[place] = first;
      larger[place + 1] = second;
    }
    this.#places = larger;
  }
}

function placeOfPair(places: Uint32Array, first: number, second: number): number {
  const mask = places.length / 2 - 1;
  const mixed = Math.imul(first, 0x9e37_79b1) ^ Math.imul(second, 0x85eb_ca6b);
  let place = (Math.imul(mixed ^ (mixed >>> 15), 0xc2b2_ae35) >>> 7) & mask;
  while (places[2 * place] !== EMPTY && (places[2 * place] !== first || places[2 * place + 1] !== second))
    place = (place + 1) & mask;
  return 2 * place;
}

/** @returns the index of the number, or of the free slot for it */
function placeOf(places: Uint32Array, number: number): number {
  const mask = places.length - 1;
  let place = (Math.imul(number, 0x9e37_79b1) >>> 7) & mask;
  while (places[place] !== EMPTY && places[place] !== number) place = (place + 1) & mask;
  return place;
}
