import { roleAssignments } from '../../families/cloud.ts';
import type { ListFindingType } from '../../findingType.ts';
import { rolesWithout, TIER_ZERO_SAFEGUARD } from './common.ts';

export const azureT0RoleActivationNoMFA = {
  kind: 'list',
  id: 'AzureT0RoleActivationNoMFA',
  title: 'Tier Zero Role Activation Does Not Require MFA',
  ...TIER_ZERO_SAFEGUARD,
  floor: 'moderate',
  family: roleAssignments,
  remedy: {
    risk: 'A password alone is enough to activate the role.',
    fix: 'Require multifactor authentication for activation in the settings of the role.',
  },
  what: 'A Tier Zero role can be activated without multifactor authentication.',
  needs: ['enduserassignmentrequiresmfa'],
  find: (facts) => rolesWithout(facts, 'enduserassignmentrequiresmfa'),
} as const satisfies ListFindingType;
