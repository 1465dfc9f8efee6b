/**
 * Relations of a tenant that an administrator removes, in the items of its collector: an item contains an object, and a list of
 * the holders of something on it. `repairCollection.ts` does the same for Active Directory.
 */

// biome-ignore lint/suspicious/noExplicitAny: files are edited as an administrator would, without their types.
type Json = any;

interface Edge {
  readonly start: string;
  readonly kind: string;
  readonly end: string;
}

const idOf = (value: unknown): string => (typeof value === 'string' ? value.toUpperCase() : '');

/** Kinds of items that list a relation. */
const LISTING_ITEMS: Readonly<Record<string, RegExp>> = {
  AZMemberOf: /^AZGroupMember$/,
  AZOwns: /^AZ(App|ServicePrincipal|Group|Device)Owner$/,
  AZHasRole: /^AZRoleAssignment$/,
  AZOwner: /^AZ(ManagementGroup|Subscription|ResourceGroup|VM|KeyVault)Owner$/,
  AZContributor: /^AZ(ManagementGroup|Subscription|ResourceGroup|VM|KeyVault)Contributor$/,
  AZUserAccessAdministrator: /^AZ(ManagementGroup|Subscription|ResourceGroup|VM|KeyVault)UserAccessAdmin$/,
};

/** Permissions of Microsoft Graph by their ids in a tenant. */
const PERMISSIONS: Readonly<Record<string, string>> = {
  AZMGApplication_ReadWrite_All: '1BFEFB4E-E0B5-418B-A88F-73C46D2CC8E9',
  AZMGAppRoleAssignment_ReadWrite_All: '06B708A9-E830-4DB3-A914-8E69DA51D44F',
  AZMGDirectory_ReadWrite_All: '19DBC75E-C2E2-444C-A770-EC69D8559FC7',
  AZMGGroup_ReadWrite_All: '62A82D76-70EA-41E2-9197-370581804D09',
  AZMGGroupMember_ReadWrite_All: 'DBAAE8CF-10B5-4B86-A4A1-F871C94C6695',
  AZMGRoleManagement_ReadWrite_Directory: '9E3F62CF-CA93-4989-B6CE-BF83C28F9FE8',
  AZMGServicePrincipalEndpoint_ReadWrite_All: '89C8469C-83AD-45F7-8FF2-6E3D4285709E',
};

/**
 * @param items of the tenant's file, changed in place
 * @returns the number of occurrences of the relation; undefined for kinds that such items do not contain
 */
export function removeFromTenant(edge: Edge, items: Json[]): number | undefined {
  const listing = LISTING_ITEMS[edge.kind];
  if (listing !== undefined) return removeListed(edge, items, listing);
  const permission = PERMISSIONS[edge.kind];
  if (permission !== undefined)
    return dropItems(
      items,
      ({ kind, data }) =>
        kind === 'AZAppRoleAssignment' &&
        idOf(data.appRoleId) === permission &&
        idOf(data.principalId) === edge.start &&
        idOf(data.resourceId) === edge.end,
    );
  if (edge.kind === 'AZRoleEligible')
    return dropItems(
      items,
      ({ kind, data }) =>
        kind === 'AZRoleEligibilityScheduleInstance' &&
        idOf(data.principalId) === edge.start &&
        roleOf(data) === edge.end,
    );
  const synchronized = SYNCHRONIZED_AT[edge.kind];
  return synchronized === undefined ? undefined : endSynchronization(edge[synchronized], items);
}

/**
 * @param items of the tenant's file, changed in place
 * @returns whether the tenant has the object, and its items contain the property
 */
export function writeInTenant(
  { objectId, key, value }: { readonly objectId: string; readonly key: string; readonly value: unknown },
  items: readonly Json[],
): boolean {
  return key === 'onpremsyncenabled' && value === false && endSynchronization(objectId, items) > 0;
}

/** The end that is a user in the tenant. */
const SYNCHRONIZED_AT: Readonly<Record<string, 'start' | 'end'>> = {
  SyncedToADUser: 'start',
  SyncedToEntraUser: 'end',
};

/** Removes both directions at once. */
function endSynchronization(id: string, items: readonly Json[]): number {
  const users = items.filter(({ kind, data }) => kind === 'AZUser' && idOf(data.id) === id);
  for (const { data } of users) delete data.onPremisesSyncEnabled;
  return users.length;
}

function removeListed({ start, end }: Edge, items: Json[], listing: RegExp): number {
  let count = 0;
  for (const { kind, data } of items) {
    if (!listing.test(String(kind)) || !isAbout(data, end)) continue;
    for (const [key, entries] of Object.entries<Json>(data)) {
      if (!Array.isArray(entries)) continue;
      data[key] = entries.filter((entry) => !names(entry, start, end));
      count += entries.length - data[key].length;
    }
  }
  return count;
}

const roleOf = ({ roleDefinitionId, tenantId }: Json): string =>
  `${idOf(roleDefinitionId)}@${idOf(tenantId)}`;

const isAbout = (data: Json, id: string): boolean =>
  roleOf(data) === id || Object.values(data).some((value) => idOf(value) === id);

/** The holder in a list is an id in the entry or in an object of it, which also contains the object of the item. */
function names(entry: Json, id: string, object: string): boolean {
  if (typeof entry !== 'object' || entry === null) return false;
  return Object.values(entry).some(
    (value) => (idOf(value) === id && id !== object) || names(value, id, object),
  );
}

function dropItems(items: Json[], isGone: (item: Json) => boolean): number {
  const left = items.filter((item) => !isGone(item));
  const count = items.length - left.length;
  items.splice(0, items.length, ...left);
  return count;
}
