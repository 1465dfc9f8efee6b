/**
 * Steps that can be taken away: each may carry labels, and is gone as soon as one of them is chosen. One walk answers, for
 * thirty-two choices at once, who still comes to a target; a minimum cut finds a cheapest choice after which some sources do
 * not. Several steps between the same nodes with different labels are alternatives.
 */
import { Uint32List } from '../columns/uint32List.ts';
import { type Cancel, throwIfCancelled } from '../search/cancel.ts';
import { BitCounters } from './bitCounters.ts';

/** Stands for "no label": a step that nothing takes away. */
export const NO_LABELS = 0;

const CANCEL_INTERVAL = 1 << 14;
const CHOICES = 32;

export class LabelledSteps {
  readonly nodeCount: number;
  readonly labelCount: number;
  /** Steps by their ends: those into n stand at offsets[n] .. offsets[n + 1] - 1. */
  readonly offsets: Uint32Array;
  readonly starts: Uint32Array;
  /** Place in `sets` of each step. */
  readonly setOf: Uint32Array;
  /** Labels of each set, ascending; the first set is empty. */
  readonly sets: readonly Uint32Array[];
  readonly #cancel: Cancel | undefined;
  readonly #words: Int32Array;
  readonly #isQueued: Uint8Array;
  readonly #queue: Uint32Array;

  constructor(parts: {
    readonly nodeCount: number;
    readonly labelCount: number;
    readonly offsets: Uint32Array;
    readonly starts: Uint32Array;
    readonly setOf: Uint32Array;
    readonly sets: readonly Uint32Array[];
    readonly cancel?: Cancel;
  }) {
    this.nodeCount = parts.nodeCount;
    this.labelCount = parts.labelCount;
    this.offsets = parts.offsets;
    this.starts = parts.starts;
    this.setOf = parts.setOf;
    this.sets = parts.sets;
    this.#cancel = parts.cancel;
    this.#words = new Int32Array(parts.nodeCount);
    this.#isQueued = new Uint8Array(parts.nodeCount);
    this.#queue = new Uint32Array(parts.nodeCount + 1);
  }

  /**
   * @param choices sets of labels that are taken away, any number
   * @param weights what each node counts
   * @returns for each choice the weight of the nodes that still come to a target
   * @throws CancelledError
   */
  weigh(targets: ArrayLike<number>, choices: readonly Iterable<number>[], weights: Uint32Array): number[] {
    const totals: number[] = [];
    for (let first = 0; first < choices.length; first += CHOICES) {
      const batch = choices.slice(first, first + CHOICES);
      const words = this.#spread(targets, batch);
      const counters = new BitCounters();
      for (let node = 0; node < this.nodeCount; node++)
        if (words[node] !== 0 && weights[node] !== 0) counters.add(words[node], weights[node]);
      totals.push(...batch.map((_, bit) => counters.count(bit)));
    }
    return totals;
  }

  /** @returns 1 for each node that comes to a target although these labels are taken away */
  reach(targets: ArrayLike<number>, choice: Iterable<number>): Uint8Array {
    const words = this.#spread(targets, [choice]);
    return Uint8Array.from(words, (word) => word & 1);
  }

  /** For each node a bit for each choice under which it comes to a target. Valid until the next call. */
  #spread(targets: ArrayLike<number>, batch: readonly Iterable<number>[]): Int32Array {
    const blocked = this.#blockedWords(batch);
    const words = this.#words.fill(0);
    const queued = this.#isQueued;
    const queue = this.#queue;
    const all = batch.length === CHOICES ? -1 : (1 << batch.length) - 1;
    const room = queue.length;
    let head = 0;
    let tail = 0;
    const push = (node: number): void => {
      if (queued[node] === 1) return;
      queued[node] = 1;
      queue[tail] = node;
      tail = tail + 1 === room ? 0 : tail + 1;
    };
    for (let at = 0; at < targets.length; at++) {
      words[targets[at]] = all;
      push(targets[at]);
    }
    for (let count = 0; head !== tail; count++) {
      if (count % CANCEL_INTERVAL === 0) throwIfCancelled(this.#cancel);
      const node = queue[head];
      head = head + 1 === room ? 0 : head + 1;
      queued[node] = 0;
      const word = words[node];
      for (let at = this.offsets[node]; at < this.offsets[node + 1]; at++) {
        const start = this.starts[at];
        const next = word & ~blocked[this.setOf[at]] & ~words[start];
        if (next === 0) continue;
        words[start] |= next;
        push(start);
      }
    }
    return words;
  }

  #blockedWords(batch: readonly Iterable<number>[]): Int32Array {
    const ofLabel = new Int32Array(this.labelCount);
    for (const [bit, choice] of batch.entries()) for (const label of choice) ofLabel[label] |= 1 << bit;
    return Int32Array.from(this.sets, (labels) => labels.reduce((word, label) => word | ofLabel[label], 0));
  }

  /**
   * A cheapest choice after which no source comes to a target. Labels that several steps share count once for each step, so
   * with shared labels it is an upper bound of the cheapest.
   * @param costs of each label, whole numbers > 0
   * @param taken labels that are taken away already
   * @returns labels, ascending; nothing when steps without labels lead from a source to a target
   */
  cut(
    sources: Iterable<number>,
    targets: ArrayLike<number>,
    costs: Float64Array,
    taken: ReadonlySet<number>,
  ): readonly number[] | undefined {
    const network = new Network(this, sources, targets, costs, taken, this.#cancel);
    return network.cut();
  }
}

/** Dinic's algorithm over the steps between sources and targets. */
class Network {
  readonly #steps: LabelledSteps;
  readonly #cancel: Cancel | undefined;
  readonly #nodes = new Uint32List();
  /** Place of a node in the network + 1; 0 for those outside. */
  readonly #placeOf: Uint32Array;
  /** Forward and backward arcs alternate. */
  readonly #heads = new Uint32List();
  readonly #capacities: number[] = [];
  /** Label that each forward arc stands for; -1 for none. */
  readonly #labels: number[] = [];
  readonly #first: Int32Array;
  readonly #next: number[] = [];
  readonly #source: number;
  readonly #sink: number;

  constructor(
    steps: LabelledSteps,
    sources: Iterable<number>,
    targets: ArrayLike<number>,
    costs: Float64Array,
    taken: ReadonlySet<number>,
    cancel: Cancel | undefined,
  ) {
    this.#steps = steps;
    this.#cancel = cancel;
    const begin = [...sources];
    const useful = steps.reach(targets, taken);
    this.#placeOf = new Uint32Array(steps.nodeCount);
    const isTarget = new Uint8Array(steps.nodeCount);
    for (let at = 0; at < targets.length; at++) isTarget[targets[at]] = 1;
    const outgoing = this.#outgoingOf(useful, taken);
    this.#collect(
      begin.filter((node) => useful[node] === 1),
      outgoing,
      isTarget,
    );
    const count = this.#nodes.length;
    this.#source = count;
    this.#sink = count + 1;
    this.#first = new Int32Array(count + 2).fill(-1);
    const cheapest = steps.sets.map((labels) => cheapestOf(labels, costs));
    for (const node of this.#nodes.toArray()) {
      if (isTarget[node] === 1) {
        this.#addArc(this.#placeOf[node] - 1, this.#sink, Number.POSITIVE_INFINITY, -1);
        continue;
      }
      for (const at of outgoing.of(node)) {
        const end = this.#placeOf[outgoing.endOf(at)];
        if (end === 0) continue;
        const label = cheapest[outgoing.setOf(at)];
        const capacity = label === -1 ? Number.POSITIVE_INFINITY : costs[label];
        this.#addArc(this.#placeOf[node] - 1, end - 1, capacity, label);
      }
    }
    for (const node of new Set(begin))
      if (this.#placeOf[node] !== 0)
        this.#addArc(this.#source, this.#placeOf[node] - 1, Number.POSITIVE_INFINITY, -1);
  }

  cut(): readonly number[] | undefined {
    const levels = new Int32Array(this.#first.length);
    const cursor = new Int32Array(this.#first.length);
    while (this.#level(levels)) {
      throwIfCancelled(this.#cancel);
      cursor.set(this.#first);
      for (let flow = this.#push(levels, cursor); flow > 0; flow = this.#push(levels, cursor))
        if (flow === Number.POSITIVE_INFINITY) return undefined;
    }
    const cut = new Set<number>();
    for (let arc = 0; arc < this.#heads.length; arc += 2) {
      const from = this.#heads.at(arc + 1);
      if (levels[from] !== -1 && levels[this.#heads.at(arc)] === -1 && this.#labels[arc >>> 1] !== -1)
        cut.add(this.#labels[arc >>> 1]);
    }
    return [...cut].sort((a, b) => a - b);
  }

  #addArc(from: number, to: number, capacity: number, label: number): void {
    const arc = this.#heads.length;
    this.#heads.push(to);
    this.#heads.push(from);
    this.#capacities.push(capacity, 0);
    this.#labels.push(label);
    this.#next.push(this.#first[from], this.#first[to]);
    this.#first[from] = arc;
    this.#first[to] = arc + 1;
  }

  #level(levels: Int32Array): boolean {
    levels.fill(-1);
    levels[this.#source] = 0;
    const queue = [this.#source];
    for (const node of queue) {
      for (let arc = this.#first[node]; arc !== -1; arc = this.#next[arc]) {
        const head = this.#heads.at(arc);
        if (this.#capacities[arc] <= 0 || levels[head] !== -1) continue;
        levels[head] = levels[node] + 1;
        queue.push(head);
      }
    }
    return levels[this.#sink] !== -1;
  }

  /** One augmenting way along the levels. @returns 0 when there is none */
  #push(levels: Int32Array, cursor: Int32Array): number {
    const trail: number[] = [];
    let node = this.#source;
    for (;;) {
      if (node === this.#sink) return this.#augment(trail);
      const arc = cursor[node];
      if (arc === -1) {
        const back = trail.pop();
        if (back === undefined) return 0;
        node = this.#heads.at(back ^ 1);
        cursor[node] = this.#next[cursor[node]];
        continue;
      }
      const head = this.#heads.at(arc);
      if (this.#capacities[arc] > 0 && levels[head] === levels[node] + 1) {
        trail.push(arc);
        node = head;
      } else cursor[node] = this.#next[arc];
    }
  }

  #augment(trail: readonly number[]): number {
    const flow = Math.min(...trail.map((arc) => this.#capacities[arc]));
    if (flow === Number.POSITIVE_INFINITY) return flow;
    for (const arc of trail) {
      this.#capacities[arc] -= flow;
      this.#capacities[arc ^ 1] += flow;
    }
    return flow;
  }

  /** Steps by their starts, of those that lead on to a target. */
  #outgoingOf(useful: Uint8Array, taken: ReadonlySet<number>) {
    const { nodeCount, offsets, starts, setOf, sets } = this.#steps;
    const isGone = sets.map((labels) => labels.some((label) => taken.has(label)));
    const rows = new Uint32Array(nodeCount + 1);
    const count = (visit: (start: number, end: number, set: number) => void): void => {
      for (let end = 0; end < nodeCount; end++) {
        if (useful[end] === 0) continue;
        for (let at = offsets[end]; at < offsets[end + 1]; at++)
          if (!isGone[setOf[at]]) visit(starts[at], end, setOf[at]);
      }
    };
    count((start) => rows[start + 1]++);
    for (let node = 0; node < nodeCount; node++) rows[node + 1] += rows[node];
    const next = rows.slice(0, nodeCount);
    const ends = new Uint32Array(rows[nodeCount]);
    const setsOf = new Uint32Array(rows[nodeCount]);
    count((start, end, set) => {
      ends[next[start]] = end;
      setsOf[next[start]++] = set;
    });
    return {
      *of(node: number): Generator<number> {
        for (let at = rows[node]; at < rows[node + 1]; at++) yield at;
      },
      endOf: (at: number) => ends[at],
      setOf: (at: number) => setsOf[at],
    };
  }

  #collect(
    begin: readonly number[],
    outgoing: { of(node: number): Generator<number>; endOf(at: number): number },
    isTarget: Uint8Array,
  ): void {
    const add = (node: number): void => {
      if (this.#placeOf[node] !== 0) return;
      this.#nodes.push(node);
      this.#placeOf[node] = this.#nodes.length;
    };
    for (const node of begin) add(node);
    for (let at = 0; at < this.#nodes.length; at++) {
      const node = this.#nodes.at(at);
      if (isTarget[node] === 1) continue;
      for (const step of outgoing.of(node)) add(outgoing.endOf(step));
    }
  }
}

/** @returns the first of the cheapest labels; -1 for an empty set */
function cheapestOf(labels: Uint32Array, costs: Float64Array): number {
  let best = -1;
  for (const label of labels) if (best === -1 || costs[label] < costs[best]) best = label;
  return best;
}
