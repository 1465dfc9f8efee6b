/**
 * The kinds of Active Directory objects with separate endpoints, and their related lists: the contract's part of one table. The service has
 * the computation of each list in a table with the same keys.
 *
 * Rule: `docs/reference/queries.md#entity-details` and `docs/reference/queries.md#related-lists`.
 */

/** [suffix of the path, end of the operation id, key of its count in the entity's answer, contents of the list]. */
type RelatedRow = readonly [suffix: string, operation: string, countKey: string, holds: string];

export interface EntityRow {
  /** First segment of the path. */
  readonly segment: string;
  /** Node kind that the object must have. */
  readonly kind: string;
  readonly operation: string;
  readonly tag: string;
  /** The word in a sentence. */
  readonly noun: string;
  readonly related: readonly RelatedRow[];
}

const CONTROLLERS = ['controllers', 'Controllers', 'controllers', 'principals that can control it'] as const;
const CONTROLLABLES = [
  'controllables',
  'Controllables',
  'controllables',
  'objects it can control, itself or through its groups',
] as const;

const REMOTE_RIGHTS = [
  ['backup-rights', 'BackupRights', 'backupRights', 'computers it can read with backup privileges'],
  ['dcom-rights', 'DcomRights', 'dcomRights', 'computers it can run code on by DCOM'],
  [
    'ps-remote-rights',
    'PsRemoteRights',
    'psRemoteRights',
    'computers it can run code on through PowerShell remoting',
  ],
] as const;
const PKI_HIERARCHY = ['pki-hierarchy', 'PkiHierarchy', 'pki-hierarchy', 'CAs above and below it'] as const;

const ROWS = [
  {
    segment: 'base',
    kind: 'Base',
    operation: 'Entity',
    tag: 'AD Base Entities',
    noun: 'object',
    related: [CONTROLLABLES, CONTROLLERS],
  },
  {
    segment: 'users',
    kind: 'User',
    operation: 'UserEntity',
    tag: 'AD Users',
    noun: 'user',
    related: [
      ['sessions', 'Sessions', 'sessions', 'computers with a session of the user'],
      ['memberships', 'Membership', 'groupMembership', 'groups it is in, direct and nested'],
      ['admin-rights', 'AdminRights', 'adminRights', 'computers it administers'],
      ['rdp-rights', 'RdpRights', 'rdpRights', 'computers it can log on to by RDP'],
      ...REMOTE_RIGHTS,
      ['sql-admin-rights', 'SqlAdminRights', 'sqlAdmin', 'computers whose SQL server it administers'],
      [
        'constrained-delegation-rights',
        'ConstrainedDelegationRights',
        'constrainedDelegation',
        'objects it may delegate to',
      ],
      CONTROLLABLES,
      CONTROLLERS,
      ['gpos', 'Gpos', 'gpos', 'policies that affect it'],
    ],
  },
  {
    segment: 'groups',
    kind: 'Group',
    operation: 'GroupEntity',
    tag: 'Groups',
    noun: 'group',
    related: [
      ['sessions', 'Sessions', 'sessions', 'computers with a session of a member'],
      ['members', 'Members', 'members', 'members, direct and nested'],
      ['memberships', 'Memberships', 'membership', 'groups it is in, direct and nested'],
      ['admin-rights', 'AdminRights', 'adminRights', 'computers it administers'],
      ['rdp-rights', 'RdpRights', 'rdpRights', 'computers its members can log on to through RDP'],
      ...REMOTE_RIGHTS,
      CONTROLLABLES,
      CONTROLLERS,
    ],
  },
  {
    segment: 'computers',
    kind: 'Computer',
    operation: 'ComputerEntity',
    tag: 'Computers',
    noun: 'computer',
    related: [
      ['sessions', 'Sessions', 'sessions', 'users with a session on it'],
      ['admin-users', 'Admins', 'adminUsers', 'principals that administer it'],
      ['rdp-users', 'RdpUsers', 'rdpUsers', 'principals that can log on to it through RDP'],
      ['backup-operators', 'BackupOperators', 'backupOperators', 'principals with backup privileges on it'],
      ['dcom-users', 'DcomUsers', 'dcomUsers', 'principals that can run code on it through DCOM'],
      [
        'ps-remote-users',
        'PsRemoteUsers',
        'psRemoteUsers',
        'principals that can run code on it through PowerShell remoting',
      ],
      ['sql-admins', 'SqlAdmins', 'sqlAdminUsers', 'users that administer its SQL server'],
      ['constrained-users', 'ConstrainedUsers', 'constrainedUsers', 'principals that may delegate to it'],
      ['group-membership', 'GroupMembership', 'groupMembership', 'groups it is in, direct and nested'],
      ['admin-rights', 'AdminRights', 'adminRights', 'other computers its account administers'],
      ['rdp-rights', 'RdpRights', 'rdpRights', 'other computers its account can log on to through RDP'],
      ['backup-rights', 'BackupRights', 'backupRights', 'other computers it can read with backup privileges'],
      ['dcom-rights', 'DcomRights', 'dcomRights', 'other computers its account can run code on through DCOM'],
      [
        'ps-remote-rights',
        'PsRemoteRights',
        'psRemoteRights',
        'other computers its account can run code on through PowerShell remoting',
      ],
      [
        'constrained-delegation-rights',
        'ConstrainedDelegationRights',
        'constrainedPrivs',
        'objects it may delegate to',
      ],
      CONTROLLABLES,
      CONTROLLERS,
      ['gpos', 'Gpos', 'gpos', 'policies that affect it'],
    ],
  },
  {
    segment: 'domains',
    kind: 'Domain',
    operation: 'DomainEntity',
    tag: 'Domains',
    noun: 'domain',
    related: [
      ['users', 'Users', 'users', 'users that belong to it'],
      ['groups', 'Groups', 'groups', 'groups that belong to it'],
      ['computers', 'Computers', 'computers', 'computers that belong to it'],
      ['ous', 'Ous', 'ous', 'organizational units that belong to it'],
      ['gpos', 'Gpos', 'gpos', 'policies that belong to it'],
      ['foreign-users', 'ForeignUsers', 'foreignUsers', 'users of elsewhere in its groups'],
      ['foreign-groups', 'ForeignGroups', 'foreignGroups', 'groups of elsewhere in its groups'],
      [
        'foreign-gpo-controllers',
        'ForeignGpoControllers',
        'foreignGPOControllers',
        'principals of other domains that control its policies',
      ],
      [
        'foreign-admins',
        'ForeignAdmins',
        'foreignAdmins',
        'principals of other domains that administer its computers',
      ],
      [
        'inbound-trusts',
        'InboundTrusts',
        'inboundTrusts',
        'domains that trust it, directly and through others',
      ],
      [
        'outbound-trusts',
        'OutboundTrusts',
        'outboundTrusts',
        'domains it trusts, directly and through others',
      ],
      CONTROLLERS,
      ['linked-gpos', 'LinkedGpos', 'linkedgpos', 'policies linked to it'],
      ['dc-syncers', 'DcSyncers', 'dcsyncers', 'principals that can replicate its secrets'],
      [
        'adcs-escalations',
        'AdcsEscalations',
        'adcs-escalations',
        'principals that can take it over through AD CS',
      ],
    ],
  },
  {
    segment: 'gpos',
    kind: 'GPO',
    operation: 'GpoEntity',
    tag: 'GPOs',
    noun: 'policy',
    related: [
      ['ous', 'Ous', 'ous', 'organizational units and domains it applies to'],
      ['computers', 'Computers', 'computers', 'computers it applies to'],
      ['users', 'Users', 'users', 'users it applies to'],
      CONTROLLERS,
      ['tier-zero', 'TierZero', 'tierzero', 'Tier Zero objects it applies to'],
    ],
  },
  {
    segment: 'ous',
    kind: 'OU',
    operation: 'OuEntity',
    tag: 'OUs',
    noun: 'organizational unit',
    related: [
      ['gpos', 'Gpos', 'gpos', 'policies that affect it'],
      ['users', 'Users', 'users', 'users inside it'],
      ['groups', 'Groups', 'groups', 'groups inside it'],
      ['computers', 'Computers', 'computers', 'computers inside it'],
    ],
  },
  {
    segment: 'containers',
    kind: 'Container',
    operation: 'ContainerEntity',
    tag: 'Containers',
    noun: 'container',
    related: [CONTROLLERS],
  },
  {
    segment: 'aiacas',
    kind: 'AIACA',
    operation: 'AiaCaEntity',
    tag: 'AIA CAs',
    noun: 'AIA CA',
    related: [CONTROLLERS, PKI_HIERARCHY],
  },
  {
    segment: 'rootcas',
    kind: 'RootCA',
    operation: 'RootCaEntity',
    tag: 'Root CAs',
    noun: 'root CA',
    related: [
      CONTROLLERS,
      ['pki-hierarchy', 'PkiHierarchy', 'pki-hierarchy', 'certificate authorities below it'],
    ],
  },
  {
    segment: 'enterprisecas',
    kind: 'EnterpriseCA',
    operation: 'EnterpriseCaEntity',
    tag: 'Enterprise CAs',
    noun: 'enterprise CA',
    related: [
      CONTROLLERS,
      PKI_HIERARCHY,
      ['published-templates', 'PublishedTemplates', 'published-templates', 'certificate templates it issues'],
    ],
  },
  {
    segment: 'ntauthstores',
    kind: 'NTAuthStore',
    operation: 'NtAuthStoreEntity',
    tag: 'NT Auth Stores',
    noun: 'NT auth store',
    related: [CONTROLLERS, ['trusted-cas', 'TrustedCas', 'trusted-cas', 'enterprise CAs trusted for log-on']],
  },
  {
    segment: 'certtemplates',
    kind: 'CertTemplate',
    operation: 'CertTemplateEntity',
    tag: 'Cert Templates',
    noun: 'certificate template',
    related: [
      CONTROLLERS,
      ['published-to-cas', 'PublishedToCAs', 'published-to-cas', 'enterprise CAs that issue it'],
    ],
  },
  {
    segment: 'issuancepolicies',
    kind: 'IssuancePolicy',
    operation: 'IssuancePolicyEntity',
    tag: 'Issuance Policies',
    noun: 'issuance policy',
    related: [
      CONTROLLERS,
      [
        'linkedtemplates',
        'LinkedTemplates',
        'linkedTemplates',
        'certificate templates that contain the policy',
      ],
    ],
  },
] as const satisfies readonly EntityRow[];

/** A row with its exact types. */
export type EntityKindRow = (typeof ROWS)[number];

export type EntitySegment = EntityKindRow['segment'];

/** `users/sessions`, ...: the key of a related list. */
export type RelatedListKey = EntityKindRow extends infer R
  ? R extends { readonly segment: infer S extends string; readonly related: readonly (infer L)[] }
    ? L extends readonly [infer Suffix extends string, ...unknown[]]
      ? `${S}/${Suffix}`
      : never
    : never
  : never;

/** Operations that return one object of Active Directory. */
export type EntityOperationId = `Get${EntityKindRow['operation']}`;

/** Operations that return one of its related lists. */
export type RelatedOperationId = EntityKindRow extends infer R
  ? R extends { readonly operation: infer O extends string; readonly related: readonly (infer L)[] }
    ? L extends readonly [string, infer Operation extends string, ...unknown[]]
      ? `Get${O}${Operation}`
      : never
    : never
  : never;

export interface RelatedListContract {
  readonly key: RelatedListKey;
  readonly suffix: string;
  readonly operationId: RelatedOperationId;
  readonly countKey: string;
  readonly holds: string;
}

export interface EntityKindContract {
  readonly segment: EntitySegment;
  readonly kind: EntityKindRow['kind'];
  readonly operationId: EntityOperationId;
  readonly tag: string;
  readonly noun: string;
  readonly related: readonly RelatedListContract[];
}

export const ENTITY_KINDS: readonly EntityKindContract[] = ROWS.map((row) => ({
  segment: row.segment,
  kind: row.kind,
  operationId: `Get${row.operation}` as const,
  tag: row.tag,
  noun: row.noun,
  related: row.related.map(([suffix, operation, countKey, holds]) => ({
    key: `${row.segment}/${suffix}` as RelatedListKey,
    suffix,
    operationId: `Get${row.operation}${operation}` as RelatedOperationId,
    countKey,
    holds,
  })),
}));
