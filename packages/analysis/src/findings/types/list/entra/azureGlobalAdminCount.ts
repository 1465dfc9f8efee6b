import { TENANTS } from '../../../../azure/tenants.ts';
import { roleAssignments } from '../../families/cloud.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { tenantsWhere } from './common.ts';

const MAX_GLOBAL_ADMINISTRATORS = 8;

export const azureGlobalAdminCount = {
  kind: 'list',
  id: 'AzureGlobalAdminCount',
  title: 'Too Many Global Administrators',
  ...classed({ platform: 'azure', category: 'EN', scope: 'hygiene', nature: 'safeguard', floor: 'moderate' }),
  family: roleAssignments,
  remedy: {
    risk: 'Each of them controls the whole tenant. If there are many, some are probably careless or unused.',
    fix: 'Keep fewer than five Global Administrators, and give the others only the roles that they need.',
  },
  what: 'More than eight enabled principals hold the Global Administrator role or are eligible for it.',
  needs: [],
  reads: { edges: ['AZHasRole', 'AZRoleEligible', 'AZMemberOf'], shared: [TENANTS] },
  find: (facts) => tenantsWhere(facts, (administrators) => administrators > MAX_GLOBAL_ADMINISTRATORS),
} as const satisfies ListFindingType;
