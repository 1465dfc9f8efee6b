import { serviceTickets } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { KRBTGT, YEAR } from './common.ts';

export const oldServiceAccountPassword = {
  kind: 'list',
  id: 'OldServiceAccountPassword',
  title: 'Service Account With Old Password',
  ...classed({ platform: 'ad', category: 'AH', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: serviceTickets,
  remedy: {
    risk: 'The longer a service password stays unchanged, the more people, scripts and backups know it, and the longer an attacker can use a guessed password.',
    fix: 'Change the password of the service account, or move the service to a group managed service account.',
  },
  what: 'The password of an enabled user with a service principal name is older than a year.',
  needs: ['pwdlastset', 'hasspn'],
  find: (facts) =>
    facts
      .enabled(facts.users)
      .and(facts.is('hasspn', true))
      .andNot(facts.managed())
      .andNot(facts.withSuffix(facts.users, KRBTGT))
      .filter((node) => facts.olderThan('pwdlastset', node, YEAR)),
} as const satisfies ListFindingType;
