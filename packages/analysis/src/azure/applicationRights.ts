/**
 * AZAddSecret and AZAddOwner: directory roles that may give themselves a way into every application.
 * Rules: `docs/rules.md#azaddsecret` and `docs/rules.md#azaddowner`.
 */
import type { EdgeKindName } from '@clew/model';
import type { Rule } from '../rule.ts';
import { RoleTemplate as Role } from './roleTemplates.ts';
import { rolesOf, TENANTS } from './tenants.ts';

function applicationRule(kind: EdgeKindName, roles: readonly string[]): Rule {
  return {
    name: kind,
    produces: [kind],
    reads: { shared: [TENANTS] },
    derive: (context, edges) => {
      for (const tenant of context.use(TENANTS)) {
        edges.addProduct(kind, rolesOf(tenant, ...roles), tenant.apps.or(tenant.servicePrincipals));
        context.throwIfCancelled();
      }
    },
  };
}

export const addSecret = applicationRule('AZAddSecret', [
  Role.applicationAdministrator,
  Role.cloudApplicationAdministrator,
]);

export const addOwner = applicationRule('AZAddOwner', [
  Role.hybridIdentityAdministrator,
  Role.partnerTier1Support,
  Role.partnerTier2Support,
  Role.directorySynchronizationAccounts,
]);
