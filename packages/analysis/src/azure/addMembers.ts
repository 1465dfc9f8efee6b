/**
 * AZAddMembers: a user or service principal may change the members of a group through a directory role. Rule: `docs/rules.md#azaddmembers`.
 * A group without the property `isassignabletorole` may be role-assignable, so only the two roles that may change every group reach it. In
 * `clean`, no role reaches a group that is synchronized from Active Directory.
 */
import type { NodeSet } from '@clew/graph';
import type { Rule } from '../rule.ts';
import { RoleTemplate as Role } from './roleTemplates.ts';
import {
  holdingsOf,
  manageable,
  membersOf,
  type ScopedRole,
  scopedRolesOf,
  TENANTS,
  type Tenant,
} from './tenants.ts';

const EVERY_GROUP = [Role.globalAdministrator, Role.privilegedRoleAdministrator];
const ORDINARY_GROUPS = [
  Role.groupsAdministrator,
  Role.directoryWriters,
  Role.identityGovernanceAdministrator,
  Role.userAdministrator,
  Role.intuneAdministrator,
  Role.knowledgeAdministrator,
  Role.knowledgeManager,
];

export const addMembers: Rule = {
  name: 'AZAddMembers',
  produces: ['AZAddMembers'],
  reads: { shared: [TENANTS], nodeProperties: ['isassignabletorole'] },
  derive: (context, edges) => {
    const ordinary = context.properties.nodesWhere('isassignabletorole', false);
    for (const tenant of context.use(TENANTS)) {
      const holders = tenant.users.or(tenant.servicePrincipals);
      const groups = manageable(tenant, tenant.cloudGroups);
      edges.addProduct('AZAddMembers', holders.and(membersOf(tenant, ...EVERY_GROUP)), groups);
      edges.addProduct(
        'AZAddMembers',
        holders.and(membersOf(tenant, ...ORDINARY_GROUPS)),
        groups.and(ordinary),
      );
      for (const scoped of scopedRolesOf(tenant, ...EVERY_GROUP, ...ORDINARY_GROUPS))
        for (const { holder } of scoped.holdings)
          if (holders.has(holder))
            edges.addProduct('AZAddMembers', [holder], groupsOfUnit(tenant, scoped).and(ordinary));
      context.throwIfCanceled();
    }
  },
  *ways(context) {
    const ordinary = context.properties.nodesWhere('isassignabletorole', false);
    for (const tenant of context.use(TENANTS)) {
      const holders = tenant.users.or(tenant.servicePrincipals);
      for (const [roles, groups] of [
        [EVERY_GROUP, manageable(tenant, tenant.cloudGroups)],
        [ORDINARY_GROUPS, manageable(tenant, tenant.cloudGroups).and(ordinary)],
      ] as const)
        for (const { holder, needs } of holdingsOf(tenant, ...roles))
          if (holders.has(holder)) yield { kind: 'AZAddMembers', starts: [holder], ends: [...groups], needs };
      for (const scoped of scopedRolesOf(tenant, ...EVERY_GROUP, ...ORDINARY_GROUPS)) {
        const ends = [...groupsOfUnit(tenant, scoped).and(ordinary)];
        for (const { holder, needs } of scoped.holdings)
          if (holders.has(holder)) yield { kind: 'AZAddMembers', starts: [holder], ends, needs };
      }
    }
  },
};

const groupsOfUnit = (tenant: Tenant, scoped: ScopedRole): NodeSet =>
  manageable(tenant, scoped.groups.and(tenant.cloudGroups), scoped);
