/**
 * Numbers lists of integers: equal lists get equal numbers. It does not build a text key for each list, because
 * there are millions of lists.
 */

const FIRST_SIZE = 8;

export class ListNumbers {
  /** Indexed by number. Lists are stored without a copy, and must not change. */
  readonly lists: ArrayLike<number>[] = [];
  /** Numbers plus one; a hash table with open addressing. */
  #table = new Uint32Array(FIRST_SIZE);

  get size(): number {
    return this.lists.length;
  }

  /** @returns the number of the list, which is new unless an equal list was numbered before */
  numberOf(list: ArrayLike<number>): number {
    let slot = this.#slotOf(list);
    const known = this.#table[slot];
    if (known !== 0) return known - 1;
    if (2 * this.lists.length >= this.#table.length) {
      this.#grow();
      slot = this.#slotOf(list);
    }
    const number = this.lists.push(list) - 1;
    this.#table[slot] = number + 1;
    return number;
  }

  has(list: ArrayLike<number>): boolean {
    return this.#table[this.#slotOf(list)] !== 0;
  }

  #slotOf(list: ArrayLike<number>): number {
    const table = this.#table;
    const mask = table.length - 1;
    let slot = hashOf(list) & mask;
    while (table[slot] !== 0 && !areEqual(this.lists[table[slot] - 1], list)) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const table = new Uint32Array(2 * this.#table.length);
    const mask = table.length - 1;
    for (const [number, list] of this.lists.entries()) {
      let slot = hashOf(list) & mask;
      while (table[slot] !== 0) slot = (slot + 1) & mask;
      table[slot] = number + 1;
    }
    this.#table = table;
  }
}

function hashOf(list: ArrayLike<number>): number {
  let hash = list.length;
  for (let at = 0; at < list.length; at++) {
    hash = Math.imul(hash ^ list[at], 0x9e37_79b1);
    hash ^= hash >>> 15;
  }
  return hash;
}

function areEqual(one: ArrayLike<number>, other: ArrayLike<number>): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}
