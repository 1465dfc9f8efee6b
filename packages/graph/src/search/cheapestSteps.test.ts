import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryGraph, buildGraph } from '../../test/arbitraryGraph.ts';
import { NodeSet } from '../columns/nodeSet.ts';
import { CanceledError, newCancel, requestCancel } from './cancel.ts';
import { cheapestSteps, cheapestWay, NO_STEP, rowOf, UNREACHABLE } from './cheapestSteps.ts';

/** Costs by place follow from a list, so that every edge has one of its own. */
const questions = fc.record({
  plain: arbitraryGraph(),
  targets: fc.array(fc.nat(11), { maxLength: 4 }),
  blocked: fc.array(fc.nat(11), { maxLength: 2 }),
  costs: fc.array(fc.constantFrom(0, 0, 1, 2, 4, 8, NO_STEP), { minLength: 40, maxLength: 40 }),
});

describe('cheapestSteps', () => {
  it('finds the same costs and edges as Bellman-Ford relaxation', () => {
    fc.assert(
      fc.property(questions, ({ plain, targets: drawn, blocked: closed, costs }) => {
        const graph = buildGraph(plain);
        const blocked = NodeSet.of(
          graph.nodeCount,
          closed.filter((node) => node < graph.nodeCount),
        );
        const targets = drawn.filter((node) => node < graph.nodeCount && !blocked.has(node));
        const ofPlace = Uint8Array.from(graph.in.neighbors, (_, at) => costs[at % costs.length]);
        const found = cheapestSteps(graph, targets, { ofPlace, max: 8 }, undefined, blocked);
        const best = Array.from({ length: graph.nodeCount }, (_, node) =>
          targets.includes(node) ? [0, 0] : [Number.POSITIVE_INFINITY, 0],
        );
        for (let isChanged = true; isChanged; ) {
          isChanged = false;
          for (let at = 0; at < ofPlace.length; at++) {
            if (ofPlace[at] === NO_STEP) continue;
            const [start, end] = [graph.in.neighbors[at], rowOf(graph.in.offsets, at)];
            if (blocked.has(start) || blocked.has(end)) continue;
            const [cost, edges] = [best[end][0] + ofPlace[at], best[end][1] + 1];
            if (cost > best[start][0] || (cost === best[start][0] && edges >= best[start][1])) continue;
            if (cost === Number.POSITIVE_INFINITY) continue;
            best[start] = [cost, edges];
            isChanged = true;
          }
        }
        for (const [node, [cost, edges]] of best.entries()) {
          expect(found.costs[node]).toBe(cost === Number.POSITIVE_INFINITY ? UNREACHABLE : cost);
          const way = cheapestWay(graph, found, node);
          expect(way?.length).toBe(cost === Number.POSITIVE_INFINITY ? undefined : edges);
          let at = node;
          for (const place of way ?? []) {
            expect(graph.in.neighbors[place]).toBe(at);
            at = rowOf(graph.in.offsets, place);
          }
          if (way !== undefined) {
            expect(targets).toContain(at);
            expect(way.reduce((sum, place) => sum + ofPlace[place], 0)).toBe(cost);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it('has exact costs for paths of many edges', () => {
    const count = 3000;
    const plain = {
      nodeCount: count,
      edges: Array.from({ length: count - 1 }, (_, at) => [at, 1, at + 1, 0] as const),
    };
    const graph = buildGraph(plain);
    const ofPlace = Uint8Array.from(graph.in.neighbors, (start) => (start % 2 === 0 ? 8 : 0));
    const found = cheapestSteps(graph, [count - 1], { ofPlace, max: 8 });
    expect(found.costs[0]).toBe((count / 2) * 8);
    expect(cheapestWay(graph, found, 0)).toHaveLength(count - 1);
  });

  it('stops when canceled, and rejects a target that is not in the graph', () => {
    const graph = buildGraph({ nodeCount: 2, edges: [[0, 1, 1, 0]] });
    const costs = { ofPlace: Uint8Array.of(1), max: 1 };
    const cancel = newCancel();
    requestCancel(cancel);
    expect(() => cheapestSteps(graph, [1], costs, cancel)).toThrow(CanceledError);
    expect(() => cheapestSteps(graph, [2], costs)).toThrow(RangeError);
  });
});
