/**
 * Azure resources of a tenant from Resource Manager, as AzureHound records: management groups, subscriptions, resource groups, vaults with
 * their access policies, virtual machines and other resources with managed identities, and the holders of roles on each. Requires the role
 * Reader. Role assignments are read once per subscription, not per resource.
 */
import type { GraphClient, Item } from './graphClient.ts';
import { MACHINE_ROLES, RESOURCE_TYPES, SCOPE_ROLES, type ScopeRole, VAULT_ROLES } from './resourceTypes.ts';

/** Writes and notes parts of a tenant. */
export interface TenantParts {
  readonly tenantId: string;
  readonly put: (kind: string, data: object) => Promise<void>;
  /** Notes a part without permission, and continues. */
  readonly part: (what: string, work: () => Promise<void>) => Promise<void>;
  readonly note: (what: string, example: string) => void;
}

/** Versions of the calls, from the documentation of Azure Resource Manager. */
const VERSION = {
  subscriptions: 'api-version=2022-12-01',
  managementGroups: 'api-version=2020-05-01',
  resourceGroups: 'api-version=2021-04-01',
  assignments: 'api-version=2022-04-01',
} as const;
const MANAGEMENT_GROUPS = '/providers/Microsoft.Management/managementGroups';
const ASSIGNMENTS = '/providers/Microsoft.Authorization/roleAssignments';

/** Role assignments by scope, in lower case. */
type Assignments = ReadonlyMap<string, readonly Item[]>;

export async function readResources(manager: GraphClient, parts: TenantParts): Promise<void> {
  const reading = new ResourceReading(manager, parts);
  await parts.part('management groups of Azure', () => reading.managementGroups());
  await parts.part('subscriptions of Azure', () => reading.subscriptions());
}

class ResourceReading {
  readonly #manager: GraphClient;
  readonly #parts: TenantParts;
  /** Scopes above subscriptions whose holders were written, in lower case. */
  readonly #writtenScopes = new Set<string>();

  constructor(manager: GraphClient, parts: TenantParts) {
    this.#manager = manager;
    this.#parts = parts;
  }

  async managementGroups(): Promise<void> {
    const { put, part, tenantId } = this.#parts;
    for await (const group of this.#manager.list(`${MANAGEMENT_GROUPS}?${VERSION.managementGroups}`)) {
      await put('AZManagementGroup', { ...group, tenantId });
      const place = `${MANAGEMENT_GROUPS}/${encodeURIComponent(String(group.name))}`;
      await part(`management group ${String(group.name)}: its descendants`, async () => {
        for await (const below of this.#manager.list(`${place}/descendants?${VERSION.managementGroups}`))
          await put('AZManagementGroupDescendant', { ...below, tenantId });
      });
      await part(`management group ${String(group.name)}: roles`, async () => {
        const assignments = await this.#assignments(place, '&$filter=atScope()');
        const id = String(group.id);
        const isRoot = String(group.name).toLowerCase() === tenantId.toLowerCase();
        const held = isRoot ? withElevated(assignments, id) : assignments;
        await this.#scopeRoles('AZManagementGroup', 'managementGroupId', id, held);
        this.#writtenScopes.add(id.toLowerCase());
        if (isRoot) this.#writtenScopes.add(TENANT_SCOPE);
      });
    }
  }

  async subscriptions(): Promise<void> {
    const { put, part, note, tenantId } = this.#parts;
    let count = 0;
    for await (const subscription of this.#manager.list(`/subscriptions?${VERSION.subscriptions}`)) {
      count += 1;
      await put('AZSubscription', { ...subscription, tenantId: subscription.tenantId ?? tenantId });
      await part(`subscription ${String(subscription.displayName)}`, () => this.#below(subscription));
    }
    if (count === 0)
      note(
        'no Azure subscription is visible: without the Reader role for the application, resources cannot be collected',
        tenantId,
      );
  }

  async #below({ id, subscriptionId, displayName }: Item): Promise<void> {
    const { part, put, tenantId } = this.#parts;
    const place = String(id);
    const name = `subscription ${String(displayName)}`;
    let assignments: Assignments | undefined;
    await part(`${name}: roles`, async () => {
      assignments = this.#withUnseen(await this.#assignments(place), place, name);
      await this.#scopeRoles('AZSubscription', 'subscriptionId', place, assignments);
    });
    const common = { subscriptionId: String(subscriptionId), tenantId };
    await part(`${name}: resource groups`, async () => {
      for await (const group of this.#manager.list(`${place}/resourcegroups?${VERSION.resourceGroups}`)) {
        await put('AZResourceGroup', { ...group, ...common });
        if (assignments !== undefined)
          await this.#scopeRoles('AZResourceGroup', 'resourceGroupId', String(group.id), assignments);
      }
    });
    for (const { provider, version, kindOf, what } of RESOURCE_TYPES)
      await part(`${name}: ${what}`, async () => {
        for await (const resource of this.#manager.list(
          `${place}/providers/${provider}?api-version=${version}`,
        )) {
          const kind = kindOf(resource);
          if (kind !== undefined) await this.#resource(kind, { ...resource, ...common }, assignments);
        }
      });
  }

  async #resource(kind: string, resource: Item, assignments: Assignments | undefined): Promise<void> {
    const { put } = this.#parts;
    const id = String(resource.id);
    const group = /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+/i.exec(id)?.[0] ?? '';
    if (kind === 'AZKeyVault') {
      await put(kind, { ...resource, resourceGroup: group });
      await this.#accessPolicies(id, resource);
      if (assignments !== undefined) await this.#scopeRoles(kind, 'keyVaultId', id, assignments, VAULT_ROLES);
      return;
    }
    await put(kind, { ...resource, resourceGroupId: group });
    if (assignments === undefined) return;
    if (kind === 'AZVM') return this.#scopeRoles(kind, 'virtualMachineId', id, assignments, MACHINE_ROLES);
    await put(`${kind}RoleAssignment`, {
      objectId: id,
      assignees: heldOn(assignments, id).map((assignee) => ({
        ...{ objectId: id, roleDefinitionId: roleOf(assignee), assignee },
      })),
    });
  }

  async #accessPolicies(keyVaultId: string, { properties }: Item): Promise<void> {
    const { accessPolicies } = (properties ?? {}) as { readonly accessPolicies?: unknown };
    for (const policy of Array.isArray(accessPolicies) ? (accessPolicies as readonly Item[]) : [])
      await this.#parts.put('AZKeyVaultAccessPolicy', { ...policy, keyVaultId });
  }

  /** Also writes lists without holders, because previous holders no longer exist. */
  async #scopeRoles(
    kind: string,
    idField: string,
    id: string,
    assignments: Assignments,
    roles: readonly ScopeRole[] = SCOPE_ROLES,
  ): Promise<void> {
    for (const { suffix, role, list, entry } of roles)
      await this.#parts.put(`${kind}${suffix}`, {
        [idField]: id,
        [list]: heldOn(assignments, id)
          .filter((assignment) => roleOf(assignment) === role)
          .map((assignment) => ({ [idField]: id, [entry]: assignment })),
      });
  }

  /**
   * Assignments on management groups that the account cannot read are in the list of each subscription below them, so they are written for
   * the subscription.
   */
  #withUnseen(assignments: Assignments, id: string, name: string): Assignments {
    const unseen = [...assignments].filter(
      ([scope]) => ABOVE_SUBSCRIPTIONS.test(scope) && !this.#writtenScopes.has(scope),
    );
    for (const [scope] of unseen)
      this.#parts.note(
        'roles on management groups that cannot be read, which are recorded for each subscription below them',
        `${name}: ${scope}`,
      );
    return withMoved(
      assignments,
      id,
      unseen.flatMap(([, held]) => held),
    );
  }

  /** @throws GraphError */
  async #assignments(place: string, filter = ''): Promise<Assignments> {
    const found = new Map<string, Item[]>();
    for await (const assignment of this.#manager.list(
      `${place}${ASSIGNMENTS}?${VERSION.assignments}${filter}`,
    )) {
      const scope = String(propertiesOf(assignment).scope ?? '').toLowerCase();
      const list = found.get(scope);
      if (list === undefined) found.set(scope, [assignment]);
      else list.push(assignment);
    }
    return found;
  }
}

const propertiesOf = ({ properties }: Item): Item => (properties ?? {}) as Item;

/** The id of a role, without the scope of its definition. */
const roleOf = (assignment: Item): string =>
  String(propertiesOf(assignment).roleDefinitionId ?? '')
    .toLowerCase()
    .replace(/^.*\//, '');

/** The scope of elevated access (User Access Administrator), above all management groups. */
const TENANT_SCOPE = '/';

/** Scopes of groups and of the tenant, in lower case. */
const ABOVE_SUBSCRIPTIONS = /^\/(?:providers\/microsoft\.management\/managementgroups\/[^/]+)?$/;

/**
 * Elevated access is returned for each group, and applies to everything in the root management group, whose name is the tenant id. Records
 * have no object above it, so the assignment is written for the root.
 */
const withElevated = (assignments: Assignments, rootId: string): Assignments =>
  withMoved(assignments, rootId, assignments.get(TENANT_SCOPE) ?? []);

/** Adds assignments of parent scopes to those of an object, with their own scopes. */
function withMoved(assignments: Assignments, id: string, moved: readonly Item[]): Assignments {
  const here = moved.map((assignment) => ({
    ...assignment,
    properties: { ...propertiesOf(assignment), scope: id, assignedScope: propertiesOf(assignment).scope },
  }));
  return new Map(assignments).set(id.toLowerCase(), [...heldOn(assignments, id), ...here]);
}

/** Assignments on the object itself; those of parent scopes are inherited from there. */
const heldOn = (assignments: Assignments, id: string): readonly Item[] =>
  assignments.get(id.toLowerCase()) ?? [];
