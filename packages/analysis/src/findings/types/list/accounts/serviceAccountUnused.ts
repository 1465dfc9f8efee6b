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
    risk: 'Its password, often chosen by a person years ago, can be guessed from a service ticket, and no one notices when someone else uses the account.',
    fix: 'Find out which service uses the account. If none does, remove its service principal names and disable it.',
    steps: [
      'Look for the service on the hosts in the service principal names, and ask the owner of the application.',
      'Record the service principal names, then remove them (setspn -D): service tickets are no longer issued for the account.',
      'Disable the account, wait for a month, remove it from its groups, and delete it.',
    ],
    verify: ['The account has no service principal name, is disabled, and no application reports an error.'],
    care: 'A service that only receives tickets and never logs on itself can look unused: stop the service as a test before you disable the account. Tasks that run once a quarter or once a year look unused, too.',
    references: [REFERENCE.securingAd, REFERENCE.managedAccounts],
  },
  what: 'An enabled user with a service principal name has not logged on for 90 days, and no session of it was collected.',
  needs: ['hasspn', 'lastlogontimestamp', 'whencreated'],
  reads: { edges: ['HasSession'] },
  find: (facts) =>
    unused(facts, facts.users.and(facts.is('hasspn', true)).andNot(facts.managed()), UNUSED_DAYS).andNot(
      facts.withSuffix(facts.users, KRBTGT),
    ),
} as const satisfies ListFindingType;
