import { roleAssignments } from '../../families/cloud.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { rolesWithout } from './common.ts';

export const azureT0RoleActivationNoApproval = {
  kind: 'list',
  id: 'AzureT0RoleActivationNoApproval',
  title: 'Tier Zero Role Activation Does Not Require Approval',
  ...classed({ platform: 'azure', category: 'EN', scope: 'tier-zero', nature: 'safeguard', floor: 'low' }),
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
