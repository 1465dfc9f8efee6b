/** Findings about rights of groups that nearly everybody belongs to, in any zone. */
import type { EdgeKindName } from '../../edgeKinds.ts';
import type { RelationshipFindingType } from '../findingType.ts';

/** Ends of the object ids of large default groups. Source: shared reference `findings.md` 2.10. */
export const LARGE_DEFAULT_GROUPS: readonly string[] = [
  '-S-1-1-0',
  '-S-1-5-11',
  '-513',
  '-515',
  'S-1-5-32-545',
];

type Row = readonly [
  id: string,
  edges: EdgeKindName | readonly EdgeKindName[],
  title: string,
  /** What everybody can do with the target. */
  power: string,
];

const ESCALATIONS: readonly EdgeKindName[] = [
  'ADCSESC1',
  'ADCSESC3',
  'ADCSESC4',
  'ADCSESC6a',
  'ADCSESC6b',
  'ADCSESC9a',
  'ADCSESC9b',
  'ADCSESC10a',
  'ADCSESC10b',
  'ADCSESC13',
  'ADCSESC16',
];

const ROWS: readonly Row[] = [
  ['Owns', 'Owns', 'Ownership Privileges', 'owns an object and may change its permissions'],
  [
    'OwnsLimitedRights',
    'OwnsLimitedRights',
    'Limited Ownership Privileges',
    'owns an object whose OWNER RIGHTS entry grants rights that can be misused',
  ],
  ['GenericAll', 'GenericAll', 'GenericAll Privileges', 'has full control of an object'],
  [
    'GenericWrite',
    'GenericWrite',
    'GenericWrite Privileges',
    'may write every unprotected attribute of an object',
  ],
  ['WriteDacl', 'WriteDacl', 'WriteDacl Privileges', 'may change the permissions of an object'],
  ['WriteOwner', 'WriteOwner', 'WriteOwner Privileges', 'may become the owner of an object'],
  [
    'WriteOwnerLimitedRights',
    'WriteOwnerLimitedRights',
    'Limited WriteOwner Privileges',
    'may become the owner of an object whose OWNER RIGHTS entry grants rights that can be misused',
  ],
  [
    'AllExtendedRights',
    'AllExtendedRights',
    'AllExtendedRights Privileges',
    'holds all extended rights on an object',
  ],
  [
    'ForceChangePassword',
    'ForceChangePassword',
    'ForceChangePassword Privileges',
    'may set a new password for a user',
  ],
  ['AddMember', 'AddMember', 'AddMember Privileges', 'may add members to a group'],
  ['AddSelf', 'AddSelf', 'AddSelf Privileges', 'may add itself to a group'],
  [
    'AddAllowedToAct',
    'AddAllowedToAct',
    'Resource-Based Constrained Delegation Privileges',
    'may decide who can act for others towards a computer',
  ],
  [
    'AddKeyCredentialLink',
    'AddKeyCredentialLink',
    'AddKeyCredentialLink Privileges',
    'may write the key credentials of an account',
  ],
  ['WriteSPN', 'WriteSPN', 'WriteSPN Privileges', 'may write the service principal names of a user'],
  [
    'WriteAccountRestrictions',
    'WriteAccountRestrictions',
    'WriteAccountRestrictions Privileges',
    'may write the account restrictions of an account',
  ],
  [
    'WriteGPLink',
    'WriteGPLink',
    'WriteGPLink Privileges',
    'may link group policies to an organisational unit or domain',
  ],
  [
    'ReadLAPS',
    'ReadLAPSPassword',
    'Read LAPS Password Privileges',
    'may read the managed password of the local administrator of a computer',
  ],
  [
    'ReadGMSA',
    'ReadGMSAPassword',
    'Read gMSA Password Privileges',
    'may retrieve the password of a group managed service account',
  ],
  [
    'SyncLAPSPassword',
    'SyncLAPSPassword',
    'SyncLAPSPassword Privileges',
    'holds the two replication rights that reveal LAPS passwords',
  ],
  ['Admins', 'AdminTo', 'Local Administrator Privileges', 'is a local administrator of a computer'],
  ['RDP', 'CanRDP', 'RDP Access', 'may log on to a computer over Remote Desktop'],
  [
    'PSRemote',
    'CanPSRemote',
    'Membership in Remote Management Users Groups',
    'may open PowerShell sessions on a computer',
  ],
  [
    'DCOM',
    'ExecuteDCOM',
    'Membership in Distributed COM Users Groups',
    'may start components over DCOM on a computer',
  ],
  ['SQLAdmin', 'SQLAdmin', 'SQL Admin Privileges', 'administers a SQL Server instance'],
  ['DCSync', 'DCSync', 'DCSync Privileges', 'may replicate every secret of a domain'],
  [
    'AllowedToAct',
    'AllowedToAct',
    'Delegation to Act for Users of Computers',
    'may act for other users towards a computer',
  ],
  [
    'ADCSEnrollAny',
    ESCALATIONS,
    'Certificate Escalation Privileges',
    'may obtain a certificate that leads to control of the domain',
  ],
  [
    'ManageCA',
    ['ManageCA', 'ManageCertificates'],
    'Control of an Enterprise CA',
    'administers a certification authority or approves its requests',
  ],
  [
    'WriteAltSecurityIdentities',
    ['WriteAltSecurityIdentities', 'WritePublicInformation'],
    'Certificate Mapping Write Privileges',
    'may write which certificates are mapped to an account',
  ],
];

export const LARGE_DEFAULT_GROUP_FINDINGS: readonly RelationshipFindingType[] = [
  ...ROWS.map(
    ([suffix, edges, title, power]): RelationshipFindingType => ({
      kind: 'relationship',
      id: `LargeDefaultGroups${suffix}`,
      title: `Large Default Groups With ${title}`,
      edges: typeof edges === 'string' ? [edges] : edges,
      category: 'LP',
      platform: 'ad',
      family: 'F36',
      what: `A default group that nearly every account belongs to ${power}.`,
      boundary: 'large-default-group',
    }),
  ),
  {
    kind: 'relationship',
    id: 'AzureLargeGroupsOwns',
    title: 'Very Large Entra Group With Control Rights',
    edges: ['AZOwns', 'AZOwner', 'AZContributor', 'AZUserAccessAdministrator'],
    category: 'EN',
    platform: 'azure',
    family: 'F36',
    what: 'A group with more than half of the users of the tenant owns an object or controls a resource.',
    boundary: 'large-group',
  },
];
