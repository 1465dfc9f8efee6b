/**
 * A queue of items by owner. Owners are served in turn, so an owner with many items delays each of the others by at
 * most one item.
 */
import { addTo } from '@clew/graph';
export class FairQueue<Item> {
  /** Owners in the order in which they are served next; each has at least one item. */
  readonly #items = new Map<string, Item[]>();

  get size(): number {
    let size = 0;
    for (const items of this.#items.values()) size += items.length;
    return size;
  }

  /** @returns owners with items, in the order in which they are served */
  owners(): Iterable<string> {
    return this.#items.keys();
  }

  sizeOf(owner: string): number {
    return this.#items.get(owner)?.length ?? 0;
  }

  push(owner: string, item: Item): void {
    addTo(this.#items, owner, item);
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
   * @param isServed whether an owner may be served now @returns the oldest item of the next owner, who then moves to
   * the end; `undefined` if no owner may be served
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
