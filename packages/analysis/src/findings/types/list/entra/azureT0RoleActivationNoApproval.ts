import { roleAssignments } from '../../families/cloud.ts';
import type { ListFindingType } from '../../findingType.ts';
import { rolesWithout, TIER_ZERO_SAFEGUARD } from './common.ts';

export const azureT0RoleActivationNoApproval = {
  kind: 'list',
  id: 'AzureT0RoleActivationNoApproval',
  title: 'Tier Zero Role Activation Does Not Require Approval',
  ...TIER_ZERO_SAFEGUARD,
  floor: 'low',
  family: roleAssignments,
  remedy: {
    risk: 'Anyone who takes over an eligible account can activate the role without a second person being involved.',
    fix: 'Require approval for activation, by approvers from the zone.',
    care: 'Assign at least two approvers. Otherwise no one can activate the role while one is away.',
  },
  what: 'A Tier Zero role can be activated without approval.',
  needs: ['enduserassignmentrequiresapproval'],
  find: (facts) => rolesWithout(facts, 'enduserassignmentrequiresapproval'),
} as const satisfies ListFindingType;
