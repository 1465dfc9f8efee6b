import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { graphOf } from '../../test/index.ts';
import { NodeSet } from '../columns/nodeSet.ts';
import { selectSteps } from '../search/steps.ts';
import { condense } from './condensation.ts';
import { groupsReached, nodeGroups, ReachCounter } from './groupReach.ts';

/** Nodes 0 .. n-1 by name, so that numbers are places. */
const id = (node: number): string => String(node).padStart(4, '0');

function graphFrom(nodeCount: number, edges: readonly (readonly [number, number])[]) {
  return graphOf({
    nodes: Array.from({ length: nodeCount }, (_, node) => ({ id: id(node) })),
    edges: edges.map(([start, end]) => [id(start), 1, id(end)] as const),
  }).graph;
}

function naiveReach(
  edges: readonly (readonly [number, number])[],
  from: Iterable<number>,
  blocked: ReadonlySet<number>,
) {
  const reached = new Set([...from].filter((node) => !blocked.has(node)));
  for (const node of reached) {
    for (const [start, end] of edges) if (start === node && !blocked.has(end)) reached.add(end);
  }
  return reached;
}

const MOST = 60;
const node = fc.nat(MOST - 1);
const worlds = fc.record({
  edges: fc.array(fc.tuple(node, node), { maxLength: 250 }),
  // Everybody steps to some few: these become hubs.
  hubs: fc.array(node, { maxLength: 3 }),
  groups: fc.array(fc.array(node, { maxLength: 4 }), { minLength: 1, maxLength: 40 }),
  counted: fc.uniqueArray(node),
  blocked: fc.uniqueArray(node, { maxLength: 4 }),
});

describe('the count of nodes that groups reach', () => {
  test('equals the count of a walk from each group', () => {
    fc.assert(
      fc.property(worlds, ({ edges, hubs, groups, counted, blocked }) => {
        const all = [
          ...edges,
          ...hubs.flatMap((hub) => Array.from({ length: 30 }, (_, from) => [from, hub] as const)),
        ];
        const graph = graphFrom(MOST, all);
        const isBlocked = NodeSet.of(MOST, blocked);
        const condensation = condense(selectSteps(graph, { blocked: isBlocked }));
        const counts = new ReachCounter(condensation).count(nodeGroups(groups), NodeSet.of(MOST, counted));
        const expected = groups.map((group) => {
          const reached = naiveReach(all, group, new Set(blocked));
          return counted.filter((one) => reached.has(one)).length;
        });
        expect([...counts]).toEqual(expected);
        const masks = groupsReached(condensation, nodeGroups(groups), 0);
        const [first] = groups;
        for (let from = 0; from < MOST; from++) {
          const reached = naiveReach(all, [from], new Set(blocked));
          const bit = masks[condensation.componentOf[from]] & 1;
          if (!blocked.includes(from)) expect(bit).toBe(first.some((one) => reached.has(one)) ? 1 : 0);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('is correct for groups with long walks, alone and together', () => {
    // A ladder too long to walk for one group, without any hub in it.
    const length = 40_000;
    const edges = Array.from({ length }, (_, at) => [at, at + 1] as const);
    const graph = graphOf({
      nodes: Array.from({ length: length + 1 }, (_, at) => ({ id: String(at).padStart(6, '0') })),
      edges: edges.map(([a, b]) => [String(a).padStart(6, '0'), 1, String(b).padStart(6, '0')] as const),
    }).graph;
    const counter = new ReachCounter(condense(selectSteps(graph)));
    const from = Array.from({ length: 70 }, (_, at) => at * 7);
    const counts = counter.count(nodeGroups(from.map((node) => [node])), NodeSet.all(length + 1));
    expect([...counts]).toEqual(from.map((start) => length + 1 - start));
    expect([...counter.count(nodeGroups([from, []]), NodeSet.all(length + 1))]).toEqual([length + 1, 0]);
  });
});
