/**
 * Small random graphs for property tests: few nodes and kinds, so that parallel edges, repetitions, self loops, cycles, disconnected parts
 * and the empty graph all occur often.
 */
import fc from 'fast-check';
import type { AttackGraph } from '../src/columns/attackGraph.ts';
import { NodeSet } from '../src/columns/nodeSet.ts';
import { GraphBuilder } from '../src/making/graphBuilder.ts';
import { edgesOfKind } from '../src/search/edgeFilter.ts';
import { type Steps, selectSteps } from '../src/search/steps.ts';

export type PlainEdge = readonly [start: number, kind: number, end: number, flags: number];

export interface PlainGraph {
  readonly nodeCount: number;
  /** In any order, with repetitions. */
  readonly edges: readonly PlainEdge[];
}

/** Kinds that random edges have: a built-in one, a custom one and the last possible. */
export const KINDS = [1, 2, 1000, 65_535] as const;

export function arbitraryGraph(maxNodes = 12, maxEdges = 40): fc.Arbitrary<PlainGraph> {
  return fc.integer({ min: 0, max: maxNodes }).chain((nodeCount) =>
    fc.record({
      nodeCount: fc.constant(nodeCount),
      edges:
        nodeCount === 0
          ? fc.constant([])
          : fc.array(
              fc.tuple(fc.nat(nodeCount - 1), fc.constantFrom(...KINDS), fc.nat(nodeCount - 1), fc.nat(255)),
              // Without a size, lists would rarely be longer than ten.
              { maxLength: maxEdges, size: 'max' },
            ),
    }),
  );
}

/** A random graph together with some of its nodes, and kinds to follow. */
export interface Question {
  readonly plain: PlainGraph;
  readonly sources: number[];
  readonly targets: number[];
  readonly blocked: number[];
  readonly kinds: number[];
  readonly direction: 'out' | 'in';
}

export function arbitraryQuestion(maxNodes = 12, maxEdges = 40): fc.Arbitrary<Question> {
  return arbitraryGraph(maxNodes, maxEdges).chain((plain) => {
    const nodes = (maxLength: number) =>
      plain.nodeCount === 0
        ? fc.constant<number[]>([])
        : fc.array(fc.nat(plain.nodeCount - 1), { maxLength });
    return fc.record({
      plain: fc.constant(plain),
      sources: nodes(5),
      targets: nodes(5),
      blocked: nodes(3),
      kinds: fc.oneof(fc.constant<number[]>([...KINDS]), fc.subarray<number>([...KINDS])),
      direction: fc.constantFrom('out' as const, 'in' as const),
    });
  });
}

/**
 * @param storeIds of the nodes; default 1, 2, ...
 * @returns the graph of the plain list; object ids are N000000, N000001, ...
 */
export function buildGraph(plain: PlainGraph, storeIds?: readonly number[]): AttackGraph {
  const builder = new GraphBuilder();
  for (let node = 0; node < plain.nodeCount; node++) {
    builder.addNode({
      storeId: storeIds?.[node] ?? node + 1,
      objectId: `N${String(node).padStart(6, '0')}`,
      kinds: [],
    });
  }
  for (const edge of plain.edges) builder.addEdge(...edge);
  return builder.build();
}

export function filterOf(question: Question) {
  return edgesOfKind(...question.kinds);
}

/**
 * The edges that a question may use, reversed for a search against their direction.
 * @returns pairs [from, to], each once, with no blocked end
 */
export function usableSteps(question: Question): [from: number, to: number][] {
  const steps = new Map<string, [number, number]>();
  for (const [start, kind, end] of question.plain.edges) {
    if (!question.kinds.includes(kind)) continue;
    if (question.blocked.includes(start) || question.blocked.includes(end)) continue;
    const step: [number, number] = question.direction === 'out' ? [start, end] : [end, start];
    steps.set(step.join(), step);
  }
  return [...steps.values()];
}

/** @returns distance from the nearest source for each node reached; by relaxing steps until nothing changes. */
export function naiveDistances(question: Question, sources = question.sources): Map<number, number> {
  const distances = new Map<number, number>();
  for (const node of sources) if (!question.blocked.includes(node)) distances.set(node, 0);
  const steps = usableSteps(question);
  for (let changed = true; changed; ) {
    changed = false;
    for (const [from, to] of steps) {
      const distance = distances.get(from);
      if (distance !== undefined && distance + 1 < (distances.get(to) ?? Number.POSITIVE_INFINITY)) {
        distances.set(to, distance + 1);
        changed = true;
      }
    }
  }
  return distances;
}

/** @returns the steps that the question may use, in the form that the algorithms take */
export function stepsFor(question: Question, graph: AttackGraph): Steps {
  return selectSteps(graph, {
    direction: question.direction,
    filter: filterOf(question),
    blocked: NodeSet.of(graph.nodeCount, question.blocked),
  });
}

/** @returns `node` and the nodes that it reaches, ascending; nothing for a blocked node. */
export function naiveReach(question: Question, node: number): number[] {
  return [...naiveDistances(question, [node]).keys()].sort((a, b) => a - b);
}
