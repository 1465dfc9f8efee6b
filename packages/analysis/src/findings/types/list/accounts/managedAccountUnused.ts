import { staleAccounts } from '../../families/accounts.ts';
import { REFERENCE } from '../../family.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { UNUSED_DAYS, unused } from './common.ts';

export const managedAccountUnused = {
  kind: 'list',
  id: 'ManagedAccountUnused',
  title: 'Managed Service Account That No Service Uses',
  ...classed({ platform: 'ad', category: 'AH', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: staleAccounts,
  remedy: {
    risk: 'The hosts that may read its password can act as the account, with all rights that it was once given.',
    fix: 'Ask which service the account was made for; disable it if that service no longer exists, and delete it later.',
    steps: [
      'List the computers that may read the password (PrincipalsAllowedToRetrieveManagedPassword), and look for services and scheduled tasks under the account there.',
      'Disable the account, and wait for a month, or for the next run of rare tasks such as the closing of a year.',
      'Uninstall it from its hosts, remove it from its groups, and delete it.',
    ],
    verify: ['No service fails, and the account is disabled or no longer exists.'],
    care: 'Tasks that run once a quarter or a year look unused. A deleted managed account comes back from the recycle bin only, where it is turned on.',
    references: [REFERENCE.managedAccounts],
  },
  what: 'An enabled managed service account has not logged on for 90 days.',
  needs: ['lastlogontimestamp', 'whencreated'],
  reads: { edges: ['HasSession'] },
  find: (facts) => unused(facts, facts.managed(), UNUSED_DAYS),
} as const satisfies ListFindingType;
