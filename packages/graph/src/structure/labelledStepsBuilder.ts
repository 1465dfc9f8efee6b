import { Uint32List } from '../columns/uint32List.ts';
import type { Cancel } from '../search/cancel.ts';
import { LabelledSteps } from './labelledSteps.ts';

/** Collects steps in any order; equal sets of labels are kept once. */
export class LabelledStepsBuilder {
  #nodeCount: number;
  readonly #starts = new Uint32List();
  readonly #ends = new Uint32List();
  readonly #setOf = new Uint32List();
  readonly #sets: Uint32Array[] = [new Uint32Array(0)];
  readonly #setPlaces = new Map<string, number>([['', 0]]);

  constructor(nodeCount: number) {
    this.#nodeCount = nodeCount;
  }

  /** @returns a node beside those of the graph */
  newNode(): number {
    return this.#nodeCount++;
  }

  /** @param labels ascending */
  add(start: number, end: number, labels: readonly number[]): void {
    const key = labels.join();
    let set = this.#setPlaces.get(key);
    if (set === undefined) {
      set = this.#sets.push(Uint32Array.from(labels)) - 1;
      this.#setPlaces.set(key, set);
    }
    this.#starts.push(start);
    this.#ends.push(end);
    this.#setOf.push(set);
  }

  /** @returns by label: where its steps begin */
  startsOf(labelCount: number): Set<number>[] {
    const found = Array.from({ length: labelCount }, () => new Set<number>());
    for (let at = 0; at < this.#setOf.length; at++)
      for (const label of this.#sets[this.#setOf.at(at)]) found[label].add(this.#starts.at(at));
    return found;
  }

  build(labelCount: number, cancel: Cancel | undefined): LabelledSteps {
    const offsets = new Uint32Array(this.#nodeCount + 1);
    for (let at = 0; at < this.#ends.length; at++) offsets[this.#ends.at(at) + 1]++;
    for (let node = 0; node < this.#nodeCount; node++) offsets[node + 1] += offsets[node];
    const next = offsets.slice(0, -1);
    const starts = new Uint32Array(this.#starts.length);
    const setOf = new Uint32Array(this.#starts.length);
    for (let at = 0; at < this.#ends.length; at++) {
      const end = this.#ends.at(at);
      starts[next[end]] = this.#starts.at(at);
      setOf[next[end]++] = this.#setOf.at(at);
    }
    return new LabelledSteps({
      nodeCount: this.#nodeCount,
      labelCount,
      offsets,
      starts,
      setOf,
      sets: this.#sets,
      cancel,
    });
  }
}
