/**
 * AZAddSecret and AZAddOwner: directory roles that may add credentials or owners to every application. Rules: `docs/rules.md#azaddsecret`
 * and `docs/rules.md#azaddowner`.
 */
import type { NodeSet } from '@clew/graph';
import type { EdgeKindName } from '@clew/model';
import type { AnalysisContext, Reads } from '../analysisContext.ts';
import type { Rule } from '../rule.ts';
import { RoleTemplate as Role } from './roleTemplates.ts';
import { managedIdentities, rolesOf, TENANTS, type Tenant } from './tenants.ts';

interface ApplicationRight {
  readonly kind: EdgeKindName;
  /** Roles by template id. */
  readonly roles: (context: AnalysisContext) => readonly string[];
  readonly reads?: Reads;
  readonly targets: (context: AnalysisContext, tenant: Tenant) => NodeSet;
}

function applicationRule({ kind, roles, reads, targets }: ApplicationRight): Rule {
  return {
    name: kind,
    produces: [kind],
    reads: { ...reads, shared: [TENANTS] },
    derive: (context, edges) => {
      for (const tenant of context.use(TENANTS)) {
        edges.addProduct(kind, rolesOf(tenant, ...roles(context)), targets(context, tenant));
        context.throwIfCanceled();
      }
    },
    // The start is the role itself, whose rights cannot be removed.
    *ways(context) {
      for (const tenant of context.use(TENANTS))
        yield {
          ...{ kind, starts: rolesOf(tenant, ...roles(context)), ends: [...targets(context, tenant)] },
          needs: [],
        };
    },
  };
}

const allApplications = (_: AnalysisContext, { apps, servicePrincipals }: Tenant): NodeSet =>
  apps.or(servicePrincipals);

/** Entra ID manages the credentials of managed identities itself, and accepts no others (`clean` only). */
function withoutManagedIdentities(context: AnalysisContext, tenant: Tenant): NodeSet {
  const all = allApplications(context, tenant);
  return context.options.rules === 'parity' ? all : all.andNot(managedIdentities(context));
}

export const addSecret = applicationRule({
  kind: 'AZAddSecret',
  roles: () => [Role.applicationAdministrator, Role.cloudApplicationAdministrator],
  reads: { nodeProperties: ['serviceprincipaltype'] },
  targets: withoutManagedIdentities,
});

const OWNER_ADDING = [
  Role.hybridIdentityAdministrator,
  Role.partnerTier1Support,
  Role.partnerTier2Support,
] as const;

export const addOwner = applicationRule({
  kind: 'AZAddOwner',
  // Since August 2024, the synchronization role has no right on applications in any tenant.
  roles: ({ options }) =>
    options.rules === 'parity' ? [...OWNER_ADDING, Role.directorySynchronizationAccounts] : OWNER_ADDING,
  targets: allApplications,
});
