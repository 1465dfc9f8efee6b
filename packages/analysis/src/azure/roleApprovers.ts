/**
 * AZRoleApprover: who may approve the activation of a role that asks for approval. Where the policy names no one,
 * Global and Privileged Role Administrators approve. Rule: `docs/rules.md#azroleapprover` (intended behaviour:
 * an absent list is an empty one).
 */
import { findNode, NO_NODE, objectIdOf } from '@clew/graph';
import type { AnalysisContext } from '../analysisContext.ts';
import type { Rule } from '../rule.ts';
import { RoleTemplate } from './roleTemplates.ts';
import { rolesOf, TENANTS } from './tenants.ts';

const USERS = 'enduserassignmentuserapprovers';
const GROUPS = 'enduserassignmentgroupapprovers';
const REQUIRED = 'enduserassignmentrequiresapproval';

export const roleApprovers: Rule = {
  name: 'AZRoleApprover',
  produces: ['AZRoleApprover'],
  reads: { shared: [TENANTS], nodeProperties: ['tenantid', REQUIRED, USERS, GROUPS] },
  derive: (context, edges) => {
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
        const approvers = named.length === 0 ? fallback : knownNodes(context, named);
        edges.addProduct('AZRoleApprover', approvers, [role]);
      }
    }
  },
};

function knownNodes(context: AnalysisContext, ids: readonly string[]): number[] {
  const nodes: number[] = [];
  for (const id of ids) {
    const node = findNode(context.graph, id.toUpperCase());
    if (node !== NO_NODE && context.nodesOf('AZBase').has(node)) nodes.push(node);
    else context.warn(`a role names an approver that was not collected: ${id}`);
  }
  return nodes;
}
