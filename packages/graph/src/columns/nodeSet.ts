/**
 * Immutable sets of nodes, for the set algebra of analysis rules; they can be shared and cached. Small sets are
 * sorted lists (4 bytes per member), large ones bitmaps (one bit per node of the graph). Every result uses the
 * smaller form.
 */
import { countBits, listBits, lowestBit, newBitmap, popCount, wordCount } from './bits.ts';

export class NodeSet {
  /** Number of nodes of the graph: members are in 0 .. capacity - 1. */
  readonly capacity: number;
  /** Number of members. */
  readonly size: number;
  /** In ascending order; absent if the set is a bitmap. */
  readonly #members: Uint32Array | undefined;
  readonly #words: Uint32Array | undefined;

  private constructor(
    capacity: number,
    size: number,
    form: { members: Uint32Array } | { words: Uint32Array },
  ) {
    this.capacity = capacity;
    this.size = size;
    if ('members' in form) this.#members = form.members;
    else this.#words = form.words;
  }

  static empty(capacity: number): NodeSet {
    return new NodeSet(capacity, 0, { members: new Uint32Array(0) });
  }

  /** @returns the set of all nodes. */
  static all(capacity: number): NodeSet {
    const words = newBitmap(capacity).fill(0xffff_ffff);
    if (capacity % 32 !== 0) words[words.length - 1] = 2 ** (capacity % 32) - 1;
    return NodeSet.ofBitmap(capacity, words);
  }

  /**
   * @param nodes in any order, repetitions allowed
   * @throws RangeError for a number outside 0 .. capacity - 1
   */
  static of(capacity: number, nodes: Iterable<number>): NodeSet {
    const members = Array.isArray(nodes) || ArrayBuffer.isView(nodes) ? nodes : [...nodes];
    return NodeSet.#ofNumbers(capacity, members as ArrayLike<number>);
  }

  /** @param words bitmap of the nodes, used without a copy; bits beyond `capacity` must be 0 */
  static ofBitmap(capacity: number, words: Uint32Array): NodeSet {
    if (words.length !== wordCount(capacity)) throw new RangeError('the bitmap does not fit the graph');
    const size = countBits(words);
    return new NodeSet(
      capacity,
      size,
      isSmall(capacity, size) ? { members: listBits(words, size) } : { words },
    );
  }

  /** @param lists disjoint lists of nodes */
  static ofLists(capacity: number, lists: readonly Uint32Array[]): NodeSet {
    const size = lists.reduce((sum, list) => sum + list.length, 0);
    if (isSmall(capacity, size)) {
      const members = new Uint32Array(size);
      let used = 0;
      for (const list of lists) {
        members.set(list, used);
        used += list.length;
      }
      return new NodeSet(capacity, size, { members: members.sort() });
    }
    const words = newBitmap(capacity);
    for (const list of lists)
      for (let at = 0; at < list.length; at++) words[list[at] >>> 5] |= 1 << (list[at] & 31);
    return new NodeSet(capacity, size, { words });
  }

  /** @returns the members of at least one of the sets; faster than calling `or` repeatedly */
  static union(capacity: number, sets: readonly NodeSet[]): NodeSet {
    const filled = sets.filter((set) => set.size > 0);
    if (filled.length <= 1) return filled[0] ?? NodeSet.empty(capacity);
    const most = filled.reduce((sum, set) => sum + set.size, 0);
    if (!prefersBitmap(capacity, most)) {
      const members = new Uint32Array(most);
      let used = 0;
      for (const set of filled) {
        members.set(set.toArray(), used);
        used += set.size;
      }
      return NodeSet.#ofNumbers(capacity, members);
    }
    const words = newBitmap(capacity);
    for (const set of filled) set.addTo(words);
    return NodeSet.ofBitmap(capacity, words);
  }

  static #ofNumbers(capacity: number, nodes: ArrayLike<number>): NodeSet {
    const own = new Uint32Array(nodes.length);
    for (let at = 0; at < nodes.length; at++) {
      own[at] = nodes[at];
      if (own[at] !== nodes[at] || own[at] >= capacity) {
        throw new RangeError(`node ${nodes[at]} is not in the graph of ${capacity} nodes`);
      }
    }
    if (prefersBitmap(capacity, own.length)) {
      const words = newBitmap(capacity);
      for (const node of own) words[node >>> 5] |= 1 << (node & 31);
      return NodeSet.ofBitmap(capacity, words);
    }
    own.sort();
    let size = 0;
    for (let at = 0; at < own.length; at++) {
      if (at === 0 || own[at] !== own[at - 1]) own[size++] = own[at];
    }
    return NodeSet.#ofSorted(capacity, own, size);
  }

  static #ofSorted(capacity: number, members: Uint32Array, size: number): NodeSet {
    if (isSmall(capacity, size)) return new NodeSet(capacity, size, { members: members.slice(0, size) });
    const words = newBitmap(capacity);
    for (let at = 0; at < size; at++) words[members[at] >>> 5] |= 1 << (members[at] & 31);
    return new NodeSet(capacity, size, { words });
  }

  get isEmpty(): boolean {
    return this.size === 0;
  }

  /** Memory of the members, in bytes. */
  get byteLength(): number {
    return (this.#members ?? this.#words)!.byteLength;
  }

  has(node: number): boolean {
    if (this.#words !== undefined) return ((this.#words[node >>> 5] >>> (node & 31)) & 1) === 1;
    const members = this.#members!;
    let low = 0;
    let high = members.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (members[middle] < node) low = middle + 1;
      else high = middle;
    }
    return low < members.length && members[low] === node;
  }

  /** @returns the members of both sets */
  and(other: NodeSet): NodeSet {
    const [small, large] = this.#bySize(other);
    if (small.#members !== undefined) return small.filter((node) => large.has(node));
    const words = small.#words!.slice();
    const mask = large.#words!;
    for (let at = 0; at < words.length; at++) words[at] &= mask[at];
    return NodeSet.ofBitmap(this.capacity, words);
  }

  /** @returns the members of either set */
  or(other: NodeSet): NodeSet {
    this.#expectSameGraph(other);
    return NodeSet.union(this.capacity, [this, other]);
  }

  /** @returns the members of this set that are not in the other */
  andNot(other: NodeSet): NodeSet {
    this.#expectSameGraph(other);
    if (this.#members !== undefined) return this.filter((node) => !other.has(node));
    const words = this.#words!.slice();
    other.removeFrom(words);
    return NodeSet.ofBitmap(this.capacity, words);
  }

  /** @returns the set without `node`. */
  without(node: number): NodeSet {
    return this.has(node) ? this.filter((member) => member !== node) : this;
  }

  /** @returns whether the sets have common members */
  intersects(other: NodeSet): boolean {
    const [small, large] = this.#bySize(other);
    if (small.#members !== undefined) return small.#members.some((node) => large.has(node));
    const mask = large.#words!;
    return small.#words!.some((word, at) => (word & mask[at]) !== 0);
  }

  /** @returns the number of members in both sets */
  intersectionSize(other: NodeSet): number {
    const [small, large] = this.#bySize(other);
    let count = 0;
    if (small.#members !== undefined) {
      for (const node of small.#members) if (large.has(node)) count++;
      return count;
    }
    const words = small.#words!;
    const mask = large.#words!;
    for (let at = 0; at < words.length; at++) count += popCount(words[at] & mask[at]);
    return count;
  }

  isSubsetOf(other: NodeSet): boolean {
    return this.size <= other.size && this.intersectionSize(other) === this.size;
  }

  equals(other: NodeSet): boolean {
    return this.size === other.size && this.isSubsetOf(other);
  }

  /** @returns members that pass the test. */
  filter(test: (node: number) => boolean): NodeSet {
    const kept = new Uint32Array(this.size);
    let size = 0;
    this.forEach((node) => {
      if (test(node)) kept[size++] = node;
    });
    return NodeSet.#ofSorted(this.capacity, kept, size);
  }

  /** Calls `visit` with each member in ascending order. */
  forEach(visit: (node: number) => void): void {
    if (this.#members !== undefined) {
      for (let at = 0; at < this.#members.length; at++) visit(this.#members[at]);
      return;
    }
    const words = this.#words!;
    for (let at = 0; at < words.length; at++) {
      for (let word = words[at]; word !== 0; word &= word - 1) visit(at * 32 + lowestBit(word));
    }
  }

  /** Members in ascending order. */
  [Symbol.iterator](): IterableIterator<number> {
    return this.toArray()[Symbol.iterator]();
  }

  /** @returns the members in ascending order; must not be modified */
  toArray(): Uint32Array {
    return this.#members ?? listBits(this.#words!, this.size);
  }

  /** For loops over many nodes. @returns the set as a bitmap; must not be modified */
  bitmap(): Uint32Array {
    if (this.#words !== undefined) return this.#words;
    const words = newBitmap(this.capacity);
    this.addTo(words);
    return words;
  }

  /** Sets the bits of all members in a bitmap. */
  addTo(words: Uint32Array): void {
    if (this.#words !== undefined) {
      for (let at = 0; at < words.length; at++) words[at] |= this.#words[at];
    } else {
      for (const node of this.#members!) words[node >>> 5] |= 1 << (node & 31);
    }
  }

  /** Clears the bits of all members in a bitmap. */
  removeFrom(words: Uint32Array): void {
    if (this.#words !== undefined) {
      for (let at = 0; at < words.length; at++) words[at] &= ~this.#words[at];
    } else {
      for (const node of this.#members!) words[node >>> 5] &= ~(1 << (node & 31));
    }
  }

  #expectSameGraph(other: NodeSet): void {
    if (this.capacity !== other.capacity) throw new RangeError('the sets belong to graphs of different size');
  }

  #bySize(other: NodeSet): [small: NodeSet, large: NodeSet] {
    this.#expectSameGraph(other);
    return this.size <= other.size ? [this, other] : [other, this];
  }
}

/** Whether a list (4 bytes per member) is smaller than a bitmap (one bit per node). */
function isSmall(capacity: number, size: number): boolean {
  return size <= capacity / 32;
}

/** Whether to collect this many unordered nodes in a bitmap first, because sorting would take longer. */
function prefersBitmap(capacity: number, nodes: number): boolean {
  return nodes * 8 > capacity / 32;
}
