import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  arbitraryQuestion,
  buildGraph,
  naiveDistances,
  type Question,
  stepsFor,
  usableSteps,
} from '../../test/arbitraryGraph.ts';
import { NO_NODE } from '../columns/attackGraph.ts';
import { NodeSet } from '../columns/nodeSet.ts';
import { CanceledError, newCancel, requestCancel } from '../search/cancel.ts';
import { countDominated, findDominators, findOnlyEntries } from './dominators.ts';

/** A node dominates, by definition, all nodes that are no longer reached once it is blocked. */
function naiveDominated(question: Question, node: number): Set<number> {
  const reached = new Set(naiveDistances(question).keys());
  const without = naiveDistances({ ...question, blocked: [...question.blocked, node] });
  return new Set([...reached].filter((other) => !without.has(other)));
}

function treeFor(question: Question) {
  return findDominators(stepsFor(question, buildGraph(question.plain)), question.sources);
}

describe('findDominators', () => {
  it('finds the nearest node that every walk passes', () => {
    fc.assert(
      fc.property(arbitraryQuestion(), (question) => {
        const { nodeCount } = question.plain;
        const tree = treeFor(question);
        const dominated = Array.from({ length: nodeCount }, (_, node) => naiveDominated(question, node));
        const reached = new Set(naiveDistances(question).keys());
        for (let node = 0; node < nodeCount; node++) {
          const above = [...reached].filter((other) => other !== node && dominated[other].has(node));
          // Dominators of one node lie on a line: the nearest dominates the fewest.
          const nearest = above.sort((a, b) => dominated[a].size - dominated[b].size)[0] ?? nodeCount;
          expect(tree.dominatorOf[node]).toBe(reached.has(node) ? nearest : NO_NODE);
        }
      }),
      { numRuns: 400 },
    );
  });

  it('solves the example of Lengauer and Tarjan', () => {
    const nodes = [...'RABCDEFGHIJKL'];
    const steps = 'RA RB RC AD BA BD BE CF CG DL EH FI GI GJ HE HK IK JI KI KR LH';
    const edges = steps
      .split(' ')
      .map(([from, to]) => [nodes.indexOf(from), 1, nodes.indexOf(to), 0] as const);
    const plain = { nodeCount: nodes.length, edges };
    const { dominatorOf } = treeFor({
      plain,
      direction: 'out',
      kinds: [1],
      blocked: [],
      sources: [0],
      targets: [],
    });
    const found = [...dominatorOf].map((dominator) => nodes[dominator] ?? '-').join('');
    expect(found).toBe('-RRRRRCCRRGRD');
  });

  it('lists the reached nodes, each after its dominator', () => {
    fc.assert(
      fc.property(arbitraryQuestion(), (question) => {
        const { order, dominatorOf } = treeFor(question);
        const place = new Map([...order].map((node, at) => [node, at]));
        expect([...order].sort((a, b) => a - b)).toEqual(
          [...naiveDistances(question).keys()].sort((a, b) => a - b),
        );
        for (const [node, at] of place) {
          expect(place.get(dominatorOf[node]) ?? -1).toBeLessThan(at);
        }
      }),
    );
  });

  it('does not overflow the stack on a chain of a hundred thousand nodes', () => {
    const nodeCount = 100_000;
    const edges = Array.from({ length: nodeCount - 1 }, (_, node) => [node, 1, node + 1, 0] as const);
    const plain = { nodeCount, edges };
    const tree = treeFor({ plain, direction: 'out', kinds: [1], blocked: [], sources: [0], targets: [] });
    expect(tree.dominatorOf[nodeCount - 1]).toBe(nodeCount - 2);
    expect(countDominated(tree, NodeSet.all(nodeCount))[0]).toBe(nodeCount);
  });

  it('stops when canceled', () => {
    const plain = { nodeCount: 1, edges: [] };
    const question = { plain, direction: 'out' as const, kinds: [], blocked: [], sources: [0], targets: [] };
    const cancel = newCancel();
    requestCancel(cancel);
    expect(() => findDominators(stepsFor(question, buildGraph(plain)), [0], cancel)).toThrow(CanceledError);
  });
});

describe('countDominated', () => {
  it('counts the targets that blocking each node cuts off', () => {
    fc.assert(
      fc.property(arbitraryQuestion(), (question) => {
        const { nodeCount } = question.plain;
        const counts = countDominated(treeFor(question), NodeSet.of(nodeCount, question.targets));
        for (let node = 0; node < nodeCount; node++) {
          const cutOff = [...naiveDominated(question, node)].filter((other) =>
            question.targets.includes(other),
          );
          expect(counts[node]).toBe(cutOff.length);
        }
      }),
    );
  });
});

describe('findOnlyEntries', () => {
  it('finds the nodes that removing the step from their dominator cuts off', () => {
    fc.assert(
      fc.property(arbitraryQuestion(), (question) => {
        const tree = treeFor(question);
        const onlyEntries = new Set(findOnlyEntries(tree));
        for (let node = 0; node < question.plain.nodeCount; node++) {
          const dominator = tree.dominatorOf[node];
          const hasStep = usableSteps(question).some(([from, to]) => from === dominator && to === node);
          const [start, end] = question.direction === 'out' ? [dominator, node] : [node, dominator];
          const edges = question.plain.edges.filter((edge) => edge[0] !== start || edge[2] !== end);
          const without = naiveDistances({ ...question, plain: { ...question.plain, edges } });
          expect(onlyEntries.has(node)).toBe(hasStep && !without.has(node));
        }
      }),
      { numRuns: 400 },
    );
  });
});
