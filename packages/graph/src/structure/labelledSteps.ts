/**
 * Steps that can be taken away: each may carry labels, and is gone as soon as one of them is chosen. One walk answers, for
 * thirty-two choices at once, who still comes to a target; a minimum cut finds a cheapest choice after which some sources do
 * not. Several steps between the same nodes with different labels are alternatives.
 */

import type { NodeSet } from '../columns/nodeSet.ts';
import { Uint32List } from '../columns/uint32List.ts';
import { type Cancel, throwIfCancelled } from '../search/cancel.ts';
import type { StepRows, Steps } from '../search/steps.ts';
import { BitCounters } from './bitCounters.ts';
import { countDominated, findDominators, findOnlyEntries } from './dominators.ts';

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
  readonly #blocked: Int32Array;
  #setsOfLabel: number[][] | undefined;
  #ahead: StepsAhead | undefined;

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
    this.#blocked = new Int32Array(parts.sets.length);
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
    const words = this.#blocked.fill(0);
    for (const [bit, choice] of batch.entries())
      for (const label of choice) for (const set of this.#setsWith(label)) words[set] |= 1 << bit;
    return words;
  }

  #setsWith(label: number): readonly number[] {
    if (this.#setsOfLabel === undefined) {
      this.#setsOfLabel = Array.from({ length: this.labelCount }, () => []);
      for (const [set, labels] of this.sets.entries())
        for (const each of labels) this.#setsOfLabel[each].push(set);
    }
    return this.#setsOfLabel[label];
  }

  /**
   * How many nodes each label keeps out by itself where it stands on the only step by which some nodes come on: exact for labels of one
   * step, a lower bound for others.
   * @param taken labels that are taken away already
   */
  countsOfSingles(
    targets: ArrayLike<number>,
    counted: NodeSet,
    taken: ReadonlySet<number>,
    useful: Uint8Array = this.reach(targets, taken),
  ): Float64Array {
    const isGone = this.sets.map((labels) => labels.some((label) => taken.has(label)));
    const rows = this.#openRows(useful, isGone);
    const steps: Steps = { nodeCount: this.nodeCount, ahead: rows, behind: turned(rows) };
    const tree = findDominators(steps, Array.from(targets), this.#cancel);
    const dominated = countDominated(tree, counted);
    const entries = findOnlyEntries(tree);
    const found = new Float64Array(this.labelCount);
    for (let end = 0; end < this.nodeCount; end++) {
      if (useful[end] === 0) continue;
      for (let at = this.offsets[end]; at < this.offsets[end + 1]; at++) {
        const start = this.starts[at];
        if (isGone[this.setOf[at]] || tree.dominatorOf[start] !== end || !entries.has(start)) continue;
        for (const label of this.sets[this.setOf[at]]) found[label] += dominated[start];
      }
    }
    return found;
  }

  /** Starts by ends, each once and ascending. */
  #openRows(useful: Uint8Array, isGone: readonly boolean[]): StepRows {
    const offsets = new Uint32Array(this.nodeCount + 1);
    const targets = new Uint32Array(this.starts.length);
    let used = 0;
    for (let end = 0; end < this.nodeCount; end++) {
      if (useful[end] === 1) {
        const row: number[] = [];
        for (let at = this.offsets[end]; at < this.offsets[end + 1]; at++)
          if (!isGone[this.setOf[at]]) row.push(this.starts[at]);
        row.sort((a, b) => a - b);
        for (const [at, start] of row.entries())
          if (at === 0 || row[at - 1] !== start) targets[used++] = start;
      }
      offsets[end + 1] = used;
    }
    return { offsets, targets: targets.subarray(0, used) };
  }

  /**
   * A cheapest choice after which no source comes to a target. Labels that several steps share count once for each step, so
   * with shared labels it is an upper bound of the cheapest.
   * @param costs of each label, whole numbers > 0
   * @param taken labels that are taken away already
   * @returns labels, ascending; nothing when steps without labels lead from a source to a target, or it costs too much
   */
  cut(
    sources: Iterable<number>,
    targets: ArrayLike<number>,
    costs: Float64Array,
    taken: ReadonlySet<number>,
    { useful = this.reach(targets, taken), maxCost = Number.POSITIVE_INFINITY }: CutBounds = {},
  ): readonly number[] | undefined {
    this.#ahead ??= stepsAhead(this);
    return new Network(this, this.#ahead, {
      sources,
      targets,
      costs,
      taken,
      useful,
      cancel: this.#cancel,
    }).cut(maxCost);
  }
}

function turned({ offsets, targets }: StepRows): StepRows {
  const nodeCount = offsets.length - 1;
  const rows = new Uint32Array(nodeCount + 1);
  for (const target of targets) rows[target + 1]++;
  for (let node = 0; node < nodeCount; node++) rows[node + 1] += rows[node];
  const next = rows.slice(0, nodeCount);
  const back = new Uint32Array(targets.length);
  for (let node = 0; node < nodeCount; node++)
    for (let at = offsets[node]; at < offsets[node + 1]; at++) back[next[targets[at]]++] = node;
  return { offsets: rows, targets: back };
}

/** Steps by their starts: those of n stand at offsets[n] .. offsets[n + 1] - 1. */
interface StepsAhead {
  readonly offsets: Uint32Array;
  readonly ends: Uint32Array;
  readonly setOf: Uint32Array;
}

function stepsAhead({ nodeCount, offsets, starts, setOf }: LabelledSteps): StepsAhead {
  const rows = new Uint32Array(nodeCount + 1);
  for (const start of starts) rows[start + 1]++;
  for (let node = 0; node < nodeCount; node++) rows[node + 1] += rows[node];
  const next = rows.slice(0, nodeCount);
  const [ends, sets] = [new Uint32Array(starts.length), new Uint32Array(starts.length)];
  for (let end = 0; end < nodeCount; end++) {
    for (let at = offsets[end]; at < offsets[end + 1]; at++) {
      ends[next[starts[at]]] = end;
      sets[next[starts[at]]++] = setOf[at];
    }
  }
  return { offsets: rows, ends, setOf: sets };
}

export interface CutBounds {
  /** 1 for nodes that come to a target; worked out when absent. */
  readonly useful?: Uint8Array;
  /** Nothing is found when every cut costs more, which is seen long before the cheapest is known. */
  readonly maxCost?: number;
}

interface CutQuestion {
  readonly sources: Iterable<number>;
  readonly targets: ArrayLike<number>;
  readonly costs: Float64Array;
  readonly taken: ReadonlySet<number>;
  /** 1 for nodes that come to a target. */
  readonly useful: Uint8Array;
  readonly cancel?: Cancel;
}

/** Dinic's algorithm over the steps between sources and targets. */
class Network {
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
    ahead: StepsAhead,
    { sources, targets, costs, taken, useful, cancel }: CutQuestion,
  ) {
    this.#cancel = cancel;
    this.#placeOf = new Uint32Array(steps.nodeCount);
    const begin = [...new Set(sources)].filter((node) => useful[node] === 1);
    const isTarget = new Uint8Array(steps.nodeCount);
    for (let at = 0; at < targets.length; at++) isTarget[targets[at]] = 1;
    /** By set: the label that a step costs, -1 for none, -2 for a step that is gone. */
    const labelOf = steps.sets.map((labels) =>
      labels.some((label) => taken.has(label)) ? -2 : cheapestOf(labels, costs),
    );
    const isOpen = (at: number): boolean => labelOf[ahead.setOf[at]] !== -2 && useful[ahead.ends[at]] === 1;
    this.#collect(begin, ahead, isOpen, isTarget);
    const count = this.#nodes.length;
    this.#source = count;
    this.#sink = count + 1;
    this.#first = new Int32Array(count + 2).fill(-1);
    for (let place = 0; place < count; place++) {
      const node = this.#nodes.at(place);
      if (isTarget[node] === 1) {
        this.#addArc(place, this.#sink, Number.POSITIVE_INFINITY, -1);
        continue;
      }
      for (let at = ahead.offsets[node]; at < ahead.offsets[node + 1]; at++) {
        if (!isOpen(at)) continue;
        const label = labelOf[ahead.setOf[at]];
        const capacity = label === -1 ? Number.POSITIVE_INFINITY : costs[label];
        this.#addArc(place, this.#placeOf[ahead.ends[at]] - 1, capacity, label);
      }
    }
    for (const node of begin)
      this.#addArc(this.#source, this.#placeOf[node] - 1, Number.POSITIVE_INFINITY, -1);
  }

  cut(maxCost: number): readonly number[] | undefined {
    const levels = new Int32Array(this.#first.length);
    const cursor = new Int32Array(this.#first.length);
    let total = 0;
    while (this.#level(levels)) {
      throwIfCancelled(this.#cancel);
      cursor.set(this.#first);
      for (let flow = this.#push(levels, cursor); flow > 0; flow = this.#push(levels, cursor)) {
        total += flow;
        if (flow === Number.POSITIVE_INFINITY || total > maxCost) return undefined;
      }
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

  #collect(
    begin: readonly number[],
    ahead: StepsAhead,
    isOpen: (at: number) => boolean,
    isTarget: Uint8Array,
  ): void {
    const add = (node: number): void => {
      if (this.#placeOf[node] !== 0) return;
      this.#nodes.push(node);
      this.#placeOf[node] = this.#nodes.length;
    };
    for (const node of begin) add(node);
    for (let place = 0; place < this.#nodes.length; place++) {
      const node = this.#nodes.at(place);
      if (isTarget[node] === 1) continue;
      for (let at = ahead.offsets[node]; at < ahead.offsets[node + 1]; at++)
        if (isOpen(at)) add(ahead.ends[at]);
    }
  }
}

/** @returns the first of the cheapest labels; -1 for an empty set */
function cheapestOf(labels: Uint32Array, costs: Float64Array): number {
  let best = -1;
  for (const label of labels) if (best === -1 || costs[label] < costs[best]) best = label;
  return best;
}
