/**
 * Puts cards in order, so that the fall of exposure per cost never rises: a card that is steeper than the one before it goes
 * first where it is as steep there, else both become one card, without what that no longer needs.
 *
 * Rule: `docs/plan.md#order`.
 */
import type { Candidates } from './candidates.ts';
import { costOf } from './steepestCard.ts';

export interface CardSet {
  /** Places of packages, ascending. */
  readonly packages: readonly number[];
  readonly cost: number;
  /** Principals that are exposed before it, and after it and all before. */
  readonly exposedBefore: number;
  readonly exposedAfter: number;
}

interface Card {
  readonly labels: readonly number[];
  readonly cost: number;
  readonly before: number;
  readonly after: number;
}

const EPSILON = 1e-9;
/** Exchanges of neighbors; past that, cards that are out of order become one. */
const MAX_SWAPS = 400;

/**
 * @param cards labels of each @param base labels that are taken before all of them
 * @param mayGoFirst whether a card may go before the one before it
 */
export function orderCards(
  candidates: Candidates,
  cards: readonly (readonly number[])[],
  base: readonly number[],
  mayGoFirst: (card: readonly number[], before: readonly number[]) => boolean,
): CardSet[] {
  const order = new Order(candidates, base);
  let measured = order.measured(cards);
  for (let swaps = 0; ; ) {
    const at = measured.findIndex((card, place) => place > 0 && isSteeper(card, measured[place - 1]));
    if (at < 0) break;
    const head = measured.slice(0, at - 1).map(({ labels }) => labels);
    const [first, second] = [measured[at - 1], measured[at]];
    const tail = measured.slice(at + 1).map(({ labels }) => labels);
    const swapped = order.measured([...head, second.labels, first.labels]).slice(at - 1);
    const isBetter =
      swaps < MAX_SWAPS &&
      swapped[0] !== undefined &&
      steepness(swapped[0]) >= steepness(first) * (1 - EPSILON) &&
      mayGoFirst(second.labels, [...base, ...head.flat()]);
    swaps++;
    const middle = isBetter
      ? [second.labels, first.labels]
      : order.united([...base, ...head.flat()], [...first.labels, ...second.labels], second.after);
    measured = order.measured([...head, ...middle, ...tail]);
  }
  return measured.map(({ labels, cost, before, after }) => ({
    ...{ packages: candidates.placesOf(labels), cost },
    ...{ exposedBefore: before, exposedAfter: after },
  }));
}

const steepness = ({ before, after, cost }: Card): number => (before - after) / cost;

const isSteeper = (card: Card, other: Card): boolean =>
  steepness(card) > steepness(other) * (1 + EPSILON) + EPSILON;

class Order {
  readonly #candidates: Candidates;
  readonly #base: readonly number[];

  constructor(candidates: Candidates, base: readonly number[]) {
    this.#candidates = candidates;
    this.#base = base;
  }

  /** Cards that do nothing where they are, are left out. */
  measured(cards: readonly (readonly number[])[]): Card[] {
    const prefixes = cards.map((_, at) => [...this.#base, ...cards.slice(0, at + 1).flat()]);
    const [whole, ...lefts] = this.#candidates.weigh([this.#base, ...prefixes]);
    return cards.flatMap((labels, at) => {
      const [before, after] = [at === 0 ? whole : lefts[at - 1], lefts[at]];
      if (after === before) return [];
      return [{ labels, cost: costOf(this.#candidates.costs, labels), before, after }];
    });
  }

  /** One card that does the same, without packages that it does not need; two where a part of it is steeper. */
  united(base: readonly number[], all: readonly number[], after: number): (readonly number[])[] {
    const { costs } = this.#candidates;
    const dearestFirst = [...all].sort((a, b) => costs[b] - costs[a] || b - a);
    let card = [...all].sort((a, b) => a - b);
    for (const label of dearestFirst) {
      const rest = card.filter((other) => other !== label);
      if (this.#candidates.weigh([[...base, ...rest]])[0] <= after) card = rest;
    }
    return [card];
  }
}
