/** Remedies of single findings about Entra ID and Azure. */
import { REFERENCE } from '../family.ts';
import type { Remedies } from './remedy.ts';

export const CLOUD_REMEDIES: Remedies = {
  AzureT0RoleActivationNoMFA: {
    risk: 'A password alone is enough to activate the role.',
    fix: 'Require multi-factor authentication at activation in the settings of the role.',
  },
  AzureT0RoleActivationNoApproval: {
    risk: 'Whoever takes over an eligible account activates the role without anybody else looking.',
    fix: 'Require approval at activation, by approvers of the zone.',
    care: 'Name at least two approvers, or nobody can activate the role while one is away.',
  },
  AzureT0RoleActivationNoJustification: {
    risk: 'Nobody can tell afterwards whether an activation was meant.',
    fix: 'Require a justification at activation in the settings of the role.',
  },
  AzureGlobalAdminCount: {
    risk: 'Each of them controls the whole tenant; with so many, some are used carelessly or not at all.',
    fix: 'Keep fewer than five Global Administrators, and give the others the role their work needs.',
  },
  AzureGlobalAdminSingle: {
    risk: 'When the only one leaves, loses the second factor or is locked out, nobody can repair the tenant.',
    fix: 'Give the role to a second account: a cloud-only break-glass account.',
    steps: [
      'Create two cloud-only accounts for emergencies that belong to no person.',
      'Assign the role permanently, and protect them with security keys that are stored apart.',
      'Exempt one of them from conditional access policies that could lock it out.',
      'Alert on every sign-in of them, and test them twice a year.',
    ],
    verify: [
      'The role has at least two enabled holders, and a test sign-in with each emergency account succeeds.',
    ],
    care: 'A permanent holder is a target: guard the keys, and watch the account.',
    prevent: 'Count the holders before a person leaves.',
  },
  AzureT0PermanentAssignment: {
    risk: 'Whoever takes over the account has the role at once, at any hour.',
    fix: 'Make the assignment eligible, with an end; keep permanent ones for break-glass accounts only.',
  },
  AzureT0GuestHolder: {
    risk: 'Another organisation decides how the account is protected, and who may reset it.',
    fix: 'Remove the role from the guest, and give the person a cloud-only account of your tenant.',
  },
  AzureLargeDynamicGroupRole: {
    risk: 'Each member is a way to the role, and with so many nobody reviews who joins.',
    fix: 'Take the role from the group, and make a few people eligible for it.',
  },
  AzureT0DisabledUser: {
    risk: 'Whoever may enable the user or reset the password gets the role back, and reviews of active users pass it by.',
    fix: 'Remove the roles from the disabled user.',
    steps: [
      'List the roles of the user, active and eligible, and the groups that bring roles.',
      'Remove the assignments and the memberships.',
      'Delete the user when your retention period is over.',
    ],
    verify: ['The user holds no role, active or eligible.'],
    care: 'Deleting also ends licences, mailboxes and flows that belong to the user.',
    references: [REFERENCE.entraRoles, REFERENCE.privilegedIdentity],
  },
  AzureT0StaleUser: {
    risk: 'Nobody would notice somebody else using a privileged account that its owner does not use.',
    fix: 'Remove the roles from the unused account, then block its sign-in; exempt tested break-glass accounts.',
    references: [REFERENCE.entraRoles, REFERENCE.privilegedIdentity],
  },
  AzureT0SyncedUser: {
    risk: 'Whoever controls the user in Active Directory, or the synchronisation, controls the role in the cloud.',
    fix: 'Move the role to a cloud-only account of the same person.',
  },
  AzureSyncAccountPrivileges: {
    risk: 'The account is kept on a server on premises; whoever takes the server over has the other roles, too.',
    fix: 'Leave the account only the role for directory synchronisation.',
    care: 'Old installations of the synchronisation used Global Administrator. Update it before the role is removed.',
  },
  AzureT0ServicePrincipalHolder: {
    risk: 'Whoever holds a secret of the application has the role, without multi-factor authentication and without anybody signing in.',
    fix: 'Replace the role by the narrowest permission that does the work, or guard the application like an administrator.',
  },
  AzureT0ExternalAppServicePrincipal: {
    risk: 'The other organisation holds the credentials of the application, and so the privileges in your tenant.',
    fix: 'Remove the privileges of the foreign application, or its service principal, unless you trust its publisher with the tenant.',
    care: 'The service that the publisher provides stops; agree on narrower permissions with it.',
  },
  AzureT0MultiTenantApp: {
    risk: 'Users and administrators of other tenants can reach an application that is privileged in yours.',
    fix: 'Set the supported account types of the application to this organisation only.',
    care: 'Partners who sign in to the application from their own tenants need guest accounts.',
  },
  AzureT0AppManySecrets: {
    risk: 'Each credential is another copy that can be lost, and nobody knows which of them is in use.',
    fix: 'Remove the credentials that are not in use; two are needed only while one is being exchanged.',
  },
  AzureT0AppLongSecret: {
    risk: 'A secret that was lost stays good for years.',
    fix: 'Replace the secret by a managed identity, a federated credential or a certificate that lasts a few months.',
  },
  AzureAppExpiredSecrets: {
    risk: 'The application is probably not used any more, but it keeps its permissions, and one new secret brings them back.',
    fix: 'Delete the application if nobody uses it, or else remove the expired credentials.',
    verify: ['The sign-in log of its service principal is empty, or shows the credential that remained.'],
    care: 'Applications that run for users only need no credential of their own. Look at their sign-ins before deleting.',
  },
  AzureAppWithoutOwner: {
    risk: 'Nobody answers for its permissions, notices when a credential is misused or retires it when it is no longer needed.',
    fix: 'Name who answers for the application, with an account of the zone.',
    steps: [
      'Find out from sign-ins and permissions what the application does, and who relies on it.',
      'Record the person who answers for it; make that person an owner only with an account of the zone.',
      'Delete the application if nobody claims it.',
    ],
    verify: ['The application has an owner of the zone, or an entry in your inventory that names one.'],
    care: 'An owner can add credentials: an owner outside the zone would be worse than none.',
    prevent: 'Create privileged applications only with a named person who answers for them.',
  },
  AzureAppOwnedByUser: {
    risk: 'An owner may add a credential to the application and sign in as it, with all its permissions.',
    fix: 'Remove the owner from the application, or bring the owner into the zone.',
    steps: [
      'List the owners of the application and of its service principal.',
      'Give the task of the owner to a pipeline or an administrator of the zone.',
      'Remove the owner, and rotate the credentials of the application.',
    ],
    verify: ['The owners are members of the zone; the audit log shows "Remove owner from application".'],
    care: 'The owner may be the only one who knows when secrets run out.',
    prevent: 'Do not let ordinary users register applications that later become privileged.',
    references: [REFERENCE.entraRoles, REFERENCE.graphPermissions],
  },
  AzureT0Owns: {
    risk: 'An owner changes the members of a group, the credentials of an application or the settings of a device, and so acts with its privileges.',
    fix: 'Remove the owner from the object, or bring the owner into the zone.',
    steps: [
      'List the owners of the object.',
      'Agree with them on who does their task from now on.',
      'Remove owners outside the zone; of applications, rotate the credentials afterwards.',
    ],
    verify: ['The object has only owners of the zone; the audit log shows that the owner was removed.'],
    care: 'Owners renew memberships and secrets. Somebody of the zone has to do it from now on.',
  },
  AzureDynamicPrivilegedGroup: {
    risk: 'Whoever can edit the attributes that the rule looks at decides who becomes a member.',
    fix: 'Replace the rule by assigned members.',
    steps: [
      'List who may edit the attributes of the rule, self-service and synchronisation included.',
      'Create a role-assignable group with assigned members, and move the assignments to it.',
      'Remove the assignments from the dynamic group.',
    ],
    verify: ['The group that holds the privilege has no membership rule.'],
  },
  AzureRoleAssignableGroupOwners: {
    fix: 'Remove the owners from the role-assignable group.',
    steps: [
      'List the owners, and the roles the group holds.',
      'Remove the owners; administrators of privileged roles can change the members when needed.',
      'Review the members that were added by owners.',
    ],
    verify: [
      'The group has no owners, and the audit log shows changes of its members by administrators only.',
    ],
    care: 'Owners who managed the members need to ask an administrator from now on.',
  },
  AzureDeviceNonCompliantT0: {
    risk: 'Nobody keeps the device up to date or sees what runs on it, while a privileged user works there.',
    fix: 'Bring the device under management, or remove it from the user.',
    verify: ['Every device of the user is managed and compliant.'],
  },
  AzureUserAccessAdminRoot: {
    risk: 'The holder can grant any role on any subscription of the tenant.',
    fix: 'Turn elevated access off: remove the assignment at the root scope.',
  },
  AzureSubscriptionManyOwners: {
    risk: 'Each owner controls every resource of the subscription and may bring in others.',
    fix: 'Keep at most three owners of the subscription; Contributor is enough for the others.',
  },
  AzureDirectUserAssignment: {
    risk: 'Assignments to single people outlive their tasks, because no review of groups shows them.',
    fix: 'Assign the role to a group, and let the person be a member of it while the task lasts.',
  },
  AzureKeyVaultAccessPolicies: {
    risk: 'Whoever may write the configuration of the vault can add an access policy and read what it holds.',
    fix: 'Switch the vault to role-based authorisation.',
    care: 'Access policies stop working with the switch: assign the roles first.',
  },
  AzureVMPrivilegedIdentity: {
    fix: 'Reduce the rights of the identity of the virtual machine, or bring the machine into the zone.',
  },
  AzureAutomationPrivilegedIdentity: {
    risk: 'Whoever may edit or start what runs there acts with the privileges of the identity.',
    fix: 'Reduce the rights of the identity of the account or app, or bring it into the zone.',
  },
  AzureDCInCloudUnprotected: {
    risk: 'Whoever runs commands on the virtual machine, or copies its disk, has every password of the domain.',
    fix: 'Check whether the machine is the domain controller, and if so bring it into Tier Zero.',
    steps: [
      'Compare the machine with the domain controller: name, address, who built it.',
      'Add the virtual machine to Tier Zero; the scopes above it come along.',
      'Move it to a subscription that only the zone administers.',
      'Review who can reach its disks, snapshots and backups.',
    ],
    verify: ['The machine is in Tier Zero, and findings show who outside the zone can control it.'],
    care: 'The name may be a coincidence: this is a candidate, not proof.',
    prevent: 'Build domain controllers in the protected subscription from the start.',
  },
};
