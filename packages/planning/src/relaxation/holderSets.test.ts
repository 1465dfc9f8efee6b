/** Compares the holders that nodes reach through their groups with a search from each node, including cyclic groups. */

import { AnalysisContext, defaultOptions, membership } from '@clew/analysis';
import { NodeSet } from '@clew/graph';
import { graphOf, type TestEdge } from '@clew/graph/testing';
import { EdgeKind, NodeKind } from '@clew/model';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HolderSets } from './holderSets.ts';

const IDS = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'];
const id = fc.constantFrom(...IDS);

function worldOf(ids: readonly string[], members: readonly (readonly [string, string])[]) {
  const world = graphOf({
    nodes: ids.map((each) => ({ id: each, kinds: [NodeKind.Base, NodeKind.Group] })),
    edges: members.map(([member, group]): TestEdge => [member, EdgeKind.MemberOf, group]),
  });
  return { ...world, context: new AnalysisContext({ ...world, options: defaultOptions() }) };
}

function setsOf({ context, graph }: ReturnType<typeof worldOf>, holders: readonly number[]): HolderSets {
  const below = context.use(membership).expand(NodeSet.of(graph.nodeCount, holders));
  return new HolderSets(context.use(membership).containerRows, new Set(holders), below);
}

it('are those of a walk over all groups', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(id, id), { maxLength: 20 }),
      fc.uniqueArray(id, { minLength: 1 }),
      fc.shuffledSubarray(IDS, { minLength: IDS.length }),
      (members, holders, order) => {
        const world = worldOf(IDS, members);
        const sets = setsOf(world, holders.map(world.node));
        const numbers = order.map((each) => sets.numberOf(world.node(each)));
        for (const [at, each] of order.entries()) {
          const seen = new Set([each]);
          for (const one of seen) for (const [member, group] of members) if (member === one) seen.add(group);
          const expected = holders.filter((holder) => seen.has(holder)).map(world.node);
          expect(sets.holdersOf(numbers[at] as number)).toEqual(expected.sort((a, b) => a - b));
        }
      },
    ),
    { numRuns: 500 },
  );
});

it('are found where groups are nested deeper than a stack holds', () => {
  const ids = Array.from({ length: 30_000 }, (_, at) => `G${String(at).padStart(6, '0')}`);
  const world = worldOf(
    ids,
    ids.slice(1).map((group, at): [string, string] => [ids[at] as string, group]),
  );
  const top = world.node(ids.at(-1) as string);
  const sets = setsOf(world, [top]);
  expect(sets.holdersOf(sets.numberOf(world.node(ids[0] as string)))).toEqual([top]);
});
