import { zoneMembership } from '../../families/directory.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { notEmpty } from './common.ts';

export const rodcAllowedGroupUsed = {
  kind: 'list',
  id: 'RodcAllowedGroupUsed',
  title: 'Allowed RODC Password Replication Group Not Empty',
  ...classed({ platform: 'ad', category: 'LP', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: zoneMembership,
  remedy: {
    risk: 'Every read-only controller of the domain, also one that is added later, may keep the passwords of the members. They are lost with any of these controllers that is stolen.',
    fix: 'Allow on each read-only controller the accounts of its site only, then empty the group.',
    steps: [
      'List the members and the read-only controllers of the domain, with the site of each.',
      'On each read-only controller, allow a group of the users and computers of its site (property page "Password Replication Policy").',
      'Remove the members from the group of the domain.',
      'Reset passwords that were kept where they are not needed ("Accounts whose passwords are stored on this Read-only Domain Controller").',
    ],
    verify: ['The group is empty, and the users of each site log on while its connection is down.'],
    care: 'Users and computers that are allowed nowhere else cannot log on at a site whose connection to a writable controller is down.',
    prevent: 'Never allow passwords for the whole domain.',
  },
  what: 'The group whose passwords every read-only controller of the domain may keep has members.',
  needs: [],
  reads: { edges: ['MemberOf'] },
  find: (facts) => notEmpty(facts, facts.withSuffix(facts.groups, '-571')),
} as const satisfies ListFindingType;
