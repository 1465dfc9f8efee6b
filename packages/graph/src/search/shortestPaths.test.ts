import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryQuestion, buildGraph, filterOf, type Question } from '../../test/arbitraryGraph.ts';
import type { AttackGraph } from '../columns/attackGraph.ts';
import { edgeKindOf, endOf, startOf } from '../columns/lookup.ts';
import { NodeSet } from '../columns/nodeSet.ts';
import { CanceledError, newCancel, requestCancel } from './cancel.ts';
import { edgesOfKind } from './edgeFilter.ts';
import { shortestPaths } from './shortestPaths.ts';

type Step = [start: number, kind: number, end: number];

/** All paths without repeated nodes, by brute force; then the shortest of them, smallest first. */
function naiveShortestPaths(question: Question): Step[][] {
  const allowed = question.plain.edges.filter(
    ([start, kind, end]) =>
      question.kinds.includes(kind) && !question.blocked.includes(start) && !question.blocked.includes(end),
  );
  const steps = [
    ...new Map(allowed.map((edge) => [edge.slice(0, 3).join(), edge.slice(0, 3) as Step])).values(),
  ];
  let paths = steps
    .filter(([start]) => question.sources.includes(start) && !question.targets.includes(start))
    .map((step) => [step]);
  for (let length = 1; length <= question.plain.nodeCount; length++) {
    const done = paths.filter((path) => question.targets.includes(path[length - 1][2]));
    if (done.length > 0) return done.sort(comparePaths);
    paths = paths.flatMap((path) =>
      steps
        .filter(([start, , end]) => start === path[length - 1][2] && !path.some((step) => step[0] === end))
        .map((step) => [...path, step]),
    );
  }
  return [];
}

/** Compares by nodes first, then by kinds. */
function comparePaths(a: Step[], b: Step[]): number {
  const byNodes = a.findIndex((step, at) => step[2] !== b[at][2]);
  if (a[0][0] !== b[0][0]) return a[0][0] - b[0][0];
  if (byNodes >= 0) return a[byNodes][2] - b[byNodes][2];
  const byKinds = a.findIndex((step, at) => step[1] !== b[at][1]);
  return byKinds < 0 ? 0 : a[byKinds][1] - b[byKinds][1];
}

function stepsOf(graph: AttackGraph, edges: Uint32Array): Step[] {
  return Array.from(edges, (edge) => [startOf(graph, edge), edgeKindOf(graph, edge), endOf(graph, edge)]);
}

function sortSteps(steps: Step[]): Step[] {
  const unique = new Map(steps.map((step) => [step.join(), step]));
  return [...unique.values()].sort((a, b) => a[0] - b[0] || a[2] - b[2] || a[1] - b[1]);
}

function ask(question: Question, maxEdges?: number) {
  const graph = buildGraph(question.plain);
  const options = { filter: filterOf(question), blocked: NodeSet.of(graph.nodeCount, question.blocked) };
  return {
    graph,
    found: shortestPaths(graph, question.sources, question.targets, { ...options, maxEdges }),
  };
}

describe('shortestPaths', () => {
  it('finds the union of all shortest paths and the first one', () => {
    fc.assert(
      fc.property(arbitraryQuestion(10, 25), (question) => {
        const expected = naiveShortestPaths(question);
        const { graph, found } = ask(question);
        if (expected.length === 0) {
          expect(found).toBeUndefined();
          return;
        }
        expect(found?.length).toBe(expected[0].length);
        const edges = stepsOf(graph, found!.edges);
        expect(edges).toEqual(sortSteps(expected.flat()));
        expect(found?.edgeTotal).toBe(edges.length);
        expect([...found!.nodes]).toEqual(
          [...new Set(edges.flatMap(([start, , end]) => [start, end]))].sort((a, b) => a - b),
        );
        expect(stepsOf(graph, found!.path.edges)).toEqual(expected[0]);
        expect([...found!.path.nodes]).toEqual([expected[0][0][0], ...expected[0].map((step) => step[2])]);
      }),
      { numRuns: 1000 },
    );
  });

  it('truncates the union to whole paths, the canonical one first', () => {
    fc.assert(
      fc.property(arbitraryQuestion(8, 40), fc.nat(12), (question, maxEdges) => {
        const { graph, found } = ask(question, maxEdges);
        if (found === undefined) return;
        const all = ask(question).found!;
        expect(found.path).toEqual(all.path);
        expect(found.edgeTotal).toBe(all.edges.length);
        expect(found.edges.length).toBeLessThanOrEqual(Math.max(maxEdges, found.length));
        const kept = new Set(found.edges);
        expect(found.path.edges.every((edge) => kept.has(edge))).toBe(true);
        expect(found.edges.every((edge) => all.edges.includes(edge))).toBe(true);
        for (const edge of found.edges) {
          const [start, , end] = stepsOf(graph, Uint32Array.of(edge))[0];
          const steps = stepsOf(graph, found.edges);
          expect(question.sources.includes(start) || steps.some((step) => step[2] === start)).toBe(true);
          expect(question.targets.includes(end) || steps.some((step) => step[0] === end)).toBe(true);
        }
      }),
    );
  });

  it('keeps a further path of a truncated union if it fits', () => {
    // Two paths of two edges each; a third edge alone would lead nowhere.
    const edges = [
      [0, 1, 1, 0],
      [1, 1, 3, 0],
      [0, 1, 2, 0],
      [2, 1, 3, 0],
    ] as const;
    const graph = buildGraph({ nodeCount: 4, edges });
    expect(shortestPaths(graph, 0, 3, { maxEdges: 3 })?.edges).toHaveLength(2);
    expect(shortestPaths(graph, 0, 3, { maxEdges: 4 })?.edges).toHaveLength(4);
  });

  it('finds no path from a node to itself, with or without a loop', () => {
    const graph = buildGraph({
      nodeCount: 2,
      edges: [
        [0, 1, 0, 0],
        [0, 1, 1, 0],
        [1, 1, 0, 0],
      ],
    });
    expect(shortestPaths(graph, 0, 0)).toBeUndefined();
  });

  it('respects direction, filter and maximum length', () => {
    const graph = buildGraph({
      nodeCount: 3,
      edges: [
        [0, 1, 1, 0],
        [1, 2, 2, 0],
      ],
    });
    expect(shortestPaths(graph, 0, 2)?.length).toBe(2);
    expect(shortestPaths(graph, 2, 0)).toBeUndefined();
    expect(shortestPaths(graph, 0, 2, { filter: edgesOfKind(1) })).toBeUndefined();
    expect(shortestPaths(graph, 0, 2, { maxLength: 1 })).toBeUndefined();
    expect(shortestPaths(graph, 0, 1, { maxLength: 1 })?.length).toBe(1);
  });

  it('passes through a hub from the cheaper side', () => {
    // 0 -> 1 -> 2, where 1 is also entered from and left for two thousand others.
    const others = Array.from({ length: 2000 }, (_, at) => at + 3);
    const graph = buildGraph({
      nodeCount: 2003,
      edges: [
        [0, 1, 1, 0],
        [1, 1, 2, 0],
        ...others.map((node) => [node, 1, 1, 0] as const),
        ...others.map((node) => [1, 1, node, 0] as const),
      ],
    });
    expect(stepsOf(graph, shortestPaths(graph, 0, 2)!.edges)).toEqual([
      [0, 1, 1],
      [1, 1, 2],
    ]);
    expect(shortestPaths(graph, 3, 2002)?.path.nodes).toEqual(Uint32Array.of(3, 1, 2002));
  });

  it('returns the same result after any previous searches', () => {
    fc.assert(
      fc.property(arbitraryQuestion(), arbitraryQuestion(30, 60), (question, other) => {
        const before = ask(question).found;
        ask(other);
        expect(ask(question).found).toEqual(before);
      }),
    );
  });

  it('stops when canceled', () => {
    const graph = buildGraph({
      nodeCount: 3,
      edges: [
        [0, 1, 1, 0],
        [1, 1, 2, 0],
      ],
    });
    const cancel = newCancel();
    requestCancel(cancel);
    expect(() => shortestPaths(graph, 0, 2, { cancel })).toThrow(CanceledError);
    // The interrupted search leaves nothing behind.
    expect(shortestPaths(graph, 0, 2)?.length).toBe(2);
  });

  it('rejects ends that are not in the graph', () => {
    const graph = buildGraph({ nodeCount: 1, edges: [] });
    expect(() => shortestPaths(graph, 0, 1)).toThrow(RangeError);
    expect(() => shortestPaths(graph, -1, 0)).toThrow(RangeError);
  });
});
