/**
 * A flow network and Dinic's algorithm for its maximum flow: phases of breadth-first levels and blocking flows.
 * Arcs come in pairs, 2n along an edge and 2n + 1 against it, so the partner of arc a is a ^ 1.
 */
import { type Cancel, throwIfCancelled } from './cancel.ts';

const UNREACHED = -1;

export class FlowNetwork {
  readonly #nodeCount: number;
  readonly #isSource: Uint8Array;
  readonly #isSink: Uint8Array;
  /** Node that each arc leads to. */
  readonly #heads: Uint32Array;
  /** What each arc can still take. */
  readonly #rooms: Float64Array;
  /** Arcs of node n: #arcs[#offsets[n]] .. #arcs[#offsets[n + 1] - 1]. */
  readonly #offsets: Uint32Array;
  readonly #arcs: Uint32Array;
  readonly #levels: Int32Array;
  readonly #queue: Uint32Array;

  /**
   * @param tails node at which each edge starts
   * @param heads node at which each edge ends
   * @param capacities of each edge, >= 0; `Infinity` where there is no limit
   * @param isSource per node, 1 for a source; `isSink` likewise, no node is both
   */
  constructor(
    tails: Uint32Array,
    heads: Uint32Array,
    capacities: Float64Array,
    isSource: Uint8Array,
    isSink: Uint8Array,
  ) {
    this.#nodeCount = isSource.length;
    this.#isSource = isSource;
    this.#isSink = isSink;
    this.#heads = new Uint32Array(heads.length * 2);
    this.#rooms = new Float64Array(heads.length * 2);
    this.#offsets = new Uint32Array(this.#nodeCount + 1);
    this.#levels = new Int32Array(this.#nodeCount);
    this.#queue = new Uint32Array(this.#nodeCount);
    for (let edge = 0; edge < heads.length; edge++) {
      this.#heads[edge * 2] = heads[edge];
      this.#heads[edge * 2 + 1] = tails[edge];
      this.#rooms[edge * 2] = capacities[edge];
      this.#offsets[tails[edge] + 1]++;
      this.#offsets[heads[edge] + 1]++;
    }
    for (let node = 0; node < this.#nodeCount; node++) this.#offsets[node + 1] += this.#offsets[node];
    this.#arcs = new Uint32Array(heads.length * 2);
    const next = this.#offsets.slice(0, -1);
    for (let arc = 0; arc < this.#arcs.length; arc++) this.#arcs[next[this.#heads[arc ^ 1]]++] = arc;
  }

  /**
   * Fills the network. @returns the flow; `Infinity` when a way without limit leads from a source to a sink.
   * @throws CancelledError
   */
  maximize(cancel?: Cancel): number {
    if (this.#hasEndlessWay()) return Number.POSITIVE_INFINITY;
    let flow = 0;
    while (this.#findLevels()) {
      const cursors = this.#offsets.slice(0, -1);
      for (let node = 0; node < this.#nodeCount; node++) {
        if (this.#isSource[node] === 0) continue;
        for (let sent = this.#sendFrom(node, cursors); sent > 0; sent = this.#sendFrom(node, cursors)) {
          flow += sent;
        }
        throwIfCancelled(cancel);
      }
    }
    return flow;
  }

  /** After `maximize`. @returns 1 for each node that more flow could come to from a source. */
  sourceSide(): Uint8Array {
    return this.#spread(this.#isSource, (arc) => this.#rooms[arc] > 0);
  }

  /** After `maximize`. @returns 1 for each node from which more flow could go to a sink. */
  sinkSide(): Uint8Array {
    return this.#spread(this.#isSink, (arc) => this.#rooms[arc ^ 1] > 0);
  }

  #hasEndlessWay(): boolean {
    const reached = this.#spread(this.#isSource, (arc) => this.#rooms[arc] === Number.POSITIVE_INFINITY);
    return reached.some((isReached, node) => isReached === 1 && this.#isSink[node] === 1);
  }

  #spread(from: Uint8Array, isOpen: (arc: number) => boolean): Uint8Array {
    const reached = from.slice();
    let used = 0;
    for (let node = 0; node < this.#nodeCount; node++) if (reached[node] === 1) this.#queue[used++] = node;
    for (let at = 0; at < used; at++) {
      const node = this.#queue[at];
      for (let place = this.#offsets[node]; place < this.#offsets[node + 1]; place++) {
        const arc = this.#arcs[place];
        const next = this.#heads[arc];
        if (reached[next] === 1 || !isOpen(arc)) continue;
        reached[next] = 1;
        this.#queue[used++] = next;
      }
    }
    return reached;
  }

  /** Numbers nodes by distance from the sources over arcs with room. @returns whether a sink is reached. */
  #findLevels(): boolean {
    const levels = this.#levels.fill(UNREACHED);
    let used = 0;
    let sinkLevel = Number.POSITIVE_INFINITY;
    for (let node = 0; node < this.#nodeCount; node++) {
      if (this.#isSource[node] === 0) continue;
      levels[node] = 0;
      this.#queue[used++] = node;
    }
    for (let at = 0; at < used && levels[this.#queue[at]] < sinkLevel; at++) {
      const node = this.#queue[at];
      for (let place = this.#offsets[node]; place < this.#offsets[node + 1]; place++) {
        const arc = this.#arcs[place];
        const next = this.#heads[arc];
        if (levels[next] !== UNREACHED || this.#rooms[arc] === 0) continue;
        levels[next] = levels[node] + 1;
        if (this.#isSink[next] === 1) sinkLevel = levels[next];
        this.#queue[used++] = next;
      }
    }
    return sinkLevel !== Number.POSITIVE_INFINITY;
  }

  /**
   * Sends flow along one way of ascending levels. Cursors move past arcs that lead nowhere in this phase.
   * @returns the amount, 0 when there is no such way left
   */
  #sendFrom(source: number, cursors: Uint32Array): number {
    const way: number[] = [];
    let node = source;
    while (this.#isSink[node] === 0) {
      const arc = this.#nextArc(node, cursors);
      if (arc !== undefined) {
        way.push(arc);
        node = this.#heads[arc];
        continue;
      }
      const last = way.pop();
      if (last === undefined) return 0;
      node = this.#heads[last ^ 1];
      cursors[node]++;
    }
    let amount = Number.POSITIVE_INFINITY;
    for (const arc of way) amount = Math.min(amount, this.#rooms[arc]);
    for (const arc of way) {
      this.#rooms[arc] -= amount;
      this.#rooms[arc ^ 1] += amount;
    }
    return amount;
  }

  #nextArc(node: number, cursors: Uint32Array): number | undefined {
    const end = this.#offsets[node + 1];
    for (; cursors[node] < end; cursors[node]++) {
      const arc = this.#arcs[cursors[node]];
      if (this.#rooms[arc] > 0 && this.#levels[this.#heads[arc]] === this.#levels[node] + 1) return arc;
    }
    return undefined;
  }
}
