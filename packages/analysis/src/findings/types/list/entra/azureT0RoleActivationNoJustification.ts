import { roleAssignments } from '../../families/cloud.ts';
import type { ListFindingType } from '../../findingType.ts';
import { rolesWithout, TIER_ZERO_SAFEGUARD } from './common.ts';

export const azureT0RoleActivationNoJustification = {
  kind: 'list',
  id: 'AzureT0RoleActivationNoJustification',
  title: 'Tier Zero Role Activation Without Justification',
  ...TIER_ZERO_SAFEGUARD,
  floor: 'low',
  family: roleAssignments,
  remedy: {
    risk: 'Afterward, no one can find out whether an activation was intended.',
    fix: 'Require a justification for activation in the settings of the role.',
  },
  what: 'A Tier Zero role can be activated without a justification.',
  needs: ['enduserassignmentrequiresjustification'],
  find: (facts) => rolesWithout(facts, 'enduserassignmentrequiresjustification'),
} as const satisfies ListFindingType;
