/**
 * Steps with labels: choosing any label of a step removes it. One walk determines for 32 choices at once which
 * nodes still reach a target. Parallel steps with different labels are alternatives.
 */

import { float64s, int32s, uint8s, uint32s } from '../columns/largeArrays.ts';
import type { NodeSet } from '../columns/nodeSet.ts';
import { type Cancel, throwIfCanceled } from '../search/cancel.ts';
import type { StepRows, Steps } from '../search/steps.ts';
import { BitCounters } from './bitCounters.ts';
import { countDominated, findDominators, findOnlyEntries } from './dominators.ts';
import type { LabelSet } from './labelSet.ts';
import { type ListsByValue, listsByValue } from './listsByValue.ts';
import { turnedRows } from './turnedRows.ts';

const CANCEL_INTERVAL = 1 << 14;
const CHOICES = 32;

export class LabeledSteps {
  readonly nodeCount: number;
  readonly labelCount: number;
  /** Steps grouped by end: steps into n are at offsets[n] .. offsets[n + 1] - 1. */
  readonly offsets: Uint32Array;
  readonly starts: Uint32Array;
  /** Index into `sets` of each step. */
  readonly setOf: Uint32Array;
  /** Labels of each set, ascending; the first set is empty. */
  readonly sets: readonly LabelSet[];
  readonly #cancel: Cancel | undefined;
  readonly #words: Int32Array;
  readonly #isQueued: Uint8Array;
  readonly #queue: Uint32Array;
  readonly #whole: Uint32Array;
  readonly #blocked: Int32Array;
  /** Sets grouped by label: sets with label l are at offsets[l] .. offsets[l + 1] - 1. */
  #setsByLabel: ListsByValue | undefined;

  constructor(
    parts: Pick<LabeledSteps, 'nodeCount' | 'labelCount' | 'offsets' | 'starts' | 'setOf' | 'sets'> & {
      readonly cancel?: Cancel;
    },
  ) {
    this.nodeCount = parts.nodeCount;
    this.labelCount = parts.labelCount;
    this.offsets = parts.offsets;
    this.starts = parts.starts;
    this.setOf = parts.setOf;
    this.sets = parts.sets;
    this.#cancel = parts.cancel;
    this.#words = int32s(parts.nodeCount);
    this.#isQueued = uint8s(parts.nodeCount);
    this.#queue = uint32s(parts.nodeCount + 1);
    this.#whole = uint32s(parts.nodeCount);
    this.#blocked = int32s(parts.sets.length);
  }

  /**
   * @param choices any number of sets of labels to remove
   * @param weights weight of each node
   * @returns for each choice, the weight of the nodes that still reach a target
   * @throws CanceledError
   */
  weigh(targets: ArrayLike<number>, choices: readonly Iterable<number>[], weights: Uint32Array): number[] {
    const totals: number[] = [];
    for (let first = 0; first < choices.length; first += CHOICES) {
      const batch = choices.slice(first, first + CHOICES);
      const words = this.#propagate(targets, batch);
      const counters = new BitCounters();
      for (let node = 0; node < this.nodeCount; node++)
        if (words[node] !== 0 && weights[node] !== 0) counters.add(words[node], weights[node]);
      totals.push(...batch.map((_, bit) => counters.count(bit)));
    }
    return totals;
  }

  /** @returns 1 for each node that still reaches a target after these labels are removed */
  reach(targets: ArrayLike<number>, choice: Iterable<number>): Uint8Array {
    const words = this.#propagate(targets, [choice]);
    const reached = uint8s(words.length);
    for (let node = 0; node < words.length; node++) reached[node] = words[node] & 1;
    return reached;
  }

  /**
   * @param isOpen 1 for each set whose steps are followed @returns 1 for each node that reaches a target over such
   * steps
   */
  reachOver(targets: ArrayLike<number>, isOpen: Uint8Array): Uint8Array {
    const reached = uint8s(this.nodeCount);
    const queue = this.#queue;
    let tail = 0;
    const enter = (node: number): void => {
      if (reached[node] === 1) return;
      reached[node] = 1;
      queue[tail++] = node;
    };
    for (let at = 0; at < targets.length; at++) enter(targets[at]);
    for (let head = 0; head < tail; head++) {
      if (head % CANCEL_INTERVAL === 0) throwIfCanceled(this.#cancel);
      const node = queue[head];
      for (let at = this.offsets[node]; at < this.offsets[node + 1]; at++)
        if (isOpen[this.setOf[at]] === 1) enter(this.starts[at]);
    }
    return reached;
  }

  /** Computes for each node one bit per choice under which it reaches a target. Valid until the next call. */
  #propagate(targets: ArrayLike<number>, batch: readonly Iterable<number>[]): Int32Array {
    const blocked = this.#blockedWords(batch);
    const words = this.#words.fill(0);
    const queued = this.#isQueued;
    const queue = this.#queue;
    // Visits nodes that reach a target under all choices first, because each of them is visited only once.
    // Their successors are rarely visited more often.
    const whole = this.#whole;
    const all = batch.length === CHOICES ? -1 : ~(-1 << batch.length);
    const room = queue.length;
    let head = 0;
    let tail = 0;
    let wholes = 0;
    const come = (start: number, word: number): void => {
      const before = words[start];
      const after = before | word;
      if (after === before) return;
      words[start] = after;
      if (after === all) whole[wholes++] = start;
      else if (queued[start] === 0) {
        queued[start] = 1;
        queue[tail] = start;
        tail = tail + 1 === room ? 0 : tail + 1;
      }
    };
    for (let at = 0; at < targets.length; at++) come(targets[at], all);
    for (let count = 0; wholes > 0 || head !== tail; count++) {
      if (count % CANCEL_INTERVAL === 0) throwIfCanceled(this.#cancel);
      let node: number;
      if (wholes > 0) node = whole[--wholes];
      else {
        node = queue[head];
        head = head + 1 === room ? 0 : head + 1;
        queued[node] = 0;
        if (words[node] === all) continue;
      }
      const word = words[node];
      for (let at = this.offsets[node]; at < this.offsets[node + 1]; at++) {
        const next = word & ~blocked[this.setOf[at]];
        if (next !== 0) come(this.starts[at], next);
      }
    }
    return words;
  }

  #blockedWords(batch: readonly Iterable<number>[]): Int32Array {
    const words = this.#blocked.fill(0);
    this.#setsByLabel ??= listsByValue(this.sets, this.labelCount);
    const { offsets, places } = this.#setsByLabel;
    for (const [bit, choice] of batch.entries())
      for (const label of choice)
        for (let at = offsets[label]; at < offsets[label + 1]; at++) words[places[at]] |= 1 << bit;
    return words;
  }

  /**
   * Counts the nodes that each label alone cuts off, from the steps that are the only exit of some nodes: exact
   * for labels of one step, a lower bound for others.
   * @param counted nodes, or the weight of each node
   * @param taken labels that are already chosen
   */
  countsOfSingles(
    targets: ArrayLike<number>,
    counted: NodeSet | Uint32Array,
    taken: ReadonlySet<number>,
    useful: Uint8Array = this.reach(targets, taken),
  ): Float64Array {
    const isGone = Uint8Array.from(this.sets, (labels) => (labels.some((label) => taken.has(label)) ? 1 : 0));
    const rows = this.#openRows(useful, isGone);
    const steps: Steps = { nodeCount: this.nodeCount, ahead: rows, behind: turnedRows(rows) };
    const tree = findDominators(steps, Array.from(targets), this.#cancel);
    const dominated = countDominated(tree, counted);
    const entries = findOnlyEntries(tree);
    const found = float64s(this.labelCount);
    for (let end = 0; end < this.nodeCount; end++) {
      if (useful[end] === 0) continue;
      for (let at = this.offsets[end]; at < this.offsets[end + 1]; at++) {
        const start = this.starts[at];
        if (isGone[this.setOf[at]] === 1 || tree.dominatorOf[start] !== end || !entries.has(start)) continue;
        for (const label of this.sets[this.setOf[at]]) found[label] += dominated[start];
      }
    }
    return found;
  }

  /** Starts grouped by end, ascending, without repetitions. */
  #openRows(useful: Uint8Array, isGone: Uint8Array): StepRows {
    const offsets = uint32s(this.nodeCount + 1);
    const targets = uint32s(this.starts.length);
    let used = 0;
    for (let end = 0; end < this.nodeCount; end++) {
      if (useful[end] === 1) {
        const first = used;
        for (let at = this.offsets[end]; at < this.offsets[end + 1]; at++)
          if (isGone[this.setOf[at]] === 0) targets[used++] = this.starts[at];
        used = ascendingOnce(targets, first, used);
      }
      offsets[end + 1] = used;
    }
    return { offsets, targets: targets.subarray(0, used) };
  }
}

/** Sorts a range of a list and removes duplicates. @returns the end of the remaining values */
function ascendingOnce(list: Uint32Array, first: number, end: number): number {
  if (end - first < 2) return end;
  list.subarray(first, end).sort();
  let used = first + 1;
  for (let at = used; at < end; at++) if (list[at] !== list[at - 1]) list[used++] = list[at];
  return used;
}
