import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CancelledError, newCancel, requestCancel } from './cancel.ts';
import { reverseSteps, type Steps, selectSteps } from './steps.ts';
import { arbitraryQuestion, buildGraph, stepsFor, usableSteps } from './test/arbitraryGraph.ts';

function pairs(steps: Steps): [number, number][] {
  return Array.from({ length: steps.nodeCount }, (_, node) =>
    Array.from(
      steps.targets.subarray(steps.offsets[node], steps.offsets[node + 1]),
      (target): [number, number] => [node, target],
    ),
  ).flat();
}

function byBothEnds(a: [number, number], b: [number, number]): number {
  return a[0] - b[0] || a[1] - b[1];
}

describe('selectSteps', () => {
  it('keeps each usable pair once, in order', () => {
    fc.assert(
      fc.property(arbitraryQuestion(), (question) => {
        const steps = stepsFor(question, buildGraph(question.plain));
        expect(pairs(steps)).toEqual(usableSteps(question).sort(byBothEnds));
      }),
    );
  });

  it('stops when cancelled', () => {
    const cancel = newCancel();
    requestCancel(cancel);
    expect(() => selectSteps(buildGraph({ nodeCount: 1, edges: [] }), { cancel })).toThrow(CancelledError);
  });
});

describe('reverseSteps', () => {
  it('turns each pair round, in order', () => {
    fc.assert(
      fc.property(arbitraryQuestion(), (question) => {
        const steps = stepsFor(question, buildGraph(question.plain));
        const turned = pairs(steps).map(([from, to]): [number, number] => [to, from]);
        expect(pairs(reverseSteps(steps))).toEqual(turned.sort(byBothEnds));
      }),
    );
  });
});
