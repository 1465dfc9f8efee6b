import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NodeSet } from '../columns/nodeSet.ts';
import type { LabelSet } from '../flow/labeledCut.ts';
import { LabeledSteps } from './labeledSteps.ts';

interface Step {
  readonly start: number;
  readonly end: number;
  readonly labels: readonly number[];
}

const NODES = 9;
const LABELS = 6;
const node = fc.nat(NODES - 1);

/** @param most labels of a step */
const worlds = (most: number, maxSteps = 22) =>
  fc.record({
    steps: fc.array(
      fc.record({
        start: node,
        end: node,
        labels: fc
          .uniqueArray(fc.nat(LABELS - 1), { maxLength: most })
          .map((all) => all.sort((a, b) => a - b)),
      }),
      { maxLength: maxSteps, size: 'max' },
    ),
    targets: fc.uniqueArray(node, { maxLength: 3 }),
    weights: fc.array(fc.nat(3), { minLength: NODES, maxLength: NODES }),
    choices: fc.array(fc.uniqueArray(fc.nat(LABELS - 1), { maxLength: LABELS }), {
      maxLength: 70,
      size: 'max',
    }),
    sources: fc.uniqueArray(node, { minLength: 1, maxLength: 2 }),
    costs: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: LABELS, maxLength: LABELS }),
  });

function labeled(steps: readonly Step[]): LabeledSteps {
  const sets: LabelSet[] = [[]];
  const ordered = [...steps].sort((a, b) => a.end - b.end);
  const setOf = ordered.map(({ labels }) => (labels.length === 0 ? 0 : sets.push(labels) - 1));
  const offsets = Uint32Array.from(
    { length: NODES + 1 },
    (_, at) => ordered.filter(({ end }) => end < at).length,
  );
  return new LabeledSteps({
    ...{ nodeCount: NODES, labelCount: LABELS, offsets, sets },
    starts: Uint32Array.from(ordered, ({ start }) => start),
    setOf: Uint32Array.from(setOf),
  });
}

/** Nodes that reach a target when these labels are removed. */
function comes(steps: readonly Step[], targets: readonly number[], gone: readonly number[]): Set<number> {
  const reached = new Set(targets);
  for (const at of reached)
    for (const { start, end, labels } of steps)
      if (end === at && !labels.some((label) => gone.includes(label))) reached.add(start);
  return reached;
}

const weightOf = (nodes: Iterable<number>, weights: readonly number[]): number =>
  [...nodes].reduce((sum, at) => sum + weights[at], 0);

const allChoices = Array.from({ length: 2 ** LABELS }, (_, bits) =>
  Array.from({ length: LABELS }, (_, label) => label).filter((label) => (bits >> label) & 1),
);

describe('steps with labels', () => {
  it('weigh the nodes that reach a target, whatever is removed', () => {
    fc.assert(
      fc.property(worlds(3), ({ steps, targets, weights, choices }) => {
        const found = labeled(steps).weigh(targets, choices, Uint32Array.from(weights));
        expect(found).toEqual(choices.map((gone) => weightOf(comes(steps, targets, gone), weights)));
      }),
    );
  });

  it('say how much goes over the steps of each label, of those that are left', () => {
    fc.assert(
      fc.property(worlds(3), ({ steps, weights, targets, choices: [taken = []] }) => {
        const counted = Uint8Array.from({ length: NODES }, (_, at) => Number(targets.includes(at)));
        const left = steps.filter(
          ({ labels, end }) => targets.includes(end) && !labels.some((label) => taken.includes(label)),
        );
        const expected = Array.from({ length: LABELS }, (_, label) =>
          left
            .filter(({ labels }) => labels.includes(label))
            .reduce((sum, { start }) => sum + weights[start], 0),
        );
        expect([...labeled(steps).loads(Float64Array.from(weights), counted, new Set(taken))]).toEqual(
          expected,
        );
      }),
    );
  });

  it('are cut so that no source reaches a target, at the least cost where no label is shared', () => {
    fc.assert(
      fc.property(worlds(1), fc.boolean(), ({ steps: drawn, targets, sources, costs, choices }, own) => {
        // Each label on one step, or on any number.
        const steps = own
          ? drawn.map((step, at) => ({
              ...step,
              labels: step.labels.length === 0 || at >= LABELS ? [] : [at],
            }))
          : drawn;
        const taken = choices[0] ?? [];
        const cut = labeled(steps).cut(sources, targets, Float64Array.from(costs), new Set(taken));
        const isCut = (gone: readonly number[]): boolean => {
          const left = comes(steps, targets, [...taken, ...gone]);
          return sources.every((source) => !left.has(source));
        };
        const costOf = (gone: readonly number[]) => gone.reduce((sum, label) => sum + costs[label], 0);
        const possible = allChoices.filter((gone) => isCut(gone)).map(costOf);
        if (cut === undefined) expect(possible).toEqual([]);
        else {
          expect(isCut(cut)).toBe(true);
          if (own) {
            const least = costOf(cut);
            expect(least).toBe(Math.min(...possible));
            const bounded = (maxCost: number) =>
              labeled(steps).cut(sources, targets, Float64Array.from(costs), new Set(taken), { maxCost });
            expect(bounded(least)).toEqual(cut);
            if (least > 0) expect(bounded(least - 1)).toBeUndefined();
          }
        }
      }),
    );
  });

  it('say how many nodes a label of one step keeps out', () => {
    fc.assert(
      fc.property(worlds(2), ({ steps, targets, weights, choices }) => {
        const taken = choices[0] ?? [];
        const counted = weights.flatMap((weight, at) => (weight > 0 ? [at] : []));
        const count = (nodes: ReadonlySet<number>) => counted.filter((at) => nodes.has(at)).length;
        const found = labeled(steps).countsOfSingles(targets, NodeSet.of(NODES, counted), new Set(taken));
        const before = count(comes(steps, targets, taken));
        for (let label = 0; label < LABELS; label++) {
          const open = steps.filter(({ labels }) => !labels.some((one) => taken.includes(one)));
          const carriers = open.filter(({ labels }) => labels.includes(label));
          const kept = before - count(comes(steps, targets, [...taken, label]));
          const [only] = carriers;
          const isAlone =
            carriers.length === 1 &&
            open.filter(({ start, end }) => start === only?.start && end === only.end).length === 1;
          if (isAlone) expect(found[label]).toBe(kept);
        }
      }),
      { numRuns: 300 },
    );
  });
});
