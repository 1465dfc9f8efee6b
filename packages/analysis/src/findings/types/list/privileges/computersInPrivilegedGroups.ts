import { zoneMembership } from '../../families/directory.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const computersInPrivilegedGroups = {
  kind: 'list',
  id: 'ComputersInPrivilegedGroups',
  title: 'Computers in Privileged Groups',
  ...classed({ platform: 'ad', category: 'LP', scope: 'hygiene', nature: 'safeguard', floor: 'moderate' }),
  family: zoneMembership,
  remedy: {
    risk: 'Anyone who administers the computer, or can coerce it to authenticate, can act with the privileges of the group.',
    fix: 'Remove the computer from the group, and grant its service only the rights that it needs.',
  },
  what: 'A computer is a member of a Tier Zero group that is not meant for computers.',
  needs: [],
  find: (facts) => {
    const meant = facts
      .withSuffix(facts.groups, '-516', '-521', '-498', '-517', '-S-1-5-9')
      .or(facts.named(facts.groups, 'EXCHANGE '));
    return facts.directMembersOf(facts.groups.and(facts.tierZero).andNot(meant)).and(facts.computers);
  },
} as const satisfies ListFindingType;
