/**
 * Maximum flow by shortest augmenting paths on typed arrays (Ahuja and Orlin), for many flows over the same steps:
 * from all weighted nodes to node 0. Each run starts from the previous flow, if that is still feasible,
 * because most runs differ only in price and some capacities. Distances to node 0 are corrected at dead ends, and
 * recomputed once the corrections have cost as much as recomputing.
 */

import { float64s, uint8s, uint32s } from '../columns/largeArrays.ts';
import { RowPlaces } from '../columns/rowPlaces.ts';
import { type Cancel, throwIfCanceled } from '../search/cancel.ts';

/** Residual capacities below this value count as zero. */
const NOTHING = 1e-9;

export class ArcFlow {
  /** All nodes, plus the source as the last one. */
  readonly #nodeCount: number;
  readonly #source: number;
  readonly #weights: Uint32Array;
  /** Nodes with a weight. */
  readonly #weighed: Uint32Array;
  /**
   * Arcs out of n are at offsets[n] .. offsets[n + 1] - 1. Each has a reverse arc, whose residual capacity is the
   * flow.
   */
  readonly #offsets: Uint32Array;
  readonly #heads: Uint32Array;
  readonly #back: Uint32Array;
  readonly #room: Float64Array;
  /** Arc of each step, followed by the arcs from the source to each weighted node. */
  readonly #arcs: Uint32Array;
  /** Capacity of each step, then of each weighted node. */
  readonly #capacities: Float64Array;
  readonly #stepCount: number;
  readonly #flows: Float64Array;
  /** Lower bound of the number of steps to node 0; `#nodeCount` for nodes without a path to it. */
  readonly #levels: Uint32Array;
  /** Number of nodes at each level. */
  readonly #atLevel: Uint32Array;
  readonly #cursors: Uint32Array;
  readonly #queue: Uint32Array;
  readonly #path: Uint32Array;
  /** Price of the last run; 0 before the first run. */
  #price = 0;

  constructor(nodeCount: number, starts: Uint32Array, ends: Uint32Array, weights: Uint32Array) {
    this.#source = nodeCount;
    this.#nodeCount = nodeCount + 1;
    this.#stepCount = starts.length;
    this.#flows = float64s(starts.length);
    this.#weights = weights;
    this.#weighed = placesAboveZero(weights);
    const count = starts.length + this.#weighed.length;
    const tails = uint32s(count).fill(this.#source);
    tails.set(starts);
    const ahead = uint32s(count);
    ahead.set(ends);
    ahead.set(this.#weighed, starts.length);
    const rows = RowPlaces.of(this.#nodeCount, tails, ahead);
    const [heads, back, arcs] = [uint32s(2 * count), uint32s(2 * count), uint32s(count)];
    for (let arc = 0; arc < count; arc++) {
      const along = rows.take(tails[arc]);
      const against = rows.take(ahead[arc]);
      heads[along] = ahead[arc];
      heads[against] = tails[arc];
      back[along] = against;
      back[against] = along;
      arcs[arc] = along;
    }
    this.#offsets = rows.offsets;
    this.#heads = heads;
    this.#back = back;
    this.#arcs = arcs;
    this.#room = float64s(2 * count);
    this.#capacities = float64s(count);
    this.#levels = uint32s(this.#nodeCount);
    this.#atLevel = uint32s(this.#nodeCount + 1);
    this.#cursors = uint32s(this.#nodeCount);
    this.#queue = uint32s(this.#nodeCount);
    this.#path = uint32s(this.#nodeCount);
  }

  /**
   * @param capacities capacity of each step @param price price per unit of weight: limits the flow out of each
   * weighted node
   * @returns the flow
   * @throws CanceledError
   */
  run(capacities: Float64Array, price: number, cancel?: Cancel): number {
    const [weighed, weights, all] = [this.#weighed, this.#weights, this.#capacities];
    all.set(capacities);
    for (let at = 0; at < weighed.length; at++) all[this.#stepCount + at] = price * weights[weighed[at]];
    // A uniformly scaled flow is still a flow.
    let total = this.#begin(this.#price === 0 ? 0 : Math.min(1, price / this.#price));
    // Until this run is complete, no later run can start from its flow.
    this.#price = 0;
    while (this.#findLevels()) {
      throwIfCanceled(cancel);
      this.#cursors.set(this.#offsets.subarray(0, this.#nodeCount));
      const { sent, isMaximum } = this.#sendSome();
      total += sent;
      if (isMaximum) break;
    }
    this.#price = price;
    return total;
  }

  /** @returns the flow over each step, valid until the next call */
  flows(): Float64Array {
    const [flows, arcs, back, room] = [this.#flows, this.#arcs, this.#back, this.#room];
    for (let step = 0; step < flows.length; step++) flows[step] = room[back[arcs[step]]];
    return flows;
  }

  /**
   * @param scale factor for the previous flow, which is dropped if it is infeasible
   * @returns the remaining flow
   */
  #begin(scale: number): number {
    const [room, arcs, back, capacities] = [this.#room, this.#arcs, this.#back, this.#capacities];
    let total = 0;
    for (let arc = 0; arc < arcs.length; arc++) {
      const along = arcs[arc];
      const flow = scale * room[back[along]];
      const left = capacities[arc] - flow;
      if (left < -NOTHING) return this.#begin(0);
      room[along] = Math.max(0, left);
      room[back[along]] = flow;
      if (arc >= this.#stepCount) total += flow;
    }
    return total;
  }

  /**
   * Must be called after `run`. @returns 1 for nodes on the source side of the minimum cut nearest to the sources,
   * or nearest to node 0
   */
  sideOf(cut: 'source' | 'target'): Uint8Array {
    const isFromSource = cut === 'source';
    const [offsets, heads, back, room, queue] = [
      this.#offsets,
      this.#heads,
      this.#back,
      this.#room,
      this.#queue,
    ];
    const marked = uint8s(this.#nodeCount);
    const root = isFromSource ? this.#source : 0;
    marked[root] = 1;
    queue[0] = root;
    let tail = 1;
    for (let head = 0; head < tail; head++) {
      const node = queue[head];
      for (let at = offsets[node]; at < offsets[node + 1]; at++) {
        const next = heads[at];
        if (marked[next] === 1 || room[isFromSource ? at : back[at]] <= NOTHING) continue;
        marked[next] = 1;
        queue[tail++] = next;
      }
    }
    return isFromSource ? marked : marked.map((mark) => 1 - mark);
  }

  /** Computes the levels, breadth first from node 0. @returns whether the source has a path to it */
  #findLevels(): boolean {
    const [offsets, heads, back, room, queue] = [
      this.#offsets,
      this.#heads,
      this.#back,
      this.#room,
      this.#queue,
    ];
    const none = this.#nodeCount;
    const levels = this.#levels.fill(none);
    const atLevel = this.#atLevel.fill(0);
    levels[0] = 0;
    atLevel[0] = 1;
    queue[0] = 0;
    let tail = 1;
    for (let head = 0; head < tail; head++) {
      const node = queue[head];
      const level = levels[node] + 1;
      for (let at = offsets[node], end = offsets[node + 1]; at < end; at++) {
        const before = heads[at];
        if (levels[before] !== none || room[back[at]] <= NOTHING) continue;
        levels[before] = level;
        atLevel[level]++;
        queue[tail++] = before;
      }
    }
    return levels[this.#source] !== none;
  }

  /**
   * Sends flow over shortest paths, depth first, until no path is left, or until correcting levels has cost as
   * much as recomputing them.
   * @returns the added flow, and whether it is certain that no path is left
   */
  #sendSome(): { readonly sent: number; readonly isMaximum: boolean } {
    const [offsets, heads, back, room] = [this.#offsets, this.#heads, this.#back, this.#room];
    const [levels, atLevel, cursors, path] = [this.#levels, this.#atLevel, this.#cursors, this.#path];
    const none = this.#nodeCount;
    let work = heads.length;
    let total = 0;
    let depth = 0;
    let node = this.#source;
    while (work > 0 && levels[this.#source] < none) {
      if (node === 0) {
        let sent = Number.POSITIVE_INFINITY;
        for (let at = 0; at < depth; at++) if (room[path[at]] < sent) sent = room[path[at]];
        let full = depth;
        for (let at = depth - 1; at >= 0; at--) {
          room[path[at]] -= sent;
          room[back[path[at]]] += sent;
          if (room[path[at]] <= NOTHING) full = at;
        }
        total += sent;
        // Continues from the first saturated step of the path.
        depth = full;
        node = heads[back[path[full]]];
        continue;
      }
      const level = levels[node];
      const end = offsets[node + 1];
      let at = cursors[node];
      while (at < end && !(room[at] > NOTHING && levels[heads[at]] + 1 === level)) at++;
      cursors[node] = at;
      if (at < end) {
        path[depth++] = at;
        node = heads[at];
        continue;
      }
      let least = none;
      for (let arc = offsets[node]; arc < end; arc++)
        if (room[arc] > NOTHING && levels[heads[arc]] < least) {
          least = levels[heads[arc]];
          cursors[node] = arc;
        }
      work -= end - offsets[node];
      // If a level becomes empty, nodes above it have no path.
      if (--atLevel[level] === 0) return { sent: total, isMaximum: true };
      levels[node] = Math.min(none, least + 1);
      atLevel[levels[node]]++;
      if (depth > 0) node = heads[back[path[--depth]]];
    }
    return { sent: total, isMaximum: levels[this.#source] >= none };
  }
}

/** @returns the indexes of values above 0, ascending, without index 0 */
function placesAboveZero(values: Uint32Array): Uint32Array {
  let count = 0;
  for (let at = 1; at < values.length; at++) if (values[at] > 0) count++;
  const places = uint32s(count);
  let used = 0;
  for (let at = 1; at < values.length; at++) if (values[at] > 0) places[used++] = at;
  return places;
}
