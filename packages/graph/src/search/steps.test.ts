import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryQuestion, buildGraph, stepsFor, usableSteps } from '../../test/arbitraryGraph.ts';
import { placesOfKind } from '../columns/edgePlaces.ts';
import { NodeSet } from '../columns/nodeSet.ts';
import { CanceledError, newCancel, requestCancel } from './cancel.ts';
import { edgesOfKind } from './edgeFilter.ts';
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
  it('keeps each usable pair once, in order, in both directions', () => {
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

  it('finds edges of rare kinds like a scan of all edges', () => {
    const node = fc.nat(19);
    const edge = fc.tuple(node, fc.integer({ min: 1, max: 60 }), node, fc.constant(0));
    const edges = fc.uniqueArray(edge, { minLength: 100, maxLength: 300, selector: String });
    let few = 0;
    fc.assert(
      fc.property(
        edges,
        fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 5 }),
        fc.array(node, { maxLength: 3 }),
        (all, kinds, blocked) => {
          const graph = buildGraph({ nodeCount: 20, edges: all });
          const filter = edgesOfKind(...kinds);
          const steps = selectSteps(graph, { filter, blocked: NodeSet.of(20, blocked) });
          if (kinds.length <= 4 && kinds.every((kind) => placesOfKind(graph.out, kind) !== undefined)) few++;
          const usable = all.filter(
            ([start, kind, end]) =>
              kinds.includes(kind) && !blocked.includes(start) && !blocked.includes(end),
          );
          const expected = [...new Set(usable.map(([start, , end]) => start * 20 + end))]
            .sort((a, b) => a - b)
            .map((pair): [number, number] => [Math.floor(pair / 20), pair % 20]);
          expect(pairs(steps.ahead)).toEqual(expected);
          const turned = expected.map(([from, to]): [number, number] => [to, from]);
          expect(pairs(steps.behind)).toEqual(turned.sort(byBothEnds));
        },
      ),
    );
    expect(few).toBeGreaterThan(10);
  });

  it('stops when canceled, with any filter', () => {
    const cancel = newCancel();
    requestCancel(cancel);
    const one = buildGraph({ nodeCount: 1, edges: [] });
    expect(() => selectSteps(one, { cancel, filter: edgesOfKind(1) })).toThrow(CanceledError);
    expect(() => selectSteps(buildGraph({ nodeCount: 1, edges: [] }), { cancel })).toThrow(CanceledError);
  });
});

describe('reverseSteps', () => {
  it('reverses the directions', () => {
    const steps = selectSteps(buildGraph({ nodeCount: 2, edges: [[0, 1, 1, 0]] }));
    const turned = reverseSteps(steps);
    expect(pairs(steps.ahead)).toEqual([[0, 1]]);
    expect(pairs(turned.ahead)).toEqual([[1, 0]]);
    expect(turned.behind).toBe(steps.ahead);
  });
});
