/** Families of findings about Entra ID, Azure and the connection to Active Directory. */
import { type FindingFamily, REFERENCE } from '../family.ts';

export const synchronization: FindingFamily = {
  key: 'synchronization',
  risk: 'A compromise of one directory crosses into the other through password synchronization or write-back.',
  fix: 'Administer the cloud with cloud-only accounts, and do not synchronize privileged accounts of Active Directory.',
  steps: [
    'Create cloud-only administrators with phishing-resistant authentication.',
    'Remove roles from synchronized users.',
    'Exclude the organizational unit of Tier Zero from synchronization and restrict write-back.',
    'Treat the synchronization server and its accounts as Tier Zero.',
  ],
  verify: ['No holder of a privileged role is synchronized, and no privileged user of Active Directory is.'],
  care: 'An account that leaves the scope of synchronization is deleted in the cloud. Remove its roles first.',
  prevent: 'Refuse roles for synchronized users in your access reviews.',
  references: [REFERENCE.entraRoles, REFERENCE.accessModel],
};
export const roleAssignableGroups: FindingFamily = {
  key: 'roleAssignableGroups',
  risk: 'Anyone who changes the members of the group hands out the privileges that the group holds.',
  fix: 'Use role-assignable groups without ordinary owners and without dynamic rules.',
  steps: [
    'Recreate the group as role-assignable; an existing group cannot be switched.',
    'Move the assignments to the new group.',
    'Remove owners who are outside the zone.',
  ],
  verify: ['The audit log shows "Add member to group" for the group only by members of the zone.'],
  care: 'The new group has another object id, so that policies that name the old one no longer apply to its members. Update these policies first.',
  prevent: 'Assign roles to role-assignable groups only.',
  references: [REFERENCE.roleGroups, REFERENCE.entraRoles],
};
export const applicationOwnership: FindingFamily = {
  key: 'applicationOwnership',
  risk: 'Anyone who adds a credential or an owner to the application acts with all its permissions.',
  fix: 'Remove ownership and application administration from everyone outside the zone.',
  steps: [
    'List the owners of the application and of its service principal, and remove those outside the zone.',
    'Scope administrator roles to single applications.',
    'Turn on the lock for properties of application instances.',
    'Rotate the credentials: give the application the new one before the old one is removed. Prefer managed identities or federated credentials.',
    'Review the consent granted to applications of other organizations.',
  ],
  verify: [
    'The audit log shows changes of certificates and secrets of the application only by members of the zone.',
  ],
  care: 'Pipelines that rotate secrets fail without ownership: give each that of its own application first.',
  prevent: 'Review privileged applications together with privileged users.',
  references: [REFERENCE.entraRoles, REFERENCE.graphPermissions],
};
export const cloudPasswordReset: FindingFamily = {
  key: 'cloudPasswordReset',
  risk: 'The account can be taken over by anyone who holds the role.',
  fix: 'Remove the role, scope it to an administrative unit, or protect the users with a role-assignable group.',
  steps: [
    'Put privileged users into role-assignable groups, which lesser roles cannot reset.',
    'Scope help desk roles to administrative units without privileged users.',
    'Remove the role from holders who do not need it.',
  ],
  verify: ['The audit log shows "Reset user password" for privileged users only by members of the zone.'],
  care: 'The help desk can no longer reset passwords of users who leave its scope: say first who does.',
  prevent: 'Review the holders of authentication roles every quarter.',
  references: [REFERENCE.entraRoles, REFERENCE.roleGroups],
};
export const deviceManagement: FindingFamily = {
  key: 'deviceManagement',
  risk: 'Administrators of endpoint management run commands on the devices where privileged people work.',
  fix: 'Manage the devices of privileged users in a scope of their own, or treat the role as privileged.',
  steps: [
    'Give devices of privileged users a scope tag and their own administrators.',
    'Require approval by a second administrator for scripts.',
    'Let privileged users work on dedicated workstations.',
  ],
  verify: ['The devices are in the separate scope, and the scripts assigned to them are known.'],
  care: 'The separate devices no longer get updates and settings of the shared scope: assign them there first.',
  prevent: 'Enroll new privileged workstations into the scope from the start.',
  references: [REFERENCE.accessModel, REFERENCE.entraRoles],
};
export const roleAssignments: FindingFamily = {
  key: 'roleAssignments',
  risk: 'Each permanent, unreviewed or weakly protected holder of the role gives an attack path to the tenant.',
  fix: 'Make assignments eligible, with approval and phishing-resistant authentication, and keep two break-glass accounts.',
  steps: [
    'List the holders of the role, active and eligible, with the reason for each.',
    'Convert standing assignments to eligible ones.',
    'Let activation require multi-factor authentication, a justification and an approver of the zone.',
    'Set up access reviews, and alert on every sign-in of a break-glass account.',
  ],
  verify: ['The export of role policies and the log of activations show the new rules in use.'],
  care: 'Do not lock yourself out: test the break-glass accounts first.',
  prevent: 'Review the role every quarter.',
  references: [REFERENCE.privilegedIdentity, REFERENCE.entraRoles],
};
export const federatedCredentials: FindingFamily = {
  key: 'federatedCredentials',
  risk: 'Anyone who controls the external system can sign in as the application.',
  fix: 'Narrow the subject of the credential, remove unused ones, and protect the external system like the application.',
  steps: [
    'List the issuer and the subject of each credential.',
    'Pin the subject to a protected branch or environment, without wildcards.',
    'Remove credentials that no pipeline uses.',
  ],
  verify: ['The sign-in log of the workload shows only the subjects you expect.'],
  care: 'Pipelines fail when the subject changes before they do.',
  prevent: 'Review federated credentials with each change of the pipeline.',
  references: [REFERENCE.federation],
};
export const graphPermissions: FindingFamily = {
  key: 'graphPermissions',
  risk: 'The permission works in the whole tenant, without a user and without a role that anyone would review.',
  fix: 'Remove the permission or replace it by a narrower one; otherwise treat the application as Tier Zero.',
  steps: [
    'Find out which calls the application really makes.',
    'Exchange the permission for a read permission or one limited to single resources.',
    'Remove the assignment of the old permission.',
    'Protect the owners and the secrets of applications that keep it.',
  ],
  verify: [
    'The list of permissions of the service principal and the activity log of Microsoft Graph show the change.',
  ],
  care: 'These permissions do not show where roles are shown, and the application fails at calls that it still makes. Try the removal in a test tenant first.',
  prevent: 'Grant application permissions through a review only.',
  references: [REFERENCE.graphPermissions],
};
export const azureAssignments: FindingFamily = {
  key: 'azureAssignments',
  risk: 'A role on a scope reaches every resource below it, privileged ones included.',
  fix: 'Remove the assignment, lower its scope, or make it eligible.',
  steps: [
    'Look at the assignments of management groups and of the root scope first.',
    'Turn elevated access at the root scope off.',
    'Move privileged resources to a subscription of their own.',
    'Replace assignments to users by assignments to groups.',
  ],
  verify: ['The list of role assignments, inherited ones included, shows only the zone.'],
  care: 'Deployment pipelines often hold the role, and fail without it. Give them a narrower scope first.',
  prevent: 'Review assignments at high scopes every month.',
  references: [REFERENCE.azureRoles],
};
export const azureResourceRoles: FindingFamily = {
  key: 'azureResourceRoles',
  risk: 'The role runs code inside the resource, with the identity and the data that it holds.',
  fix: 'Remove the role on the resource, or move the resource to a protected subscription.',
  steps: [
    'Use a custom role without the actions that run commands and install extensions.',
    'Turn local accounts of clusters off, once nothing signs in with them any more.',
    'Open access to virtual machines just in time.',
  ],
  verify: ['The activity log shows run-command and extension actions only by members of the zone.'],
  care: 'Operating teams lose a tool for troubleshooting, and pipelines that use it fail. Agree on another one first.',
  prevent: 'Keep privileged resources away from shared subscriptions.',
  references: [REFERENCE.azureRoles],
};
export const keyVaults: FindingFamily = {
  key: 'keyVaults',
  risk: 'The contents of the vault, or the power to open it, pass to someone outside the zone.',
  fix: 'Restrict access to the vault and use role-based authorization.',
  steps: [
    'Move from access policies to role-based authorization: first give everyone who has an access policy the matching role, since access policies no longer count after the change.',
    'Use a vault of its own for each application.',
    'Rotate the contents after narrowing the access.',
  ],
  verify: ['The diagnostic log of the vault shows reads only by the identities you expect.'],
  care: 'Applications that read at their start fail when their access is missing.',
  prevent: 'Allow only role-based authorization by policy.',
  references: [REFERENCE.vaultRoles, REFERENCE.azureRoles],
};
export const managedIdentities: FindingFamily = {
  key: 'managedIdentities',
  risk: 'Anyone who runs code on the resource acts with the privileges of its identity.',
  fix: 'Reduce the rights of the identity, or bring the resource into the zone.',
  steps: [
    'List the roles and permissions of the identity.',
    'Replace an identity that several resources share by one for each.',
    'Leave only the roles that the resource uses.',
  ],
  verify: ['The sign-in log of the identity and its list of roles show the change.'],
  care: 'What the resource does with the rights stops: list its calls first. It may need a restart before its token changes.',
  prevent: 'Review identities of resources like service accounts.',
  references: [REFERENCE.managedIdentities, REFERENCE.azureRoles],
};
