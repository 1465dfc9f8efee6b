import type { EdgeKindName } from '@clew/model';
import { graphPermissions } from '../../families/cloud.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const GRAPH_CONTROL: readonly EdgeKindName[] = [
  'AZMGAddMember',
  'AZMGAddOwner',
  'AZMGAddSecret',
  'AZMGGrantAppRoles',
  'AZMGGrantRole',
];

export const azureHighGraphPermission = {
  kind: 'list',
  id: 'AzureHighGraphPermission',
  title: 'Application With Tenant-Wide Write Permission',
  ...classed({ platform: 'azure', category: 'MG', scope: 'hygiene', nature: 'safeguard', floor: 'high' }),
  family: graphPermissions,
  what: 'A service principal holds a Microsoft Graph permission that leads to control of the tenant.',
  needs: [],
  reads: { edges: ['AZMGAddMember', 'AZMGAddOwner', 'AZMGAddSecret', 'AZMGGrantAppRoles', 'AZMGGrantRole'] },
  find: (facts) => {
    const control = facts.edges(...GRAPH_CONTROL);
    return facts.of('AZServicePrincipal').filter((node) => control.isStart(node));
  },
} as const satisfies ListFindingType;
