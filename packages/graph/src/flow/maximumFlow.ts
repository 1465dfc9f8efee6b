/**
 * Dinic's algorithm for the maximum flow, searching back from the targets: phases of breadth-first levels, each
 * followed by a flow that blocks all shortest ways. Where few relations lead into the targets, as into Tier
 * Zero, the last and longest search ends after these few, however large the graph behind them.
 */
import { NodeSet } from '../columns/nodeSet.ts';
import { type Cancel, throwIfCanceled } from '../search/cancel.ts';
import type { Scratch } from '../search/scratch.ts';

/** Nodes handled between two checks of the cancel token. */
const CANCEL_INTERVAL = 1 << 12;

/** Steps by their ends: those into n are at the places offsets[n] .. offsets[n + 1] - 1. */
export interface FlowSteps {
  readonly nodeCount: number;
  readonly offsets: Uint32Array;
  readonly starts: Uint32Array;
}

/** A step that carries flow. */
export interface FlowingStep {
  readonly place: number;
  readonly end: number;
}

/** Remaining capacity of steps while some flow uses them. */
export interface Residual {
  /** @returns the flow that the step at `place`, which leads to `end`, can still take; 0 if it may not be used. */
  roomAt(place: number, end: number): number;
  flowAt(place: number): number;
  /** @returns the steps from `node` that carry flow. */
  flowingFrom(node: number): readonly FlowingStep[];
  /** Adds flow to the step at `place`, which leads to `end`; a negative amount takes flow back. */
  addFlow(place: number, end: number, amount: number): void;
}

/** One step of a way for more flow. */
interface Arc {
  readonly from: number;
  readonly to: number;
  /** Place of the step, which leads along the arc or, where flow on it is canceled, against it. */
  readonly place: number;
  readonly isAlong: boolean;
}

export class MaximumFlow {
  /** Flow from all sources to all targets. */
  flow = 0;
  readonly #steps: FlowSteps;
  readonly #residual: Residual;
  readonly #isSource: Uint32Array;
  readonly #targets: Uint32Array;
  readonly #scratch: Scratch;
  readonly #cancel: Cancel | undefined;
  /** Stamp of the targets in this phase; a node that is n arcs away has a stamp greater by n. */
  #firstStamp = 0;
  #queueEnd = 0;
  /** Per node of this phase the next arc to try: a place of its incoming row, then one of `#takeBacks`. */
  readonly #cursors: Uint32Array;
  /** Per node of this phase the steps from it that carried flow when the phase began. */
  readonly #takeBacks = new Map<number, readonly FlowingStep[]>();

  /** Sources and targets have no node in common, and no node of them is blocked. */
  constructor(
    steps: FlowSteps,
    residual: Residual,
    sources: NodeSet,
    targets: NodeSet,
    scratch: Scratch,
    cancel?: Cancel,
  ) {
    this.#steps = steps;
    this.#residual = residual;
    this.#isSource = sources.bitmap();
    this.#targets = targets.toArray();
    this.#scratch = scratch;
    this.#cancel = cancel;
    this.#cursors = new Uint32Array(steps.nodeCount);
  }

  /**
   * Fills the steps. No way may have endless room.
   * @param enough ends the work once there is more flow than that
   * @throws CanceledError
   */
  run(enough = Number.POSITIVE_INFINITY): void {
    while (this.#findLevels()) {
      for (const target of this.#targets) {
        for (let sent = this.#sendTo(target); sent > 0; sent = this.#sendTo(target)) {
          this.flow += sent;
          if (this.flow > enough) return;
        }
      }
    }
  }

  /** After a whole `run`. @returns the nodes from which more flow could go to a target. */
  targetSide(): NodeSet {
    const { queue } = this.#scratch;
    return NodeSet.of(this.#steps.nodeCount, queue.subarray(0, this.#queueEnd));
  }

  /**
   * Marks nodes by their distance to the nearest target, up to the nearest source.
   * @returns whether a source was reached; if not, all nodes on the side of the targets are marked
   */
  #findLevels(): boolean {
    const { queue } = this.#scratch;
    this.#scratch.begin();
    this.#firstStamp = this.#scratch.nextStamp();
    this.#takeBacks.clear();
    let used = 0;
    for (const target of this.#targets) used = this.#mark(target, this.#firstStamp, used);
    let from = 0;
    while (from < used) {
      const levelEnd = used;
      const stamp = this.#scratch.nextStamp();
      for (; from < levelEnd; from++) {
        if (from % CANCEL_INTERVAL === 0) throwIfCanceled(this.#cancel);
        used = this.#markBefore(queue[from], stamp, used);
      }
      if (queue.subarray(levelEnd, used).some((node) => this.#hasSource(node))) return true;
    }
    this.#queueEnd = used;
    return false;
  }

  /** Marks the nodes not yet marked from which more flow can reach `node`. @returns the end of the queue. */
  #markBefore(node: number, stamp: number, queueEnd: number): number {
    const { offsets, starts } = this.#steps;
    const { stamps } = this.#scratch;
    let used = queueEnd;
    for (let place = offsets[node]; place < offsets[node + 1]; place++) {
      const start = starts[place];
      if (stamps[start] < this.#firstStamp && this.#residual.roomAt(place, node) > 0) {
        used = this.#mark(start, stamp, used);
      }
    }
    for (const { end } of this.#takeBacks.get(node) ?? []) {
      if (stamps[end] < this.#firstStamp) used = this.#mark(end, stamp, used);
    }
    return used;
  }

  #mark(node: number, stamp: number, queueEnd: number): number {
    this.#scratch.stamps[node] = stamp;
    this.#scratch.queue[queueEnd] = node;
    this.#cursors[node] = this.#steps.offsets[node];
    const flowing = this.#residual.flowingFrom(node);
    if (flowing.length > 0) this.#takeBacks.set(node, flowing);
    return queueEnd + 1;
  }

  /** Sends flow along one way through the levels. @returns the amount; 0 when no way is left in this phase. */
  #sendTo(target: number): number {
    const way: Arc[] = [];
    let node = target;
    while (!this.#hasSource(node)) {
      const arc = this.#nextArc(node);
      if (arc !== undefined) {
        way.push(arc);
        node = arc.from;
        continue;
      }
      const last = way.pop();
      if (last === undefined) return 0;
      node = last.to;
      this.#cursors[node]++;
    }
    const amount = way.reduce((least, arc) => Math.min(least, this.#room(arc)), Number.POSITIVE_INFINITY);
    for (const { from, to, place, isAlong } of way) {
      if (isAlong) this.#residual.addFlow(place, to, amount);
      else this.#residual.addFlow(place, from, -amount);
    }
    return amount;
  }

  /** @returns an arc to `node` from the next level; cursors move past those that lead nowhere in this phase. */
  #nextArc(node: number): Arc | undefined {
    const { offsets, starts } = this.#steps;
    const { stamps } = this.#scratch;
    const nextStamp = stamps[node] + 1;
    const rowEnd = offsets[node + 1];
    for (; this.#cursors[node] < rowEnd; this.#cursors[node]++) {
      const place = this.#cursors[node];
      const from = starts[place];
      if (stamps[from] === nextStamp && this.#residual.roomAt(place, node) > 0) {
        return { from, to: node, place, isAlong: true };
      }
    }
    const takeBacks = this.#takeBacks.get(node) ?? [];
    for (; this.#cursors[node] < rowEnd + takeBacks.length; this.#cursors[node]++) {
      const { place, end } = takeBacks[this.#cursors[node] - rowEnd];
      if (stamps[end] === nextStamp && this.#residual.flowAt(place) > 0) {
        return { from: end, to: node, place, isAlong: false };
      }
    }
    return undefined;
  }

  #room({ to, place, isAlong }: Arc): number {
    return isAlong ? this.#residual.roomAt(place, to) : this.#residual.flowAt(place);
  }

  #hasSource(node: number): boolean {
    return ((this.#isSource[node >>> 5] >>> (node & 31)) & 1) === 1;
  }
}
