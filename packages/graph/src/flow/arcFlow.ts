/** Dinic's algorithm on typed arrays, for many flows over the same few thousand steps: from all weighed nodes to node 0. */

import { type Cancel, throwIfCancelled } from '../search/cancel.ts';

/** Less than this is no room. */
const NOTHING = 1e-9;

export class ArcFlow {
  /** Nodes and one source, the last. */
  readonly #nodeCount: number;
  readonly #source: number;
  readonly #stepCount: number;
  readonly #weights: Uint32Array;
  /** Nodes with a weight: arc 2 * (steps + n) leads from the source to the n-th. */
  readonly #weighed: Uint32Array;
  /** Arc 2n goes along step n, arc 2n + 1 against it. */
  readonly #heads: Uint32Array;
  readonly #room: Float64Array;
  readonly #offsets: Uint32Array;
  readonly #arcs: Uint32Array;
  readonly #levels: Int32Array;
  readonly #cursors: Uint32Array;
  readonly #queue: Uint32Array;
  readonly #path: Uint32Array;

  constructor(nodeCount: number, starts: Uint32Array, ends: Uint32Array, weights: Uint32Array) {
    this.#source = nodeCount;
    this.#nodeCount = nodeCount + 1;
    this.#stepCount = starts.length;
    this.#weights = weights;
    this.#weighed = Uint32Array.from(weights.keys()).filter((node) => node !== 0 && weights[node] > 0);
    const count = 2 * (starts.length + this.#weighed.length);
    this.#heads = new Uint32Array(count);
    for (let step = 0; step < starts.length; step++) {
      this.#heads[2 * step] = ends[step];
      this.#heads[2 * step + 1] = starts[step];
    }
    for (const [at, node] of this.#weighed.entries()) {
      this.#heads[2 * (starts.length + at)] = node;
      this.#heads[2 * (starts.length + at) + 1] = this.#source;
    }
    this.#offsets = new Uint32Array(this.#nodeCount + 1);
    for (let arc = 0; arc < count; arc++) this.#offsets[this.#heads[arc ^ 1] + 1]++;
    for (let node = 0; node < this.#nodeCount; node++) this.#offsets[node + 1] += this.#offsets[node];
    const next = this.#offsets.slice(0, this.#nodeCount);
    this.#arcs = new Uint32Array(count);
    for (let arc = 0; arc < count; arc++) this.#arcs[next[this.#heads[arc ^ 1]]++] = arc;
    this.#room = new Float64Array(count);
    this.#levels = new Int32Array(this.#nodeCount);
    this.#cursors = new Uint32Array(this.#nodeCount);
    this.#queue = new Uint32Array(this.#nodeCount);
    this.#path = new Uint32Array(this.#nodeCount);
  }

  /**
   * @param capacities of the steps @param price of each unit of weight: what may flow out of a node
   * @returns the flow
   * @throws CancelledError
   */
  run(capacities: Float64Array, price: number, cancel?: Cancel): number {
    const room = this.#room.fill(0);
    for (let step = 0; step < this.#stepCount; step++) room[2 * step] = capacities[step];
    for (const [at, node] of this.#weighed.entries())
      room[2 * (this.#stepCount + at)] = price * this.#weights[node];
    let total = 0;
    while (this.#findLevels()) {
      throwIfCancelled(cancel);
      this.#cursors.set(this.#offsets.subarray(0, this.#nodeCount));
      for (let sent = this.#send(); sent > 0; sent = this.#send()) total += sent;
    }
    return total;
  }

  flowAt(step: number): number {
    return this.#room[2 * step + 1];
  }

  /** After `run`. @returns 1 for nodes on the side of the sources of the cut nearest to them, or of that nearest to node 0 */
  sideOf(cut: 'source' | 'target'): Uint8Array {
    const isFromSource = cut === 'source';
    const marked = new Uint8Array(this.#nodeCount);
    const root = isFromSource ? this.#source : 0;
    const queue = this.#queue;
    marked[root] = 1;
    queue[0] = root;
    let tail = 1;
    for (let head = 0; head < tail; head++) {
      const node = queue[head];
      for (let at = this.#offsets[node]; at < this.#offsets[node + 1]; at++) {
        const arc = this.#arcs[at];
        const next = this.#heads[arc];
        if (marked[next] === 1 || this.#room[isFromSource ? arc : arc ^ 1] <= NOTHING) continue;
        marked[next] = 1;
        queue[tail++] = next;
      }
    }
    return isFromSource ? marked : marked.map((mark) => 1 - mark);
  }

  /** Breadth first from the source. @returns whether node 0 is reached */
  #findLevels(): boolean {
    const levels = this.#levels.fill(-1);
    const queue = this.#queue;
    levels[this.#source] = 0;
    queue[0] = this.#source;
    let tail = 1;
    for (let head = 0; head < tail; head++) {
      const node = queue[head];
      for (let at = this.#offsets[node]; at < this.#offsets[node + 1]; at++) {
        const arc = this.#arcs[at];
        const next = this.#heads[arc];
        if (levels[next] >= 0 || this.#room[arc] <= NOTHING) continue;
        levels[next] = levels[node] + 1;
        queue[tail++] = next;
      }
    }
    return levels[0] >= 0;
  }

  /** One more way to node 0, depth first. @returns what it takes */
  #send(): number {
    const path = this.#path;
    let depth = 0;
    let node = this.#source;
    while (node !== 0) {
      let arc = -1;
      for (; this.#cursors[node] < this.#offsets[node + 1]; this.#cursors[node]++) {
        const next = this.#arcs[this.#cursors[node]];
        if (this.#room[next] > NOTHING && this.#levels[this.#heads[next]] === this.#levels[node] + 1) {
          arc = next;
          break;
        }
      }
      if (arc >= 0) {
        path[depth++] = arc;
        node = this.#heads[arc];
        continue;
      }
      if (depth === 0) return 0;
      this.#levels[node] = -1;
      node = this.#heads[path[--depth] ^ 1];
      this.#cursors[node]++;
    }
    let sent = Number.POSITIVE_INFINITY;
    for (let at = 0; at < depth; at++) sent = Math.min(sent, this.#room[path[at]]);
    for (let at = 0; at < depth; at++) {
      this.#room[path[at]] -= sent;
      this.#room[path[at] ^ 1] += sent;
    }
    return sent;
  }
}
