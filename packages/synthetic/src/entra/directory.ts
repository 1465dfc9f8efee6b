/** Users, groups and devices of the tenant. */
import { mailName, personName } from '../people.ts';
import { blockId } from '../plan.ts';
import { below } from '../random.ts';
import { type AzureItem, directoryObject, relationItem, tenantItem } from './items.ts';
import { TENANT_DOMAIN, type TenantPlan, tenantGuid, tenantStream } from './tenantPlan.ts';

const ISO = (seconds: number): string => new Date(seconds * 1000).toISOString();

export function* makeUsers(plan: TenantPlan): Generator<AzureItem> {
  const at = plan.domain.collectedAt;
  const age = tenantStream(plan, 'user/age');
  const common = (index: number) => ({
    createdDateTime: ISO(at - 86_400 * (100 + below(2000, age(index)))),
    lastPasswordChangeDateTime: ISO(at - 86_400 * below(400, age(index, 1))),
  });
  for (let index = 0; index < plan.counts.syncedUser; index++) {
    const person = personName(index, plan.domain);
    const { first, last } = person;
    const principalName = `${mailName(person, index)}@${TENANT_DOMAIN}`;
    yield tenantItem(plan, 'AZUser', {
      ...common(index),
      id: tenantGuid(plan, 'syncedUser', index),
      accountEnabled: true,
      displayName: `${first} ${last}`,
      mail: principalName,
      userPrincipalName: principalName,
      userType: 'Member',
      onPremisesSyncEnabled: true,
      onPremisesSecurityIdentifier: blockId(plan.domain, 'person', index),
    });
  }
  for (let index = 0; index < plan.counts.cloudUser; index++) {
    yield tenantItem(plan, 'AZUser', {
      ...common(index),
      id: tenantGuid(plan, 'cloudUser', index),
      accountEnabled: true,
      displayName: `Cloud administrator ${index + 1}`,
      userPrincipalName: `adm-${index + 1}@${TENANT_DOMAIN}`,
      userType: 'Member',
    });
  }
  for (let index = 0; index < plan.counts.guest; index++) {
    yield tenantItem(plan, 'AZUser', {
      ...common(index),
      id: tenantGuid(plan, 'guest', index),
      accountEnabled: index % 7 !== 0,
      displayName: `Guest ${index + 1}`,
      userPrincipalName: `guest${index + 1}_partner.example#EXT#@${TENANT_DOMAIN}`,
      userType: 'Guest',
    });
  }
}

/** Role-assignable groups, in the order of their index. */
export const ROLE_GROUPS = ['CLOUD ADMINS', 'IDENTITY ADMINS', 'HELPDESK', 'APP ADMINS'] as const;

export function* makeGroups(plan: TenantPlan): Generator<AzureItem> {
  for (let index = 0; index < plan.counts.group; index++) {
    const id = tenantGuid(plan, 'group', index);
    yield tenantItem(plan, 'AZGroup', { id, displayName: `Team ${index + 1}`, securityEnabled: true });
    yield relationItem('AZGroupMember', 'groupId', id, 'members', membersOfTeam(plan, index));
    const owner = tenantGuid(plan, 'syncedUser', (index * 12) % plan.counts.syncedUser);
    const owners = index % 3 === 0 ? [directoryObject('user', owner)] : [];
    yield relationItem('AZGroupOwner', 'groupId', id, 'owners', owners);
  }
  for (const [index, displayName] of ROLE_GROUPS.entries()) {
    const id = tenantGuid(plan, 'roleGroup', index);
    yield tenantItem(plan, 'AZGroup', { id, displayName, securityEnabled: true, isAssignableToRole: true });
    const admin = tenantGuid(plan, 'cloudUser', index % plan.counts.cloudUser);
    yield relationItem('AZGroupMember', 'groupId', id, 'members', [directoryObject('user', admin)]);
    yield relationItem('AZGroupOwner', 'groupId', id, 'owners', []);
  }
}

/** Twelve people, and in some teams the next team as a nested group. */
function membersOfTeam(plan: TenantPlan, team: number): object[] {
  const members: object[] = [];
  for (let index = team * 12; index < Math.min((team + 1) * 12, plan.counts.syncedUser); index++) {
    members.push(directoryObject('user', tenantGuid(plan, 'syncedUser', index)));
  }
  if (team % 10 === 0 && team + 1 < plan.counts.group) {
    members.push(directoryObject('group', tenantGuid(plan, 'group', team + 1)));
  }
  return members;
}

export function* makeDevices(plan: TenantPlan): Generator<AzureItem> {
  for (let index = 0; index < plan.counts.device; index++) {
    const id = tenantGuid(plan, 'device', index);
    yield tenantItem(plan, 'AZDevice', {
      id,
      deviceId: tenantGuid(plan, 'device-id', index),
      displayName: `LAP-${String(index + 1).padStart(5, '0')}`,
      operatingSystem: index % 9 === 0 ? 'MacMDM' : 'Windows',
      operatingSystemVersion: '10.0.22631',
      trustType: 'AzureAd',
    });
    const owner = directoryObject('user', tenantGuid(plan, 'syncedUser', index % plan.counts.syncedUser));
    yield relationItem('AZDeviceOwner', 'deviceId', id, 'owners', [owner]);
  }
}
