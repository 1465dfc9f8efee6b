import { NodeSet } from '@clew/graph';
import { environments } from '../../../environments.ts';
import type { FindingFacts } from '../../../findingFacts.ts';
import { zoneMembership } from '../../families/directory.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const nestedForeignPrincipals = {
  kind: 'list',
  id: 'NestedForeignPrincipals',
  title: 'Foreign Principals in Privileged Groups',
  ...classed({ platform: 'ad', category: 'TZ', scope: 'hygiene', nature: 'opening', floor: 'high' }),
  family: zoneMembership,
  remedy: {
    risk: 'Anyone who administers the other forest can take over the member, and so gain its privileges in this forest.',
    fix: 'Remove the foreign member from the group. If the person needs the access, create an account in this forest.',
    steps: [
      'Find out who the member is: ask the administrators of the other forest for the person or the service behind it, and its owner.',
      'If the access is still needed, create an account in this forest with its own password, and add it to the group.',
      'Remove the foreign member from the group.',
      'Check whether the trust with the other forest is still needed, and whether it filters SIDs.',
    ],
    verify: ['The group has no member of another forest; event 4729, 4733 or 4757 shows the removal.'],
    care: 'The person or service of the other forest loses its access: first give it an account in this forest, and test it.',
    prevent:
      'Add only accounts of this forest to its privileged groups, and let people of other forests use separate accounts here.',
  },
  what: 'A principal of another forest is a member of a Tier Zero group.',
  needs: [],
  reads: { edges: ['MemberOf'] },
  find: (facts) => {
    const groups = facts.groups.and(facts.tierZero);
    return facts.directMembersOf(groups).filter((member) => foreignGroups(facts, member).length > 0);
  },
  // Administrators of the group remove the member, not administrators of the member.
  repairedAt: foreignGroups,
  // Principals that control the account.
  usedBy: ({ context }, account) => NodeSet.of(context.graph.nodeCount, [account]),
} as const satisfies ListFindingType;

/** Tier Zero groups of other forests with the node as direct member. */
export function foreignGroups(facts: FindingFacts, member: number): number[] {
  const found: number[] = [];
  facts.edges('MemberOf').outOf(member, (group) => {
    if (facts.groups.has(group) && facts.tierZero.has(group) && isForeign(facts, member, group))
      found.push(group);
  });
  return found;
}

function isForeign(facts: FindingFacts, member: number, group: number): boolean {
  const { of, nodes } = facts.context.use(environments);
  const domains = facts.of('Domain');
  if (!domains.has(nodes[of[member]]) || !domains.has(nodes[of[group]])) return false;
  return !facts.sameForest(member, group) && !facts.sameForest(group, member);
}
