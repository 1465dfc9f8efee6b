/** Compares cards with every set of packages on small graphs, and with planted first steps of all principals. */

import { LabeledStepsBuilder } from '@clew/graph';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WorkPackage } from '../packages/packageOrder.ts';
import { finish } from '../steps.ts';
import { Candidates } from './candidates.ts';
import type { CardSet } from './orderCards.ts';
import { LowerBound } from './planBound.ts';
import { PlanBounds } from './planBounds.ts';
import { findCards } from './planCards.ts';
import { SteepestSearch } from './steepestCard.ts';

/** Multiplies the number of random cases; nightly runs have more. */
const RUNS = Number(process.env.CLEW_TEST_RUNS ?? 1);

interface Step {
  readonly start: number;
  readonly end: number;
  readonly repairs: readonly number[];
}

const packageOf = (
  repairs: readonly number[],
  cost: number,
  more: Partial<WorkPackage> = {},
): WorkPackage => ({
  ...{ key: repairs.join('+'), kind: 'remove-member', subjects: [], repairs, cost },
  ...{ isAtomic: repairs.length === 1, isWide: false, isKept: false, root: 0 },
  ...more,
});

function candidatesOf(
  nodeCount: number,
  steps: readonly Step[],
  realms: readonly { readonly target: number; readonly weights: readonly number[] }[],
  packages: readonly WorkPackage[],
): Candidates {
  const builder = new LabeledStepsBuilder(nodeCount);
  for (const { start, end, repairs } of steps)
    builder.add(
      start,
      end,
      [...repairs].sort((a, b) => a - b),
    );
  const labels = Math.max(
    0,
    ...packages.flatMap(({ repairs }) => repairs),
    ...steps.flatMap(({ repairs }) => repairs),
  );
  return Candidates.of({
    steps: builder.build(labels + 1, undefined),
    targets: realms.map(({ target }) => [target]),
    groups: realms.map(({ weights }, realm) => ({ realm, weights: Uint32Array.from(weights) })),
    packages,
  });
}

const NODES = 10;
const REPAIRS = 7;
const nodeNumber = fc.nat(NODES - 1);

const worlds = fc.record({
  steps: fc.array(
    fc.record({
      start: nodeNumber,
      end: nodeNumber,
      repairs: fc.uniqueArray(fc.nat(REPAIRS - 1), { maxLength: 2 }),
    }),
    { minLength: 8, maxLength: 40, size: 'max' },
  ),
  weights: fc.array(fc.nat(20), { minLength: NODES, maxLength: NODES }),
  otherWeights: fc.array(fc.nat(20), { minLength: NODES, maxLength: NODES }),
  costs: fc.array(fc.integer({ min: 2, max: 8 }), { minLength: REPAIRS + 5, maxLength: REPAIRS + 5 }),
  groups: fc.array(fc.uniqueArray(fc.nat(REPAIRS - 1), { minLength: 2, maxLength: 4 }), { maxLength: 5 }),
  wide: fc.array(fc.boolean(), { minLength: REPAIRS + 5, maxLength: REPAIRS + 5 }),
});
type World = typeof worlds extends fc.Arbitrary<infer Of> ? Of : never;

/** Each repair alone, and some groups of them: at most 12 candidates. */
function small({ steps, weights, otherWeights, costs, groups, wide }: World): Candidates {
  const packages = [...Array.from({ length: REPAIRS }, (_, repair) => [repair]), ...groups].map(
    (repairs, at) =>
      packageOf(
        [...repairs].sort((a, b) => a - b),
        (costs[at] as number) / 2,
        { isWide: wide[at] as boolean, key: `${at}` },
      ),
  );
  return candidatesOf(
    NODES,
    steps,
    [
      { target: 0, weights },
      { target: 1, weights: otherWeights },
    ],
    packages,
  );
}

function allSets(count: number): number[][] {
  return Array.from({ length: 2 ** count }, (_, bits) =>
    Array.from({ length: count }, (__, label) => label).filter((label) => (bits >> label) & 1),
  );
}

/** The cost of every set, and the remaining exposure. */
function everySet(candidates: Candidates) {
  const sets = allSets(candidates.places.length);
  const lefts = candidates.weigh(sets);
  return sets.map((labels, at) => ({
    ...{ labels, left: lefts[at] as number },
    cost: labels.reduce((sum, label) => sum + (candidates.costs[label] as number), 0),
  }));
}

const steepness = ({ exposedBefore, exposedAfter, cost }: CardSet): number =>
  (exposedBefore - exposedAfter) / cost;

const toTheEnd = { isDone: () => false, counted: 0 };

describe('the steepest card', () => {
  it('is the steepest of all sets', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const candidates = small(world);
        const all = everySet(candidates);
        const exposed = all[0]?.left as number;
        const best = Math.max(0, ...all.slice(1).map(({ left, cost }) => (exposed - left) / cost));
        const found = new SteepestSearch(candidates).find({ taken: new Set() });
        expect(found === undefined ? 0 : (exposed - found.left) / found.cost).toBeCloseTo(best, 6);
      }),
      { numRuns: 100 * RUNS },
    );
  });

  it('never has a part that is steeper, nor a package that it does not need', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const candidates = small(world);
        const found = new SteepestSearch(candidates).find({ taken: new Set() });
        if (found === undefined) return;
        const [exposed] = candidates.weigh([[]]) as [number];
        const parts = allSets(found.labels.length)
          .slice(1, -1)
          .map((places) => places.map((place) => found.labels[place] as number));
        for (const [at, left] of candidates.weigh(parts).entries()) {
          const cost = (parts[at] as number[]).reduce(
            (sum, label) => sum + (candidates.costs[label] as number),
            0,
          );
          expect((exposed - left) / cost).toBeLessThan((exposed - found.left) / found.cost);
        }
      }),
      { numRuns: 50 * RUNS },
    );
  });
});

describe('lower bounds', () => {
  it('are never above what any set costs that leaves as few', () => {
    fc.assert(
      fc.property(
        worlds,
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 3, maxLength: 3 }),
        (world, prices) => {
          const candidates = small(world);
          const bound = new LowerBound(candidates, { prices: prices.map((price) => price / 20) });
          for (const { left, cost } of everySet(candidates))
            expect(bound.costOf(left)).toBeLessThanOrEqual(cost + 1e-9);
        },
      ),
      { numRuns: 50 * RUNS },
    );
  });

  it('are given for each card, and are met where the proof line says so', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const candidates = small(world);
        const cards = finish(findCards(candidates, toTheEnd));
        const bounds = new PlanBounds(candidates, cards);
        const all = everySet(candidates);
        for (const [at, { exposedAfter }] of cards.entries()) {
          const enough = all.filter(({ left }) => left <= exposedAfter);
          const { cost, packages, isProvenCheapest } = bounds.of(at);
          const least = Math.min(...enough.map((set) => set.cost));
          expect(cost).toBeLessThanOrEqual(least + 1e-9);
          expect(packages).toBeLessThanOrEqual(Math.min(...enough.map(({ labels }) => labels.length)));
          const spent = cards.slice(0, at + 1).reduce((sum, card) => sum + card.cost, 0);
          if (isProvenCheapest) expect(least).toBeCloseTo(spent, 6);
        }
      }),
      { numRuns: 50 * RUNS },
    );
  });
});

describe('the cards of a plan', () => {
  it('fall by less for their cost from card to card, and no part of one is steeper', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const candidates = small(world);
        const cards = finish(findCards(candidates, toTheEnd));
        const [exposed] = candidates.weigh([[]]) as [number];
        expect(cards.at(-1)?.exposedAfter ?? exposed).toBe(candidates.alwaysExposed);
        const base: number[] = [];
        for (const [at, card] of cards.entries()) {
          expect(steepness(card)).toBeGreaterThan(0);
          if (at > 0) expect(steepness(card)).toBeLessThanOrEqual(steepness(cards[at - 1] as CardSet) + 1e-6);
          const parts = allSets(card.packages.length)
            .slice(1, -1)
            .map((places) => candidates.labelsOf(places.map((place) => card.packages[place] as number)));
          for (const [place, left] of candidates.weigh(parts.map((part) => [...base, ...part])).entries()) {
            const cost = (parts[place] as number[]).reduce(
              (sum, label) => sum + (candidates.costs[label] as number),
              0,
            );
            expect((card.exposedBefore - left) / cost).toBeLessThanOrEqual(steepness(card) + 1e-6);
          }
          base.push(...candidates.labelsOf(card.packages));
        }
      }),
      { numRuns: 50 * RUNS },
    );
  });
});

describe('the search among packages that cuts name', () => {
  const byCuts = { ...toTheEnd, maxStepsAtOnce: 0 };

  it('begins with the steepest of all sets, and ends where the whole search ends', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        // Wide packages would come first, even if others are steeper.
        const candidates = small({ ...world, wide: world.wide.map(() => false) });
        const all = everySet(candidates);
        const exposed = all[0]?.left as number;
        const best = Math.max(0, ...all.slice(1).map(({ left, cost }) => (exposed - left) / cost));
        const cards = finish(findCards(candidates, byCuts));
        expect(cards.length === 0 ? 0 : steepness(cards[0] as CardSet)).toBeCloseTo(best, 6);
        expect(cards.at(-1)?.exposedAfter ?? exposed).toBe(candidates.alwaysExposed);
      }),
      { numRuns: 100 * RUNS },
    );
  });

  it.each([1, 2, 5, 11, 20])('finds %d planted first steps of everybody on one card', (k) => {
    const cards = finish(findCards(planted(k), byCuts));
    expect(cards.map(({ packages }) => packages)).toEqual([Array.from({ length: k }, (_, at) => at)]);
  });
});

it('the search goes on with packages that no flow used at first', () => {
  const candidates = crowded();
  // One principal per unit of cost is sufficient.
  const cards = finish(findCards(candidates, { ...toTheEnd, maxStepsAtOnce: 0, counted: 1000 }));
  expect(cards[0]?.packages).toEqual([0]);
  expect(cards.at(-1)?.exposedAfter).toBe(0);
});

/**
 * A crowd reaches a door over one step, and 50 pairs over two steps each. The flow of the crowd uses nearly the whole capacity of the door,
 * so little flow of few pairs passes; once the crowd is kept out, the pairs' own steps are cheaper than the door.
 */
function crowded(): Candidates {
  const [crowd, hub, target, firstPair, pairs] = [0, 1, 2, 3, 50];
  const steps: Step[] = [
    { start: crowd, end: hub, repairs: [0] },
    { start: hub, end: target, repairs: [1] },
  ];
  const packages = [packageOf([0], 65, { key: '0' }), packageOf([1], 67, { key: '1' })];
  const weights = [4000, 0, 0];
  for (let pair = 0; pair < pairs; pair++) {
    weights.push(2);
    for (let part = 0; part < 2; part++) {
      const repair = packages.push(packageOf([packages.length], 0.5, { key: String(packages.length) })) - 1;
      steps.push({ start: firstPair + pair, end: hub, repairs: [repair] });
    }
  }
  return candidatesOf(firstPair + pairs, steps, [{ target, weights }], packages);
}

/**
 * All principals have k parallel first steps, each removed by one package, followed by a fully connected wide core, and ten times
 * as many paths into the zone, each with its own repair.
 */
function planted(k: number): Candidates {
  const people = 400;
  const core = 30;
  const doors = 10 * k;
  const [firstCore, firstDoor] = [people + k, people + k + core];
  const target = firstDoor + doors;
  const steps: Step[] = [];
  for (let person = 0; person < people; person++)
    for (let first = 0; first < k; first++) steps.push({ start: person, end: people + first, repairs: [] });
  for (let first = 0; first < k; first++)
    steps.push({ start: people + first, end: firstCore + (first % core), repairs: [first] });
  for (let at = 0; at < core; at++)
    for (let far = 1; far <= 3; far++)
      steps.push({
        start: firstCore + at,
        end: firstCore + ((at + far) % core),
        repairs: [k + ((at * far) % doors)],
      });
  for (let at = 0; at < core; at++)
    steps.push({ start: firstCore + at, end: firstCore + ((at + 1) % core), repairs: [] });
  for (let door = 0; door < doors; door++) {
    steps.push({ start: firstCore + (door % core), end: firstDoor + door, repairs: [] });
    steps.push({ start: firstDoor + door, end: target, repairs: [k + door] });
  }
  const packages = Array.from({ length: k + doors }, (_, repair) =>
    packageOf([repair], 1, { key: String(repair) }),
  );
  const weights = Array.from({ length: target + 1 }, (_, node) => (node < people ? 1 : 0));
  return candidatesOf(target + 1, steps, [{ target, weights }], packages);
}

describe('planted first steps of everybody', () => {
  it.each(Array.from({ length: 20 }, (_, at) => at + 1))('are found: all %d of them on one card', (k) => {
    const candidates = planted(k);
    const cards = finish(findCards(candidates, toTheEnd));
    expect(cards.map(({ packages }) => packages)).toEqual([Array.from({ length: k }, (_, at) => at)]);
    const { cost, packages, changes, isProvenCheapest } = new PlanBounds(candidates, cards).of(0);
    expect({ cost, packages, changes, isProvenCheapest }).toEqual({
      ...{ cost: k, packages: k, changes: k, isProvenCheapest: true },
    });
  });

  it('are not a short list where there are more than twenty', () => {
    for (const k of [20, 41]) {
      const candidates = planted(k);
      const { noShortList } = new PlanBounds(candidates, finish(findCards(candidates, toTheEnd)));
      // The bound for half of the people is at least half of the steps.
      expect([k, noShortList]).toEqual([k, k === 41]);
    }
  });
});
