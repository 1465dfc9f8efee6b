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
    risk: 'Every read-only domain controller of the domain, including new ones, can store the passwords of the members. Anyone who steals one of these domain controllers gets the stored passwords.',
    fix: 'On each read-only domain controller, allow only the accounts of its site, then empty the group.',
    steps: [
      'List the members of the group, and the read-only domain controllers with their sites.',
      'On each read-only domain controller, allow a group with the users and computers of its site (tab "Password Replication Policy").',
      'Remove the members from the domain group.',
      'Reset passwords that are stored where they are not needed ("Accounts whose passwords are stored on this Read-only Domain Controller").',
    ],
    verify: [
      'The group is empty, and the users of each site can log on while its network connection is down.',
    ],
    care: 'Users and computers that are not allowed in another way cannot log on at a site without a connection to a writable domain controller.',
    prevent: 'Never allow password replication for the whole domain.',
  },
  what: 'The group whose passwords all read-only domain controllers of the domain can store has members.',
  needs: [],
  reads: { edges: ['MemberOf'] },
  find: (facts) => notEmpty(facts, facts.withSuffix(facts.groups, '-571')),
} as const satisfies ListFindingType;
