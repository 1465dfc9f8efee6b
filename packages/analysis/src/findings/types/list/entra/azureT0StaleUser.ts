import { staleAccounts } from '../../families/accounts.ts';
import { REFERENCE } from '../../family.ts';
import type { ListFindingType } from '../../findingType.ts';
import { TIER_ZERO_SAFEGUARD, tierZeroUsers } from './common.ts';

const STALE_DAYS = 45;

export const azureT0StaleUser = {
  kind: 'list',
  id: 'AzureT0StaleUser',
  title: 'Unused Tier Zero Cloud Account',
  ...TIER_ZERO_SAFEGUARD,
  floor: 'moderate',
  family: staleAccounts,
  remedy: {
    risk: 'If someone else uses a privileged account that its owner does not use, no one notices.',
    fix: 'Remove the roles from the unused account, then block its sign-in; exempt tested break-glass accounts.',
    references: [REFERENCE.entraRoles, REFERENCE.privilegedIdentity],
  },
  what: 'A Tier Zero user in Entra ID has not signed in for 45 days.',
  needs: ['lastsuccessfulsignindatetime'],
  find: (facts) =>
    tierZeroUsers(facts).filter((node) => {
      const last = Date.parse(facts.text('lastsuccessfulsignindatetime', node)) / 1000;
      return last < facts.now - STALE_DAYS * 86_400;
    }),
} as const satisfies ListFindingType;
