/**
 * Minimum cuts of a network whose steps are removed by labels with costs, at a price per unit of weight that still
 * reaches the target. They give labels that are worth their cost, and a lower bound of the cost of any choice.
 *
 * The cost of a label is split into shares among its steps, and the capacity of a step is the least share of its
 * labels. For any split, a choice of labels pays for its own cut, so the maximum flow is a lower bound:
 *
 *     cost of the labels + price * remaining weight >= flow
 *
 * Moving the shares to the steps with flow raises the bound, usually up to the minimum cost.
 */

import { float64s, uint32s } from '../columns/largeArrays.ts';
import { RowPlaces } from '../columns/rowPlaces.ts';
import { ArcFlow } from '../flow/arcFlow.ts';
import { addCount, addTo } from '../memo.ts';
import type { Cancel } from '../search/cancel.ts';
import type { CutNetwork } from './cutNetwork.ts';

export class PricedCut {
  readonly #network: CutNetwork;
  readonly #costs: Float64Array;
  readonly #flow: ArcFlow;
  readonly #cancel: Cancel | undefined;
  /** Steps grouped by label: steps of label l are at #offsets[l] .. #offsets[l + 1] - 1. */
  readonly #offsets: Uint32Array;
  readonly #places: Uint32Array;
  readonly #shares: Float64Array;
  readonly #capacities: Float64Array;
  /** End of each step. */
  readonly #ends: Uint32Array;

  /** @param costs cost of each label, > 0 */
  constructor(network: CutNetwork, costs: Float64Array, cancel?: Cancel) {
    const { steps, weights } = network;
    this.#network = network;
    this.#costs = costs;
    this.#cancel = cancel;
    this.#ends = endsOf(steps.offsets);
    this.#flow = new ArcFlow(steps.nodeCount, steps.starts, this.#ends, weights);
    this.#capacities = float64s(steps.starts.length);
    const { setOf, sets, labelCount } = steps;
    const rows = RowPlaces.visiting(labelCount, (count) => {
      for (let place = 0; place < setOf.length; place++) for (const label of sets[setOf[place]]) count(label);
    });
    const places = uint32s(rows.size);
    for (let place = 0; place < setOf.length; place++)
      for (const label of sets[setOf[place]]) places[rows.take(label)] = place;
    this.#offsets = rows.offsets;
    this.#places = places;
    this.#shares = float64s(places.length);
    this.resetShares();
  }

  /** Splits each cost evenly among the steps of the label. */
  resetShares(): void {
    for (let label = 0; label < this.#costs.length; label++) {
      const [first, end] = [this.#offsets[label], this.#offsets[label + 1]];
      this.#shares.fill(this.#costs[label] / (end - first), first, end);
    }
  }

  /**
   * @param taken labels without further cost @param barred forbidden labels
   * @returns the maximum flow: a lower bound of the cost of any labels plus the price of the weight that still
   * reaches the target
   */
  run(price: number, taken: ReadonlySet<number>, barred?: ReadonlySet<number>): number {
    const capacities = this.#capacities.fill(Number.POSITIVE_INFINITY);
    const [offsets, places, shares] = [this.#offsets, this.#places, this.#shares];
    for (let label = 0; label < this.#costs.length; label++) {
      if (barred?.has(label)) continue;
      const isFree = taken.has(label);
      for (let at = offsets[label], end = offsets[label + 1]; at < end; at++) {
        const share = isFree ? 0 : shares[at];
        const place = places[at];
        if (share < capacities[place]) capacities[place] = share;
      }
    }
    return this.#flow.run(capacities, price, this.#cancel);
  }

  /** @returns the steps of the last run's minimum cut, nearest to the sources or nearest to the target */
  cutSteps(side: 'source' | 'target'): number[] {
    const inside = this.#flow.sideOf(side);
    const { starts, offsets, nodeCount } = this.#network.steps;
    const capacities = this.#capacities;
    const found: number[] = [];
    for (let end = 0; end < nodeCount; end++) {
      if (inside[end] === 1) continue;
      for (let place = offsets[end]; place < offsets[end + 1]; place++)
        if (capacities[place] > 0 && inside[starts[place]] === 1) found.push(place);
    }
    return found;
  }

  /** Moves part of the shares of each label to the steps with flow in the last run. */
  moveShares(part: number): void {
    const flows = this.#flow.flows();
    const [offsets, places, shares] = [this.#offsets, this.#places, this.#shares];
    for (let label = 0; label < this.#costs.length; label++) {
      const first = offsets[label];
      const end = offsets[label + 1];
      if (end - first < 2) continue;
      let sum = 0;
      for (let at = first; at < end; at++) sum += flows[places[at]];
      if (sum <= 1e-9) continue;
      const scale = (part * this.#costs[label]) / sum;
      for (let at = first; at < end; at++) shares[at] = (1 - part) * shares[at] + scale * flows[places[at]];
    }
  }

  /** @returns labels for whose steps the last flow uses at least this part of their cost, ascending */
  usedLabels(part: number): number[] {
    const flows = this.#flow.flows();
    const [offsets, places] = [this.#offsets, this.#places];
    const used: number[] = [];
    for (let label = 0; label < this.#costs.length; label++) {
      let sum = 0;
      for (let at = offsets[label]; at < offsets[label + 1]; at++) sum += flows[places[at]];
      if (sum >= part * this.#costs[label]) used.push(label);
    }
    return used;
  }

  /** @returns labels that remove all of these steps, in descending order of steps per cost, without redundant labels */
  cover(places: readonly number[], taken: ReadonlySet<number>, barred?: ReadonlySet<number>): number[] {
    const { setOf, sets } = this.#network.steps;
    const open = places.filter((place) => !sets[setOf[place]].some((label) => taken.has(label)));
    /** Number of remaining cuts of each set. */
    const left = new Map<number, number>();
    for (const place of open) addCount(left, setOf[place]);
    const wanted = [...left.keys()];
    const setsOf = new Map<number, number[]>();
    const counts = new Map<number, number>();
    for (const set of wanted)
      for (const label of sets[set]) {
        if (barred?.has(label)) continue;
        addTo(setsOf, label, set);
        addCount(counts, label, left.get(set) as number);
      }
    const chosen: number[] = [];
    while (left.size > 0) {
      let best: number | undefined;
      let most = 0;
      for (const [label, count] of counts) {
        const worth = count / this.#costs[label];
        if (worth > most || (worth === most && best !== undefined && worth > 0 && label < best)) {
          best = label;
          most = worth;
        }
      }
      if (best === undefined) return chosen;
      chosen.push(best);
      counts.delete(best);
      for (const set of setsOf.get(best) as number[]) {
        const count = left.get(set);
        if (count === undefined) continue;
        left.delete(set);
        for (const label of sets[set]) {
          const before = counts.get(label);
          if (before !== undefined) counts.set(label, before - count);
        }
      }
    }
    return this.#withoutNeedless(chosen, setsOf);
  }

  /** Drops redundant labels, the most expensive first. */
  #withoutNeedless(chosen: readonly number[], setsOf: ReadonlyMap<number, readonly number[]>): number[] {
    const covers = new Map<number, number>();
    for (const label of chosen) for (const set of setsOf.get(label) ?? []) addCount(covers, set);
    const gone = new Set<number>();
    for (const label of [...chosen].sort((a, b) => this.#costs[b] - this.#costs[a] || b - a)) {
      const own = setsOf.get(label) ?? [];
      if (own.some((set) => (covers.get(set) as number) < 2)) continue;
      for (const set of own) covers.set(set, (covers.get(set) as number) - 1);
      gone.add(label);
    }
    return chosen.filter((label) => !gone.has(label));
  }

  /** @returns labels that remove some of these steps, ascending; steps that are already removed are skipped */
  labelsOf(places: readonly number[], taken: ReadonlySet<number>): number[] {
    const { setOf, sets } = this.#network.steps;
    const found = new Set<number>();
    for (const set of new Set(places.map((place) => setOf[place])))
      if (!sets[set].some((label) => taken.has(label))) for (const label of sets[set]) found.add(label);
    return [...found].sort((a, b) => a - b);
  }
}

function endsOf(offsets: Uint32Array): Uint32Array {
  const ends = uint32s(offsets[offsets.length - 1]);
  for (let node = 0; node + 1 < offsets.length; node++) ends.fill(node, offsets[node], offsets[node + 1]);
  return ends;
}
