import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  arbitraryQuestion,
  buildGraph,
  naiveReach,
  stepsFor,
  usableSteps,
} from '../../test/arbitraryGraph.ts';
import { Closure } from './closure.ts';

describe('Closure', () => {
  it.each([
    ['everything', undefined, 80],
    ['next to nothing', 400, 80],
    ['everything, where few nodes have steps', undefined, 8],
  ])('returns the same as a fresh walk, in any order of calls, while caching %s', (_, maxBytes, maxEdges) => {
    fc.assert(
      fc.property(
        arbitraryQuestion(40, maxEdges),
        fc.array(fc.nat(39), { maxLength: 60, size: 'max' }),
        (question, asked) => {
          const closure = new Closure(stepsFor(question, buildGraph(question.plain)), { maxBytes });
          const steps = usableSteps(question);
          for (const node of asked.filter((candidate) => candidate < question.plain.nodeCount)) {
            const reached = new Set(
              steps.filter(([from]) => from === node).flatMap(([, to]) => naiveReach(question, to)),
            );
            expect([...closure.of(node)]).toEqual([...reached].sort((a, b) => a - b));
            expect(closure.isInCircle(node)).toBe(reached.has(node));
            expect([...closure.withSelf(node)]).toEqual(naiveReach(question, node));
          }
          const all = new Set(question.sources.flatMap((node) => naiveReach(question, node)));
          expect([...closure.ofAll(question.sources)]).toEqual([...all].sort((a, b) => a - b));
        },
      ),
    );
  });

  it('caches at most its limit, and the results used last', () => {
    // Node n reaches n + 1 .. 99.
    const edges = Array.from({ length: 99 }, (_, node) => [node, 1, node + 1, 0] as const);
    const plain = { nodeCount: 100, edges };
    const question = { plain, direction: 'out' as const, kinds: [1], blocked: [], sources: [], targets: [] };
    const closure = new Closure(stepsFor(question, buildGraph(plain)), { maxBytes: 1000 });
    const first = closure.of(0);
    for (let node = 1; node < 99; node++) {
      closure.of(node);
      expect(closure.of(0)).toBe(first);
      expect(closure.keptBytes).toBeLessThanOrEqual(1000);
    }
    expect(closure.keptBytes).toBeGreaterThan(0);
  });

  it('returns the same set for all nodes of a cycle', () => {
    const plain = {
      nodeCount: 3,
      edges: [[0, 1, 1, 0] as const, [1, 1, 0, 0] as const, [1, 1, 2, 0] as const],
    };
    const question = { plain, direction: 'out' as const, kinds: [1], blocked: [], sources: [], targets: [] };
    const closure = new Closure(stepsFor(question, buildGraph(plain)));
    expect(closure.of(0)).toBe(closure.of(1));
    expect(closure.isInCircle(0)).toBe(true);
  });
});
