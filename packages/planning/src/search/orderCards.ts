/**
 * Orders cards so that the effect per cost never increases: a card that is steeper than the previous one is merged with it, and
 * packages that are no longer needed are dropped. A card that breaks something must not be merged, so it is dropped instead.
 *
 * Rule: `docs/plan.md#order`.
 */
import { costOf } from './bestSet.ts';
import type { Candidates } from './candidates.ts';

export interface CardSet {
  /** Places of packages, ascending. */
  readonly packages: readonly number[];
  readonly cost: number;
  /** Exposed principals before the card, and after it and all earlier cards. */
  readonly exposedBefore: number;
  readonly exposedAfter: number;
  /** Exposed principals after the card, by group. */
  readonly exposed: readonly number[];
}

interface Card {
  readonly labels: readonly number[];
  readonly cost: number;
  readonly before: number;
  readonly after: number;
}

const EPSILON = 1e-9;

export interface OrderOptions {
  /** Labels taken before all cards. */
  readonly base: readonly number[];
  /** Whether a card that breaks something is dropped instead of merged; default: true. */
  readonly standsAlone?: boolean;
}

/** @param cards labels of each card, each with an effect after the earlier ones */
export function orderCards(
  candidates: Candidates,
  cards: readonly (readonly number[])[],
  { base, standsAlone = true }: OrderOptions,
): CardSet[] {
  const ordered: Card[] = [];
  const isKept = (label: number): boolean => candidates.packages[candidates.places[label]].isKept;
  for (const labels of cards) {
    let card = cardOf(candidates, [...base, ...ordered.flatMap((one) => one.labels)], labels);
    const last = ordered.at(-1);
    const isMerged = last !== undefined && isSteeper(card, last);
    if (card.after >= card.before || (isMerged && standsAlone && labels.some(isKept))) continue;
    for (let last = ordered.at(-1); last !== undefined && isSteeper(card, last); last = ordered.at(-1)) {
      ordered.pop();
      const before = [...base, ...ordered.flatMap((one) => one.labels)];
      const needed = withoutNeedless(candidates, before, [...last.labels, ...card.labels], card.after);
      card = cardOf(candidates, before, needed);
    }
    ordered.push(card);
  }
  const done = [...base];
  return ordered.map(({ labels, cost, before, after }) => {
    done.push(...labels);
    return {
      ...{ packages: candidates.placesOf(labels), cost },
      ...{ exposedBefore: before, exposedAfter: after, exposed: candidates.exposedBy(done) },
    };
  });
}

const steepness = ({ before, after, cost }: Card): number => (before - after) / cost;

const isSteeper = (card: Card, other: Card): boolean =>
  steepness(card) > steepness(other) * (1 + EPSILON) + EPSILON;

function cardOf(candidates: Candidates, base: readonly number[], labels: readonly number[]): Card {
  const [before, after] = candidates.weigh([base, [...base, ...labels]]);
  return { labels, cost: costOf(candidates.costs, labels), before, after };
}

function withoutNeedless(
  candidates: Candidates,
  base: readonly number[],
  labels: readonly number[],
  after: number,
): number[] {
  const { costs } = candidates;
  let card = [...labels].sort((a, b) => a - b);
  for (const label of [...labels].sort((a, b) => costs[b] - costs[a] || b - a)) {
    const rest = card.filter((other) => other !== label);
    if (candidates.weigh([[...base, ...rest]])[0] <= after) card = rest;
  }
  return card;
}
