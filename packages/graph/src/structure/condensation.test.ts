import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  arbitraryQuestion,
  buildGraph,
  naiveReach,
  stepsFor,
  usableSteps,
} from '../../test/arbitraryGraph.ts';
import { NodeSet } from '../columns/nodeSet.ts';
import { CanceledError, newCancel, requestCancel } from '../search/cancel.ts';
import { reverseSteps } from '../search/steps.ts';
import { findComponents } from './components.ts';
import { condense, reverseCondensation } from './condensation.ts';
import { nodeGroups, ReachCounter } from './groupReach.ts';

describe('findComponents', () => {
  it('assigns two nodes to one component exactly if each reaches the other', () => {
    fc.assert(
      fc.property(arbitraryQuestion(), (question) => {
        const { componentOf, count } = findComponents(stepsFor(question, buildGraph(question.plain)));
        const reach = Array.from(componentOf, (_, node) => new Set([node, ...naiveReach(question, node)]));
        for (let a = 0; a < componentOf.length; a++) {
          for (let b = 0; b < componentOf.length; b++) {
            expect(componentOf[a] === componentOf[b]).toBe(reach[a].has(b) && reach[b].has(a));
          }
        }
        expect(new Set(componentOf).size).toBe(count);
      }),
    );
  });

  it('numbers components so that steps between them lead to smaller numbers', () => {
    fc.assert(
      fc.property(arbitraryQuestion(), (question) => {
        const { componentOf } = findComponents(stepsFor(question, buildGraph(question.plain)));
        for (const [from, to] of usableSteps(question)) {
          expect(componentOf[from]).toBeGreaterThanOrEqual(componentOf[to]);
        }
      }),
    );
  });

  it('does not overflow the stack on a chain of a hundred thousand nodes', () => {
    const nodeCount = 100_000;
    const edges = Array.from(
      { length: nodeCount },
      (_, node) => [node, 1, (node + 1) % nodeCount, 0] as const,
    );
    const question = { direction: 'out' as const, kinds: [1], blocked: [], sources: [], targets: [] };
    const ring = { nodeCount, edges };
    expect(findComponents(stepsFor({ ...question, plain: ring }, buildGraph(ring))).count).toBe(1);
    const chain = { nodeCount, edges: edges.slice(0, -1) };
    expect(findComponents(stepsFor({ ...question, plain: chain }, buildGraph(chain))).count).toBe(nodeCount);
  });

  it('stops when canceled', () => {
    const cancel = newCancel();
    requestCancel(cancel);
    const plain = { nodeCount: 1, edges: [] };
    const steps = stepsFor(
      { plain, direction: 'out', kinds: [], blocked: [], sources: [], targets: [] },
      buildGraph(plain),
    );
    expect(() => findComponents(steps, cancel)).toThrow(CanceledError);
  });
});

describe('condense', () => {
  it('links components like their nodes, without duplicates', () => {
    fc.assert(
      fc.property(arbitraryQuestion(), (question) => {
        const steps = stepsFor(question, buildGraph(question.plain));
        const { count, componentOf, offsets, successors, memberOffsets, members, cyclic } = condense(steps);
        const links = new Set<string>();
        const onCycle = new Set<number>();
        for (const [from, to] of usableSteps(question)) {
          if (componentOf[from] === componentOf[to]) onCycle.add(componentOf[from]);
          else links.add(`${componentOf[from]} ${componentOf[to]}`);
        }
        const found: string[] = [];
        for (let component = 0; component < count; component++) {
          for (let at = offsets[component]; at < offsets[component + 1]; at++) {
            found.push(`${component} ${successors[at]}`);
          }
          const own = [...members.subarray(memberOffsets[component], memberOffsets[component + 1])];
          expect(own).toEqual([...componentOf.keys()].filter((node) => componentOf[node] === component));
          expect(cyclic[component] === 1).toBe(onCycle.has(component));
        }
        expect(found.sort()).toEqual([...links].sort());
      }),
    );
  });
});

describe('reverseCondensation', () => {
  it('is a condensation of the reversed steps', () => {
    fc.assert(
      fc.property(arbitraryQuestion(), (question) => {
        const steps = stepsFor(question, buildGraph(question.plain));
        const [turned, made] = [reverseCondensation(condense(steps)), condense(reverseSteps(steps))];
        const { nodeCount } = steps;
        expect(turned.count).toBe(made.count);
        for (let a = 0; a < nodeCount; a++) {
          const [one, other] = [turned.componentOf[a], made.componentOf[a]];
          expect(turned.cyclic[one]).toBe(made.cyclic[other]);
          const membersOf = ({ memberOffsets, members }: typeof made, component: number) =>
            members.slice(memberOffsets[component], memberOffsets[component + 1]);
          expect(membersOf(turned, one)).toEqual(membersOf(made, other));
        }
        for (let component = 0; component < turned.count; component++)
          for (let at = turned.offsets[component]; at < turned.offsets[component + 1]; at++)
            expect(turned.successors[at]).toBeLessThan(component);
        const all = nodeGroups(Array.from({ length: nodeCount }, (_, node) => [node]));
        const counts = (one: typeof made) => [...new ReachCounter(one).count(all, NodeSet.all(nodeCount))];
        expect(counts(turned)).toEqual(counts(made));
      }),
    );
  });
});
