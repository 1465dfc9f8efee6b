/** Directory roles, their assignments, eligible assignments and activation policies. */
import { type AzureItem, azureItem, tenantItem } from './items.ts';
import { everydayAccount, hasTenantFlaw } from './tenantFlaws.ts';
import { type TenantPlan, tenantGuid } from './tenantPlan.ts';

/** Built-in roles by template id: those that rules and zones use, and some without effect. */
export const ROLES = [
  ['Global Administrator', '62e90394-69f5-4237-9190-012177145e10'],
  ['Privileged Role Administrator', 'e8611ab8-c189-46e8-94e1-60213ab1f814'],
  ['Privileged Authentication Administrator', '7be44c8a-adaf-4e2a-84d6-ab2649e08a13'],
  ['Application Administrator', '9b895d92-2cd3-44c7-9d02-a6ac2d5ea5c3'],
  ['Cloud Application Administrator', '158c047a-c907-4556-b7ef-446551a6b5f7'],
  ['User Administrator', 'fe930be7-5e62-47db-91af-98c3a49a38b1'],
  ['Helpdesk Administrator', '729827e3-9c14-49f7-bb1b-9608f156bbb8'],
  ['Authentication Administrator', 'c4e39bd9-1100-46d3-8c65-fb160da0071f'],
  ['Password Administrator', '966707d0-3269-4727-9be2-8c3a10f19b9d'],
  ['Groups Administrator', 'fdd7a751-b60b-444a-984c-02652fe8fa1c'],
  ['Intune Administrator', '3a2c62db-5318-420d-8d74-23affee5d9d5'],
  ['Security Administrator', '194ae4cb-b126-40b2-bd5b-6091b380977d'],
  ['Hybrid Identity Administrator', '8ac3fc64-6eca-42ea-9e69-59f4c7b60eb2'],
  ['Directory Synchronization Accounts', 'd29b2b05-8046-44ba-8758-1e26182fcf32'],
  ['Directory Readers', '88d8e3e3-8f55-4a1e-953a-9b9898b8876b'],
  ['Reports Reader', '4a5d8f65-41da-4de4-8968-e035b65339cf'],
  ['Guest Inviter', '95e79109-95c0-4d8e-aee3-d01accf2d47b'],
  ['Knowledge Manager', '744ec460-397e-42ad-a462-8b3f9747a02c'],
] as const;

type RoleName = (typeof ROLES)[number][0];

/** Principals with each role: role-assignable groups by index, and single users. */
function holdersOf(plan: TenantPlan, role: RoleName): string[] {
  const cloud = (index: number) => tenantGuid(plan, 'cloudUser', index % plan.counts.cloudUser);
  const person = (index: number) => tenantGuid(plan, 'syncedUser', index % plan.counts.syncedUser);
  // Flaw: an everyday account has a role that leads to others.
  const everyday = (...indices: number[]) =>
    indices
      .filter((index) => hasTenantFlaw(plan, 'everyday-role', index))
      .map((index) => everydayAccount(plan, 'everyday-role', index));
  const group = (index: number) => tenantGuid(plan, 'roleGroup', index);
  switch (role) {
    case 'Global Administrator':
      return [group(0), cloud(4), cloud(5)];
    case 'Privileged Role Administrator':
      return [group(1)];
    case 'Helpdesk Administrator':
      // Help desk staff use their ordinary, synchronized accounts.
      return [group(2), ...everyday(3, 17)];
    case 'Application Administrator':
      return [group(3)];
    case 'User Administrator':
      return everyday(5);
    case 'Intune Administrator':
      return [...everyday(9), cloud(3)];
    case 'Directory Synchronization Accounts':
      return [cloud(2)];
    case 'Directory Readers':
      return [person(21), person(33)];
    case 'Knowledge Manager':
      return everyday(41);
    default:
      // Shape 3 has the same flaw for further roles.
      return plan.domain.shape === 3 ? everyday(...(FURTHER_EVERYDAY_ROLES[role] ?? [])) : [];
  }
}

/** Roles that an everyday account has in some tenants of shape 3, with the number of the account. */
const FURTHER_EVERYDAY_ROLES: Readonly<Partial<Record<RoleName, readonly number[]>>> = {
  'Cloud Application Administrator': [51],
  'Authentication Administrator': [52],
  'Password Administrator': [53],
  'Groups Administrator': [54],
};

const NEEDS_APPROVAL: readonly RoleName[] = ['Global Administrator', 'Privileged Role Administrator'];

export function* makeRoles(plan: TenantPlan): Generator<AzureItem> {
  for (const [displayName, templateId] of ROLES) {
    yield tenantItem(plan, 'AZRole', {
      ...{ id: templateId.toUpperCase(), displayName, isBuiltIn: true, isEnabled: true, templateId },
      description: `Holds the duties of ${displayName}.`,
    });
    yield azureItem('AZRoleAssignment', {
      roleDefinitionId: templateId.toUpperCase(),
      tenantId: plan.tenantId,
      roleAssignments: holdersOf(plan, displayName).map((principalId) => ({
        roleDefinitionId: templateId.toUpperCase(),
        principalId,
        directoryScopeId: '/',
      })),
    });
    const isGuarded = NEEDS_APPROVAL.includes(displayName);
    yield azureItem('AZRoleManagementPolicyAssignment', {
      roleDefinitionId: templateId.toUpperCase(),
      tenantId: plan.tenantId,
      endUserAssignmentRequiresApproval: isGuarded,
      endUserAssignmentRequiresMFA: isGuarded,
      endUserAssignmentRequiresJustification: true,
      ...(displayName === 'Global Administrator' && {
        endUserAssignmentUserApprovers: [tenantGuid(plan, 'cloudUser', 0)],
      }),
    });
  }
  if (!hasTenantFlaw(plan, 'everyday-activation', 0)) return;
  // One administrator of the root domain can activate the highest role with an everyday account.
  yield azureItem('AZRoleEligibilityScheduleInstance', {
    ...{
      roleDefinitionId: ROLES[0][1].toUpperCase(),
      principalId: everydayAccount(plan, 'everyday-activation', 1),
    },
    ...{ directoryScopeId: '/', tenantId: plan.tenantId },
  });
}
