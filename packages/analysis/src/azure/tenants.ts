/**
 * Parts shared by the Azure rules: the objects in each tenant, and the effective holders of each Entra role. Rules:
 * `docs/reference/azurehound.md#effective-holders-of-a-role`. Role eligibility does not count there; a role for an administrative unit is a
 * separate role over only the members of the unit.
 */
import { addTo, NodeSet, nameOf } from '@clew/graph';
import type { AnalysisContext, Shared } from '../analysisContext.ts';
import type { RelationNeed } from '../ways.ts';

/** A way in which a principal effectively holds a role: through its own assignment, or as a member of a group that has it. */
export interface RoleHolding {
  readonly holder: number;
  /** If any of these is missing, the role is not held in this way. */
  readonly needs: readonly RelationNeed[];
}

/** A role for an administrative unit. */
export interface ScopedRole {
  readonly node: number;
  /** Whether only roles for this unit can manage its members. */
  readonly isRestricted: boolean;
  /** Template id, lower case. */
  readonly template: string;
  /** Members of the unit. */
  readonly users: NodeSet;
  readonly groups: NodeSet;
  readonly holdings: readonly RoleHolding[];
}

export interface Tenant {
  readonly node: number;
  readonly users: NodeSet;
  readonly groups: NodeSet;
  /** Groups whose members are changed in the tenant: in `clean` those that are not synchronized from Active Directory. */
  readonly cloudGroups: NodeSet;
  readonly servicePrincipals: NodeSet;
  readonly apps: NodeSet;
  readonly devices: NodeSet;
  readonly roles: NodeSet;
  /** Role nodes by template id, lower case. */
  readonly rolesByTemplate: ReadonlyMap<string, readonly number[]>;
  readonly holdingsByTemplate: ReadonlyMap<string, readonly RoleHolding[]>;
  /** Effective members over all roles of a template. */
  readonly membersByTemplate: ReadonlyMap<string, NodeSet>;
  readonly scopedRoles: readonly ScopedRole[];
  /** Members of restricted management administrative units, which roles for the tenant cannot change; empty in `parity`. */
  readonly restricted: NodeSet;
  /** Direct users of role-assignable groups, and in `clean` the owners of these groups: protected from lesser password administrators. */
  readonly usersOfRoleAssignableGroups: NodeSet;
}

/** Property of a user or group of the tenant whose source is Active Directory. */
export const SYNCHRONIZED = 'onpremsyncenabled';
const RESTRICTED_UNIT = 'ismembermanagementrestricted';

export const TENANTS: Shared<readonly Tenant[]> = {
  name: 'Azure tenants',
  reads: {
    edges: ['AZContains', 'AZHasRole', 'AZMemberOf', 'AZOwns', 'AZScopedTo'],
    nodeProperties: ['templateid', 'scopedtemplateid', 'isassignabletorole', RESTRICTED_UNIT, SYNCHRONIZED],
  },
  build: (context) => Array.from(context.nodesOf('AZTenant'), (node) => buildTenant(context, node)),
};

/** @returns role nodes with one of the templates, ascending */
export function rolesOf(tenant: Tenant, ...templates: readonly string[]): number[] {
  return templates.flatMap((template) => tenant.rolesByTemplate.get(template) ?? []).sort((a, b) => a - b);
}

/** @returns P(templates): effective members of the roles, of any principal kind */
export function membersOf(tenant: Tenant, ...templates: readonly string[]): NodeSet {
  const sets = templates.map((template) => tenant.membersByTemplate.get(template));
  return NodeSet.union(
    tenant.users.capacity,
    sets.filter((set) => set !== undefined),
  );
}

/** @returns the roles for administrative units with one of the templates */
export const scopedRolesOf = ({ scopedRoles }: Tenant, ...templates: readonly string[]): ScopedRole[] =>
  scopedRoles.filter(({ template }) => templates.includes(template));

/** @returns each way in which a principal is in P(templates) */
export function holdingsOf(tenant: Tenant, ...templates: readonly string[]): RoleHolding[] {
  return templates.flatMap((template) => tenant.holdingsByTemplate.get(template) ?? []);
}

/**
 * @param scoped the role for an administrative unit that reaches the objects; by default a role for the tenant
 * @returns the objects that the role can change: only a role for a restricted management administrative unit reaches members of such units
 */
export const manageable = (
  { restricted }: Tenant,
  objects: NodeSet,
  scoped: Pick<ScopedRole, 'isRestricted'> = { isRestricted: false },
): NodeSet => (scoped.isRestricted ? objects : objects.andNot(restricted));

function buildTenant(context: AnalysisContext, node: number): Tenant {
  const contained = context.edges('AZContains').endsOf(node);
  const groups = contained.and(context.nodesOf('AZGroup'));
  const roles = contained.and(context.nodesOf('AZRole'));
  const rolesByTemplate = groupByTemplate(context, roles);
  const holdingsByTemplate = new Map(
    [...rolesByTemplate].map(([template, nodes]) => [
      template,
      nodes.flatMap((role) => effectiveHoldings(context, role)),
    ]),
  );
  const membersByTemplate = new Map(
    [...holdingsByTemplate].map(([template, holdings]) => [
      template,
      NodeSet.of(
        context.graph.nodeCount,
        holdings.map(({ holder }) => holder),
      ),
    ]),
  );
  return {
    node,
    users: contained.and(context.nodesOf('AZUser')),
    groups,
    cloudGroups:
      context.options.rules === 'clean'
        ? groups.andNot(context.properties.nodesWhere(SYNCHRONIZED, true))
        : groups,
    servicePrincipals: contained.and(context.nodesOf('AZServicePrincipal')),
    apps: contained.and(context.nodesOf('AZApp')),
    devices: contained.and(context.nodesOf('AZDevice')),
    roles,
    rolesByTemplate,
    holdingsByTemplate,
    membersByTemplate,
    scopedRoles: scopedRolesIn(context, node, contained),
    restricted: membersOfRestrictedUnits(context).and(contained),
    usersOfRoleAssignableGroups: usersOfRoleAssignableGroups(context, groups),
  };
}

/** If the members of a unit are unknown, its roles reach nothing, and a warning says so. */
function scopedRolesIn(context: AnalysisContext, tenant: number, contained: NodeSet): ScopedRole[] {
  const scopedTo = context.edges('AZScopedTo');
  const units = context.nodesOf('AZAdministrativeUnit');
  const found: ScopedRole[] = [];
  for (const node of context.nodesOf('AZRole')) {
    const template = context.properties.text('scopedtemplateid', node);
    if (template === undefined || context.graph.environmentOf[node] !== tenant) continue;
    for (const unit of scopedTo.endsOf(node).and(units)) {
      const members = context.edges('AZMemberOf').startsOf(unit).and(contained);
      if (members.isEmpty)
        context.warn(
          `the members of the administrative unit ${nameOf(context.graph, unit)} are not known, so roles scoped to it reach no one`,
        );
      found.push({
        ...{ node, template: template.toLowerCase(), isRestricted: isRestrictedUnit(context, unit) },
        users: members.and(context.nodesOf('AZUser')),
        groups: members.and(context.nodesOf('AZGroup')),
        holdings: effectiveHoldings(context, node),
      });
    }
  }
  return found;
}

const isRestrictedUnit = (context: AnalysisContext, unit: number): boolean =>
  context.options.rules === 'clean' && context.properties.flag(RESTRICTED_UNIT, unit) === true;

function membersOfRestrictedUnits(context: AnalysisContext): NodeSet {
  const units = context.nodesOf('AZAdministrativeUnit').filter((unit) => isRestrictedUnit(context, unit));
  return context.edges('AZMemberOf').startsOfAny(units);
}

/** Reads `serviceprincipaltype`. */
export const managedIdentities = (context: AnalysisContext): NodeSet =>
  context
    .nodesOf('AZServicePrincipal')
    .filter((node) => context.properties.text('serviceprincipaltype', node) === 'ManagedIdentity');

function groupByTemplate(context: AnalysisContext, roles: NodeSet): Map<string, number[]> {
  const byTemplate = new Map<string, number[]>();
  for (const role of roles) {
    const template = context.properties.text('templateid', role)?.toLowerCase();
    if (template === undefined || template === '') continue;
    addTo(byTemplate, template, role);
  }
  return byTemplate;
}

/**
 * M(role): direct holders, and direct members of role-assignable holder groups except nested groups. A holder group itself counts, even if
 * none of its members is a principal.
 */
function effectiveHoldings(context: AnalysisContext, role: number): RoleHolding[] {
  const holdings: RoleHolding[] = [];
  context.edges('AZHasRole').into(role, (assigned) => {
    const assignment = { start: assigned, kind: 'AZHasRole', end: role } as const;
    holdings.push({ holder: assigned, needs: [assignment] });
    if (!isRoleAssignable(context, assigned)) return;
    context.edges('AZMemberOf').into(assigned, (member) => {
      if (context.nodesOf('AZGroup').has(member)) return;
      const membership = { start: member, kind: 'AZMemberOf', end: assigned } as const;
      holdings.push({ holder: member, needs: [assignment, membership] });
    });
  });
  return holdings.filter(({ holder }) => isPrincipal(context, holder));
}

function usersOfRoleAssignableGroups(context: AnalysisContext, groups: NodeSet): NodeSet {
  const users = context.nodesOf('AZUser');
  const found: number[] = [];
  for (const group of groups) {
    if (!isRoleAssignable(context, group)) continue;
    const note = (user: number): void => {
      if (users.has(user)) found.push(user);
    };
    context.edges('AZMemberOf').into(group, note);
    if (context.options.rules === 'clean') context.edges('AZOwns').into(group, note);
  }
  return NodeSet.of(context.graph.nodeCount, found);
}

/** A group without the property counts as not role-assignable. */
function isRoleAssignable(context: AnalysisContext, node: number): boolean {
  return context.nodesOf('AZGroup').has(node) && context.properties.flag('isassignabletorole', node) === true;
}

function isPrincipal(context: AnalysisContext, node: number): boolean {
  return (
    context.nodesOf('AZUser').has(node) ||
    context.nodesOf('AZGroup').has(node) ||
    context.nodesOf('AZServicePrincipal').has(node)
  );
}
