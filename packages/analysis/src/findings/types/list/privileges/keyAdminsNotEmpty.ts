import { zoneMembership } from '../../families/directory.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { notEmpty } from './common.ts';

export const keyAdminsNotEmpty = {
  kind: 'list',
  id: 'KeyAdminsNotEmpty',
  title: 'Key Administrators Not Empty',
  ...classed({ platform: 'ad', category: 'LP', scope: 'hygiene', nature: 'safeguard', floor: 'moderate' }),
  family: zoneMembership,
  remedy: {
    risk: 'A member can write the key credentials of any account in the domain or forest, and so log on as this account.',
    fix: 'Empty the group; services that write key credentials, such as device registration, have their own permissions.',
  },
  what: 'Key Admins or Enterprise Key Admins has members.',
  needs: [],
  reads: { edges: ['MemberOf'] },
  find: (facts) => notEmpty(facts, facts.withSuffix(facts.groups, '-526', '-527')),
} as const satisfies ListFindingType;
