import type { NodeSet } from '@clew/graph';
import { RoleTemplate } from '../../../../azure/roleTemplates.ts';
import { TENANTS } from '../../../../azure/tenants.ts';
import type { FindingFacts } from '../../../findingFacts.ts';
import { synchronisation } from '../../families/cloud.ts';
import type { ListFindingType } from '../../findingType.ts';
import { rolesByTemplate } from './common.ts';

export const azureSyncAccountPrivileges = {
  kind: 'list',
  id: 'AzureSyncAccountPrivileges',
  title: 'Synchronisation Account With Extra Roles',
  platform: 'azure',
  category: 'HY',
  scope: 'hygiene',
  nature: 'safeguard',
  floor: 'high',
  family: synchronisation,
  remedy: {
    risk: 'The account is kept on a server on premises; anyone who takes the server over has the other roles, too.',
    fix: 'Leave the account only the role for directory synchronisation.',
    care: 'Old installations of the synchronisation used Global Administrator. Update it before the role is removed.',
  },
  what: 'An account for directory synchronisation holds another role as well.',
  needs: [],
  reads: { edges: ['AZHasRole'], shared: [TENANTS] },
  find: (facts) => {
    const synchronising = synchronisingRoles(facts);
    const roles = facts.edges('AZHasRole');
    return roles
      .startsOfAny(synchronising)
      .filter((holder) => !roles.endsOf(holder).isSubsetOf(synchronising));
  },
} as const satisfies ListFindingType;

export const synchronisingRoles = (facts: FindingFacts): NodeSet =>
  rolesByTemplate(facts, RoleTemplate.directorySynchronizationAccounts);
