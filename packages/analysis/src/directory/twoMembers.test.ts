import { NodeSet } from '@clew/graph';
import { graphOf, type TestEdge } from '@clew/graph/testing';
import { EdgeKind, NodeKind } from '@clew/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { naiveMembers } from '../../test/directory/naivePrincipals.ts';
import { AnalysisContext } from '../analysisContext.ts';
import { defaultOptions } from '../analyze.ts';
import { TwoMembers } from './twoMembers.ts';

const IDS = ['A', 'B', 'C', 'D', 'E', 'F', 'G'];
const name = fc.constantFrom(...IDS);

describe('TwoMembers', () => {
  it('knows of members other than one, as their full lists do, circles included', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(name, name), { maxLength: 14 }),
        fc.uniqueArray(name),
        (memberships, sought) => {
          const world = graphOf({
            nodes: IDS.map((id) => ({ id, kinds: [NodeKind.Base, NodeKind.Group] })),
            edges: memberships.map(([member, group]): TestEdge => [member, EdgeKind.MemberOf, group]),
          });
          const context = new AnalysisContext({ ...world, options: defaultOptions() });
          const found = new TwoMembers(context, NodeSet.of(world.graph.nodeCount, sought.map(world.node)));
          const membersOf = naiveMembers(IDS, memberships);
          for (const group of IDS) {
            for (const except of IDS) {
              const contained = sought.filter((id) => id === group || membersOf.get(group)!.has(id));
              const expected = contained.some((id) => id !== except);
              expect(found.hasOtherThan(world.node(group), world.node(except))).toBe(expected);
            }
          }
        },
      ),
    );
  });
});
