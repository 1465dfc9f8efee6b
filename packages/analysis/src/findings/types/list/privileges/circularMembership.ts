import { condense, type NodeSet, selectSteps } from '@clew/graph';
import type { FindingFacts } from '../../../findingFacts.ts';
import { zoneMembership } from '../../families/directory.ts';
import type { ListFindingType } from '../../findingType.ts';

function circularGroups(facts: FindingFacts): NodeSet {
  const { graph, cancel } = facts.context;
  const { filter } = facts.edges('MemberOf');
  const { componentOf, cyclic } = condense(selectSteps(graph, { filter, cancel }), cancel);
  // What Windows works out between domains that trust each other is no one's doing.
  return facts.groups.filter((group) => cyclic[componentOf[group]] === 1 && !facts.isEverybody(group));
}

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
  reads: { edges: ['MemberOf'] },
  find: circularGroups,
} as const satisfies ListFindingType;
