/**
 * Collects the edges of one set in parallel arrays: sorted by (start, kind, end) without duplicates, so that equal
 * sets are equal arrays in any order of collection.
 */
import { EdgeFlag, type Properties } from '@clew/model';

/** Up to this many edges, insertion sort is faster than the built-in sort. */
const SMALL = 48;

export class EdgeColumns {
  count = 0;
  starts = new Int32Array(64);
  kinds = new Int32Array(64);
  ends = new Int32Array(64);
  flags = new Int32Array(64);
  /** Properties, indexed by position. */
  #properties: (Properties | undefined)[] = [];
  #hasProperties = false;

  clear(): void {
    this.count = 0;
    if (this.#hasProperties) this.#properties = [];
    this.#hasProperties = false;
  }

  add(start: number, kind: number, end: number, flags: number, properties?: Properties): void {
    const at = this.count++;
    if (at === this.starts.length) this.#grow();
    this.starts[at] = start;
    this.kinds[at] = kind;
    this.ends[at] = end;
    this.flags[at] = flags;
    if (properties !== undefined) {
      this.#properties[at] = properties;
      this.#hasProperties = true;
    }
  }

  /** @returns properties by position, for edges that have some; `undefined` if no edge has any */
  sparseProperties(): Record<string, Properties> | undefined {
    if (!this.#hasProperties) return undefined;
    const sparse: Record<string, Properties> = {};
    for (let at = 0; at < this.count; at++) {
      const properties = this.#properties[at];
      if (properties !== undefined) sparse[at] = properties;
    }
    return sparse;
  }

  /** Sorts the edges and merges duplicates. */
  normalize(): void {
    if (this.count <= SMALL) this.#insertionSort();
    else this.#permute(this.#sortedOrder());
    this.#unite();
  }

  #compare(a: number, b: number): number {
    return this.starts[a] - this.starts[b] || this.kinds[a] - this.kinds[b] || this.ends[a] - this.ends[b];
  }

  /** Inserts each edge into the sorted edges before it; the sort is stable. */
  #insertionSort(): void {
    const { starts, kinds, ends, flags } = this;
    for (let next = 1; next < this.count; next++) {
      if (this.#compare(next - 1, next) <= 0) continue;
      const start = starts[next];
      const kind = kinds[next];
      const end = ends[next];
      const flag = flags[next];
      const properties = this.#hasProperties ? this.#properties[next] : undefined;
      let at = next;
      do {
        starts[at] = starts[at - 1];
        kinds[at] = kinds[at - 1];
        ends[at] = ends[at - 1];
        flags[at] = flags[at - 1];
        if (this.#hasProperties) this.#properties[at] = this.#properties[at - 1];
        at--;
      } while (at > 0 && (starts[at - 1] - start || kinds[at - 1] - kind || ends[at - 1] - end) > 0);
      starts[at] = start;
      kinds[at] = kind;
      ends[at] = end;
      flags[at] = flag;
      if (this.#hasProperties) this.#properties[at] = properties;
    }
  }

  /** The sort is stable: the properties of the later duplicate win. */
  #sortedOrder(): number[] {
    const order = Array.from({ length: this.count }, (_, at) => at);
    return order.sort((a, b) => this.#compare(a, b) || a - b);
  }

  #permute(order: readonly number[]): void {
    const permuted = (column: Int32Array): Int32Array<ArrayBuffer> => {
      const copy = new Int32Array(column.length);
      for (let at = 0; at < order.length; at++) copy[at] = column[order[at]];
      return copy;
    };
    this.starts = permuted(this.starts);
    this.kinds = permuted(this.kinds);
    this.ends = permuted(this.ends);
    this.flags = permuted(this.flags);
    if (this.#hasProperties) this.#properties = order.map((from) => this.#properties[from]);
  }

  #unite(): void {
    let last = 0;
    for (let at = 1; at < this.count; at++) {
      if (this.#compare(last, at) === 0) {
        this.flags[last] = mergeFlags(this.flags[last], this.flags[at]);
        this.#uniteProperties(last, at);
        continue;
      }
      last++;
      if (last === at) continue;
      this.starts[last] = this.starts[at];
      this.kinds[last] = this.kinds[at];
      this.ends[last] = this.ends[at];
      this.flags[last] = this.flags[at];
      if (this.#hasProperties) this.#properties[last] = this.#properties[at];
    }
    this.count = Math.min(this.count, last + 1);
  }

  #uniteProperties(into: number, from: number): void {
    const more = this.#properties[from];
    if (more !== undefined) this.#properties[into] = { ...this.#properties[into], ...more };
  }

  #grow(): void {
    const twice = (column: Int32Array): Int32Array<ArrayBuffer> => {
      const grown = new Int32Array(column.length * 2);
      grown.set(column);
      return grown;
    };
    this.starts = twice(this.starts);
    this.kinds = twice(this.kinds);
    this.ends = twice(this.ends);
    this.flags = twice(this.flags);
  }
}

/**
 * An explicit entry makes the edge not inherited, even if other entries are inherited, because the explicit entry
 * is the one to remove. The order of entries does not matter. (In SQL: `merge/edgeSets.ts`.)
 */
export function mergeFlags(a: number, b: number): number {
  return ((a | b) & ~EdgeFlag.Inherited) | (a & b & EdgeFlag.Inherited);
}
