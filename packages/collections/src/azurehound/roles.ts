/**
 * Directory roles: definitions, assignments, eligibility and activation policy. Rules:
 * `docs/reference/azurehound.md#directory-roles`.
 */
import type { PropertyValue } from '@clew/model';
import { PRIVILEGED_ROLE_ADMINISTRATOR, SCOPED_APP_ADMIN_EDGES } from './constants.ts';
import { containInTenant, DIRECTORY_TYPES, nameInTenant } from './directory.ts';
import type { AzureFacts, End } from './facts.ts';
import { flag, type Item, id, isRecord, member, records, text, texts, upper } from './fields.ts';

export function convertRole(item: Item, facts: AzureFacts): void {
  const role = facts.describe('AZRole', `${id(item, 'id')}@${id(item, 'tenantId')}`, {
    name: nameInTenant(item),
    description: text(item, 'description'),
    displayname: text(item, 'displayName'),
    enabled: flag(item, 'isEnabled'),
    isbuiltin: flag(item, 'isBuiltIn'),
    templateid: text(item, 'templateId'),
    tenantid: upper(item, 'tenantId'),
  });
  containInTenant(item, facts, role);
}

/**
 * An item lists all assignments of a role. An application administrator scoped to one application controls that application and not the
 * role. The role id is compared case-insensitively: the newest collector writes upper case, and a case-sensitive test would turn a scoped
 * assignment into a tenant-wide one.
 */
export function convertRoleAssignments(item: Item, facts: AzureFacts): void {
  const role = roleOf(item);
  facts.enumerate(role, 'az-role-assignments');
  for (const assignment of records(item, 'roleAssignments')) {
    const principal = principalOf(assignment, 'principalId', facts);
    if (principal === undefined) continue;
    // The assignment's own definition takes precedence over that of the list (our choice).
    const definition = text(assignment, 'roleDefinitionId') || text(item, 'roleDefinitionId');
    const assigned: End = { kind: 'AZRole', id: `${definition}@${text(item, 'tenantId')}`.toUpperCase() };
    const scopedEdge = SCOPED_APP_ADMIN_EDGES.get(definition.toLowerCase());
    const directoryScope = text(assignment, 'directoryScopeId');
    const isTenantWide = directoryScope === '/' || directoryScope === '';
    const scope = isTenantWide ? upper(item, 'tenantId') : directoryScope.slice(1).toUpperCase();
    if (scopedEdge !== undefined && !isTenantWide && scope !== '') {
      facts.edge(role, 'az-role-assignments', principal, scopedEdge, { kind: 'AZBase', id: scope });
    } else if (isTenantWide) {
      facts.edge(role, 'az-role-assignments', principal, 'AZHasRole', assigned, { scope });
    } else {
      assignScopedRole(facts, { role, principal, assigned, scope });
    }
  }
}

const UNIT = 'ADMINISTRATIVEUNITS/';

/**
 * A role for a part of the tenant is a separate role, so that its holders get no rights on the whole tenant: it has no template id, is not
 * contained in the tenant, and leads to the part. Analysis derives its rights over the members of an administrative unit.
 */
function assignScopedRole(
  facts: AzureFacts,
  {
    role,
    principal,
    assigned,
    scope,
  }: Readonly<Record<'role' | 'principal' | 'assigned', End>> & { readonly scope: string },
): void {
  const isUnit = scope.startsWith(UNIT);
  const part: End = isUnit
    ? { kind: 'AZAdministrativeUnit', id: scope.slice(UNIT.length) }
    : { kind: 'AZBase', id: scope };
  if (part.id === '') {
    facts.notes.push('a role assignment names no administrative unit');
    return;
  }
  const [template, tenant] = assigned.id.split('@') as [string, string];
  const scoped = facts.mention('AZRole', `${scope}/${assigned.id}`, {
    scopedtemplateid: template.toLowerCase(),
    scopedto: part.id,
    tenantid: tenant,
  });
  facts.edge(role, 'az-role-assignments', principal, 'AZHasRole', scoped, { scope });
  facts.edge(role, 'az-role-assignments', scoped, 'AZScopedTo', part);
  facts.notes.push(
    isUnit
      ? 'roles for an administrative unit apply only to its members; if no file contains these, they apply to no one'
      : 'roles for a part of the tenant that is not an administrative unit apply to no one',
  );
}

/** Members are listed as in Microsoft Graph, or by id only. */
export function convertAdministrativeUnit(item: Item, facts: AzureFacts): void {
  const unit = facts.describe('AZAdministrativeUnit', id(item, 'id'), {
    name: nameInTenant(item),
    displayname: text(item, 'displayName'),
    description: text(item, 'description'),
    ismembermanagementrestricted: flag(item, 'isMemberManagementRestricted'),
    tenantid: upper(item, 'tenantId'),
  });
  containInTenant(item, facts, unit);
  if (member(item, 'members') === undefined) return;
  facts.enumerate(unit, 'az-members');
  for (const entry of records(item, 'members')) {
    const inner = member(entry, 'member');
    const listed = isRecord(inner) ? inner : entry;
    const memberId = upper(listed, 'id');
    const kind = DIRECTORY_TYPES.get(text(listed, '@odata.type').toLowerCase()) ?? 'AZBase';
    if (memberId === '') facts.notes.push('an entry of members has no id');
    else facts.edge(unit, 'az-members', { kind, id: memberId }, 'AZMemberOf', unit);
  }
}

/** Each item has one eligibility. Only tenant-wide ones count. */
export function convertRoleEligibility(item: Item, facts: AzureFacts): void {
  const role = roleOf(item);
  facts.enumerate(role, 'az-role-eligibility');
  if (text(item, 'directoryScopeId') !== '/') return;
  const principal = principalOf(item, 'principalId', facts);
  if (principal !== undefined) facts.edge(role, 'az-role-eligibility', principal, 'AZRoleEligible', role);
}

export function convertRolePolicy(item: Item, facts: AzureFacts): void {
  const users = texts(item, 'endUserAssignmentUserApprovers').map((entry) => entry.toUpperCase());
  const groups = texts(item, 'endUserAssignmentGroupApprovers').map((entry) => entry.toUpperCase());
  const requiresApproval = flag(item, 'endUserAssignmentRequiresApproval');
  const role = facts.describe('AZRole', roleOf(item).id, {
    roledefinitionid: upper(item, 'roleDefinitionId'),
    tenantid: upper(item, 'tenantId'),
    enduserassignmentrequiresapproval: requiresApproval,
    enduserassignmentrequirescapauthenticationcontext: flag(
      item,
      'endUserAssignmentRequiresCAPAuthenticationContext',
    ),
    enduserassignmentuserapprovers: nullWhenEmpty(users),
    enduserassignmentgroupapprovers: nullWhenEmpty(groups),
    enduserassignmentrequiresmfa: flag(item, 'endUserAssignmentRequiresMFA'),
    enduserassignmentrequiresjustification: flag(item, 'endUserAssignmentRequiresJustification'),
    enduserassignmentrequiresticketinformation: flag(item, 'endUserAssignmentRequiresTicketInformation'),
  });
  facts.enumerate(role, 'az-role-approvers');
  if (!requiresApproval) return;
  const approvers: End[] = [
    ...users.map((user) => ({ kind: 'AZUser', id: user })),
    ...groups.map((group) => ({ kind: 'AZGroup', id: group })),
  ];
  if (approvers.length === 0) {
    const fallback = `${PRIVILEGED_ROLE_ADMINISTRATOR.toUpperCase()}@${upper(item, 'tenantId')}`;
    approvers.push({ kind: 'AZRole', id: fallback });
  }
  for (const approver of approvers) facts.edge(role, 'az-role-approvers', approver, 'AZRoleApprover', role);
}

function roleOf(item: Item): End {
  return { kind: 'AZRole', id: `${id(item, 'roleDefinitionId')}@${id(item, 'tenantId')}` };
}

function principalOf(item: Item, name: string, facts: AzureFacts): End | undefined {
  const principal = upper(item, name);
  if (principal === '') facts.notes.push(`an assignment has no ${name}`);
  return principal === '' ? undefined : { kind: 'AZBase', id: principal };
}

function nullWhenEmpty(values: readonly string[]): PropertyValue {
  return values.length === 0 ? null : values;
}
