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
    risk: 'The credentials of the account are stored on an on-premises server. Anyone who takes over the server also has the other roles.',
    fix: 'Keep only the directory synchronization role on the account.',
    care: 'Old installations of the synchronization service used Global Administrator. Update them before you remove the role.',
  },
  what: 'A directory synchronization account also holds another role.',
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
