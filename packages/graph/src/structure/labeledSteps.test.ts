import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NodeSet } from '../columns/nodeSet.ts';
import { LabeledSteps } from './labeledSteps.ts';
import type { LabelSet } from './labelSet.ts';

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

describe('steps with labels', () => {
  it('weigh the nodes that reach a target, for any removed labels', () => {
    fc.assert(
      fc.property(worlds(3), ({ steps, targets, weights, choices }) => {
        const found = labeled(steps).weigh(targets, choices, Uint32Array.from(weights));
        expect(found).toEqual(choices.map((gone) => weightOf(comes(steps, targets, gone), weights)));
      }),
    );
  });

  it('count the nodes that a label of a single step cuts off', () => {
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
