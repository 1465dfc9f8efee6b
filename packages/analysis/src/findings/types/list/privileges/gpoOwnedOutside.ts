import { groupPolicy } from '../../families/directory.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const gpoOwnedOutside = {
  kind: 'list',
  id: 'GPOOwnedOutside',
  title: 'Group Policy Owned Outside Tier Zero',
  ...classed({ platform: 'ad', category: 'TZ', scope: 'tier-zero', nature: 'opening' }),
  effort: 2,
  floor: 'moderate',
  family: groupPolicy,
  remedy: {
    fix: 'Set the owner of the policy to Domain Admins, in the directory and on its SYSVOL folder.',
  },
  what: 'The owner of a Tier Zero group policy is outside the zone.',
  needs: [],
  reads: { edges: ['Owns'] },
  find: (facts) =>
    facts
      .of('GPO')
      .and(facts.tierZero)
      .filter((policy) => !facts.edges('Owns').startsOf(policy).isSubsetOf(facts.tierZero)),
  usedBy: (facts, policy) => facts.edges('Owns').startsOf(policy).andNot(facts.tierZero),
} as const satisfies ListFindingType;
