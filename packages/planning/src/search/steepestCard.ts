/**
 * Finds the steepest card: the set of packages with the largest decrease of exposure per cost. It uses minimum cuts with a price
 * per exposed principal (Dinkelbach): at the price cost / decrease of the best set so far, a cut that is cheaper than leaving
 * everyone exposed yields a steeper set, and without such a cut, no set is steeper. The price falls until the best set is found.
 *
 * Rule: `docs/plan.md#search`.
 */
import {
  type Cancel,
  contractSteps,
  joinKernels,
  type LabelSet,
  PricedCut,
  TARGETS,
  throwIfCanceled,
  uint32s,
} from '@clew/graph';
import type { WorkTime } from '../workTime.ts';
import { BestSet, costOf, type Weigh } from './bestSet.ts';
import type { Candidates } from './candidates.ts';
import { CARD_ROUNDS, moveShares, moveSharesFar } from './shareMoves.ts';

export interface FoundSet {
  /** Labels, ascending. */
  readonly labels: readonly number[];
  readonly cost: number;
  /** Principals still exposed, including those that no package keeps out. */
  readonly left: number;
}

export interface SteepestOptions {
  /** Labels already taken. */
  readonly taken: ReadonlySet<number>;
  readonly barred?: ReadonlySet<number>;
  /** Sets to try first, such as the card of an earlier plan. */
  readonly seeds?: readonly (readonly number[])[];
  /** Minimum number of principals per unit of cost: the search is skipped if a flow proves that no set reaches it. */
  readonly worth?: number;
}

/** Maximum number of single packages to weigh before the first cut. */
const TRIED_SINGLES = 96;
/** Maximum number of prices, and of consecutive prices without improvement. */
const MAX_PRICES = 14;
const MAX_STALLS = 3;
/** Maximum number of packages to exchange with those of a card. */
const MAX_EXCHANGED = 200;
const MAX_MOVES = 3000;
const MAX_EXCHANGES = 12;
/** A larger cut is not a card; it only names candidates. */
const MAX_NAMED_SET = 60;
/** Maximum number of sets of earlier searches to weigh again. */
const MAX_REMEMBERED = 256;
/** Maximum number of flows for a proof that no set is steeper, and of steps over all of them. */
const MAX_PROOF_FLOWS = 1500;
const PROOF_STEPS = 2_000_000;
/** Maximum number of packages named over all searches. */
const MAX_NAMED = 400;
const EPSILON = 1e-9;

export class SteepestSearch {
  flows = 0;
  /** Labels that cuts have named. */
  readonly named = new Set<number>();
  readonly #candidates: Candidates;
  readonly #cut: PricedCut;
  readonly #cancel: Cancel | undefined;
  readonly #time: WorkTime | undefined;
  readonly #remembered = new Map<string, readonly number[]>();

  /** @param time after this limit, the best set so far is the result */
  constructor(candidates: Candidates, cancel?: Cancel, time?: WorkTime) {
    this.#candidates = candidates;
    this.#cut = new PricedCut(candidates.network, candidates.costs, cancel);
    this.#cancel = cancel;
    this.#time = time;
  }

  /** @returns undefined if no set keeps anyone out @throws CanceledError */
  find(options: SteepestOptions): FoundSet | undefined {
    const { taken, barred, seeds = [] } = options;
    const base = [...taken];
    const [exposed] = this.#candidates.weigh([base]);
    if (exposed === this.#candidates.alwaysExposed || this.#isPruned(options, exposed)) return undefined;
    const best = new BestSet(this.#candidates.costs, exposed, base);
    const weigh: Weigh = (choices) => this.#candidates.weigh(choices);
    const named = new Set<number>();
    const isOpen = (label: number): boolean => !taken.has(label) && barred?.has(label) !== true;
    const singles = this.#promising(taken).filter(isOpen);
    for (const label of singles.slice(0, TRIED_SINGLES / 2)) named.add(label);
    best.consider(
      [
        ...singles.slice(0, TRIED_SINGLES).map((label) => [label]),
        ...[...seeds, ...this.#remembered.values()].map((set) => set.filter(isOpen)),
      ],
      weigh,
    );
    this.#tryPrices(best, named, options);
    if (best.set === undefined) return undefined;
    this.#exchange(best, named, taken);
    this.#reduce(best, weigh, base);
    this.#prove(best, options);
    for (const label of named) if (this.named.size < MAX_NAMED) this.named.add(label);
    const { set, left } = best as { set: readonly number[]; left: number };
    return { labels: set, cost: costOf(this.#candidates.costs, set), left };
  }

  /** Whether a flow proves that no set is worth its cost. */
  #isPruned({ taken, barred, worth = 0 }: SteepestOptions, exposed: number): boolean {
    if (worth <= 0) return false;
    const most = (exposed - this.#candidates.alwaysExposed) / worth;
    this.#cut.resetShares();
    for (let round = 0; round < CARD_ROUNDS && !this.#isOver; round++) {
      throwIfCanceled(this.#cancel);
      if (this.#flow(1 / worth, taken, barred) >= most * (1 - EPSILON)) return true;
      moveSharesFar(this.#cut);
    }
    return false;
  }

  #flow(...given: Parameters<PricedCut['run']>): number {
    this.flows++;
    this.#candidates.work.flows++;
    return this.#cut.run(...given);
  }

  /** Labels that keep principals out by themselves, largest effect per cost first. */
  #promising(taken: ReadonlySet<number>): number[] {
    const { steps, weights } = this.#candidates.network;
    const falls = steps.countsOfSingles(TARGETS, weights, taken);
    const { costs } = this.#candidates;
    return Array.from(falls.keys())
      .filter((label) => falls[label] > 0)
      .sort((a, b) => falls[b] / costs[b] - falls[a] / costs[a] || a - b);
  }

  #tryPrices(best: BestSet, named: Set<number>, { taken, barred }: SteepestOptions): void {
    const weigh: Weigh = (choices) => this.#candidates.weigh(choices);
    const sum = this.#candidates.costs.reduce((all, cost) => all + cost, 0);
    let price = best.set === undefined ? sum + 1 : best.price;
    this.#cut.resetShares();
    for (let tried = 0, stalls = 0; tried < MAX_PRICES && stalls < MAX_STALLS; tried++) {
      throwIfCanceled(this.#cancel);
      const before = best.steepness;
      let most = 0;
      for (let round = 0; round < CARD_ROUNDS; round++) {
        if (this.#isOver) return;
        most = Math.max(most, this.#flow(price, taken, barred));
        const sets = (['source', 'target'] as const).map((side) =>
          this.#cut.cover(this.#cut.cutSteps(side), taken, barred),
        );
        for (const set of sets) this.#remember(set, named);
        best.consider(sets, weigh);
        moveShares(this.#cut, round);
      }
      if (best.set === undefined) return;
      if (best.steepness > before + EPSILON * before) {
        stalls = 0;
        price = best.price;
        continue;
      }
      // At this price, no cut is cheaper than leaving everyone exposed, so no set is steeper.
      if (
        price <= best.price * (1 + EPSILON) &&
        most >= (best.exposed - this.#candidates.alwaysExposed) * price * (1 - EPSILON)
      )
        return;
      price = tried === 0 && price > best.price ? best.price : price * 0.6;
      stalls++;
    }
  }

  get #isOver(): boolean {
    return this.#time?.isOver === true;
  }

  #remember(set: readonly number[], named: Set<number>): void {
    if (set.length === 0 || set.length >= MAX_NAMED_SET) return;
    for (const label of set) if (named.size < MAX_EXCHANGED) named.add(label);
    const key = set.join();
    this.#remembered.delete(key);
    this.#remembered.set(key, set);
    if (this.#remembered.size > MAX_REMEMBERED)
      this.#remembered.delete(this.#remembered.keys().next().value as string);
  }

  /** Local search: removes, adds or exchanges one package while the card gets steeper, on the kernel of packages named by cuts. */
  #exchange(best: BestSet, named: ReadonlySet<number>, taken: ReadonlySet<number>): void {
    const { network, alwaysExposed } = this.#candidates;
    const { steps, weights } = network;
    const kept = new Set([...named, ...taken, ...(best.set ?? [])]);
    const sets: LabelSet[] = [];
    const places = uint32s(steps.sets.length);
    const known = new Map<string, number>();
    for (const [place, labels] of steps.sets.entries()) {
      const own = labels.filter((label) => kept.has(label));
      const key = own.join();
      const number = known.get(key) ?? sets.push(own) - 1;
      known.set(key, number);
      places[place] = number;
    }
    const kernel = contractSteps(steps, { places, sets }, { targets: TARGETS, weights }, this.#cancel);
    const small = joinKernels([kernel], sets, steps.labelCount, this.#cancel);
    const weigh: Weigh = (choices) =>
      small.steps
        .weigh(TARGETS, choices, small.weights)
        .map((weight) => weight + small.alwaysExposed + alwaysExposed);
    for (let round = 0; round < MAX_EXCHANGES && !this.#isOver; round++) {
      throwIfCanceled(this.#cancel);
      const set = best.set as readonly number[];
      const others = [...named].filter((label) => !set.includes(label));
      const without = set.map((label) => set.filter((other) => other !== label));
      const moves = [
        ...without,
        ...others.map((label) => [...set, label]),
        ...without.flatMap((rest) => others.map((label) => [...rest, label])),
      ];
      if (!best.consider(moves.slice(0, MAX_MOVES), weigh)) return;
    }
  }

  /**
   * Branch and bound: searches for a steeper set if the flow cannot exclude one, with one package after another taken and barred.
   * A package excluded in both cases is finished; after a limit of flows the best set so far is kept.
   */
  #prove(best: BestSet, { taken, barred = new Set() }: SteepestOptions): void {
    const { alwaysExposed, network } = this.#candidates;
    const limit =
      this.flows + Math.min(MAX_PROOF_FLOWS, Math.ceil(PROOF_STEPS / (network.steps.starts.length + 1)));
    const weigh: Weigh = (choices) => this.#candidates.weigh(choices);
    const open: { readonly done: readonly number[]; readonly barred: ReadonlySet<number> }[] = [
      { done: [], barred },
    ];
    for (
      let node = open.pop();
      node !== undefined && this.flows < limit && !this.#isOver;
      node = open.pop()
    ) {
      throwIfCanceled(this.#cancel);
      const gone = new Set([...taken, ...node.done]);
      const spent = costOf(this.#candidates.costs, node.done);
      let next: number | undefined;
      let isBounded = false;
      this.#cut.resetShares();
      for (let round = 0; round < CARD_ROUNDS && !isBounded; round++) {
        const price = best.price;
        const flow = this.#flow(price, gone, node.barred);
        isBounded = spent + flow >= (best.exposed - alwaysExposed) * price * (1 - EPSILON);
        if (isBounded) break;
        const covers = (['target', 'source'] as const).map((side) =>
          this.#cut.cover(this.#cut.cutSteps(side), gone, node.barred),
        );
        best.consider(
          covers.map((set) => [...node.done, ...set]),
          weigh,
        );
        next = covers.flat()[0] ?? next;
        moveSharesFar(this.#cut);
      }
      if (isBounded || next === undefined) continue;
      open.push({ done: node.done, barred: new Set([...node.barred, next]) });
      open.push({ done: [...node.done, next], barred: node.barred });
    }
    this.#reduce(best, weigh, [...taken]);
  }

  /** Removes the least effective packages one by one: if a subset is steeper than the whole, it becomes the card. */
  #reduce(best: BestSet, weigh: Weigh, base: readonly number[]): void {
    const { costs } = this.#candidates;
    let set = best.set as readonly number[];
    let left = best.left;
    while (set.length > 1) {
      const parts = set.map((label) => set.filter((other) => other !== label));
      const lefts = weigh(parts.map((part) => [...base, ...part]));
      let least = 0;
      const loss = (at: number): number => (lefts[at] - left) / costs[set[at]];
      const isLess = (a: number, b: number): boolean =>
        loss(a) !== loss(b) ? loss(a) < loss(b) : costs[set[a]] > costs[set[b]];
      for (let at = 1; at < parts.length; at++) if (isLess(at, least)) least = at;
      set = parts[least];
      left = lefts[least];
      best.take(set, left);
    }
  }
}
