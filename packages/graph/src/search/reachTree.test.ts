import fc from 'fast-check';
import { expect, it } from 'vitest';
import { arbitraryQuestion, buildGraph, filterOf, KINDS } from '../../test/arbitraryGraph.ts';
import { changeEdges } from '../making/changeEdges.ts';
import { reachableNodes } from './reachableNodes.ts';
import { ReachTree } from './reachTree.ts';

it('finds the same nodes after any changes as a walk over the changed graph', () => {
  const seen = { lost: 0, won: 0, attached: 0 };
  fc.assert(
    fc.property(
      arbitraryQuestion(14, 40),
      fc.array(fc.tuple(fc.nat(), fc.nat(), fc.constantFrom(...KINDS), fc.boolean()), { maxLength: 6 }),
      (question, picks) => {
        const graph = buildGraph(question.plain);
        const { nodeCount, edges } = question.plain;
        const filter = filterOf(question);
        const { targets } = question;
        const options = { direction: 'in', filter } as const;
        const tree = new ReachTree(graph, targets, filter);
        expect([...tree.reached]).toEqual([...reachableNodes(graph, targets, options)]);
        if (nodeCount === 0) return;
        const removed = picks.flatMap(([one]) => {
          const edge = edges[one % edges.length];
          return edge === undefined ? [] : [{ start: edge[0], kind: edge[1], end: edge[2] }];
        });
        const added = picks.flatMap(([one, other, kind, isAdded]) =>
          isAdded ? [{ start: one % nodeCount, kind, end: other % nodeCount }] : [],
        );
        const changed = changeEdges(graph, { removed, added });
        const expected = reachableNodes(changed, targets, options);
        const found = tree.after(changed, [...removed, ...added]);
        expect([...(found ?? [])]).toEqual([...expected]);
        if (tree.reached.andNot(expected).size > 0) seen.lost++;
        if (expected.andNot(tree.reached).size > 0) seen.won++;
        if (removed.length > 0 && added.length === 0 && expected.size > targets.length) seen.attached++;
      },
    ),
    { numRuns: 1000 },
  );
  expect(Math.min(seen.lost, seen.won, seen.attached)).toBeGreaterThan(10);
});

it('gives up on a change that cuts many nodes off', () => {
  const length = 2000;
  const chain = Array.from({ length }, (_, at) => [at + 1, 1, at, 0] as const);
  const graph = buildGraph({ nodeCount: length + 1, edges: chain });
  const filter = { allows: new Uint8Array(65_536).fill(1) };
  const tree = new ReachTree(graph, [0], filter);
  const cut = (start: number) => {
    const edge = { start, kind: 1, end: start - 1 };
    return tree.after(changeEdges(graph, { removed: [edge] }), [edge]);
  };
  expect(cut(1500)?.size).toBe(1500);
  expect(cut(1)).toBeUndefined();
});
