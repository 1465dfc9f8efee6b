import { staleAccounts } from '../../families/accounts.ts';
import { REFERENCE } from '../../family.ts';
import type { ListFindingType } from '../../findingType.ts';
import { TIER_ZERO_SAFEGUARD, tierZeroUsers } from './common.ts';

export const azureT0DisabledUser = {
  kind: 'list',
  id: 'AzureT0DisabledUser',
  title: 'Disabled User Holding Tier Zero Role',
  ...TIER_ZERO_SAFEGUARD,
  floor: 'low',
  family: staleAccounts,
  remedy: {
    risk: 'Anyone who may enable the user or reset the password gets the role back, and reviews of active users pass it by.',
    fix: 'Remove the roles from the disabled user.',
    steps: [
      'List the roles of the user, active and eligible, and the groups that bring roles.',
      'Remove the assignments and the memberships.',
      'Delete the user when your retention period is over.',
    ],
    verify: ['The user holds no role, active or eligible.'],
    care: 'Deleting also ends licenses, mailboxes and flows that belong to the user.',
    references: [REFERENCE.entraRoles, REFERENCE.privilegedIdentity],
  },
  what: 'A disabled user of Entra ID still holds a Tier Zero role.',
  needs: ['enabled'],
  find: (facts) => tierZeroUsers(facts).and(facts.is('enabled', false)),
} as const satisfies ListFindingType;
