import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NodeSet } from '../columns/nodeSet.ts';
import { CanceledError, newCancel, requestCancel } from '../search/cancel.ts';
import { reachableNodes } from '../search/reachableNodes.ts';
import { reverseSteps } from '../search/steps.ts';
import {
  arbitraryQuestion,
  buildGraph,
  naiveReach,
  type Question,
  stepsFor,
} from '../testing/arbitraryGraph.ts';
import { BitCounters } from './bitCounters.ts';
import { condense } from './condensation.ts';
import { countReached, countReachedByComponent, countReachedByWalk } from './reachCounts.ts';

function naiveCounts(question: Question, sources: readonly number[], counted: NodeSet): number[] {
  return sources.map((node) => naiveReach(question, node).filter((reached) => counted.has(reached)).length);
}

/** Every node three times over, so that there are more than 32 sources, in no order. */
function manySources({ plain }: Question): number[] {
  return Array.from({ length: plain.nodeCount * 3 }, (_, at) => (at * 7) % plain.nodeCount);
}

describe('counting reached nodes', () => {
  it('equals a walk from each source, by walk and by component, along the steps and against them', () => {
    fc.assert(
      fc.property(arbitraryQuestion(30, 60), (question) => {
        const steps = stepsFor(question, buildGraph(question.plain));
        const counted = NodeSet.of(question.plain.nodeCount, question.targets);
        const sources = manySources(question);
        const expected = naiveCounts(question, sources, counted);
        expect([...countReachedByWalk(steps, sources, counted)]).toEqual(expected);
        expect([...countReachedByComponent(condense(steps), sources, counted, 'ahead')]).toEqual(expected);
        const backwards = condense(reverseSteps(steps));
        expect([...countReachedByComponent(backwards, sources, counted, 'behind')]).toEqual(expected);
        expect([...countReached(steps, sources, counted)]).toEqual(expected);
      }),
    );
  });

  it('goes on from node to node after sweeping', () => {
    // A wide star, and a chain against the order of sweeps: 0 -> 1 .. 100 and 0 -> 199 -> 198 -> ... -> 101.
    const star = Array.from({ length: 100 }, (_, at) => [0, 1, at + 1, 0] as const);
    const chain = Array.from({ length: 98 }, (_, at) => [199 - at, 1, 198 - at, 0] as const);
    const plain = { nodeCount: 200, edges: [...star, [0, 1, 199, 0] as const, ...chain] };
    const question = { plain, direction: 'out' as const, kinds: [1], blocked: [], sources: [], targets: [] };
    const graph = buildGraph(plain);
    const counts = countReachedByWalk(stepsFor(question, graph), [0, 199, 120], NodeSet.all(200));
    expect([...counts]).toEqual([200, 99, 20]);
    expect(reachableNodes(graph, [0]).size).toBe(200);
    expect(reachableNodes(graph, [199]).size).toBe(99);
  });

  it('counts for more sources than one pass over the components takes', () => {
    // 1,500 pairs: node 2n leads to 2n + 1, and every one of these to the last node.
    const nodeCount = 3001;
    const edges = Array.from({ length: 1500 }, (_, pair) => [
      [pair * 2, 1, pair * 2 + 1, 0] as const,
      [pair * 2 + 1, 1, 3000, 0] as const,
    ]).flat();
    const plain = { nodeCount, edges };
    const question = { plain, direction: 'out' as const, kinds: [1], blocked: [], sources: [], targets: [] };
    const sources = Array.from({ length: nodeCount }, (_, node) => node);
    const counts = countReached(stepsFor(question, buildGraph(plain)), sources, NodeSet.all(nodeCount));
    expect([...counts]).toEqual(sources.map((node) => (node === 3000 ? 1 : node % 2 === 0 ? 3 : 2)));
  });

  it('stops when canceled', () => {
    const plain = { nodeCount: 1, edges: [] };
    const question = { plain, direction: 'out' as const, kinds: [], blocked: [], sources: [], targets: [] };
    const steps = stepsFor(question, buildGraph(plain));
    const cancel = newCancel();
    requestCancel(cancel);
    expect(() => countReachedByWalk(steps, [0], NodeSet.all(1), cancel)).toThrow(CanceledError);
    expect(() => countReachedByComponent(condense(steps), [0], NodeSet.all(1), 'ahead', cancel)).toThrow(
      CanceledError,
    );
  });
});

describe('BitCounters', () => {
  it('adds each weight to the counters of the bits that are set', () => {
    const words = fc.array(fc.tuple(fc.nat(0xffff_ffff), fc.oneof(fc.nat(3), fc.nat(0xff_ffff))), {
      maxLength: 50,
      size: 'max',
    });
    fc.assert(
      fc.property(words, (added) => {
        const counters = new BitCounters();
        counters.add(0xffff_ffff, 5);
        counters.clear();
        for (const [word, weight] of added) counters.add(word, weight);
        for (let bit = 0; bit < 32; bit++) {
          const expected = added.reduce((sum, [word, weight]) => sum + ((word >>> bit) & 1) * weight, 0);
          expect(counters.count(bit)).toBe(expected);
        }
      }),
    );
  });
});
