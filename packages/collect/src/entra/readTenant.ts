/**
 * An Entra ID tenant as AzureHound records: users, groups with members and owners, devices, applications and service principals with owners
 * and credentials, Graph permissions, roles with assignments and eligibility, administrative units, Azure resources. A part without
 * permission becomes a note, and the run continues.
 */
import { type GraphClient, GraphError, type GraphVersion, type Item, type Related } from './graphClient.ts';
import { readResources } from './readResources.ts';
import {
  type DeltaKind,
  latestLinks,
  readTenantChanges,
  type TenantChanges,
  type TenantState,
} from './tenantChanges.ts';

/** Receives records when they are created. */
export type WriteItem = (kind: string, data: object) => Promise<void>;

export interface TenantReport {
  readonly tenantId: string;
  readonly tenantName: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly notes: readonly { readonly what: string; readonly count: number; readonly first: string }[];
  readonly requests: number;
  readonly throttled: number;
  /** Whether everything was read; else only changes. */
  readonly isFull: boolean;
  /** For the next run, after the records of this run were uploaded; undefined without `keepsState`, or without links to later changes. */
  readonly state: TenantState | undefined;
}

const SELECT = {
  user: 'id,accountEnabled,createdDateTime,displayName,jobTitle,lastPasswordChangeDateTime,mail,onPremisesSecurityIdentifier,onPremisesSyncEnabled,userPrincipalName,userType',
  group:
    'id,createdDateTime,description,displayName,isAssignableToRole,onPremisesSecurityIdentifier,onPremisesSyncEnabled,securityEnabled,securityIdentifier,groupTypes,membershipRule',
  device: 'id,deviceId,displayName,operatingSystem,operatingSystemVersion,trustType,accountEnabled,isManaged',
  application: 'id,appId,displayName,description,createdDateTime,publisherDomain,signInAudience',
  servicePrincipal:
    'id,appId,displayName,description,accountEnabled,appDisplayName,appDescription,appOwnerOrganizationId,loginUrl,servicePrincipalType',
} as const;
/** Properties whose changes are tracked. */
const TRACKED: Readonly<Record<DeltaKind, string>> = {
  AZUser: SELECT.user,
  AZGroup: SELECT.group,
  AZDevice: SELECT.device,
  AZApp: SELECT.application,
  AZServicePrincipal: SELECT.servicePrincipal,
};
const PAGE = '$top=999';
/** Microsoft Graph, list users: pages with sign-in activity have at most 120 users. */
const SIGN_INS = '/v1.0/users?$select=id,signInActivity&$top=120';
/** Changes do not list sign-ins, so runs that only read changes read all of them this often. */
const SIGN_INS_MS = 7 * 86_400_000;
/**
 * Lists of groups in version 1.0 leave out service principals. Source: Microsoft Graph, list group members and list group owners
 * (service principals are listed in the beta version).
 */
const WITH_SERVICE_PRINCIPALS: GraphVersion = 'beta';
const MEMBERS = `$select=id,displayName&${PAGE}`;
const CHANGES_LOST =
  'Graph no longer has the changes since the last run: everything was read again, but objects that were removed since then stay';
const CHANGES_LATER =
  'Graph did not list the changes: everything was read again, and the next run asks for removed objects again';
/** Changes of these may not be listed, and they expire without one: applications are written in each run. */
const CREDENTIALS = ['keyCredentials', 'passwordCredentials'] as const;
const MICROSOFT_GRAPH = '00000003-0000-0000-c000-000000000000';

export interface TenantOptions {
  readonly onProgress?: (text: string) => void;
  /** Azure Resource Manager; without it, resources are not read. */
  readonly manager?: GraphClient;
  /** Whether later runs need a state. */
  readonly keepsState?: boolean;
  /** State of an earlier run: only changes since then are read, if Graph still knows it. */
  readonly state?: TenantState;
  /** Whether everything is read; the state then only names removed objects. */
  readonly isFull?: boolean;
  /** Receives ids of objects that were removed since the earlier run. */
  readonly remove?: (id: string) => Promise<void>;
}

/** @throws Error if the tenant cannot be read at all */
export async function readTenant(
  graph: GraphClient,
  write: WriteItem,
  options: TenantOptions = {},
): Promise<TenantReport> {
  const { manager } = options;
  const { status, body } = await graph.ask('/v1.0/organization');
  const [organization] = (Array.isArray(body.value) ? body.value : []) as readonly Item[];
  if (organization === undefined) {
    const isBusy = status === 429 || status >= 500;
    const remedy = isBusy
      ? 'try again later'
      : 'the application needs the permission Directory.Read.All, with administrator consent';
    throw new Error(`the tenant cannot be read (${new GraphError(status, body).message}): ${remedy}`);
  }
  const reading = new TenantReading(graph, write, options, organization);
  await reading.all();
  if (manager !== undefined) await reading.resources(manager);
  return reading.report();
}

interface ListedOptions {
  readonly use?: (item: Item) => void;
  /** Changes an object before it is written. */
  readonly completed?: (item: Item) => Item;
  /** Also objects without changes. */
  readonly areAllWritten?: boolean;
}

class TenantReading {
  readonly #graph: GraphClient;
  readonly #write: WriteItem;
  readonly #options: TenantOptions;
  readonly #organization: Item;
  readonly #tenant: { readonly tenantId: string; readonly tenantName: string };
  readonly #counts: Record<string, number> = {};
  #managerRequests = 0;
  readonly #notes = new Map<string, { count: number; readonly first: string }>();
  /** Changes since the earlier run; undefined if they are unknown. */
  #known: TenantChanges | undefined;
  /** The same changes, if nothing else is read; undefined if everything is read. */
  #changes: TenantChanges | undefined;
  #links: TenantState['links'] | undefined;
  #signIns: TenantState['signIns'];
  readonly #appIds: Record<string, string> = {};
  /** Kinds of tracked objects of which one could not be read: then the next run has to read everything. */
  readonly #incomplete = new Set<string>();

  constructor(graph: GraphClient, write: WriteItem, options: TenantOptions, organization: Item) {
    this.#graph = graph;
    this.#write = write;
    this.#options = options;
    this.#organization = organization;
    this.#tenant = {
      tenantId: String(organization.id).toUpperCase(),
      tenantName: String(organization.displayName ?? '').toUpperCase(),
    };
  }

  report(): TenantReport {
    const notes = [...this.#notes].map(([what, { count, first }]) => ({ what, count, first }));
    const { requests, throttled } = this.#graph;
    return {
      ...{ ...this.#tenant, counts: this.#counts, notes, throttled },
      requests: requests + this.#managerRequests,
      ...{ isFull: this.#changes === undefined, state: this.#state() },
    };
  }

  #state(): TenantState | undefined {
    if (this.#links === undefined) return undefined;
    const { tenantId } = this.#tenant;
    const fullAt = this.#changes === undefined ? Date.now() : (this.#options.state?.fullAt ?? 0);
    const needsFull = this.#incomplete.size > 0;
    // An application that was not listed may be removed later.
    const appIds = { ...this.#earlier?.appIds };
    for (const id of this.#known?.of.AZApp.removed ?? []) delete appIds[id];
    return {
      ...{ tenantId, fullAt, needsFull, links: this.#links, appIds: { ...appIds, ...this.#appIds } },
      ...(this.#signIns !== undefined && { signIns: this.#signIns }),
    };
  }

  /** The state of the earlier run, if it belongs to this tenant. */
  get #earlier(): TenantState | undefined {
    const { state } = this.#options;
    return state?.tenantId === this.#tenant.tenantId ? state : undefined;
  }

  /** Asks for changes first, because nothing must be written before it is known whether they are complete. */
  async #begin(): Promise<void> {
    const { keepsState = false, isFull = false } = this.#options;
    if (!keepsState) return;
    this.#options.onProgress?.('changes');
    const earlier = this.#earlier;
    if (earlier !== undefined) {
      const changes = await readTenantChanges(this.#graph, earlier);
      if ('of' in changes) {
        this.#known = changes;
        this.#links = changes.links;
        if (!isFull && !earlier.needsFull) this.#changes = changes;
        return;
      }
      if (!changes.areLost) {
        this.#note(CHANGES_LATER, changes.reason);
        this.#links = earlier.links;
        return;
      }
      this.#note(CHANGES_LOST, changes.reason);
    }
    await this.#part('changes for the next run', async () => {
      this.#links = await latestLinks(this.#graph, TRACKED);
    });
  }

  /** Ids of removed objects. */
  async #removed(): Promise<void> {
    const { remove = async () => undefined } = this.#options;
    for (const [kind, { removed }] of Object.entries(this.#known?.of ?? {}))
      for (const id of removed) {
        const known = kind === 'AZApp' ? this.#earlier?.appIds[id] : id;
        if (known !== undefined) await remove(known.toUpperCase());
      }
  }

  /** A changed group that is not listed is no longer a security group, or never was one. @param listed ids of all security groups */
  async #removeOtherGroups(listed: readonly string[]): Promise<void> {
    const { remove = async () => undefined } = this.#options;
    if (this.#incomplete.has('AZGroup')) return;
    const groups = new Set(listed);
    for (const id of this.#known?.of.AZGroup.changed ?? [])
      if (!groups.has(id)) await remove(id.toUpperCase());
  }

  async all(): Promise<void> {
    await this.#begin();
    const { tenantId } = this.#tenant;
    const domains = (this.#organization.verifiedDomains ?? []) as readonly {
      name: string;
      isDefault: boolean;
    }[];
    await this.#put('AZTenant', {
      ...{ id: `/tenants/${tenantId}`, tenantId, displayName: this.#organization.displayName },
      defaultDomain: domains.find(({ isDefault }) => isDefault)?.name,
      collected: true,
    });
    await this.#users();
    await this.#groups();
    await this.#devices();
    await this.#applications();
    await this.#servicePrincipals();
    await this.#units();
    await this.#roles();
    await this.#removed();
  }

  /** Resource Manager has a separate sign-in; if it fails, the rest of the tenant is still valid. */
  async resources(manager: GraphClient): Promise<void> {
    try {
      await readResources(manager, {
        tenantId: this.#tenant.tenantId,
        put: (kind, data) => this.#put(kind, data),
        part: async (what, work) => void (await this.#part(what, work)),
        note: (what, example) => this.#note(what, example),
      });
    } catch (error) {
      if (manager.isEnded) throw error;
      this.#note('Azure resources were not read', (error as Error).message);
    }
    this.#managerRequests = manager.requests;
  }

  async #devices(): Promise<void> {
    const ids = await this.#listed('devices', 'AZDevice', `/v1.0/devices?$select=${SELECT.device}&${PAGE}`);
    await this.#related(
      'owners of devices',
      ids,
      (id) => `/devices/${id}/registeredOwners?${MEMBERS}`,
      (deviceId, items) =>
        this.#put('AZDeviceOwner', { deviceId, owners: items.map((owner) => ({ deviceId, owner })) }),
    );
  }

  async #groups(): Promise<void> {
    const filter = '$filter=securityEnabled eq true';
    const ids = await this.#listed(
      ...([
        'groups',
        'AZGroup',
        `/v1.0/groups?${filter}&$select=${SELECT.group}&${PAGE}&$count=true`,
      ] as const),
    );
    await this.#removeOtherGroups(ids);
    const areMembersRead = await this.#related(
      'members of groups',
      ids.filter((id) => this.#isChanged('AZGroup', id)),
      (id) => `/groups/${id}/members?${MEMBERS}`,
      (groupId, items) =>
        this.#put('AZGroupMember', { groupId, members: items.map((member) => ({ groupId, member })) }),
      WITH_SERVICE_PRINCIPALS,
    );
    if (!areMembersRead) this.#incomplete.add('AZGroup');
    await this.#related(
      'owners of groups',
      ids,
      (id) => `/groups/${id}/owners?${MEMBERS}`,
      (groupId, items) =>
        this.#put('AZGroupOwner', { groupId, owners: items.map((owner) => ({ groupId, owner })) }),
      WITH_SERVICE_PRINCIPALS,
    );
  }

  async #applications(): Promise<void> {
    const appIds = new Map<string, string>();
    const target = `/v1.0/applications?$select=${SELECT.application},${CREDENTIALS.join()}&${PAGE}`;
    const use = ({ id, appId }: Item): void => {
      appIds.set(String(id), String(appId));
      this.#appIds[String(id)] = String(appId);
    };
    const options = { use, completed: withoutHints, areAllWritten: true };
    const ids = await this.#listed('applications', 'AZApp', target, options);
    const appOf = (id: string): string => appIds.get(id) ?? '';
    await this.#related(
      'owners of applications',
      ids,
      (id) => `/applications/${id}/owners?${MEMBERS}`,
      (id, items) =>
        this.#put('AZAppOwner', { appId: appOf(id), owners: items.map((owner) => ({ appId: id, owner })) }),
    );
    await this.#related(
      'federated credentials',
      ids,
      (id) => `/applications/${id}/federatedIdentityCredentials`,
      async (id, items) => {
        const appId = appOf(id);
        if (items.length > 0)
          await this.#put('AZFederatedIdentityCredential', {
            ...{ appId, ...this.#tenant },
            fics: items.map((fic) => ({ appId, fic })),
          });
      },
    );
  }

  async #servicePrincipals(): Promise<void> {
    let graphId: string | undefined;
    const target = `/v1.0/servicePrincipals?$select=${SELECT.servicePrincipal}&${PAGE}`;
    const use = ({ id, appId }: Item): void => {
      if (String(appId).toLowerCase() === MICROSOFT_GRAPH) graphId = String(id);
    };
    const ids = await this.#listed('service principals', 'AZServicePrincipal', target, { use });
    await this.#related(
      ...([
        'owners of service principals',
        ids,
        (id: string) => `/servicePrincipals/${id}/owners?${MEMBERS}`,
      ] as const),
      (servicePrincipalId, items) =>
        this.#put('AZServicePrincipalOwner', {
          servicePrincipalId,
          owners: items.map((owner) => ({ servicePrincipalId, owner })),
        }),
    );
    if (graphId === undefined) return;
    // One list for all Graph permissions, instead of one per service principal.
    await this.#part('permissions on Graph', async () => {
      for await (const item of this.#graph.list(
        `/v1.0/servicePrincipals/${graphId}/appRoleAssignedTo?${PAGE}`,
      ))
        await this.#put('AZAppRoleAssignment', {
          ...item,
          appId: MICROSOFT_GRAPH,
          tenantId: this.#tenant.tenantId,
        });
    });
  }

  async #units(): Promise<void> {
    const units = new Map<string, Item>();
    await this.#part('administrative units', async () => {
      for await (const unit of this.#graph.list(`/v1.0/directory/administrativeUnits?${PAGE}`))
        units.set(String(unit.id), unit);
    });
    const pathOf = (id: string): string => `/directory/administrativeUnits/${id}/members?${MEMBERS}`;
    const found = new Set<string>();
    await this.#related('members of administrative units', [...units.keys()], pathOf, async (id, members) => {
      found.add(id);
      await this.#put('AZAdministrativeUnit', { ...units.get(id), ...this.#tenant, members });
    });
    // A unit is an object even if its members are unknown.
    for (const [id, unit] of units)
      if (!found.has(id)) await this.#put('AZAdministrativeUnit', { ...unit, ...this.#tenant });
  }

  async #roles(): Promise<void> {
    const { tenantId } = this.#tenant;
    const roles = '/v1.0/roleManagement/directory';
    const ids = await this.#listed('roles', 'AZRole', `${roles}/roleDefinitions`);
    await this.#part('role assignments', () => this.#assignments(ids, `${roles}/roleAssignments`));
    await this.#part('eligible roles (they need Entra ID P2)', async () => {
      for await (const item of this.#graph.list(`${roles}/roleEligibilityScheduleInstances`))
        await this.#put('AZRoleEligibilityScheduleInstance', { ...item, tenantId });
    });
    const filter = "$filter=scopeId eq '/' and scopeType eq 'DirectoryRole'";
    await this.#part('settings of roles (they need Entra ID P2)', async () => {
      const target = `/v1.0/policies/roleManagementPolicyAssignments?${filter}&$expand=policy($expand=rules)`;
      for await (const { id, roleDefinitionId, policyId, policy } of this.#graph.list(target))
        await this.#put('AZRoleManagementPolicyAssignment', {
          ...{ id, roleDefinitionId, policyId, tenantId },
          ...settingsOfRules(((policy as Item | undefined)?.rules ?? []) as readonly Item[]),
        });
    });
  }

  async #assignments(roleIds: readonly string[], target: string): Promise<void> {
    const byRole = new Map<string, { directoryScopeId: string }[]>();
    for await (const item of this.#graph.list(target)) {
      const role = String(item.roleDefinitionId);
      const list = byRole.get(role) ?? [];
      list.push({ ...item, directoryScopeId: await this.#scopeOf(String(item.directoryScopeId)) });
      byRole.set(role, list);
    }
    const { tenantId } = this.#tenant;
    for (const id of new Set([...roleIds, ...byRole.keys()]))
      await this.#put('AZRoleAssignment', {
        ...{ roleDefinitionId: id, tenantId },
        roleAssignments: byRole.get(id) ?? [],
      });
  }

  /** The scope of one application contains its object id; records use the client id. */
  async #scopeOf(scope: string): Promise<string> {
    if (!/^\/[0-9a-f-]{36}$/i.test(scope)) return scope;
    const { status, body } = await this.#graph.ask(`/v1.0/directoryObjects${scope}`);
    return status === 200 && typeof body.appId === 'string' ? `/${body.appId}` : scope;
  }

  #isChanged(kind: string, id: string): boolean {
    return this.#changes?.of[kind as DeltaKind]?.changed.has(id) !== false;
  }

  /** No other list depends on that of all users, so changed users are requested by their ids. */
  async #users(): Promise<void> {
    const [what, kind] = ['users', 'AZUser'] as const;
    const signIns = await this.#readSignIns();
    const withSignIn = (item: Item): Item =>
      signIns === undefined ? item : { ...item, signInActivity: signIns.get(String(item.id)) ?? null };
    if (this.#changes === undefined || signIns !== undefined) {
      const options = { completed: withSignIn, areAllWritten: signIns !== undefined };
      await this.#listed(what, kind, `/v1.0/users?$select=${SELECT.user}&${PAGE}`, options);
      return;
    }
    const ids = [...this.#changes.of[kind].changed];
    const select = this.#signIns?.areRead === true ? `${SELECT.user},signInActivity` : SELECT.user;
    const isRead = await this.#part(what, async () => {
      for await (const answer of this.#graph.objects(ids, (id) => `/users/${id}?$select=${select}`))
        if ('item' in answer) await this.#put(kind, { ...answer.item, ...this.#tenant });
        // An object that was removed since then is in the next list of changes.
        else if (answer.status !== 404) {
          this.#note(`${what}: status ${answer.status}`, answer.id);
          this.#incomplete.add(kind);
        }
    });
    if (!isRead) this.#incomplete.add(kind);
  }

  /**
   * A separate list, because a refusal (without Entra ID P1, or without the permission) must not lose the users.
   * @returns sign-in activity by user; undefined if it was not read
   */
  async #readSignIns(): Promise<ReadonlyMap<string, unknown> | undefined> {
    this.#signIns = this.#earlier?.signIns;
    const isRecent = this.#signIns !== undefined && Date.now() - this.#signIns.at < SIGN_INS_MS;
    if (this.#changes !== undefined && isRecent) return undefined;
    const signIns = new Map<string, unknown>();
    const at = Date.now();
    const areRead = await this.#part('last sign-ins of users (they need Entra ID P1)', async () => {
      for await (const { id, signInActivity } of this.#graph.list(SIGN_INS))
        if (signInActivity !== null && signInActivity !== undefined) signIns.set(String(id), signInActivity);
    });
    this.#signIns = { at, areRead };
    return areRead ? signIns : undefined;
  }

  /** Writes each object of a list; of kinds with known changes, only the changed ones. @returns the ids of all */
  async #listed(
    what: string,
    kind: string,
    target: string,
    { use, completed = (item) => item, areAllWritten = false }: ListedOptions = {},
  ): Promise<readonly string[]> {
    const ids: string[] = [];
    const isRead = await this.#part(what, async () => {
      for await (const item of this.#graph.list(target)) {
        ids.push(String(item.id));
        use?.(item);
        if (areAllWritten || this.#isChanged(kind, String(item.id)))
          await this.#put(kind, { ...completed(item), ...this.#tenant });
      }
    });
    if (!isRead && kind in TRACKED) this.#incomplete.add(kind);
    return ids;
  }

  /** @returns whether all lists were read; one of a removed object need not be */
  async #related(
    what: string,
    ids: readonly string[],
    pathOf: (id: string) => string,
    use: (id: string, items: readonly Item[]) => Promise<void>,
    version: GraphVersion = 'v1.0',
  ): Promise<boolean> {
    let areAllRead = true;
    const isRead = await this.#part(what, async () => {
      for await (const answer of this.#graph.related(ids, pathOf, version))
        if (isRefused(answer)) {
          this.#note(`${what}: status ${answer.status}`, answer.id);
          areAllRead &&= answer.status === 404;
        } else await use(answer.id, answer.items);
    });
    return isRead && areAllRead;
  }

  /** Notes a part without permission, and continues; an expired sign-in ends the run. @returns whether it was read */
  async #part(what: string, work: () => Promise<void>): Promise<boolean> {
    this.#options.onProgress?.(what);
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof GraphError) || error.status === 401) throw error;
      this.#note(`${what} were not read`, error.message);
      return false;
    }
  }

  #note(what: string, example: string): void {
    const known = this.#notes.get(what);
    if (known === undefined) this.#notes.set(what, { count: 1, first: example });
    else known.count += 1;
  }

  async #put(kind: string, data: object): Promise<void> {
    this.#counts[kind] = (this.#counts[kind] ?? 0) + 1;
    await this.#write(kind, data);
  }
}

/** Only the times and the use of credentials: Graph also lists the first characters of secrets. */
function withoutHints(application: Item): Item {
  const now = Date.now();
  const lists = CREDENTIALS.map((list) => {
    const credentials = (application[list] ?? []) as readonly Item[];
    return [
      list,
      credentials.map(({ startDateTime, endDateTime, usage }) => ({
        ...{ startDateTime, endDateTime, usage },
        // The service does not read an unchanged record again.
        isExpired: Date.parse(String(endDateTime)) <= now,
      })),
    ];
  });
  return { ...application, ...Object.fromEntries(lists) };
}

const isRefused = (answer: Related): answer is Extract<Related, { readonly status: number }> =>
  'status' in answer;

interface RuleTarget {
  readonly caller?: string;
  readonly level?: string;
}

interface ApprovalSetting {
  readonly isApprovalRequired?: boolean;
  readonly approvalStages?: readonly { readonly primaryApprovers?: readonly Item[] }[];
}

/** Settings for users who activate a role; rules for administrators do not affect them. */
function settingsOfRules(rules: readonly Item[]): object {
  const settings: Record<string, unknown> = {};
  for (const rule of rules) {
    const { caller, level } = (rule.target ?? {}) as RuleTarget;
    if (caller !== 'EndUser' || level !== 'Assignment') continue;
    const type = String(rule['@odata.type']);
    if (type.endsWith('ApprovalRule'))
      Object.assign(settings, approvalOf((rule.setting ?? {}) as ApprovalSetting));
    else if (type.endsWith('EnablementRule')) {
      const enabled = (rule.enabledRules ?? []) as readonly string[];
      settings.endUserAssignmentRequiresMFA = enabled.includes('MultiFactorAuthentication');
      settings.endUserAssignmentRequiresJustification = enabled.includes('Justification');
      settings.endUserAssignmentRequiresTicketInformation = enabled.includes('Ticketing');
    } else if (type.endsWith('AuthenticationContextRule'))
      settings.endUserAssignmentRequiresCAPAuthenticationContext = rule.isEnabled === true;
  }
  return settings;
}

function approvalOf({ isApprovalRequired, approvalStages }: ApprovalSetting): object {
  const approvers = approvalStages?.[0]?.primaryApprovers ?? [];
  const idsOf = (type: string, field: string): readonly unknown[] =>
    approvers.filter((one) => String(one['@odata.type']).endsWith(type)).map((one) => one[field] ?? one.id);
  return {
    endUserAssignmentRequiresApproval: isApprovalRequired === true,
    endUserAssignmentUserApprovers: idsOf('singleUser', 'userId'),
    endUserAssignmentGroupApprovers: idsOf('groupMembers', 'groupId'),
  };
}
