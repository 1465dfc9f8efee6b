/** Tenants, users, groups and devices. Rules: `docs/reference/azurehound.md#tenants-and-principals`. */
import type { AspectName } from '@clew/model';
import type { AzureFacts, End } from './facts.ts';
import {
  flag,
  type Item,
  id,
  isRecord,
  isSaid,
  member,
  record,
  records,
  text,
  time,
  upper,
} from './fields.ts';

export function convertTenant(item: Item, facts: AzureFacts): void {
  facts.describe('AZTenant', id(item, 'tenantId'), {
    displayname: text(item, 'displayName'),
    name: upper(item, 'displayName'),
    tenantid: id(item, 'tenantId'),
    // A tenant that is only visible to the collector must not reset a collected one.
    ...(flag(item, 'collected') ? { collected: true } : {}),
  });
}

export function convertUser(item: Item, facts: AzureFacts): void {
  const lastSignIn = text(record(item, 'signInActivity'), 'lastSuccessfulSignInDateTime');
  const user = facts.describe('AZUser', id(item, 'id'), {
    name: upper(item, 'userPrincipalName'),
    enabled: flag(item, 'accountEnabled'),
    whencreated: time(item, 'createdDateTime'),
    displayname: text(item, 'displayName'),
    title: text(item, 'jobTitle'),
    pwdlastset: time(item, 'lastPasswordChangeDateTime'),
    email: text(item, 'mail'),
    onpremid: text(item, 'onPremisesSecurityIdentifier'),
    onpremsyncenabled: flag(item, 'onPremisesSyncEnabled'),
    userprincipalname: text(item, 'userPrincipalName'),
    usertype: text(item, 'userType'),
    tenantid: upper(item, 'tenantId'),
    ...(lastSignIn === '' ? {} : { lastsuccessfulsignindatetime: lastSignIn }),
  });
  containInTenant(item, facts, user);
}

export function convertGroup(item: Item, facts: AzureFacts): void {
  const group = facts.describe('AZGroup', id(item, 'id'), {
    name: nameInTenant(item),
    whencreated: time(item, 'createdDateTime'),
    description: text(item, 'description'),
    displayname: text(item, 'displayName'),
    isassignabletorole: flag(item, 'isAssignableToRole'),
    membershiprule: isSaid(item, 'membershipRule') ? text(item, 'membershipRule') : null,
    onpremid: text(item, 'onPremisesSecurityIdentifier'),
    onpremsyncenabled: flag(item, 'onPremisesSyncEnabled'),
    securityenabled: flag(item, 'securityEnabled'),
    securityidentifier: text(item, 'securityIdentifier'),
    tenantid: upper(item, 'tenantId'),
  });
  containInTenant(item, facts, group);
}

export function convertDevice(item: Item, facts: AzureFacts): void {
  const device = facts.describe('AZDevice', id(item, 'id'), {
    name: nameInTenant(item),
    displayname: text(item, 'displayName'),
    operatingsystem: upper(item, 'operatingSystem'),
    deviceid: text(item, 'deviceId'),
    ismanaged: isSaid(item, 'isManaged') ? flag(item, 'isManaged') : null,
    operatingsystemversion: text(item, 'operatingSystemVersion'),
    // The property is named without the second "t"; clients use this name.
    trustype: text(item, 'trustType'),
    tenantid: upper(item, 'tenantId'),
  });
  containInTenant(item, facts, device);
}

export function convertGroupMembers(item: Item, facts: AzureFacts): void {
  const group: End = { kind: 'AZGroup', id: id(item, 'groupId') };
  relate(item, 'members', 'member', facts, group, 'az-members', 'AZMemberOf');
}

/** Owners of a group, device, application or service principal. */
export function convertOwners(idField: string, kind: string) {
  return (item: Item, facts: AzureFacts): void => {
    // For applications, the outer id is used: the inner one belongs to the directory object.
    relate(item, 'owners', 'owner', facts, { kind, id: id(item, idField) }, 'az-owners', 'AZOwns');
  };
}

export const DIRECTORY_TYPES: ReadonlyMap<string, string> = new Map([
  ['#microsoft.graph.user', 'AZUser'],
  ['#microsoft.graph.group', 'AZGroup'],
  ['#microsoft.graph.serviceprincipal', 'AZServicePrincipal'],
  ['#microsoft.graph.device', 'AZDevice'],
]);

function relate(
  item: Item,
  list: string,
  entry: string,
  facts: AzureFacts,
  target: End,
  aspect: AspectName,
  edge: string,
): void {
  facts.enumerate(target, aspect);
  for (const outer of records(item, list)) {
    const inner = member(outer, entry);
    if (!isRecord(inner)) {
      facts.notes.push(`an entry of ${list} has no ${entry}`);
      continue;
    }
    const kind = DIRECTORY_TYPES.get(text(inner, '@odata.type').toLowerCase());
    if (kind === undefined) {
      facts.notes.push(`an entry of ${list} has a type that is not in the graph`);
      continue;
    }
    const memberId = upper(inner, 'id');
    if (memberId === '') facts.notes.push(`an entry of ${list} has no id`);
    else facts.edge(target, aspect, { kind, id: memberId }, edge, target);
  }
}

/** `AZTenant -AZContains-> object`, for objects directly in the tenant. */
export function containInTenant(item: Item, facts: AzureFacts, object: End): void {
  const tenant = upper(item, 'tenantId');
  if (tenant === '') facts.notes.push('tenantId is missing, so the object belongs to no tenant');
  else facts.edge(object, 'az-container', { kind: 'AZTenant', id: tenant }, 'AZContains', object);
}

/** `DISPLAY NAME@TENANT NAME`. */
export function nameInTenant(item: Item): string {
  return `${upper(item, 'displayName')}@${upper(item, 'tenantName')}`;
}
