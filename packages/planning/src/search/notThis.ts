/**
 * For each package of a card: alternatives with the same effect, and why they are not chosen. Alternatives that break something
 * come first, because readers would consider them; if the package itself breaks something, the cheapest set that breaks nothing
 * is added.
 *
 * Rule: `docs/plan.md#alternatives`.
 */
import { type Cancel, PricedCut, TARGETS, throwIfCanceled } from '@clew/graph';
import type { WorkTime } from '../workTime.ts';
import { costOf } from './bestSet.ts';
import type { Candidates } from './candidates.ts';
import { moveSharesFar } from './shareMoves.ts';

const MAX_ALTERNATIVES = 3;
/** Maximum number of packages to weigh as replacements of one. */
const MAX_WEIGHED = 400;
/** Rounds of cuts for a set that replaces a kept package. */
const MAX_ROUNDS = 6;
/** Price per principal as a multiple of the cost of all packages: no one is let through. */
const ALL = 10;

/** Places of packages that together have the effect of one package. */
export interface FoundAlternative {
  readonly packages: readonly number[];
  readonly cost: number;
}

export class NotThis {
  readonly #candidates: Candidates;
  readonly #cancel: Cancel | undefined;
  readonly #time: WorkTime;
  readonly #kept: ReadonlySet<number>;
  /** Wide packages with several changes, which cut steps that no single change cuts. */
  readonly #compound: readonly number[];

  /** @param candidates without taken packages @param time after it, packages get no more alternatives */
  constructor(candidates: Candidates, { cancel, time }: { cancel: Cancel | undefined; time: WorkTime }) {
    this.#candidates = candidates;
    this.#cancel = cancel;
    this.#time = time;
    const { places, packages } = candidates;
    this.#kept = new Set(places.flatMap((place, label) => (packages[place].isKept ? [label] : [])));
    this.#compound = places.flatMap((place, label) => {
      const { isWide, repairs } = packages[place];
      return isWide && repairs.length > 1 ? [label] : [];
    });
  }

  /**
   * @param place a package of a card @param others places of the other packages of the card and of earlier cards
   * @returns cheapest first; undefined after the time limit
   */
  of(place: number, others: readonly number[]): readonly FoundAlternative[] | undefined {
    throwIfCanceled(this.#cancel);
    if (this.#time.isOver) return undefined;
    const { costs, packages, places } = this.#candidates;
    const [own] = this.#candidates.labelsOf([place]);
    if (own === undefined) return undefined;
    const rest = this.#candidates.labelsOf(others);
    const [before, after] = this.#candidates.weigh([rest, [...rest, own]]);
    const repairs = new Set(packages[place].repairs);
    const isOther = (label: number): boolean =>
      label !== own && !packages[places[label]].repairs.some((repair) => repairs.has(repair));
    const asked = this.#likely(rest, before - after)
      .filter(isOther)
      .slice(0, MAX_WEIGHED);
    const weights = this.#weighed(rest, asked);
    const enough = asked.filter((_, at) => weights[at] <= after);
    // A package that keeps the same number of principals out may keep out other ones; both together then have more effect.
    const [alone, both] = [this.#weighed(rest, enough), this.#weighed([...rest, own], enough)];
    const same = enough
      .filter((_, at) => alone[at] === both[at])
      .sort((a, b) => costs[a] - costs[b] || a - b);
    const harmless = this.#kept.has(own) && same.every((label) => this.#kept.has(label));
    const set = harmless ? this.#setInPlace(own, rest, after) : undefined;
    const found = [...(set === undefined ? [] : [set]), ...this.#different(same).map((label) => [label])];
    return found
      .slice(0, MAX_ALTERNATIVES)
      .map((labels) => ({ packages: this.#candidates.placesOf(labels), cost: costOf(costs, labels) }));
  }

  /** @returns the number of exposed principals with each label added to the rest */
  #weighed(rest: readonly number[], labels: readonly number[]): number[] {
    return this.#candidates.weigh(labels.map((label) => [...rest, label]));
  }

  /** Labels that may have the same effect alone: those with enough principals on their steps, and compound packages. */
  #likely(rest: readonly number[], fall: number): number[] {
    const { steps, weights } = this.#candidates.network;
    const { costs } = this.#candidates;
    const falls = steps.countsOfSingles(TARGETS, weights, new Set(rest));
    const single = Array.from(falls.keys())
      .filter((label) => falls[label] > 0 && falls[label] * 2 >= fall)
      .sort((a, b) => falls[b] - falls[a] || costs[a] - costs[b] || a - b);
    return [...new Set([...single.slice(0, MAX_WEIGHED / 2), ...this.#compound])];
  }

  /** @param labels cheapest first @returns labels without the changes of a cheaper one */
  #different(labels: readonly number[]): number[] {
    const { packages, places } = this.#candidates;
    const told = new Set<number>();
    return labels.filter((label) => {
      const { repairs } = packages[places[label]];
      if (repairs.some((repair) => told.has(repair))) return false;
      for (const repair of repairs) told.add(repair);
      return true;
    });
  }

  /** The cheapest known set without kept packages that leaves at most as many exposed. */
  #setInPlace(own: number, rest: readonly number[], after: number): readonly number[] | undefined {
    const { costs, network, work } = this.#candidates;
    const taken = new Set(rest);
    const barred = new Set([...this.#kept, own]);
    const cut = new PricedCut(network, costs, this.#cancel);
    const price = ALL * costs.reduce((sum, cost) => Math.max(sum, cost), 1);
    let best: readonly number[] | undefined;
    for (let round = 0; round < MAX_ROUNDS && !this.#time.isOver; round++) {
      work.flows++;
      cut.run(price, taken, barred);
      for (const side of ['source', 'target'] as const) {
        const set = this.#needed(own, cut.cover(cut.cutSteps(side), taken, barred), rest, after);
        if (set !== undefined && (best === undefined || costOf(costs, set) < costOf(costs, best))) best = set;
      }
      moveSharesFar(cut);
    }
    return best;
  }

  /** @returns the set without unneeded packages; undefined if even the whole set leaves more or other principals exposed */
  #needed(
    own: number,
    set: readonly number[],
    rest: readonly number[],
    after: number,
  ): readonly number[] | undefined {
    const { costs } = this.#candidates;
    const isEnough = (labels: readonly number[]): boolean => {
      const [alone, both] = this.#candidates.weigh([
        [...rest, ...labels],
        [...rest, own, ...labels],
      ]);
      return alone <= after && both === alone;
    };
    if (set.length === 0 || !isEnough(set)) return undefined;
    let needed = [...set];
    for (const label of [...set].sort((a, b) => costs[b] - costs[a] || b - a)) {
      const without = needed.filter((other) => other !== label);
      if (without.length > 0 && isEnough(without)) needed = without;
    }
    return needed;
  }
}
