import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryQuestion, buildGraph, filterOf, type Question } from '../../test/arbitraryGraph.ts';
import { NodeSet } from '../columns/nodeSet.ts';
import { distinctPaths, nearMiss } from './distinctPaths.ts';

/** All ways without a repeated node, as edge numbers. */
function allPaths(question: Question, from: number, to: number): number[][] {
  const graph = buildGraph(question.plain);
  const { offsets, neighbors, kinds } = graph.out;
  const found: number[][] = [];
  const walk = (node: number, edges: number[], seen: ReadonlySet<number>): void => {
    if (node === to && edges.length > 0) {
      found.push(edges);
      return;
    }
    for (let edge = offsets[node]; edge < offsets[node + 1]; edge++) {
      if (!question.kinds.includes(kinds[edge]) || seen.has(neighbors[edge])) continue;
      walk(neighbors[edge], [...edges, edge], new Set([...seen, neighbors[edge]]));
    }
  };
  walk(from, [], new Set([from]));
  return found;
}

const questions = arbitraryQuestion(6, 14).filter(
  ({ sources, targets }) => sources.length > 0 && targets.length > 0 && sources[0] !== targets[0],
);

describe('distinctPaths', () => {
  it('are the shortest paths without repeated nodes', () => {
    fc.assert(
      fc.property(questions, fc.integer({ min: 1, max: 6 }), (question, count) => {
        const [from, to] = [question.sources[0], question.targets[0]];
        const graph = buildGraph(question.plain);
        const found = distinctPaths(graph, from, to, { filter: filterOf(question), count });
        const all = allPaths(question, from, to);
        expect(found.map(({ edges }) => edges.length)).toEqual(
          all
            .map((edges) => edges.length)
            .sort((a, b) => a - b)
            .slice(0, count),
        );
        const keys = found.map(({ edges }) => edges.join());
        expect(new Set(keys).size).toBe(keys.length);
        for (const key of keys) expect(all.map((edges) => edges.join())).toContain(key);
      }),
    );
  });

  it('are the cheapest paths if edges have costs', () => {
    fc.assert(
      fc.property(questions, fc.integer({ min: 1, max: 6 }), fc.boolean(), (question, count, disjoint) => {
        const [from, to] = [question.sources[0], question.targets[0]];
        const graph = buildGraph(question.plain);
        const costOf = (start: number, kind: number, end: number): number => (start * 7 + kind + end * 3) % 5;
        const found = distinctPaths(graph, from, to, { filter: filterOf(question), count, costOf, disjoint });
        const costOfPath = (edges: readonly number[]): number =>
          edges.reduce((sum, edge) => {
            const start = graph.out.offsets.findLastIndex((offset) => offset <= edge);
            return sum + costOf(start, graph.out.kinds[edge], graph.out.neighbors[edge]);
          }, 0);
        const costs = found.map(({ edges }) => costOfPath([...edges]));
        const all = allPaths(question, from, to).map(costOfPath);
        const cheapest = all.sort((a, b) => a - b);
        if (disjoint) expect(costs[0]).toBe(cheapest[0]);
        else expect(costs).toEqual(cheapest.slice(0, count));
      }),
    );
  });

  it('avoid blocked nodes as if these were missing', () => {
    fc.assert(
      fc.property(questions, fc.integer({ min: 0, max: 5 }), fc.boolean(), (question, drawn, disjoint) => {
        const [from, to] = [question.sources[0], question.targets[0]];
        const graph = buildGraph(question.plain);
        const blocked = NodeSet.of(graph.nodeCount, [drawn % graph.nodeCount]);
        const options = { filter: filterOf(question), blocked };
        const found = distinctPaths(graph, from, to, { ...options, count: 1000, disjoint });
        for (const { nodes } of found) expect(nodes.some((node) => blocked.has(node))).toBe(false);
        const isFree = (edges: readonly number[]): boolean =>
          !blocked.has(from) && edges.every((edge) => !blocked.has(graph.out.neighbors[edge] as number));
        const free = allPaths(question, from, to).filter(isFree);
        if (disjoint) expect(found.length > 0).toBe(free.length > 0);
        else expect(found).toHaveLength(free.length);
        const { ahead, behind, gap } = nearMiss(graph, from, to, options);
        for (const node of blocked) {
          expect([ahead.has(node), behind.has(node)]).toEqual([false, false]);
          if (node !== from) expect(gap).not.toContain(node);
        }
      }),
    );
  });

  it('share no edge if they must be disjoint, and miss none', () => {
    fc.assert(
      fc.property(questions, (question) => {
        const [from, to] = [question.sources[0], question.targets[0]];
        const options = { filter: filterOf(question), count: 100, disjoint: true };
        const found = distinctPaths(buildGraph(question.plain), from, to, options);
        const used = found.flatMap(({ edges }) => [...edges]);
        expect(new Set(used).size).toBe(used.length);
        const left = allPaths(question, from, to).filter(
          (edges) => !edges.some((edge) => used.includes(edge)),
        );
        expect(left).toEqual([]);
      }),
    );
  });

  it('report the nearest miss if there is no path', () => {
    fc.assert(
      fc.property(questions, (question) => {
        const [from, to] = [question.sources[0], question.targets[0]];
        const graph = buildGraph(question.plain);
        const { ahead, behind, gap } = nearMiss(graph, from, to, { filter: filterOf(question) });
        const isPath = allPaths(question, from, to).length > 0;
        expect(ahead.intersects(behind)).toBe(isPath);
        expect([ahead.has(from), behind.has(to)]).toEqual([true, true]);
        const linked = question.plain.edges;
        for (const [at, node] of gap.entries()) {
          if (at === 0) continue;
          const before = gap[at - 1];
          expect(
            linked.some(([a, , b]) => (a === node && b === before) || (a === before && b === node)),
          ).toBe(true);
        }
        if (gap.length > 0) {
          expect([ahead.has(gap[0]), behind.has(gap.at(-1)!)]).toEqual([true, true]);
          expect(gap.slice(1).some((node) => ahead.has(node))).toBe(false);
        }
      }),
    );
  });
});
