/**
 * Reads the holders of Resource Manager roles, and vault access policies. Rules: `docs/reference/azurehound.md#resource-roles` and
 * `docs/reference/azurehound.md#key-vault-policies`.
 */
import type { AspectName } from '@clew/model';
import { RM_ROLE_EDGES } from './constants.ts';
import type { AzureFacts, End } from './facts.ts';
import { type Item, id, record, records, text, texts, upper } from './fields.ts';

/**
 * The holders of one role on one scope. The collector also lists inherited assignments; only direct ones count, because `AZContains` from
 * the parent scope represents the others.
 */
export function convertScopeRole(
  idField: string,
  list: string,
  entry: string,
  kind: string,
  aspect: AspectName,
  edge: string,
) {
  return (item: Item, facts: AzureFacts): void => {
    const target: End = { kind, id: id(item, idField) };
    facts.enumerate(target, aspect);
    const held = records(item, list).map((outer) => ({ assignment: record(outer, entry), edge }));
    addHolders(facts, target, aspect, held);
  };
}

/** All role assignments of a resource; only roles that matter for its kind produce an edge. */
export function convertResourceRoles(kind: string, specificEdge?: string) {
  const allowed = new Set(['AZOwner', 'AZUserAccessAdministrator', 'AZContributor']);
  if (specificEdge !== undefined) allowed.add(specificEdge);
  return (item: Item, facts: AzureFacts): void => {
    const target: End = { kind, id: id(item, 'objectId') };
    facts.enumerate(target, 'az-role-assignments');
    const held = records(item, 'assignees').flatMap((outer) => {
      const edge = RM_ROLE_EDGES.get(text(outer, 'roleDefinitionId').toLowerCase());
      if (edge === undefined || !allowed.has(edge)) return [];
      return [{ assignment: record(outer, 'assignee'), edge }];
    });
    addHolders(facts, target, 'az-role-assignments', held);
  };
}

/** The scope of elevated access, above all management groups. */
const TENANT_SCOPE = '/';
/** The name of the root management group is the tenant id, so elevated access counts there; `AZContains` represents the groups below. */
const ROOT_GROUP =
  /^\/PROVIDERS\/MICROSOFT\.MANAGEMENT\/MANAGEMENTGROUPS\/[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}$/;

interface Held {
  readonly assignment: Item;
  readonly edge: string;
}

/** One edge per holder and role. If an assignment has another scope than the object, the edge lists the scopes of all of them. */
function addHolders(facts: AzureFacts, target: End, aspect: AspectName, held: readonly Held[]): void {
  const found = new Map<
    string,
    { readonly principal: string; readonly edge: string; readonly scopes: Set<string> }
  >();
  for (const { assignment, edge } of held) {
    const properties = record(assignment, 'properties');
    const scope = upper(properties, 'scope');
    if (scope !== target.id && !(scope === TENANT_SCOPE && ROOT_GROUP.test(target.id))) continue;
    const principal = upper(properties, 'principalId');
    if (principal === '') {
      facts.notes.push('a role assignment has no principalId');
      continue;
    }
    const known = found.get(`${edge} ${principal}`) ?? { principal, edge, scopes: new Set<string>() };
    found.set(`${edge} ${principal}`, known);
    known.scopes.add(upper(properties, 'assignedScope') || scope);
  }
  for (const { principal, edge, scopes } of found.values()) {
    const isElsewhere = [...scopes].some((scope) => scope !== target.id);
    const properties = isElsewhere ? { assignmentscopes: [...scopes].sort() } : undefined;
    facts.edge(target, aspect, { kind: 'AZBase', id: principal }, edge, target, properties);
  }
}

const POLICY_EDGES = [
  ['certificates', 'AZGetCertificates'],
  ['keys', 'AZGetKeys'],
  ['secrets', 'AZGetSecrets'],
] as const;

/** A policy of a vault. `get` and `all` are matched case-insensitively, as on the platform, so that no right is missed. */
export function convertKeyVaultAccessPolicy(item: Item, facts: AzureFacts): void {
  const vault: End = { kind: 'AZKeyVault', id: id(item, 'keyVaultId') };
  const principal: End = { kind: 'AZBase', id: id(item, 'objectId') };
  facts.enumerate(vault, 'az-access-policies');
  const permissions = record(item, 'permissions');
  for (const [list, edge] of POLICY_EDGES) {
    const grants = texts(permissions, list).some((entry) => /^(get|all)$/i.test(entry));
    if (grants) facts.edge(vault, 'az-access-policies', principal, edge, vault);
  }
}
