/** Findings about rights of groups of nearly everyone, in any zone. */
import { EdgeKind, type EdgeKindName } from '@clew/model';
import { largeGroups } from '../families/directory.ts';
import type { Remedy } from '../family.ts';
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

/** Every way from a certificate to control of a domain. */
const ESCALATIONS = (Object.keys(EdgeKind) as EdgeKindName[]).filter((name) => name.startsWith('ADCSESC'));

const ROWS = [
  {
    id: 'LargeDefaultGroupsOwns',
    title: 'Ownership Privileges',
    edges: ['Owns'],
    power: 'owns an object and can change its permissions',
  },
  {
    id: 'LargeDefaultGroupsOwnsLimitedRights',
    title: 'Limited Ownership Privileges',
    edges: ['OwnsLimitedRights'],
    power: 'owns an object whose OWNER RIGHTS entry grants rights that can be misused',
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
  },
  {
    id: 'LargeDefaultGroupsSyncLAPSPassword',
    title: 'SyncLAPSPassword Privileges',
    edges: ['SyncLAPSPassword'],
    power: 'holds the two replication rights that reveal LAPS passwords',
  },
  {
    id: 'LargeDefaultGroupsAdmins',
    title: 'Local Administrator Privileges',
    edges: ['AdminTo'],
    power: 'is a local administrator of a computer',
  },
  {
    id: 'LargeDefaultGroupsRDP',
    title: 'RDP Access',
    edges: ['CanRDP'],
    power: 'can log on to a computer over Remote Desktop',
  },
  {
    id: 'LargeDefaultGroupsPSRemote',
    title: 'Membership in Remote Management Users Groups',
    edges: ['CanPSRemote'],
    power: 'can open PowerShell sessions on a computer',
  },
  {
    id: 'LargeDefaultGroupsDCOM',
    title: 'Membership in Distributed COM Users Groups',
    edges: ['ExecuteDCOM'],
    power: 'can start components over DCOM on a computer',
  },
  {
    id: 'LargeDefaultGroupsSQLAdmin',
    title: 'SQL Admin Privileges',
    edges: ['SQLAdmin'],
    power: 'administers a SQL Server instance',
  },
  {
    id: 'LargeDefaultGroupsDCSync',
    title: 'DCSync Privileges',
    edges: ['DCSync'],
    power: 'can replicate every secret of a domain',
  },
  {
    id: 'LargeDefaultGroupsAllowedToAct',
    title: 'Delegation to Act for Users of Computers',
    edges: ['AllowedToAct'],
    power: 'can act on behalf of other users to a computer',
  },
  {
    id: 'LargeDefaultGroupsADCSEnrollAny',
    title: 'Certificate Escalation Privileges',
    edges: ESCALATIONS,
    power: 'can get a certificate that leads to control of the domain',
    remedy: {
      risk: 'Every account of the domain, even a newly joined computer, can get a certificate that gives control of the domain.',
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
    what: 'A group with more than half of the users of the tenant owns an object or controls a resource.',
    boundary: 'large-group',
  },
]);

export const LARGE_GROUP_FINDINGS = [...OF_DEFAULT_GROUPS, ...OF_TENANT_GROUPS] as const;
