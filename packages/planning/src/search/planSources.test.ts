/** Compares kernels built from the whole graph with those built from the kernel of all packages; also canceled searches. */

import { CanceledError, LabeledStepsBuilder, newCancel, requestCancel } from '@clew/graph';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { finish } from '../steps.ts';
import { WorkTime } from '../workTime.ts';
import { type CandidateInput, Candidates, LazyCandidates } from './candidates.ts';
import { findCards } from './planCards.ts';

const NODES = 9;
const REPAIRS = 6;
const nodeNumber = fc.nat(NODES - 1);
const someRepairs = fc.uniqueArray(fc.nat(REPAIRS - 1), { minLength: 1, maxLength: 3 });

const graphs = fc.record({
  steps: fc.array(fc.tuple(nodeNumber, nodeNumber, fc.uniqueArray(fc.nat(REPAIRS - 1), { maxLength: 2 })), {
    minLength: 8,
    maxLength: 30,
    size: 'max',
  }),
  weights: fc.array(fc.nat(9), { minLength: NODES, maxLength: NODES }),
  groups: fc.array(someRepairs, { minLength: 2, maxLength: 4 }),
  chosen: fc.uniqueArray(fc.nat(REPAIRS + 1), { maxLength: REPAIRS }),
  taken: fc.uniqueArray(fc.nat(REPAIRS + 1), { maxLength: 2 }),
  banned: fc.uniqueArray(fc.nat(REPAIRS + 1), { maxLength: 2 }),
});
type Graph = typeof graphs extends fc.Arbitrary<infer Of> ? Of : never;

const ascending = (numbers: readonly number[]): number[] => [...numbers].sort((a, b) => a - b);

/** Each repair alone, and some together; every second one is wide. */
function inputOf({ steps, weights, groups }: Graph): CandidateInput {
  const builder = new LabeledStepsBuilder(NODES);
  for (const [start, end, repairs] of steps) builder.add(start, end, ascending(repairs));
  const packages = [...Array.from({ length: REPAIRS }, (_, repair) => [repair]), ...groups].map(
    (repairs, at) => ({
      ...{ key: String(at), kind: 'remove-member' as const, subjects: [], repairs: ascending(repairs) },
      ...{
        cost: 1 + (at % 3) / 2,
        isAtomic: repairs.length === 1,
        isWide: at % 2 === 0,
        isKept: false,
        root: 0,
      },
    }),
  );
  return {
    ...{ steps: builder.build(REPAIRS, undefined), packages, targets: [[0], [1]] },
    groups: [0, 1].map((realm) => ({ realm, weights: Uint32Array.from(weights) })),
  };
}

describe('kernels of the whole graph', () => {
  it('know the principals that no package keeps out, without the kernel of all packages', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const input = inputOf(graph);
        expect(new LazyCandidates(input).alwaysExposed).toBe(Candidates.of(input).alwaysExposed);
      }),
      { numRuns: 500 },
    );
  });

  it('let through what those of the kernel of all packages let through', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const input = inputOf(graph);
        const taken = ascending(graph.taken);
        const chosen = ascending(graph.chosen).filter((place) => !taken.includes(place));
        const all = Candidates.of(input);
        const rest = all.places.filter((place) => !graph.banned.includes(place));
        const isWhole = graph.banned.length === 0;
        const [small, large] = [
          isWhole ? all : all.restricted(rest),
          isWhole ? new LazyCandidates(input) : new LazyCandidates(input, rest),
        ].map((source) => source.restricted(chosen, taken)) as [Candidates, Candidates];
        expect([large.places, large.alwaysExposed]).toEqual([small.places, small.alwaysExposed]);
        const choices = [[], ...chosen.map((_, at) => chosen.slice(at))];
        const weighed = [small, large].map((each) =>
          choices.map((places) => each.exposedBy(each.labelsOf(places))),
        );
        expect(weighed[1]).toEqual(weighed[0]);
      }),
      { numRuns: 200 },
    );
  });

  it('give cards whose fall per cost never rises, down to the principals that no package keeps out', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const input = inputOf(graph);
        const cards = finish(findCards(new LazyCandidates(input), { isDone: () => false, counted: 0 }));
        const all = Candidates.of(input);
        const falls = cards.map(
          ({ exposedBefore, exposedAfter, cost }) => (exposedBefore - exposedAfter) / cost,
        );
        for (const [at, fall] of falls.entries())
          expect(fall).toBeLessThanOrEqual((falls[at - 1] ?? Number.POSITIVE_INFINITY) + 1e-6);
        expect(cards.at(-1)?.exposedAfter ?? all.weigh([[]])[0]).toBe(all.alwaysExposed);
      }),
      { numRuns: 100 },
    );
  });
});

/** All principals (8) reach the target over two parallel steps, half of them over a third. */
const TWO_CARDS: Graph = {
  steps: [
    [2, 3, [0]],
    [3, 0, []],
    [4, 0, [1]],
  ],
  weights: [0, 0, 8, 0, 4, 0, 0, 0, 0],
  ...{ groups: [], chosen: [], taken: [], banned: [] },
};

describe('a search', () => {
  it('stops when it is canceled between two cards', () => {
    const cancel = newCancel();
    const source = Candidates.of({ ...inputOf(TWO_CARDS), cancel });
    const seen: number[] = [];
    const search = () =>
      finish(findCards(source, { isDone: () => false, counted: 0, cancel }), ({ exposed }) => {
        seen.push(exposed);
        requestCancel(cancel);
      });
    expect(search).toThrow(CanceledError);
    expect(seen).toHaveLength(1);
  });

  it('ends with its results so far when its time is over', () => {
    const time = new WorkTime(0);
    const cards = finish(
      findCards(Candidates.of(inputOf(TWO_CARDS)), { isDone: () => false, counted: 0, time }),
    );
    expect(time.isCut).toBe(true);
    for (const { exposedBefore, exposedAfter } of cards) expect(exposedAfter).toBeLessThan(exposedBefore);
  });

  it('finds the same cards from those of an earlier plan', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const source = Candidates.of(inputOf(graph));
        const options = { isDone: () => false, counted: 0 };
        const cards = finish(findCards(source, options));
        const again = finish(
          findCards(source, { ...options, previous: cards.map(({ packages }) => packages) }),
        );
        expect(again).toEqual(cards);
      }),
      { numRuns: 100 },
    );
  });
});
