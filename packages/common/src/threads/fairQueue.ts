/** A queue of items by owner: each owner is served in turn, so that one with many items delays the others by one item at most. */
export class FairQueue<Item> {
  /** Owners in the order in which they are served next; each has at least one item. */
  readonly #items = new Map<string, Item[]>();

  get size(): number {
    let size = 0;
    for (const items of this.#items.values()) size += items.length;
    return size;
  }

  /** @returns those with items, in the order in which they are served next */
  owners(): Iterable<string> {
    return this.#items.keys();
  }

  sizeOf(owner: string): number {
    return this.#items.get(owner)?.length ?? 0;
  }

  push(owner: string, item: Item): void {
    const items = this.#items.get(owner);
    if (items === undefined) this.#items.set(owner, [item]);
    else items.push(item);
  }

  /** @returns whether it was still waiting */
  remove(owner: string, item: Item): boolean {
    const items = this.#items.get(owner) ?? [];
    const at = items.indexOf(item);
    if (at < 0) return false;
    items.splice(at, 1);
    if (items.length === 0) this.#items.delete(owner);
    return true;
  }

  /**
   * @param isServed whether an owner may have another place now
   * @returns the oldest item of the owner whose turn it is, who then goes to the end; nothing when no owner may be served
   */
  take(isServed: (owner: string) => boolean): Item | undefined {
    for (const [owner, items] of this.#items) {
      if (!isServed(owner)) continue;
      this.#items.delete(owner);
      const [item, ...rest] = items;
      if (rest.length > 0) this.#items.set(owner, rest);
      return item;
    }
    return undefined;
  }
}
