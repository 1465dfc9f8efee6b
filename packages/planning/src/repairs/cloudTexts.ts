/**
 * Texts of changes in Entra ID and Azure, one kind of assignment each: a role, an owner, a permission of an application, an access policy,
 * an identity of a resource.
 *
 * Source of names: Microsoft, Entra built-in roles, Azure built-in roles, Microsoft Graph permissions.
 */
import type { RepairNames, RepairText } from './repairTextTypes.ts';

type Ends = Pick<RepairNames, 'object' | 'principal'>;

export const OTHER_ADMINISTRATORS =
  'Before the change, check that at least two others hold an administrative role, including a tested emergency account.';

/** Roles of Entra ID that correspond to a relationship with the whole tenant. */
const TENANT_ROLES: Readonly<Record<string, string>> = {
  AZGlobalAdmin: 'Global Administrator',
  AZPrivilegedRoleAdmin: 'Privileged Role Administrator',
  AZPrivilegedAuthAdmin: 'Privileged Authentication Administrator',
};

/** Roles of Azure, keyed by the relationship that they give. */
const AZURE_ROLES: Readonly<Record<string, string>> = {
  AZOwner: 'Owner',
  AZContributor: 'Contributor',
  AZUserAccessAdministrator: 'User Access Administrator',
  AZVMContributor: 'Virtual Machine Contributor',
  AZVMAdminLogin: 'Virtual Machine Administrator Login',
  AZAvereContributor: 'Avere Contributor',
  AZKeyVaultContributor: 'Key Vault Contributor',
  AZWebsiteContributor: 'Website Contributor',
  AZAutomationContributor: 'Automation Contributor',
  AZLogicAppContributor: 'Logic App Contributor',
  AZAKSContributor: 'Azure Kubernetes Service Contributor',
};

const VAULT_CONTENTS: Readonly<Record<string, string>> = {
  AZGetSecrets: 'secrets',
  AZGetKeys: 'keys',
  AZGetCertificates: 'certificates',
};

const PERMISSION = /^AZMG([A-Za-z]+_ReadWrite_(?:All|Directory))$/;

/** An eligible holder can activate the role, so an eligible assignment leaves the path. */
export const ELIGIBLE = 'Do not make it eligible instead: this leaves the path open.';

/** A role of Entra ID; an eligible one also leads into Tier Zero. */
export function roleText({ object, principal, relations }: RepairNames): RepairText {
  const ofTenant = TENANT_ROLES[relations[0] ?? ''];
  const isEligible = relations[0] === 'AZRoleEligible';
  const [role, where] = ofTenant === undefined ? [object, ''] : [ofTenant, ` in ${object}`];
  return {
    title: `Remove the role ${role}${where} from ${principal}`,
    change: isEligible
      ? `In Privileged Identity Management, remove the eligible assignment of ${principal} to ${role}.`
      : `Under Roles and administrators, remove the assignment of ${principal} to ${role}${where}. ${ELIGIBLE}`,
    check: `The ${isEligible ? 'eligible ' : ''}assignments of ${role} no longer list ${principal}.`,
    risk: `${principal} loses the rights of the role, and everything that it runs with them stops: find out first how it uses them. ${OTHER_ADMINISTRATORS}`,
  };
}

/** @returns undefined unless one assignment gives the relationship */
export function assignmentText({ relations, isElevated, ...ends }: RepairNames): RepairText | undefined {
  const [relation = '', ...more] = relations;
  if (more.length > 0) return undefined;
  if (isElevated === true) return elevatedText(ends);
  const permission = PERMISSION.exec(relation)?.[1]?.replaceAll('_', '.');
  if (permission !== undefined) return permissionText(ends, permission);
  const [role, contents] = [AZURE_ROLES[relation], VAULT_CONTENTS[relation]];
  if (role !== undefined) return azureRoleText(ends, role);
  if (contents !== undefined) return vaultText(ends, contents);
  return OTHERS[relation]?.(ends);
}

const permissionText = ({ object, principal }: Ends, permission: string): RepairText => ({
  title: `Remove the permission ${permission} from ${principal}`,
  change: `Delete the app role assignment ${permission} of ${principal} to ${object} (Remove-MgServicePrincipalAppRoleAssignment), and remove the permission from the app registration, so that the next consent does not grant it again. If the application has to write, grant it a narrower permission first.`,
  check: `The permissions of ${principal} under Enterprise applications no longer list ${permission}.`,
  risk: `Everything that ${principal} does with ${permission} stops: check its requests in the Microsoft Graph activity logs first.`,
});

/** Source: Microsoft, elevate access to manage all Azure subscriptions and management groups. */
const elevatedText = ({ object, principal }: Ends): RepairText => ({
  title: `Remove the elevated access to Azure from ${principal}`,
  change: `Sign in as a Global Administrator with elevated access. In Entra ID, under Properties, Access management for Azure resources, open Manage elevated access users and remove ${principal}; or run az role assignment delete --assignee ID --role "User Access Administrator" --scope "/". Access control (IAM) of ${object} shows the assignment as inherited and cannot remove it. If ${principal} also has the role at ${object} itself, remove that assignment there. Then turn off your own elevated access.`,
  check: `az role assignment list --role "User Access Administrator" --scope "/" no longer lists ${principal}.`,
  risk: `${principal} can no longer assign roles in all subscriptions and management groups: check first that Owners of the subscriptions are known.`,
});

const azureRoleText = ({ object, principal }: Ends, role: string): RepairText => ({
  title: `Remove the role ${role} on ${object} from ${principal}`,
  change: `Under Access control (IAM) of ${object}, remove the assignment of ${principal} to ${role}, and assign only what the work needs, at the narrowest scope. Remove an inherited assignment at its own scope. ${ELIGIBLE}`,
  check: `The role assignments of ${object} no longer list ${principal} as ${role}.`,
  risk: `Everything that ${principal} does on ${object} with the role ${role} stops: check the activity log of ${object} first.`,
});

const vaultText = ({ object, principal }: Ends, contents: string): RepairText => ({
  title: `Remove the access of ${principal} to ${contents} of ${object}`,
  change: `Under Access policies of ${object}, remove Get for ${contents} from ${principal}.`,
  check: `The access policies of ${object} no longer give ${principal} Get for ${contents}.`,
  risk: `${principal} can no longer read ${contents} of ${object}, and everything that depends on them stops: check the logs of the vault first. Values that it has already read are still known: rotate them.`,
});

const OTHERS: Readonly<Record<string, (ends: Ends) => RepairText>> = {
  AZOwns: ({ object, principal }) => ({
    title: `Remove ${principal} from the owners of ${object}`,
    change: `Under Owners of ${object}, remove ${principal}; if no other owner remains, add an owner of Tier Zero first.`,
    check: `The owners of ${object} no longer list ${principal}.`,
    risk: `${principal} can no longer manage ${object}: find out first who will renew its secrets and approve its members.`,
  }),
  AZManagedIdentity: ({ object, principal }) => ({
    title: `Remove the identity ${object} from ${principal}`,
    change: `Under Identity of ${principal}, remove ${object}, or reduce the roles and permissions of ${object} to what ${principal} needs. If you turn off a system-assigned identity, it is deleted with its role assignments.`,
    check: `${principal} no longer lists the identity ${object}.`,
    risk: `Everything that ${principal} does with ${object} stops: check the sign-ins of the identity first.`,
  }),
  AZRoleApprover: ({ object, principal }) => ({
    title: `Remove ${principal} from the approvers of the role ${object}`,
    change: `In the settings of the role ${object} in Privileged Identity Management, remove ${principal} from the approvers, and add approvers of Tier Zero instead.`,
    check: `The settings of ${object} no longer name ${principal}.`,
    risk: 'Requests wait until one of the other approvers answers: add at least two others before the change. If no approver is set, Global Administrators and Privileged Role Administrators approve.',
  }),
};
