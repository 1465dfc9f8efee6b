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
    power: 'owns an object and may change its permissions',
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
    power: 'may write every unprotected attribute of an object',
  },
  {
    id: 'LargeDefaultGroupsWriteDacl',
    title: 'WriteDacl Privileges',
    edges: ['WriteDacl'],
    power: 'may change the permissions of an object',
  },
  {
    id: 'LargeDefaultGroupsWriteOwner',
    title: 'WriteOwner Privileges',
    edges: ['WriteOwner'],
    power: 'may become the owner of an object',
  },
  {
    id: 'LargeDefaultGroupsWriteOwnerLimitedRights',
    title: 'Limited WriteOwner Privileges',
    edges: ['WriteOwnerLimitedRights'],
    power: 'may become the owner of an object whose OWNER RIGHTS entry grants rights that can be misused',
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
    power: 'may set a new password for a user',
  },
  {
    id: 'LargeDefaultGroupsAddMember',
    title: 'AddMember Privileges',
    edges: ['AddMember'],
    power: 'may add members to a group',
  },
  {
    id: 'LargeDefaultGroupsAddSelf',
    title: 'AddSelf Privileges',
    edges: ['AddSelf'],
    power: 'may add itself to a group',
  },
  {
    id: 'LargeDefaultGroupsAddAllowedToAct',
    title: 'Resource-Based Constrained Delegation Privileges',
    edges: ['AddAllowedToAct'],
    power: 'may decide who can act for others toward a computer',
  },
  {
    id: 'LargeDefaultGroupsAddKeyCredentialLink',
    title: 'AddKeyCredentialLink Privileges',
    edges: ['AddKeyCredentialLink'],
    power: 'may write the key credentials of an account',
  },
  {
    id: 'LargeDefaultGroupsWriteSPN',
    title: 'WriteSPN Privileges',
    edges: ['WriteSPN'],
    power: 'may write the service principal names of a user',
  },
  {
    id: 'LargeDefaultGroupsWriteAccountRestrictions',
    title: 'WriteAccountRestrictions Privileges',
    edges: ['WriteAccountRestrictions'],
    power: 'may write the account restrictions of an account',
  },
  {
    id: 'LargeDefaultGroupsWriteGPLink',
    title: 'WriteGPLink Privileges',
    edges: ['WriteGPLink'],
    power: 'may link group policies to an organizational unit or domain',
  },
  {
    id: 'LargeDefaultGroupsReadLAPS',
    title: 'Read LAPS Password Privileges',
    edges: ['ReadLAPSPassword'],
    power: 'may read the managed password of the local administrator of a computer',
  },
  {
    id: 'LargeDefaultGroupsReadGMSA',
    title: 'Read gMSA Password Privileges',
    edges: ['ReadGMSAPassword'],
    power: 'may retrieve the password of a group managed service account',
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
    power: 'may log on to a computer over Remote Desktop',
  },
  {
    id: 'LargeDefaultGroupsPSRemote',
    title: 'Membership in Remote Management Users Groups',
    edges: ['CanPSRemote'],
    power: 'may open PowerShell sessions on a computer',
  },
  {
    id: 'LargeDefaultGroupsDCOM',
    title: 'Membership in Distributed COM Users Groups',
    edges: ['ExecuteDCOM'],
    power: 'may start components over DCOM on a computer',
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
    power: 'may replicate every secret of a domain',
  },
  {
    id: 'LargeDefaultGroupsAllowedToAct',
    title: 'Delegation to Act for Users of Computers',
    edges: ['AllowedToAct'],
    power: 'may act for other users toward a computer',
  },
  {
    id: 'LargeDefaultGroupsADCSEnrollAny',
    title: 'Certificate Escalation Privileges',
    edges: ESCALATIONS,
    power: 'may obtain a certificate that leads to control of the domain',
    remedy: {
      risk: 'Every account of the domain, that of a computer joined yesterday included, is then a certificate away from control of it.',
      fix: 'Find the templates and rights that make up the relation, and leave them to those who need them.',
      steps: [
        'Check the composition of the relationship: it names the templates, authorities and victims.',
        'Unpublish unused templates.',
        'Grant the right to enroll in the others to a group of principals that need it.',
        'Correct the flag of the template, the authority or the domain controllers that the kind of the relation names.',
      ],
    },
  },
  {
    id: 'LargeDefaultGroupsManageCA',
    title: 'Control of an Enterprise CA',
    edges: ['ManageCA', 'ManageCertificates'],
    power: 'administers a certification authority or approves its requests',
  },
  {
    id: 'LargeDefaultGroupsWriteAltSecurityIdentities',
    title: 'Certificate Mapping Write Privileges',
    edges: ['WriteAltSecurityIdentities', 'WritePublicInformation'],
    power: 'may write which certificates are mapped to an account',
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
