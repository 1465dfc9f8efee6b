import { TENANTS } from '../../../../azure/tenants.ts';
import { roleAssignments } from '../../families/cloud.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { tenantsWhere } from './common.ts';

const MIN_GLOBAL_ADMINISTRATORS = 2;

export const azureGlobalAdminSingle = {
  kind: 'list',
  id: 'AzureGlobalAdminSingle',
  title: 'Fewer Than Two Global Administrators',
  ...classed({ platform: 'azure', category: 'EN', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: roleAssignments,
  remedy: {
    risk: 'If the only Global Administrator leaves, loses the second factor or is locked out, no one can repair the tenant.',
    fix: 'Assign the role to a second account: a cloud-only break-glass account.',
    steps: [
      'Create two cloud-only emergency accounts that do not belong to a person.',
      'Assign the role permanently, and protect the accounts with security keys that are stored in separate places.',
      'Exclude one of them from Conditional Access policies that could lock it out.',
      'Alert on every sign-in to these accounts, and test them twice a year.',
    ],
    verify: [
      'The role has at least two enabled holders, and a test sign-in with each emergency account succeeds.',
    ],
    care: 'A permanent holder of the role is a target: protect the security keys, and monitor the account.',
    prevent: 'Count the remaining holders before a person leaves.',
  },
  what: 'Fewer than two enabled principals hold the Global Administrator role, so losing one can lock everyone out of the tenant.',
  needs: [],
  reads: { edges: ['AZHasRole', 'AZRoleEligible', 'AZMemberOf'], shared: [TENANTS] },
  find: (facts) => tenantsWhere(facts, (administrators) => administrators < MIN_GLOBAL_ADMINISTRATORS),
} as const satisfies ListFindingType;
