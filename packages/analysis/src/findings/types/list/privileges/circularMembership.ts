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
