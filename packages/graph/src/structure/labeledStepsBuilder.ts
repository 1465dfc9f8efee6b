import { uint32s } from '../columns/largeArrays.ts';
import { RowPlaces } from '../columns/rowPlaces.ts';
import { Uint32List } from '../columns/uint32List.ts';
import { getOrMake } from '../memo.ts';
import type { Cancel } from '../search/cancel.ts';
import { LabeledSteps } from './labeledSteps.ts';
import type { LabelSet } from './labelSet.ts';
import { ListNumbers } from './listNumbers.ts';

/** Collects steps in any order; equal sets of labels are stored once. */
export class LabeledStepsBuilder {
  #nodeCount: number;
  readonly #starts = new Uint32List();
  readonly #ends = new Uint32List();
  readonly #setOf = new Uint32List();
  readonly #sets: LabelSet[] = [[]];
  /** Numbers of sets with one label, which are the most common, indexed by label. */
  readonly #ofOne = new Map<number, number>();
  readonly #ofMany = new ListNumbers();
  /** Indexed by the numbers of these. */
  readonly #placesOfMany: number[] = [];

  constructor(nodeCount: number) {
    this.#nodeCount = nodeCount;
  }

  /** Adds a node that is not in the graph. @returns its number */
  newNode(): number {
    return this.#nodeCount++;
  }

  /** @param labels ascending; the list is stored without a copy, and must not change afterward */
  add(start: number, end: number, labels: LabelSet): void {
    this.#starts.push(start);
    this.#ends.push(end);
    this.#setOf.push(this.#placeOf(labels));
  }

  #placeOf(labels: LabelSet): number {
    if (labels.length === 0) return 0;
    if (labels.length > 1) {
      const number = this.#ofMany.numberOf(labels);
      if (number === this.#placesOfMany.length) this.#placesOfMany.push(this.#sets.push(labels) - 1);
      return this.#placesOfMany[number];
    }
    return getOrMake(this.#ofOne, labels[0], () => this.#sets.push(labels) - 1);
  }

  /** @returns for each label, the starts of its steps */
  startsOf(labelCount: number): Set<number>[] {
    const found = Array.from({ length: labelCount }, () => new Set<number>());
    for (let at = 0; at < this.#setOf.length; at++)
      for (const label of this.#sets[this.#setOf.at(at)]) found[label].add(this.#starts.at(at));
    return found;
  }

  build(labelCount: number, cancel: Cancel | undefined): LabeledSteps {
    const byEnd = RowPlaces.visiting(this.#nodeCount, (count) => {
      for (let at = 0; at < this.#ends.length; at++) count(this.#ends.at(at));
    });
    const starts = uint32s(this.#starts.length);
    const setOf = uint32s(this.#starts.length);
    for (let at = 0; at < this.#ends.length; at++) {
      const place = byEnd.take(this.#ends.at(at));
      starts[place] = this.#starts.at(at);
      setOf[place] = this.#setOf.at(at);
    }
    return new LabeledSteps({
      nodeCount: this.#nodeCount,
      labelCount,
      offsets: byEnd.offsets,
      starts,
      setOf,
      sets: this.#sets,
      cancel,
    });
  }
}
