import { membership } from '../../../../directory/membership.ts';
import { zoneMembership } from '../../families/directory.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const circularMembership = {
  kind: 'list',
  id: 'CircularMembership',
  title: 'Groups That Are Members of Themselves',
  ...classed({ platform: 'ad', category: 'LP', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: zoneMembership,
  remedy: {
    risk: 'The intended members of each group are unclear. If you remove a member from one group, it may still belong to it through another.',
    fix: 'Remove the membership that closes the cycle: usually the membership of the broader group in the narrower one.',
    steps: [
      'Follow the memberships in the evidence, and write down who should belong to each of the groups.',
      'Choose the membership that contradicts this: usually the membership of the broader group in the narrower one.',
      'Add the people who need the rights of the narrower group to it directly.',
      'Remove the membership that you chose.',
    ],
    verify: ['The next analysis no longer reports any group of the cycle.'],
    care: 'Members of the removed group lose the rights that they had only through this membership: compare the indirect members of each group before and after.',
    prevent:
      'Before you make a group a member of another, check that the other group is not among its members.',
  },
  what: 'A group is a member of itself through other groups.',
  needs: [],
  reads: { shared: [membership] },
  // Memberships that Windows adds between trusting domains are not a mistake of administrators.
  find: (facts) =>
    facts.context
      .use(membership)
      .circles.and(facts.groups)
      .filter((group) => !facts.isEverybody(group)),
} as const satisfies ListFindingType;
