/**
 * Mutable rows of steps from each node. A step is one number that encodes its end and its set of labels, so rows
 * are sorted, compared and hashed without objects.
 */

import { NO_NODE } from '../columns/attackGraph.ts';
import { copyOf, float64s, int32s, uint8s, uint32s } from '../columns/largeArrays.ts';
import { RowPlaces } from '../columns/rowPlaces.ts';
import { addCount, addTo } from '../memo.ts';
import type { StepRows } from '../search/steps.ts';
import type { LabelSet } from './labelSet.ts';

/** Maximum length of rows that are sorted by insertion. */
const SHORT = 12;

export class Rows {
  readonly nodeCount: number;
  /** Steps from n are at offsets[n] .. ends[n] - 1. */
  readonly offsets: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #keys: Float64Array;
  readonly #setCount: number;

  /** @param keys end * setCount + set */
  constructor(offsets: Uint32Array, keys: Float64Array, setCount: number) {
    this.nodeCount = offsets.length - 1;
    this.offsets = offsets;
    this.#ends = copyOf(offsets, offsets.length, 1);
    this.#keys = keys;
    this.#setCount = setCount;
  }

  forEach(node: number, visit: (end: number, set: number) => void): void {
    for (let at = this.offsets[node]; at < this.#ends[node]; at++) {
      const end = Math.floor(this.#keys[at] / this.#setCount);
      visit(end, this.#keys[at] - end * this.#setCount);
    }
  }

  count(node: number): number {
    return this.#ends[node] - this.offsets[node];
  }

  get stepCount(): number {
    let sum = 0;
    for (let node = 0; node < this.nodeCount; node++) sum += this.count(node);
    return sum;
  }

  /** Sorts a row, and removes steps that carry all labels of another step to the same end. */
  clean(node: number, marked: MarkedSets): void {
    const keys = this.#keys;
    const first = this.offsets[node];
    sortRow(keys, first, this.#ends[node]);
    let used = first;
    for (let at = first; at < this.#ends[node]; ) {
      const end = Math.floor(keys[at] / this.#setCount);
      const base = end * this.#setCount;
      let stop = at + 1;
      while (stop < this.#ends[node] && keys[stop] < base + this.#setCount) stop++;
      // A step without labels makes the other steps to the same end redundant.
      if (keys[at] === base) keys[used++] = base;
      else {
        const first = used;
        for (let one = at; one < stop; one++)
          if (one === at || keys[one] !== keys[one - 1]) keys[used++] = keys[one];
        used = withoutMore(keys, first, used, base, marked);
      }
      at = stop;
    }
    this.#ends[node] = used;
  }

  /** @returns the end of the only step of a node, if it has no label */
  onlyEnd(node: number): number | undefined {
    if (this.count(node) !== 1) return undefined;
    const end = Math.floor(this.#keys[this.offsets[node]] / this.#setCount);
    return this.#keys[this.offsets[node]] === end * this.#setCount ? end : undefined;
  }

  /** @returns the hash of a cleaned row */
  hash(node: number): number {
    let hash = this.count(node);
    for (let at = this.offsets[node]; at < this.#ends[node]; at++) {
      const key = this.#keys[at];
      hash = Math.imul(hash ^ (key | 0), 0x9e37_79b1) ^ Math.floor(key / 2 ** 32);
      hash ^= hash >>> 15;
    }
    return hash >>> 0;
  }

  /** @returns whether two cleaned rows are equal */
  areEqual(one: number, other: number): boolean {
    if (this.count(one) !== this.count(other)) return false;
    const shift = this.offsets[other] - this.offsets[one];
    for (let at = this.offsets[one]; at < this.#ends[one]; at++)
      if (this.#keys[at] !== this.#keys[at + shift]) return false;
    return true;
  }

  /** @returns 1 for each node that receives weight */
  reachedFrom(weights: Uint32Array): Uint8Array {
    const reached = uint8s(this.nodeCount);
    const stack: number[] = [];
    const enter = (node: number): void => {
      if (reached[node] === 1) return;
      reached[node] = 1;
      stack.push(node);
    };
    for (let node = 0; node < this.nodeCount; node++) if (weights[node] > 0) enter(node);
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) this.forEach(node, enter);
    return reached;
  }

  /** @returns ends of the steps without labels */
  endsWithout(): StepRows {
    const offsets = uint32s(this.nodeCount + 1);
    const targets = uint32s(this.#keys.length);
    let used = 0;
    for (let node = 0; node < this.nodeCount; node++) {
      this.forEach(node, (end, set) => {
        if (set === 0) targets[used++] = end;
      });
      offsets[node + 1] = used;
    }
    return { offsets, targets: targets.subarray(0, used) };
  }

  /**
   * @param numbers new number of each node, `NO_NODE` for removed nodes @param isKept whether to keep the steps
   * from a node
   */
  renumbered(numbers: Uint32Array, count: number, isKept: (node: number) => boolean): Rows {
    const eachStep = (visit: (start: number, end: number, set: number) => void): void => {
      for (let node = 1; node < this.nodeCount; node++) {
        const start = numbers[node];
        if (start === NO_NODE || start === 0 || !isKept(node)) continue;
        this.forEach(node, (end, set) => {
          const to = numbers[end];
          if (to !== NO_NODE && to !== start) visit(start, to, set);
        });
      }
    };
    const places = RowPlaces.visiting(count, eachStep);
    const keys = float64s(places.size);
    eachStep((start, end, set) => {
      keys[places.take(start)] = end * this.#setCount + set;
    });
    return new Rows(places.offsets, keys, this.#setCount);
  }
}

function sortRow(keys: Float64Array, first: number, end: number): void {
  if (end - first > SHORT) {
    keys.subarray(first, end).sort();
    return;
  }
  for (let at = first + 1; at < end; at++) {
    const key = keys[at];
    let place = at;
    for (; place > first && keys[place - 1] > key; place--) keys[place] = keys[place - 1];
    keys[place] = key;
  }
}

/** Sets of labels, each with a bit signature: the signature of a set contains the signatures of its subsets. */
export interface MarkedSets {
  readonly sets: readonly LabelSet[];
  readonly marks: Int32Array;
  /** Indexed by label: number of the row that contains the set of only this label. */
  readonly alone: Uint32Array;
  /** Number of rows processed. */
  rows: number;
}

export function markSets(sets: readonly LabelSet[]): MarkedSets {
  let labels = 0;
  const markOf = (set: LabelSet): number => {
    let mark = 0;
    for (const label of set) {
      mark |= 1 << (Math.imul(label, 0x9e37_79b1) >>> 27);
      if (label >= labels) labels = label + 1;
    }
    return mark;
  };
  const marks = int32s(sets.length);
  for (let set = 0; set < sets.length; set++) marks[set] = markOf(sets[set]);
  return { sets, marks, alone: uint32s(labels), rows: 0 };
}

/** Maximum number of parallel steps for pairwise comparison. */
const FEW = 16;

/** Removes steps to one end that carry all labels of another such step. @returns the end of the remaining steps */
function withoutMore(
  keys: Float64Array,
  first: number,
  end: number,
  base: number,
  marked: MarkedSets,
): number {
  return end - first > FEW
    ? withoutMoreOfMany(keys, first, end, base, marked)
    : withoutMoreOfFew(keys, first, end, base, marked);
}

function withoutMoreOfFew(
  keys: Float64Array,
  first: number,
  end: number,
  base: number,
  { sets, marks }: MarkedSets,
): number {
  let used = first;
  for (let one = first; one < end; one++) {
    const set = keys[one] - base;
    let isNeedless = false;
    // Removed steps are between `used` and this index; each has a subset among the remaining ones.
    for (let other = first; other < end && !isNeedless; other++) {
      if (other >= used && other < one) continue;
      const rest = keys[other] - base;
      isNeedless = rest !== set && (marks[rest] & ~marks[set]) === 0 && isPart(sets[rest], sets[set]);
    }
    if (!isNeedless) keys[used++] = keys[one];
  }
  return used;
}

/**
 * Takes linear time if most sets have one label, for instance for an account with a right to a hundred thousand
 * others.
 */
function withoutMoreOfMany(
  keys: Float64Array,
  first: number,
  end: number,
  base: number,
  marked: MarkedSets,
): number {
  const { sets, marks, alone } = marked;
  const row = ++marked.rows;
  const several: number[] = [];
  const kept = new Set<number>();
  for (let at = first; at < end; at++) {
    const set = keys[at] - base;
    const { length } = sets[set];
    if (length > 1) several.push(set);
    else if (alone[sets[set][0]] !== row) {
      alone[sets[set][0]] = row;
      kept.add(set);
    }
  }
  // A subset is shorter, and its rarest label is one of the labels of the set.
  several.sort((a, b) => sets[a].length - sets[b].length || a - b);
  const uses = new Map<number, number>();
  for (const set of several) for (const label of sets[set]) addCount(uses, label);
  const byRarest = new Map<number, number[]>();
  for (const set of several) {
    const labels = sets[set];
    const others = ~marks[set];
    const isNeedless = labels.some(
      (label) =>
        alone[label] === row ||
        byRarest.get(label)?.some((part) => (marks[part] & others) === 0 && isPart(sets[part], labels)) ===
          true,
    );
    if (isNeedless) continue;
    kept.add(set);
    let [rarest] = labels;
    for (const label of labels) if ((uses.get(label) ?? 0) < (uses.get(rarest) ?? 0)) rarest = label;
    addTo(byRarest, rarest, set);
  }
  let used = first;
  for (let at = first; at < end; at++) if (kept.has(keys[at] - base)) keys[used++] = keys[at];
  return used;
}

/** @returns whether all labels of the first set, ascending, are in the second */
function isPart(first: LabelSet, second: LabelSet): boolean {
  if (first.length > second.length) return false;
  let place = 0;
  for (const label of first) {
    while (place < second.length && second[place] < label) place++;
    if (place === second.length || second[place] !== label) return false;
    place++;
  }
  return true;
}
