/**
 * The AZMG family: what service principals can do with permissions on Microsoft Graph. Rule: `docs/rules.md#azmgaddsecret`. The resource
 * (the Graph service principal) must belong to the tenant; the holder need not. A service principal may be its own target.
 */
import { NodeSet } from '@clew/graph';
import { EdgeKind, type EdgeKindName } from '@clew/model';
import type { AnalysisContext } from '../analysisContext.ts';
import { type Composition, CompositionBuilder } from '../composition.ts';
import type { EdgeSink } from '../derivedEdges.ts';
import type { EdgeRef } from '../edgeRef.ts';
import type { Rule } from '../rule.ts';
import { managedIdentities, TENANTS, type Tenant } from './tenants.ts';

/** Facts that the targets of all tenants share. */
interface TargetFacts {
  /** Groups that are certainly not role-assignable. */
  readonly ordinary: NodeSet;
  /** Entra ID manages their credentials itself, and accepts no others; none in `parity`. */
  readonly managedIdentities: NodeSet;
}

type Targets = (tenant: Tenant, shared: TargetFacts) => Iterable<number>;

const theTenant: Targets = (tenant) => [tenant.node];
const applications: Targets = (tenant) => tenant.apps.or(tenant.servicePrincipals);
const withSecrets: Targets = (tenant, { managedIdentities }) =>
  tenant.apps.or(tenant.servicePrincipals).andNot(managedIdentities);
const everyGroup: Targets = (tenant) => tenant.cloudGroups;
const ordinaryGroups: Targets = (tenant, { ordinary }) => tenant.cloudGroups.and(ordinary);

/** Each row: holders of the permission get the edge to the targets. */
const GRANTS = [
  ['AZMGApplication_ReadWrite_All', 'AZMGAddSecret', withSecrets],
  ['AZMGApplication_ReadWrite_All', 'AZMGAddOwner', applications],
  ['AZMGAppRoleAssignment_ReadWrite_All', 'AZMGGrantAppRoles', theTenant],
  ['AZMGDirectory_ReadWrite_All', 'AZMGAddMember', ordinaryGroups],
  ['AZMGDirectory_ReadWrite_All', 'AZMGAddOwner', ordinaryGroups],
  ['AZMGGroup_ReadWrite_All', 'AZMGAddMember', ordinaryGroups],
  ['AZMGGroup_ReadWrite_All', 'AZMGAddOwner', ordinaryGroups],
  ['AZMGGroupMember_ReadWrite_All', 'AZMGAddMember', ordinaryGroups],
  [
    'AZMGRoleManagement_ReadWrite_Directory',
    'AZMGGrantAppRoles',
    (tenant) => (tenant.roles.isEmpty ? [] : [tenant.node]),
  ],
  ['AZMGRoleManagement_ReadWrite_Directory', 'AZMGGrantRole', (tenant) => tenant.roles],
  ['AZMGRoleManagement_ReadWrite_Directory', 'AZMGAddSecret', withSecrets],
  ['AZMGRoleManagement_ReadWrite_Directory', 'AZMGAddOwner', applications],
  ['AZMGRoleManagement_ReadWrite_Directory', 'AZMGAddMember', everyGroup],
  ['AZMGRoleManagement_ReadWrite_Directory', 'AZMGAddOwner', everyGroup],
  ['AZMGServicePrincipalEndpoint_ReadWrite_All', 'AZMGAddOwner', (tenant) => tenant.servicePrincipals],
] as const satisfies readonly (readonly [EdgeKindName, EdgeKindName, Targets])[];

const PERMISSIONS = [...new Set(GRANTS.map(([permission]) => permission))];
const PRODUCED = [...new Set(GRANTS.map(([, kind]) => kind))];

export const graphPermissions: Rule = {
  name: 'Microsoft Graph permissions',
  produces: PRODUCED,
  reads: {
    shared: [TENANTS],
    edges: PERMISSIONS,
    nodeProperties: ['isassignabletorole', 'serviceprincipaltype'],
  },
  selfEdges: true,
  derive: (context, edges) => {
    const shared = sharedOf(context);
    for (const tenant of context.use(TENANTS)) deriveInTenant(context, tenant, shared, edges);
  },
  *ways(context) {
    const shared = sharedOf(context);
    for (const tenant of context.use(TENANTS))
      for (const [permission, kind, targets] of GRANTS) {
        const ends = [...targets(tenant, shared)];
        for (const start of holdersIn(context, tenant, permission))
          for (const end of context.edges(permission).endsOf(start))
            if (tenant.servicePrincipals.has(end))
              yield { kind, starts: [start], ends, needs: [{ start, kind: permission, end }] };
      }
  },
  compose,
};

const sharedOf = (context: AnalysisContext): TargetFacts => ({
  ordinary: context.properties.nodesWhere('isassignabletorole', false),
  managedIdentities:
    context.options.rules === 'clean' ? managedIdentities(context) : NodeSet.empty(context.graph.nodeCount),
});

function deriveInTenant(
  context: AnalysisContext,
  tenant: Tenant,
  shared: TargetFacts,
  edges: EdgeSink,
): void {
  for (const [permission, kind, targets] of GRANTS) {
    const holders = holdersIn(context, tenant, permission);
    if (holders.isEmpty) continue;
    edges.addProduct(kind, holders, targets(tenant, shared));
    context.throwIfCanceled();
  }
}

/** Src(permission): service principals that hold it on a resource of the tenant. */
function holdersIn(context: AnalysisContext, tenant: Tenant, permission: EdgeKindName): NodeSet {
  const holders: number[] = [];
  context.edges(permission).forEach((start, _kind, end) => {
    if (tenant.servicePrincipals.has(end)) holders.push(start);
  });
  return NodeSet.of(context.graph.nodeCount, holders).and(context.nodesOf('AZServicePrincipal'));
}

/** The permissions of the start behind the edge. */
function compose(context: AnalysisContext, { start, kind, end }: EdgeRef): Composition {
  const shared = sharedOf(context);
  const builder = new CompositionBuilder();
  for (const tenant of context.use(TENANTS)) {
    for (const [permission, produced, targets] of GRANTS) {
      if (EdgeKind[produced] !== kind) continue;
      if (![...targets(tenant, shared)].includes(end)) continue;
      context.edges(permission).outOf(start, (resource) => {
        if (tenant.servicePrincipals.has(resource)) builder.addEdge(start, EdgeKind[permission], resource);
      });
    }
  }
  return builder.build();
}
