/**
 * Orders the packages of a card so that each reduces the remaining cost as far as possible, with the remaining cost after each.
 */
import type { Cancel } from '@clew/graph';
import type { WorkTime } from '../workTime.ts';
import type { Candidates } from './candidates.ts';
import type { CardSet } from './orderCards.ts';
import { LowerBound } from './planBound.ts';

export interface CardStep {
  /** Place of the package. */
  readonly place: number;
  /** Lower bound of the remaining cost of the card after this package; missing if the time limit was reached. */
  readonly costStillNeeded: number | undefined;
}

/** Larger cards keep their order, because each step would try all other packages. */
const MAX_TRIED = 7;
const ROUNDS = 6;

/**
 * @param candidates without taken packages
 * @param before places of the packages of all earlier cards
 * @param time after it, the remaining packages keep their order
 */
export function cardSteps(
  candidates: Candidates,
  card: CardSet,
  before: readonly number[],
  { cancel, time }: { readonly cancel: Cancel | undefined; readonly time: WorkTime },
): CardStep[] {
  const { cost, exposedBefore, exposedAfter, packages } = card;
  if (packages.length === 1) return [{ place: packages[0], costStillNeeded: 0 }];
  const base = candidates.labelsOf(before);
  const price = cost / (exposedBefore - exposedAfter);
  const needed = (done: readonly number[]): number => {
    const taken = new Set([...base, ...candidates.labelsOf(done)]);
    return new LowerBound(candidates, {
      ...{ taken, prices: [price, 3 * price, 12 * price], rounds: ROUNDS, cancel, time },
    }).costOf(exposedAfter);
  };
  const steps: CardStep[] = [];
  let open = [...packages];
  while (open.length > 0) {
    if (time.isOver) return [...steps, ...untold(open)];
    const done = steps.map(({ place }) => place);
    const costOf = (place: number): number => candidates.packages[place].cost;
    const rated =
      open.length === 1
        ? [{ place: open[0], left: 0 }]
        : (packages.length > MAX_TRIED ? open.slice(0, 1) : open).map((place) => ({
            place,
            left: needed([...done, place]),
          }));
    if (time.isOver) return [...steps, ...untold(open)];
    const last = steps.at(-1)?.costStillNeeded ?? cost;
    const gain = ({ place, left }: (typeof rated)[number]): number => (last - left) / costOf(place);
    const best = rated.reduce((a, b) => (gain(b) > gain(a) + 1e-6 ? b : a));
    // A higher bound found with fewer packages done also applies to the rest, minus the cost of the packages done since.
    steps.push({ place: best.place, costStillNeeded: rounded(Math.max(0, Math.min(best.left, last))) });
    open = open.filter((place) => place !== best.place);
  }
  return steps;
}

/** Without bounds, only the remaining cost after the last package is known: zero. */
export const untold = (places: readonly number[]): CardStep[] =>
  places.map((place, at) => ({ place, costStillNeeded: at === places.length - 1 ? 0 : undefined }));

const rounded = (cost: number): number => Math.floor(cost * 100 + 1e-3) / 100;
