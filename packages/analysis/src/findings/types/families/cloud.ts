/** Families of findings about Entra ID, Azure and the connection to Active Directory. */
import { type FindingFamily, REFERENCE } from '../family.ts';

export const synchronization: FindingFamily = {
  key: 'synchronization',
  risk: 'An attacker who controls one directory can take over the other through password synchronization or writeback.',
  fix: 'Administer the cloud with cloud-only accounts, and do not synchronize privileged Active Directory accounts.',
  steps: [
    'Create cloud-only administrators with phishing-resistant authentication.',
    'Remove roles from synchronized users.',
    'Exclude the Tier Zero organizational unit from synchronization, and restrict writeback.',
    'Treat the synchronization server and its accounts as Tier Zero.',
  ],
  verify: [
    'No holder of a privileged role is synchronized, and no privileged Active Directory user is synchronized.',
  ],
  care: 'An account that is removed from the synchronization scope is deleted in the cloud. Remove its roles first.',
  prevent: 'In access reviews, reject roles for synchronized users.',
  references: [REFERENCE.entraRoles, REFERENCE.accessModel],
};
export const roleAssignableGroups: FindingFamily = {
  key: 'roleAssignableGroups',
  risk: 'Anyone who can change the members of the group can give others the privileges of the group.',
  fix: 'Use role-assignable groups without ordinary owners and without dynamic membership rules.',
  steps: [
    'Create a new role-assignable group; an existing group cannot be converted.',
    'Move the role assignments to the new group.',
    'Remove owners who are outside the zone.',
  ],
  verify: ['In the audit log, only members of the zone appear in "Add member to group" for this group.'],
  care: 'The new group has another object ID, so policies that refer to the old group no longer apply to its members. Update these policies first.',
  prevent: 'Assign roles only to role-assignable groups.',
  references: [REFERENCE.roleGroups, REFERENCE.entraRoles],
};
export const applicationOwnership: FindingFamily = {
  key: 'applicationOwnership',
  risk: 'Anyone who can add a credential or an owner to the application can use all its permissions.',
  fix: 'Remove owners and application administrators outside the zone.',
  steps: [
    'List the owners of the application and its service principal, and remove the owners outside the zone.',
    'Scope administrator roles to individual applications.',
    'Enable the app instance property lock.',
    'Rotate the credentials: give the application the new credential before you remove the old one. Prefer managed identities or federated credentials.',
    'Review the consent granted to applications from other organizations.',
  ],
  verify: ['In the audit log, only members of the zone change certificates and secrets of the application.'],
  care: 'Pipelines that rotate secrets fail without ownership: first make each pipeline the owner of its own application only.',
  prevent: 'Review privileged applications together with privileged users.',
  references: [REFERENCE.entraRoles, REFERENCE.graphPermissions],
};
export const cloudPasswordReset: FindingFamily = {
  key: 'cloudPasswordReset',
  risk: 'Anyone who holds the role can take over the account.',
  fix: 'Remove the role, scope it to an administrative unit, or add the users to a role-assignable group.',
  steps: [
    'Add privileged users to role-assignable groups: less privileged roles cannot reset the passwords of their members.',
    'Scope help desk roles to administrative units without privileged users.',
    'Remove the role from principals that do not need it.',
  ],
  verify: [
    'In the audit log, only members of the zone appear in "Reset user password" for privileged users.',
  ],
  care: 'The help desk can no longer reset passwords of users outside its scope: define first who does.',
  prevent: 'Review the holders of authentication roles every quarter.',
  references: [REFERENCE.entraRoles, REFERENCE.roleGroups],
};
export const deviceManagement: FindingFamily = {
  key: 'deviceManagement',
  risk: 'Endpoint management administrators can run commands on the devices of privileged users.',
  fix: 'Manage the devices of privileged users in a separate scope, or treat the role as privileged.',
  steps: [
    'Give the devices of privileged users a scope tag and separate administrators.',
    'Require a second administrator to approve scripts.',
    'Provide dedicated workstations for privileged users.',
  ],
  verify: ['The devices are in the separate scope, and you know all scripts assigned to them.'],
  care: 'The separated devices no longer receive updates and settings from the shared scope: assign these to the new scope first.',
  prevent: 'Enroll new privileged workstations into the scope from the start.',
  references: [REFERENCE.accessModel, REFERENCE.entraRoles],
};
export const roleAssignments: FindingFamily = {
  key: 'roleAssignments',
  risk: 'Each permanent, unreviewed or weakly protected holder of the role is an attack path to the tenant.',
  fix: 'Remove assignments that the work does not need, protect the activation of the others, and keep two break-glass accounts.',
  steps: [
    'List the active and eligible holders of the role, and the reason for each.',
    'Remove assignments that the work does not need.',
    'Make permanent assignments of users and groups eligible: this lowers the risk, but leaves the path. Service principals cannot activate a role.',
    'Require multifactor authentication, a justification, and an approver from the zone for activation.',
    'Set up access reviews, and alert on every sign-in to a break-glass account.',
  ],
  verify: ['The exported role settings and the activation log show the new rules.'],
  care: 'Do not lock yourself out: test the break-glass accounts first.',
  prevent: 'Review the role every quarter.',
  references: [REFERENCE.privilegedIdentity, REFERENCE.entraRoles],
};
export const federatedCredentials: FindingFamily = {
  key: 'federatedCredentials',
  risk: 'Anyone who controls the external system can sign in as the application.',
  fix: 'Narrow the subject of the credential, remove unused credentials, and protect the external system like the application.',
  steps: [
    'List the issuer and the subject of each credential.',
    'Pin the subject to a protected branch or environment, without wildcards.',
    'Remove credentials that no pipeline uses.',
  ],
  verify: ['The service principal sign-in log shows only subjects that you expect.'],
  care: 'Pipelines fail if you change the subject before you change the pipelines.',
  prevent: 'Review federated credentials whenever you change the pipeline.',
  references: [REFERENCE.federation],
};
export const graphPermissions: FindingFamily = {
  key: 'graphPermissions',
  risk: 'The permission applies to the whole tenant, without a user and without a role that access reviews cover.',
  fix: 'Remove the permission, or replace it with a narrower one; otherwise treat the application as Tier Zero.',
  steps: [
    'Find out which API calls the application actually makes.',
    'Replace the permission with a read permission, or with one that is limited to individual resources.',
    'Remove the assignment of the old permission.',
    'For applications that keep the permission, protect the owners and the secrets.',
  ],
  verify: ['The permissions of the service principal and the Microsoft Graph activity log show the change.'],
  care: 'Role lists do not show these permissions. The application fails if it still makes calls that need the permission: try the removal in a test tenant first.',
  prevent: 'Require a review before you grant application permissions.',
  references: [REFERENCE.graphPermissions],
};
export const azureAssignments: FindingFamily = {
  key: 'azureAssignments',
  risk: 'A role assigned at a scope applies to every resource below it, including privileged resources.',
  fix: 'Remove the assignment, or narrow its scope. An eligible assignment leaves the path.',
  steps: [
    'Check the assignments at management groups and the root scope first.',
    'Turn off elevated access at the root scope.',
    'Move privileged resources to a separate subscription.',
    'Replace user assignments with group assignments.',
  ],
  verify: ['The list of role assignments, including inherited ones, shows only members of the zone.'],
  care: 'Deployment pipelines often hold the role, and fail without it. Assign it to them at a narrower scope first.',
  prevent: 'Review assignments at management groups and subscriptions every month.',
  references: [REFERENCE.azureRoles],
};
export const azureResourceRoles: FindingFamily = {
  key: 'azureResourceRoles',
  risk: 'Holders of the role can run code inside the resource, with its identity and its data.',
  fix: 'Remove the role assignment on the resource, or move the resource to a protected subscription.',
  steps: [
    'Use a custom role without the actions that run commands or install extensions.',
    'Disable local accounts of clusters after nothing uses them to sign in.',
    'Use just-in-time access to virtual machines.',
  ],
  verify: ['In the activity log, only members of the zone run commands and install extensions.'],
  care: 'Operations teams lose a troubleshooting tool, and pipelines that use it fail. Agree on a replacement first.',
  prevent: 'Do not place privileged resources in shared subscriptions.',
  references: [REFERENCE.azureRoles],
};
export const keyVaults: FindingFamily = {
  key: 'keyVaults',
  risk: 'Someone outside the zone can read the contents of the vault or give themselves access to it.',
  fix: 'Restrict access to the vault and use role-based authorization.',
  steps: [
    'Migrate from access policies to role-based authorization: first assign the matching role to everyone who has an access policy, because access policies no longer apply after the change.',
    'Use a separate vault for each application.',
    'Rotate the secrets and keys after you restrict access.',
  ],
  verify: ['The diagnostic log of the vault shows reads only by identities that you expect.'],
  care: 'Applications that read the vault at startup fail if they lose access.',
  prevent: 'Use Azure Policy to allow only role-based authorization.',
  references: [REFERENCE.vaultRoles, REFERENCE.azureRoles],
};
export const managedIdentities: FindingFamily = {
  key: 'managedIdentities',
  risk: 'Anyone who can run code on the resource has the privileges of its identity.',
  fix: 'Reduce the rights of the identity, or add the resource to the zone.',
  steps: [
    'List the roles and permissions of the identity.',
    'Replace an identity that several resources share with a separate identity for each.',
    'Keep only the roles that the resource uses.',
  ],
  verify: ['The sign-in log and the role assignments of the identity show the change.'],
  care: 'The resource can no longer do anything that needs these rights: list its calls first. The resource may keep its old token until it is restarted.',
  prevent: 'Review identities of resources in the same way as service accounts.',
  references: [REFERENCE.managedIdentities, REFERENCE.azureRoles],
};
