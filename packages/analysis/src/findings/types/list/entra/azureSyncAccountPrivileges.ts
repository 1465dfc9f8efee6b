import type { NodeSet } from '@clew/graph';
import { RoleTemplate } from '../../../../azure/roleTemplates.ts';
import { TENANTS } from '../../../../azure/tenants.ts';
import type { FindingFacts } from '../../../findingFacts.ts';
import { synchronization } from '../../families/cloud.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { rolesByTemplate } from './common.ts';

export const azureSyncAccountPrivileges = {
  kind: 'list',
  id: 'AzureSyncAccountPrivileges',
  title: 'Synchronization Account With Extra Roles',
  ...classed({ platform: 'azure', category: 'HY', scope: 'hygiene', nature: 'safeguard', floor: 'high' }),
  family: synchronization,
  remedy: {
    risk: 'The account is kept on a server on premises; anyone who takes the server over has the other roles, too.',
    fix: 'Leave the account only the role for directory synchronization.',
    care: 'Old installations of the synchronization used Global Administrator. Update it before the role is removed.',
  },
  what: 'An account for directory synchronization holds another role as well.',
  needs: [],
  reads: { edges: ['AZHasRole'], shared: [TENANTS] },
  find: (facts) => {
    const synchronizing = synchronizingRoles(facts);
    const roles = facts.edges('AZHasRole');
    return roles
      .startsOfAny(synchronizing)
      .filter((holder) => !roles.endsOf(holder).isSubsetOf(synchronizing));
  },
} as const satisfies ListFindingType;

export const synchronizingRoles = (facts: FindingFacts): NodeSet =>
  rolesByTemplate(facts, RoleTemplate.directorySynchronizationAccounts);
