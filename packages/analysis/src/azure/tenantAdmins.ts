/**
 * AZGlobalAdmin, AZPrivilegedRoleAdmin and AZPrivilegedAuthAdmin: holders of the three roles that control a tenant. Rule:
 * `docs/rules.md#azglobaladmin`.
 */
import type { EdgeKindName } from '@clew/model';
import type { Rule } from '../rule.ts';
import { RoleTemplate } from './roleTemplates.ts';
import { holdingsOf, membersOf, TENANTS } from './tenants.ts';

const KINDS = [
  ['AZGlobalAdmin', RoleTemplate.globalAdministrator],
  ['AZPrivilegedRoleAdmin', RoleTemplate.privilegedRoleAdministrator],
  ['AZPrivilegedAuthAdmin', RoleTemplate.privilegedAuthenticationAdministrator],
] as const satisfies readonly (readonly [EdgeKindName, string])[];

export const tenantAdmins: Rule = {
  name: 'tenant administrators',
  produces: KINDS.map(([kind]) => kind),
  reads: { shared: [TENANTS] },
  derive: (context, edges) => {
    for (const tenant of context.use(TENANTS)) {
      for (const [kind, role] of KINDS) edges.addProduct(kind, membersOf(tenant, role), [tenant.node]);
    }
  },
  *ways(context) {
    for (const tenant of context.use(TENANTS))
      for (const [kind, role] of KINDS)
        for (const { holder, needs } of holdingsOf(tenant, role))
          yield { kind, starts: [holder], ends: [tenant.node], needs };
  },
};
