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
    risk: 'Anyone who takes over an eligible account activates the role without anybody else looking.',
    fix: 'Require approval at activation, by approvers of the zone.',
    care: 'Name at least two approvers, or no one can activate the role while one is away.',
  },
  what: 'A Tier Zero role can be activated without approval.',
  needs: ['enduserassignmentrequiresapproval'],
  find: (facts) => rolesWithout(facts, 'enduserassignmentrequiresapproval'),
} as const satisfies ListFindingType;
