/** Changes in an Entra ID tenant and in Azure: roles, members, owners, application permissions. */
import { edgeKindByName } from '@clew/model';
import type { KitFacts, KitObject } from '@clew/planning';
import type { Maker, Manual, Scripted, Settings } from './change.ts';
import { principalOf } from './directoryChanges.ts';
import { guidText, NotScripted, scopeText, sidText, tenantOf } from './ids.ts';

const NOTHING: Settings = { Role: '', Object: '', Path: '', Scopes: [], PrincipalType: '' };

function cloud(facts: KitFacts, settings: Settings, needs: string): Scripted {
  const principal = principalOf(facts);
  const tenant =
    facts.object.tenant === null
      ? tenantOf(principal, 'the principal')
      : tenantOf(facts.object, 'the object');
  return {
    engine: 'Cloud',
    settings: {
      ...NOTHING,
      Tenant: tenant,
      Principal: guidText(principal.guid, 'the principal'),
      ...settings,
    },
    needs,
    undo: 'the assignment',
  };
}

/** The id of a role consists of its definition id and its tenant: ROLE@TENANT. */
export const removeRole: Maker = (facts) => {
  const assignment = facts.facts.assignment;
  const isEligible = assignment !== undefined && 'value' in assignment && assignment.value === 'eligible';
  const [role = ''] = facts.object.objectId.toLowerCase().split('@');
  return cloud(
    facts,
    { Operation: isEligible ? 'RoleEligible' : 'RoleActive', Role: guidText(role, 'the role') },
    'Privileged Role Administrator (RoleManagement.ReadWrite.Directory)',
  );
};

/**
 * Entra ID refuses to change members of synchronized groups and of groups with a rule. Source: Microsoft Graph, remove member, and dynamic
 * membership groups.
 */
export const removeCloudMember: Maker = (facts) => {
  const group = groupOf(facts);
  if (group?.isSynchronized === true) return inActiveDirectory(group.onPremisesSid);
  if (group?.hasRule === true) return byRule;
  return cloud(
    facts,
    { Operation: 'Relation', Path: `groups/${guidText(facts.object.guid, 'the group')}/members` },
    needsOfGroup(group),
  );
};

type CloudGroup = NonNullable<ReturnType<typeof groupOf>>;

function groupOf({ facts }: KitFacts) {
  const fact = facts['cloud-group'];
  return fact !== undefined && 'value' in fact ? fact.value : null;
}

const OF_ROLES = 'Privileged Role Administrator (RoleManagement.ReadWrite.Directory)';
const OF_GROUPS = 'Groups Administrator (GroupMember.ReadWrite.All)';

/** Source: Microsoft, use Microsoft Entra groups to manage role assignments. */
function needsOfGroup(group: CloudGroup | null): string {
  if (group?.isRoleAssignable === true) return `owner of the group, or ${OF_ROLES}`;
  if (group?.isRoleAssignable === false) return `owner of the group, or ${OF_GROUPS}`;
  return `owner of the group, or ${OF_GROUPS}; for a group that can have roles, ${OF_ROLES}`;
}

const inActiveDirectory = (sid: string | null): Manual => ({
  why: 'The group is synchronized from Active Directory: Entra ID refuses to change its members.',
  steps: [
    sid === null
      ? 'Look up the attribute onPremisesSecurityIdentifier of the group in Entra ID, and find the group with this SID in Active Directory.'
      : `Find the group in Active Directory: Get-ADGroup -Identity ${sidText(sid, 'the group')}.`,
    'Remove the account there from which the principal is synchronized: Remove-ADGroupMember. Record it first, to add it again when undoing.',
    'Wait for the next synchronization, or start it on the server of the synchronization: Start-ADSyncSyncCycle -PolicyType Delta.',
    'Successful if: Get-MgGroupMember no longer lists the principal.',
  ],
});

const byRule: Manual = {
  why: 'A rule of the group decides who is a member: Entra ID refuses to remove single members.',
  steps: [
    'Read the rule (Get-MgGroup -GroupId ID -Property membershipRule), and find out by which attribute the principal fulfills it.',
    'Change the attribute of the principal, or the rule. Before you change the rule, validate it with other members, who may lose their membership, too.',
    'If others can write this attribute, they decide about the membership: assign the privileges to a group with assigned members instead.',
    'Successful if: Get-MgGroupMember no longer lists the principal. Entra ID applies a changed rule within minutes to hours.',
  ],
};

/** Azure role definitions. Source: `docs/reference/azurehound.md#ids-of-roles-and-permissions`. */
const AZURE_ROLES: Readonly<Record<string, string>> = {
  AZOwner: '8e3af657-a8ff-443c-a75c-2fe8c4bcb635',
  AZUserAccessAdministrator: '18d7d88d-d35e-4fb5-a5c3-7773c20a72d9',
  AZContributor: 'b24988ac-6180-42a0-ab88-20f7382dd24c',
  AZVMContributor: '9980e02c-c2be-4d73-94e8-173b1dc7cf3c',
  AZVMAdminLogin: '1c0163c0-47e6-4577-8991-ea5c82e286e4',
  AZAvereContributor: '4f8fab4f-1852-4a58-a46a-8eaf358af14a',
  AZKeyVaultContributor: 'f25e0fa2-a7c8-4377-a976-54943a77a395',
  AZWebsiteContributor: 'de139f84-1756-47ae-9be6-808fbbe84772',
  AZAutomationContributor: 'f353d9bd-d4a6-484e-a77a-8050b599b867',
  AZLogicAppContributor: '87a39d53-fc1b-424a-814c-f7e04687dc9e',
  AZAKSContributor: 'ed7f3fbd-7b88-4dd4-9017-9adb7ce333f8',
};

/** Microsoft Graph application permissions. Source: as above. */
const APP_ROLES: Readonly<Record<string, string>> = {
  AZMGApplication_ReadWrite_All: '1bfefb4e-e0b5-418b-a88f-73c46d2cc8e9',
  AZMGAppRoleAssignment_ReadWrite_All: '06b708a9-e830-4db3-a914-8e69da51d44f',
  AZMGDirectory_ReadWrite_All: '19dbc75e-c2e2-444c-a770-ec69d8559fc7',
  AZMGGroup_ReadWrite_All: '62a82d76-70ea-41e2-9197-370581804d09',
  AZMGGroupMember_ReadWrite_All: 'dbaae8cf-10b5-4b86-a4a1-f871c94c6695',
  AZMGRoleManagement_ReadWrite_Directory: '9e3f62cf-ca93-4989-b6ce-bf83c28f9fe8',
  AZMGServicePrincipalEndpoint_ReadWrite_All: '89c8469c-83ad-45f7-8ff2-6e3d4285709e',
};

/** URLs by id. The collected id of an application is its `appId`, not its object id. */
const OWNED: Readonly<Record<string, (id: string) => string>> = {
  AZGroup: (id) => `groups/${id}`,
  AZApp: (id) => `applications(appId='${id}')`,
  AZServicePrincipal: (id) => `servicePrincipals/${id}`,
};

const TYPES: Readonly<Record<string, string>> = {
  AZUser: 'User',
  AZGroup: 'Group',
  AZServicePrincipal: 'ServicePrincipal',
  AZManagedIdentity: 'ServicePrincipal',
};

export const removeRelation: Maker = (facts) => {
  const { object, relations } = facts;
  const [relation = '', ...more] = relations;
  if (more.length > 0) return derived(facts, relation);
  const role = AZURE_ROLES[relation];
  if (role !== undefined && object.objectId.startsWith('/')) return ofAzure(facts, role, object);
  const permission = APP_ROLES[relation];
  if (permission !== undefined && TYPES[facts.principal?.kind ?? ''] === 'ServicePrincipal')
    return cloud(
      facts,
      { Operation: 'AppRole', Role: permission, Object: guidText(object.guid, 'the resource') },
      'Privileged Role Administrator (AppRoleAssignment.ReadWrite.All)',
    );
  const addressOf = relation === 'AZOwns' ? OWNED[object.kind] : undefined;
  if (addressOf !== undefined)
    return cloud(
      facts,
      { Operation: 'Relation', Path: `${addressOf(guidText(object.guid, 'the object'))}/owners` },
      object.kind === 'AZGroup'
        ? needsOfGroup(groupOf(facts))
        : 'owner of the object, or an administrator of its kind',
    );
  return derived(facts, relation);
};

/** The scope of elevated access, above all management groups. */
const TENANT_SCOPE = '/';

function ofAzure(facts: KitFacts, role: string, object: KitObject): Scripted {
  const PrincipalType = TYPES[facts.principal?.kind ?? ''];
  if (PrincipalType === undefined)
    throw new NotScripted('Azure does not assign roles to this kind of principal.');
  const assigned = facts.facts['assignment-scopes'];
  const known = assigned !== undefined && 'value' in assigned ? assigned.value : [];
  const scopes = known.length === 0 ? [object.objectId] : known;
  return cloud(
    facts,
    {
      Operation: 'AzureRole',
      Role: role,
      Scopes: scopes.map((scope) => (scope === TENANT_SCOPE ? scope : scopeText(scope, 'the assignment'))),
      PrincipalType,
    },
    scopes.includes(TENANT_SCOPE)
      ? 'elevated access: a Global Administrator who turned on Access management for Azure resources'
      : 'Owner, User Access Administrator or Role Based Access Control Administrator of the scope',
  );
}

const WITHOUT_ASSIGNMENT =
  'The relationship follows from other relationships, or no assignment is known that matches it exactly.';
const OTHER_PLATFORM = 'The relationship is of a platform that the scripts of change kits do not change.';

/** Permissions of vault access policies, by the argument of `az keyvault set-policy`. */
const VAULT_PERMISSIONS: Readonly<Record<string, string>> = {
  AZGetSecrets: '--secret-permissions',
  AZGetKeys: '--key-permissions',
  AZGetCertificates: '--certificate-permissions',
};

const IN_POLICY = 'The relationship is a part of an access policy, of which other permissions may stay.';

function ofVault(object: KitObject, relations: readonly string[]): Manual {
  const vault = scopeText(object.objectId, 'the vault').split('/').at(-1)?.toLowerCase() ?? '';
  const lists = relations.flatMap((relation) => VAULT_PERMISSIONS[relation] ?? []);
  return {
    why: IN_POLICY,
    steps: [
      `Record the permissions of the principal, to restore them when undoing: az keyvault show --name ${vault} --query properties.accessPolicies.`,
      `Write the permissions without Get and All, one argument for each list: az keyvault set-policy --name ${vault} --object-id ID ${lists.map((list) => `${list} OTHERS`).join(' ')}.`,
      `If the principal needs no other permission of the vault, remove the whole policy instead: az keyvault delete-policy --name ${vault} --object-id ID.`,
      'Successful if: the access policies of the vault no longer give the principal Get. Values that it has already read stay known: rotate them.',
    ],
  };
}

/** Steps for assignments of Azure and policies of vaults; for every other relationship, the text of the change has the steps. */
function derived({ object, relations }: KitFacts, relation: string): Manual {
  const platform = edgeKindByName(relation)?.platform;
  if (platform === undefined) return { why: OTHER_PLATFORM, steps: [] };
  if (platform !== 'azure' || !object.objectId.startsWith('/')) return { why: WITHOUT_ASSIGNMENT, steps: [] };
  if (relations.every((one) => VAULT_PERMISSIONS[one] !== undefined)) return ofVault(object, relations);
  if (!relations.some((one) => AZURE_ROLES[one] !== undefined || one === 'AZContains'))
    return { why: WITHOUT_ASSIGNMENT, steps: [] };
  return {
    why: WITHOUT_ASSIGNMENT,
    steps: [
      'In Azure, list the assignments of the principal at the scope: az role assignment list --assignee ID --scope SCOPE --include-inherited.',
      'Remove the assignment that creates the relationship, by its ID: az role assignment delete --ids ID. Remove an inherited assignment at its own scope.',
    ],
  };
}
