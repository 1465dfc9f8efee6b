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
    steps: [
      'Find out who owns the policy, and which process created it.',
      'Set the owner of the policy object and of its SYSVOL folder to Domain Admins.',
      'Review the editors and the settings of the policy: the owner may have changed them.',
    ],
    verify: ['The policy object and its folder show Domain Admins as the owner.'],
    care: 'The former owner can no longer edit the policy, if no entry allows it. The settings of the policy still apply.',
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
