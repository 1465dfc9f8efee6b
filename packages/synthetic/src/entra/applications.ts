/** Applications, service principals, and their permissions for Microsoft Graph. */
import { applicationName } from '../names.ts';
import { type AzureItem, azureItem, directoryObject, relationItem, tenantItem } from './items.ts';
import { hasTenantFlaw, isDrawn } from './tenantFlaws.ts';
import { TENANT_DOMAIN, type TenantPlan, tenantGuid } from './tenantPlan.ts';

/** Collectors write this id in Microsoft's spelling, and tools compare it as text. Shape 1 keeps the spelling of earlier versions. */
const graphApp = ({ domain }: TenantPlan): string =>
  domain.shape === 1 ? '00000003-0000-0000-C000-000000000000' : '00000003-0000-0000-c000-000000000000';
/** The organization of the vendor's own applications. */
const VENDOR = 'F8CDEF31-A31E-4B4A-93E4-5F571E91255A';

export const graphPrincipal = (plan: TenantPlan): string => tenantGuid(plan, 'graph', 0);

/**
 * One in this number of applications has the permission; the first application has none. All except the last lead to roles, which is a
 * flaw; in shape 3, the seed selects those with the permission (`tenantFlaws.ts`).
 */
const PERMISSIONS = [
  ['Application.ReadWrite.All', '1bfefb4e-e0b5-418b-a88f-73c46d2cc8e9', 40, 3],
  ['AppRoleAssignment.ReadWrite.All', '06b708a9-e830-4db3-a914-8e69da51d44f', 90, 5],
  ['GroupMember.ReadWrite.All', 'dbaae8cf-10b5-4b86-a4a1-f871c94c6695', 15, 2],
  ['RoleManagement.ReadWrite.Directory', '9e3f62cf-ca93-4989-b6ce-bf83c28f9fe8', 120, 1],
  ['User.Read.All', 'df021288-bdef-4463-88db-98f22de89214', 2, 0],
] as const;

const HARMLESS = 'User.Read.All';

/** @returns whether the application has the permission in this row of the table, if flaws are planted */
function isPermitted(plan: TenantPlan, index: number, row: number): boolean {
  const [name, , every, offset] = PERMISSIONS[row] as (typeof PERMISSIONS)[number];
  const occurrence = index * PERMISSIONS.length + row;
  return (
    index % every === offset && (name === HARMLESS || isDrawn(plan, 'application-permission', occurrence))
  );
}

/** @returns whether the application has a permission that leads to roles, if flaws are planted */
export const isPowerful = (plan: TenantPlan, index: number): boolean =>
  PERMISSIONS.some(([name], row) => name !== HARMLESS && isPermitted(plan, index, row));

/**
 * The application through which an ordinary person reaches every role: it may manage roles, and its owner is the first person of the
 * tenant. In shape 3, only some tenants have this flaw.
 */
export const PLANTED_APP = 1;

export function* makeApplications(plan: TenantPlan): Generator<AzureItem> {
  yield tenantItem(plan, 'AZServicePrincipal', {
    id: graphPrincipal(plan),
    appId: graphApp(plan),
    displayName: 'Microsoft Graph',
    appDisplayName: 'Microsoft Graph',
    appOwnerOrganizationId: VENDOR,
    accountEnabled: true,
    servicePrincipalType: 'Application',
  });
  for (let index = 0; index < plan.counts.app; index++) yield* makeApplication(plan, index);
}

function* makeApplication(plan: TenantPlan, index: number): Generator<AzureItem> {
  const appId = tenantGuid(plan, 'app', index);
  const principal = tenantGuid(plan, 'servicePrincipal', index);
  const displayName = applicationName(index);
  yield tenantItem(plan, 'AZApp', {
    id: tenantGuid(plan, 'app-object', index),
    appId,
    displayName,
    publisherDomain: TENANT_DOMAIN,
    signInAudience: index % 11 === 0 ? 'AzureADMultipleOrgs' : 'AzureADMyOrg',
  });
  yield tenantItem(plan, 'AZServicePrincipal', {
    id: principal,
    appId,
    displayName,
    appDisplayName: displayName,
    appOwnerOrganizationId: plan.tenantId,
    accountEnabled: true,
    servicePrincipalType: 'Application',
  });
  const person = index === PLANTED_APP ? 0 : (index * 37) % plan.counts.syncedUser;
  const { hasFlaws } = plan.domain;
  const isOwned =
    (index === PLANTED_APP || index % 4 === 0) &&
    (!isPowerful(plan, index) || hasTenantFlaw(plan, 'application-owner', index));
  const owner = directoryObject('user', tenantGuid(plan, 'syncedUser', person));
  yield relationItem('AZAppOwner', 'appId', appId, 'owners', isOwned ? [owner] : []);
  yield relationItem('AZServicePrincipalOwner', 'servicePrincipalId', principal, 'owners', []);
  for (const [row, [name, appRoleId]] of PERMISSIONS.entries()) {
    if (!isPermitted(plan, index, row) || !(hasFlaws || name === HARMLESS)) continue;
    yield azureItem('AZAppRoleAssignment', {
      appRoleId,
      principalId: principal,
      principalType: 'ServicePrincipal',
      principalDisplayName: displayName,
      resourceId: graphPrincipal(plan),
      resourceDisplayName: 'Microsoft Graph',
      appId: graphApp(plan),
      tenantId: plan.tenantId,
    });
  }
  if (index % 6 === 5) {
    const fic = {
      id: tenantGuid(plan, 'credential', index),
      name: 'pipeline',
      issuer: 'https://ci.example',
      subject: `repo:aurora/${displayName.toLowerCase()}:ref:refs/heads/main`,
      audiences: ['api://AzureADTokenExchange'],
    };
    yield tenantItem(plan, 'AZFederatedIdentityCredential', { appId, fics: [{ appId, fic }] });
  }
}
