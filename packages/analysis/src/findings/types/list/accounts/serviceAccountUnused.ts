import { staleAccounts } from '../../families/accounts.ts';
import { REFERENCE } from '../../family.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { KRBTGT, UNUSED_DAYS, unused } from './common.ts';

export const serviceAccountUnused = {
  kind: 'list',
  id: 'ServiceAccountUnused',
  title: 'Service Account That No Service Uses',
  ...classed({ platform: 'ad', category: 'AH', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: staleAccounts,
  remedy: {
    risk: 'Its password, which was often chosen by a person years ago, can be guessed from a service ticket, and no one notices someone else using the account.',
    fix: 'Ask what the account was made for; take its service principal names away and disable it if nothing needs it.',
    steps: [
      'Look for the service at the hosts that the service principal names name, and ask the owner of the application.',
      'Note the service principal names, then remove them (setspn -D): no more tickets are issued for the account.',
      'Disable the account, wait for a month, remove it from its groups, and delete it.',
    ],
    verify: ['The account has no service principal name, is disabled, and no application reports an error.'],
    care: 'A service that only receives tickets, and never logs on by itself, can look unused: stop it for a test before you disable the account. Work that runs once a quarter or a year looks unused, too.',
    references: [REFERENCE.securingAd, REFERENCE.managedAccounts],
  },
  what: 'An enabled user with a service principal name has not logged on for 90 days.',
  needs: ['hasspn', 'lastlogontimestamp', 'whencreated'],
  reads: { edges: ['HasSession'] },
  find: (facts) =>
    unused(facts, facts.users.and(facts.is('hasspn', true)).andNot(facts.managed()), UNUSED_DAYS).andNot(
      facts.withSuffix(facts.users, KRBTGT),
    ),
} as const satisfies ListFindingType;
