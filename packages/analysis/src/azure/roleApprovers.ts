/**
 * AZRoleApprover: principals that may approve the activation of a role that requires approval. If the policy names no one, Global and
 * Privileged Role Administrators approve. Rule: `docs/rules.md#azroleapprover` (intended behavior: a missing list equals an empty one).
 */
import { findNode, NO_NODE, objectIdOf } from '@clew/graph';
import type { AnalysisContext } from '../analysisContext.ts';
import type { Rule } from '../rule.ts';
import { RoleTemplate } from './roleTemplates.ts';
import { rolesOf, TENANTS } from './tenants.ts';

/** Role property: object ids of approvers. */
export const APPROVERS = ['enduserassignmentuserapprovers', 'enduserassignmentgroupapprovers'] as const;
const [USERS, GROUPS] = APPROVERS;
const REQUIRED = 'enduserassignmentrequiresapproval';

export const roleApprovers: Rule = {
  name: 'AZRoleApprover',
  produces: ['AZRoleApprover'],
  reads: { shared: [TENANTS], nodeProperties: ['tenantid', REQUIRED, USERS, GROUPS] },
  derive: (context, edges) => {
    for (const { role, approvers } of guardedRoles(context))
      edges.addProduct('AZRoleApprover', approvers, [role]);
  },
  *ways(context) {
    for (const { role, approvers, isNamed } of guardedRoles(context))
      for (const start of approvers)
        yield {
          ...{ kind: 'AZRoleApprover', starts: [start], ends: [role] },
          needs: isNamed ? [{ start, kind: 'AZRoleApprover', end: role }] : [],
        };
  },
};

interface GuardedRole {
  readonly role: number;
  readonly approvers: readonly number[];
  /** Whether the policy of the role names the approvers; otherwise they are the default approvers of every role. */
  readonly isNamed: boolean;
}

function* guardedRoles(context: AnalysisContext): Generator<GuardedRole> {
  const guarded = context.nodesOf('AZRole').and(context.properties.nodesWhere(REQUIRED, true));
  for (const tenant of context.use(TENANTS)) {
    const tenantId = objectIdOf(context.graph, tenant.node);
    const fallback = rolesOf(
      tenant,
      RoleTemplate.privilegedRoleAdministrator,
      RoleTemplate.globalAdministrator,
    );
    for (const role of guarded.and(context.properties.nodesWhere('tenantid', tenantId))) {
      const named = [...context.properties.texts(USERS, role), ...context.properties.texts(GROUPS, role)];
      const isNamed = named.length > 0;
      yield { role, approvers: isNamed ? knownNodes(context, named) : fallback, isNamed };
    }
  }
}

function knownNodes(context: AnalysisContext, ids: readonly string[]): number[] {
  const nodes: number[] = [];
  for (const id of ids) {
    const node = findNode(context.graph, id.toUpperCase());
    if (node !== NO_NODE && context.nodesOf('AZBase').has(node)) nodes.push(node);
    else context.warn(`a role has an approver that was not collected: ${id}`);
  }
  return nodes;
}
