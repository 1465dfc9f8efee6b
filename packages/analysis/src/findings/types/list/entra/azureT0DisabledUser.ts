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
    risk: 'Anyone who can enable the user or reset the password regains the role, and reviews of active users do not include it.',
    fix: 'Remove the roles from the disabled user.',
    steps: [
      'List the active and eligible roles of the user, and the groups that give it roles.',
      'Remove the assignments and the memberships.',
      'Delete the user after your retention period.',
    ],
    verify: ['The user holds no active or eligible role.'],
    care: 'When you delete the user, its licenses, mailboxes and flows are deleted, too.',
    references: [REFERENCE.entraRoles, REFERENCE.privilegedIdentity],
  },
  what: 'A disabled Entra ID user still holds a Tier Zero role.',
  needs: ['enabled'],
  find: (facts) => tierZeroUsers(facts).and(facts.is('enabled', false)),
} as const satisfies ListFindingType;
