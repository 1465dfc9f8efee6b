/**
 * AZResetPassword: a directory role may set the password of a user. For lesser roles, the allowed users depend on the roles that these
 * hold. Rule: `docs/rules.md#azresetpassword`.
 */
import type { NodeSet } from '@clew/graph';
import type { Rule } from '../rule.ts';
import type { Way } from '../ways.ts';
import { RoleTemplate as Role } from './roleTemplates.ts';
import { manageable, membersOf, rolesOf, scopedRolesOf, TENANTS, type Tenant } from './tenants.ts';

/** Roles that may reset any password, including those of other administrators. */
const UNLIMITED = [
  Role.globalAdministrator,
  Role.privilegedAuthenticationAdministrator,
  Role.partnerTier2Support,
];

/** Roles whose holders every password role may reset. */
const EVERYBODY_RESETS = [Role.guestInviter, Role.directoryReaders, Role.passwordAdministrator];
const READERS = [Role.reportsReader, Role.messageCenterReader, Role.usageSummaryReportsReader];

/** For each limited role: a user is a target if all roles of the user are in the list. */
const LIMITED: readonly [role: string, targetRoles: readonly string[]][] = [
  [
    Role.userAdministrator,
    [
      ...EVERYBODY_RESETS,
      ...READERS,
      Role.helpdeskAdministrator,
      Role.userAdministrator,
      Role.groupsAdministrator,
    ],
  ],
  [Role.helpdeskAdministrator, [...EVERYBODY_RESETS, ...READERS, Role.helpdeskAdministrator]],
  [Role.authenticationAdministrator, [...EVERYBODY_RESETS, ...READERS, Role.authenticationAdministrator]],
  [Role.passwordAdministrator, EVERYBODY_RESETS],
  [Role.partnerTier1Support, []],
];

export const resetPassword: Rule = {
  name: 'AZResetPassword',
  produces: ['AZResetPassword'],
  reads: { shared: [TENANTS] },
  derive: (context, edges) => {
    for (const tenant of context.use(TENANTS)) {
      for (const { role, users } of scopedResets(tenant)) edges.addProduct('AZResetPassword', [role], users);
      edges.addProduct('AZResetPassword', rolesOf(tenant, ...UNLIMITED), manageable(tenant, tenant.users));
      for (const [role, targetRoles] of LIMITED) {
        const resetters = rolesOf(tenant, role);
        if (resetters.length === 0) continue;
        const users = manageable(tenant, resettableUsers(tenant, targetRoles));
        edges.addProduct('AZResetPassword', resetters, users);
        context.throwIfCanceled();
      }
    }
  },
  // The start is the role itself, whose rights cannot be removed.
  *ways(context) {
    const ofRoles = (starts: readonly number[], users: NodeSet): Way => ({
      ...{ kind: 'AZResetPassword', starts, ends: [...users], needs: [] },
    });
    for (const tenant of context.use(TENANTS)) {
      for (const { role, users } of scopedResets(tenant)) yield ofRoles([role], users);
      yield ofRoles(rolesOf(tenant, ...UNLIMITED), manageable(tenant, tenant.users));
      for (const [role, targetRoles] of LIMITED)
        yield ofRoles(rolesOf(tenant, role), manageable(tenant, resettableUsers(tenant, targetRoles)));
    }
  },
};

/** Roles for administrative units reach the members of the unit that the role may reset in the tenant. */
function scopedResets(tenant: Tenant): { readonly role: number; readonly users: NodeSet }[] {
  const unlimited = scopedRolesOf(tenant, ...UNLIMITED).map((scoped) => ({
    role: scoped.node,
    users: manageable(tenant, scoped.users, scoped),
  }));
  const limited = LIMITED.flatMap(([template, targetRoles]) =>
    scopedRolesOf(tenant, template).map((scoped) => ({
      role: scoped.node,
      users: manageable(tenant, scoped.users, scoped).and(resettableUsers(tenant, targetRoles)),
    })),
  );
  return [...unlimited, ...limited];
}

/** Users without roles outside the list, except members of role-assignable groups. */
function resettableUsers(tenant: Tenant, targetRoles: readonly string[]): NodeSet {
  const others = [...tenant.membersByTemplate.keys()].filter((template) => !targetRoles.includes(template));
  // NoRole and Only(list) combined: everyone without roles outside the list.
  return tenant.users.andNot(membersOf(tenant, ...others)).andNot(tenant.usersOfRoleAssignableGroups);
}
