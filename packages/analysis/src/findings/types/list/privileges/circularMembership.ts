import { condense, type NodeSet, selectSteps } from '@clew/graph';
import type { Shared } from '../../../../analysisContext.ts';
import { zoneMembership } from '../../families/directory.ts';
import type { ListFindingType } from '../../findingType.ts';

/** Groups that are members of themselves at any depth. */
const circles: Shared<NodeSet> = {
  name: 'circular groups',
  reads: { edges: ['MemberOf'] },
  build: (context) => {
    const { graph, cancel } = context;
    const { filter } = context.edges('MemberOf');
    const { componentOf, cyclic } = condense(selectSteps(graph, { filter, cancel }), cancel);
    return context.nodesOf('Group').filter((group) => cyclic[componentOf[group]] === 1);
  },
};

export const circularMembership = {
  kind: 'list',
  id: 'CircularMembership',
  title: 'Groups That Are Members of Themselves',
  platform: 'ad',
  category: 'LP',
  scope: 'hygiene',
  nature: 'safeguard',
  floor: 'low',
  family: zoneMembership,
  remedy: {
    risk: 'No one can tell who is meant to be in which group, and taking a member out of one leaves it in through another.',
    fix: 'Remove the membership that closes the circle: the one of the wider group in the narrower.',
  },
  what: 'A group is a member of itself over other groups.',
  needs: [],
  reads: { shared: [circles] },
  // What Windows works out between domains that trust each other is no one's doing.
  find: (facts) => facts.context.use(circles).filter((group) => !facts.isEverybody(group)),
} as const satisfies ListFindingType;
