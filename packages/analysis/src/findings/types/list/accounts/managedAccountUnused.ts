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
    risk: 'The hosts that can read its password can act as the account, with all its remaining rights.',
    fix: 'Find out which service uses the account. If the service no longer exists, disable the account, and delete it later.',
    steps: [
      'List the computers that can read the password (PrincipalsAllowedToRetrieveManagedPassword), and look for services and scheduled tasks that run under the account there.',
      'Disable the account, and wait a month, or until rare tasks such as year-end closing have run.',
      'Uninstall the account from its hosts, remove it from its groups, and delete it.',
    ],
    verify: ['No service fails, and the account is disabled or no longer exists.'],
    care: 'Accounts of tasks that run once a quarter or once a year look unused. You can restore a deleted managed account only if the Active Directory Recycle Bin is enabled.',
    references: [REFERENCE.managedAccounts],
  },
  what: 'An enabled managed service account has not logged on for 90 days, and no session of it was collected.',
  needs: ['lastlogontimestamp', 'whencreated'],
  reads: { edges: ['HasSession'] },
  find: (facts) => unused(facts, facts.managed(), UNUSED_DAYS),
} as const satisfies ListFindingType;
