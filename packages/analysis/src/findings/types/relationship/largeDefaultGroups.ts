/** Findings about rights of groups of nearly everyone, in any zone. */
import { EdgeKind, type EdgeKindName } from '@clew/model';
import { largeGroups } from '../families/directory.ts';
import { REFERENCE, type Remedy } from '../family.ts';
import { type RelationshipRow, relationshipFindings } from './row.ts';

interface Row {
  readonly id: `LargeDefaultGroups${string}`;
  /** The right of such groups: the end of the finding's title. */
  readonly title: string;
  readonly edges: readonly EdgeKindName[];
  /** The actions that everybody can take on the target. */
  readonly power: string;
  readonly remedy?: Remedy;
}

/** For rights that are not entries of an access control list: `removal` is the step that takes the right from the broad group. */
const grantedBy = (removal: string, ...more: readonly string[]): Remedy => ({
  fix: 'Replace the broad group with a group of principals that need the access.',
  steps: [
    'Find out which principals use the access.',
    'Create a group for them, and give it the access.',
    removal,
    ...more,
  ],
});

const ofLocalGroup = (name: string): Remedy => ({
  ...grantedBy(
    `Remove the broad group from the local group ${name} of the computer. If the local group contains another group that contains the broad group, remove the broad group there.`,
    'If a policy sets the local group, change the policy, otherwise it adds the broad group again.',
  ),
  care: 'People and software that use the access without your knowledge lose it. Read the logons of the computer (event 4624) for some weeks before the change.',
  prevent:
    'Never add Everyone, Authenticated Users, Domain Users or Domain Computers to a local group that gives access.',
});

const OF_OWNER: Remedy = {
  fix: 'Set the owner of the object to a group of administrators, such as Domain Admins.',
  steps: [
    'Find out how the broad group became the owner, and whether software relies on this.',
    'Set the owner of the object to Domain Admins (Enterprise Admins for objects of the whole forest).',
    'Check the access control list of the object for entries that the owner may have added.',
  ],
  care: 'Software that changes the permissions of the object as its owner fails. Turn on auditing for the object some weeks before the change.',
};

const OF_REPLICATION = grantedBy(
  'Remove the entries of the broad group for the replication rights from the access control list of the domain object.',
  'Treat the passwords that could be read as known, and plan their change.',
);

/** Every way from a certificate to control of a domain. */
const ESCALATIONS = (Object.keys(EdgeKind) as EdgeKindName[]).filter((name) => name.startsWith('ADCSESC'));

const ROWS = [
  {
    id: 'LargeDefaultGroupsOwns',
    title: 'Ownership Privileges',
    edges: ['Owns'],
    power: 'owns an object and can change its permissions',
    remedy: OF_OWNER,
  },
  {
    id: 'LargeDefaultGroupsOwnsLimitedRights',
    title: 'Limited Ownership Privileges',
    edges: ['OwnsLimitedRights'],
    power: 'owns an object whose OWNER RIGHTS entry grants rights that can be misused',
    remedy: OF_OWNER,
  },
  {
    id: 'LargeDefaultGroupsGenericAll',
    title: 'GenericAll Privileges',
    edges: ['GenericAll'],
    power: 'has full control of an object',
  },
  {
    id: 'LargeDefaultGroupsGenericWrite',
    title: 'GenericWrite Privileges',
    edges: ['GenericWrite'],
    power: 'can write every unprotected attribute of an object',
  },
  {
    id: 'LargeDefaultGroupsWriteDacl',
    title: 'WriteDacl Privileges',
    edges: ['WriteDacl'],
    power: 'can change the permissions of an object',
  },
  {
    id: 'LargeDefaultGroupsWriteOwner',
    title: 'WriteOwner Privileges',
    edges: ['WriteOwner'],
    power: 'can become the owner of an object',
  },
  {
    id: 'LargeDefaultGroupsWriteOwnerLimitedRights',
    title: 'Limited WriteOwner Privileges',
    edges: ['WriteOwnerLimitedRights'],
    power: 'can become the owner of an object whose OWNER RIGHTS entry grants rights that can be misused',
  },
  {
    id: 'LargeDefaultGroupsAllExtendedRights',
    title: 'AllExtendedRights Privileges',
    edges: ['AllExtendedRights'],
    power: 'holds all extended rights on an object',
  },
  {
    id: 'LargeDefaultGroupsForceChangePassword',
    title: 'ForceChangePassword Privileges',
    edges: ['ForceChangePassword'],
    power: 'can set a new password for a user',
  },
  {
    id: 'LargeDefaultGroupsAddMember',
    title: 'AddMember Privileges',
    edges: ['AddMember'],
    power: 'can add members to a group',
  },
  {
    id: 'LargeDefaultGroupsAddSelf',
    title: 'AddSelf Privileges',
    edges: ['AddSelf'],
    power: 'can add itself to a group',
  },
  {
    id: 'LargeDefaultGroupsAddAllowedToAct',
    title: 'Resource-Based Constrained Delegation Privileges',
    edges: ['AddAllowedToAct'],
    power: 'can decide who can act on behalf of users to a computer',
  },
  {
    id: 'LargeDefaultGroupsAddKeyCredentialLink',
    title: 'AddKeyCredentialLink Privileges',
    edges: ['AddKeyCredentialLink'],
    power: 'can write the key credentials of an account',
  },
  {
    id: 'LargeDefaultGroupsWriteSPN',
    title: 'WriteSPN Privileges',
    edges: ['WriteSPN'],
    power: 'can write the service principal names of a user',
  },
  {
    id: 'LargeDefaultGroupsWriteAccountRestrictions',
    title: 'WriteAccountRestrictions Privileges',
    edges: ['WriteAccountRestrictions'],
    power: 'can write the account restrictions of an account',
  },
  {
    id: 'LargeDefaultGroupsWriteGPLink',
    title: 'WriteGPLink Privileges',
    edges: ['WriteGPLink'],
    power: 'can link group policies to an organizational unit or domain',
  },
  {
    id: 'LargeDefaultGroupsReadLAPS',
    title: 'Read LAPS Password Privileges',
    edges: ['ReadLAPSPassword'],
    power: 'can read the managed password of the local administrator of a computer',
  },
  {
    id: 'LargeDefaultGroupsReadGMSA',
    title: 'Read gMSA Password Privileges',
    edges: ['ReadGMSAPassword'],
    power: 'can retrieve the password of a group managed service account',
    remedy: grantedBy(
      'Remove the broad group from the principals that can retrieve the password (Set-ADServiceAccount -PrincipalsAllowedToRetrieveManagedPassword). Keep the hosts that run the service.',
      'Wait until Windows has changed the password, or create a new account.',
    ),
  },
  {
    id: 'LargeDefaultGroupsSyncLAPSPassword',
    title: 'SyncLAPSPassword Privileges',
    edges: ['SyncLAPSPassword'],
    power: 'holds the two replication rights that reveal LAPS passwords',
    remedy: OF_REPLICATION,
  },
  {
    id: 'LargeDefaultGroupsAdmins',
    title: 'Local Administrator Privileges',
    edges: ['AdminTo'],
    power: 'is a local administrator of a computer',
    remedy: ofLocalGroup('Administrators'),
  },
  {
    id: 'LargeDefaultGroupsRDP',
    title: 'RDP Access',
    edges: ['CanRDP'],
    power: 'can log on to a computer over Remote Desktop',
    remedy: {
      ...ofLocalGroup('Remote Desktop Users'),
      verify: ['A Remote Desktop session of an ordinary account is refused in a test.'],
    },
  },
  {
    id: 'LargeDefaultGroupsPSRemote',
    title: 'Membership in Remote Management Users Groups',
    edges: ['CanPSRemote'],
    power: 'can open PowerShell sessions on a computer',
    remedy: ofLocalGroup('Remote Management Users'),
  },
  {
    id: 'LargeDefaultGroupsDCOM',
    title: 'Membership in Distributed COM Users Groups',
    edges: ['ExecuteDCOM'],
    power: 'can start components over DCOM on a computer',
    remedy: ofLocalGroup('Distributed COM Users'),
  },
  {
    id: 'LargeDefaultGroupsSQLAdmin',
    title: 'SQL Admin Privileges',
    edges: ['SQLAdmin'],
    power: 'administers a SQL Server instance',
    remedy: grantedBy(
      'Remove the login of the broad group from the role sysadmin of the instance.',
      'If the broad group administers the instance because it administers the computer, repair that finding first.',
    ),
  },
  {
    id: 'LargeDefaultGroupsDCSync',
    title: 'DCSync Privileges',
    edges: ['DCSync'],
    power: 'can replicate every secret of a domain',
    remedy: OF_REPLICATION,
  },
  {
    id: 'LargeDefaultGroupsAllowedToAct',
    title: 'Delegation to Act for Users of Computers',
    edges: ['AllowedToAct'],
    power: 'can act on behalf of other users to a computer',
    remedy: grantedBy(
      'Remove the entry of the broad group from the attribute msDS-AllowedToActOnBehalfOfOtherIdentity of the computer.',
    ),
  },
  {
    id: 'LargeDefaultGroupsADCSEnrollAny',
    title: 'Certificate Escalation Privileges',
    edges: ESCALATIONS,
    power: 'can get a certificate that leads to control of the domain',
    remedy: {
      risk: 'Every member of the group can get a certificate that gives control of the domain. The group contains nearly all users, nearly all computers, or both.',
      fix: 'Find the templates and rights that create the relationship, and grant them only to principals that need them.',
      steps: [
        'Check the composition of the relationship: it shows the templates, CAs and victims.',
        'Unpublish unused templates.',
        'Grant Enroll on the other templates only to a group of principals that need it.',
        'Correct the flag on the template, the CA or the domain controllers, depending on the kind of the relationship.',
      ],
    },
  },
  {
    id: 'LargeDefaultGroupsManageCA',
    title: 'Control of an Enterprise CA',
    edges: ['ManageCA', 'ManageCertificates'],
    power: 'administers a CA or can approve its requests',
    remedy: grantedBy(
      'Remove the broad group from the security settings of the CA (Manage CA, Issue and Manage Certificates).',
      'Review the certificates that were issued meanwhile, and revoke those that no one can explain.',
    ),
  },
  {
    id: 'LargeDefaultGroupsWriteAltSecurityIdentities',
    title: 'Certificate Mapping Write Privileges',
    edges: ['WriteAltSecurityIdentities', 'WritePublicInformation'],
    power: 'can write the certificate mappings of an account',
  },
] as const satisfies readonly Row[];

const OF_DEFAULT_GROUPS = relationshipFindings(
  'ad',
  ROWS.map(
    ({
      id,
      title,
      edges,
      power,
      ...more
    }): RelationshipRow & { readonly id: (typeof ROWS)[number]['id'] } => ({
      id,
      title: `Large Default Groups With ${title}`,
      edges,
      category: 'LP',
      family: largeGroups,
      what: `A default group that nearly every account belongs to, or a group that contains one, ${power}.`,
      boundary: 'large-default-group',
      ...more,
    }),
  ),
);

const OF_TENANT_GROUPS = relationshipFindings('azure', [
  {
    id: 'AzureLargeGroupsOwns',
    title: 'Very Large Entra Group With Control Rights',
    edges: ['AZOwns', 'AZOwner', 'AZContributor', 'AZUserAccessAdministrator'],
    category: 'EN',
    family: largeGroups,
    remedy: {
      risk: 'More than half of the users of the tenant belong to the group, so an attacker needs only one of these many accounts.',
      steps: [
        'Find out which members use the right.',
        'Create a group for them, and give it the ownership or the role.',
        'Remove the large group from the owners of the object, or delete its role assignment on the resource.',
      ],
      care: 'Applications and people that use the right without your knowledge fail. Read the audit log of Entra ID and the activity log of the resource for some weeks before the change.',
      prevent: 'Give ownership and roles only to groups that were created for this purpose.',
      references: [REFERENCE.entraRoles, REFERENCE.azureRoles],
    },
    what: 'A group with more than half of the users of the tenant owns an object or controls a resource.',
    boundary: 'large-group',
  },
]);

export const LARGE_GROUP_FINDINGS = [...OF_DEFAULT_GROUPS, ...OF_TENANT_GROUPS] as const;
