import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryQuestion, buildGraph, stepsFor, usableSteps } from '../testing/arbitraryGraph.ts';
import { CanceledError, newCancel, requestCancel } from './cancel.ts';
import { reverseSteps, type StepRows, selectSteps } from './steps.ts';

function pairs({ offsets, targets }: StepRows): [number, number][] {
  return Array.from(offsets.subarray(1), (end, node) =>
    Array.from(targets.subarray(offsets[node], end), (target): [number, number] => [node, target]),
  ).flat();
}

function byBothEnds(a: [number, number], b: [number, number]): number {
  return a[0] - b[0] || a[1] - b[1];
}

describe('selectSteps', () => {
  it('keeps each usable pair once, in order, both ways', () => {
    fc.assert(
      fc.property(arbitraryQuestion(), (question) => {
        const steps = stepsFor(question, buildGraph(question.plain));
        const expected = usableSteps(question);
        expect(pairs(steps.ahead)).toEqual(expected.sort(byBothEnds));
        const turned = expected.map(([from, to]): [number, number] => [to, from]);
        expect(pairs(steps.behind)).toEqual(turned.sort(byBothEnds));
      }),
    );
  });

  it('stops when canceled', () => {
    const cancel = newCancel();
    requestCancel(cancel);
    expect(() => selectSteps(buildGraph({ nodeCount: 1, edges: [] }), { cancel })).toThrow(CanceledError);
  });
});

describe('reverseSteps', () => {
  it('swaps the ways', () => {
    const steps = selectSteps(buildGraph({ nodeCount: 2, edges: [[0, 1, 1, 0]] }));
    const turned = reverseSteps(steps);
    expect(pairs(steps.ahead)).toEqual([[0, 1]]);
    expect(pairs(turned.ahead)).toEqual([[1, 0]]);
    expect(turned.behind).toBe(steps.ahead);
  });
});
