/**
 * A small domain, and accounts of a tenant, with facts that the generated organization lacks, so that each built-in query finds something.
 */
import { ace, collection, computerRecord, groupRecord, userRecord } from '@clew/intake/testing';

const DOMAIN = 'S-1-5-21-77-77-77';
const NAME = 'PLANTED.EXAMPLE';
const ALL = `${DOMAIN}-513`;
const COMPUTERS = `${DOMAIN}-515`;
const [TARGET, DES, SYNC, CRM, OLD_OPERATOR, GUEST, ROOT] = [1101, 1102, 1103, 1104, 1105, 501, 500].map(
  (rid) => `${DOMAIN}-${rid}`,
);
const [OPEN, RODC, RELAYED, STALE] = [1201, 1202, 1203, 1204].map((rid) => `${DOMAIN}-${rid}`);
const [OPEN_GROUP, WIDE_GROUP] = [1301, 1302].map((rid) => `${DOMAIN}-${rid}`);

const [ANY_PURPOSE, AUTHORITY] = [
  '0B0B0B0B-0000-4000-8000-000000000001',
  '0B0B0B0B-0000-4000-8000-000000000002',
];

/** The owned object, which has a path to Tier Zero. */
export const OWNED = TARGET;

/** 2020. */
const LONG_AGO = 1_577_836_800;

const named = (name: string, more: object = {}) => ({
  Properties: { name: `${name}@${NAME}`, domain: NAME, domainsid: DOMAIN, ...more },
});

const localGroup = (rid: number, members: readonly (readonly [id: string, type: string])[]) => ({
  ObjectIdentifier: `${OPEN}-${rid}`,
  Name: 'IGNOREME',
  Results: members.map(([ObjectIdentifier, ObjectType]) => ({ ObjectIdentifier, ObjectType })),
  LocalNames: [],
  Collected: true,
  FailureReason: null,
});

const members = (...ids: readonly (readonly [id: string, type: string])[]) =>
  ids.map(([ObjectIdentifier, ObjectType]) => ({ ObjectIdentifier, ObjectType }));

const outgoing = (RestrictSendingNtlmTraffic: number) => ({
  Result: { RestrictSendingNtlmTraffic },
  Collected: true,
  FailureReason: null,
});

/** SharpHound files. */
export const ASKED_FOR: readonly object[] = [
  collection('domains', {
    ObjectIdentifier: DOMAIN,
    Properties: {
      ...{ name: NAME, domain: NAME, domainsid: DOMAIN, collected: true },
      ...{ functionallevel: '2008 R2', machineaccountquota: 10, minpwdlength: 7, lockoutthreshold: 0 },
      dsheuristics: '0000002001000001',
      expirepasswordsonsmartcardonlyaccounts: false,
    },
    Aces: [],
  }),
  collection(
    'users',
    userRecord(TARGET, {
      ...named('TARGET', {
        enabled: true,
        sfupassword: 'x',
        hasspn: true,
        serviceprincipalnames: ['HTTP/planted'],
      }),
      Aces: [ace(ALL, 'GenericAll')],
    }),
    userRecord(
      DES,
      named('DES', {
        ...{ enabled: true, usedeskeyonly: true, encryptedtextpwdallowed: true, admincount: true },
        passwordnotreqd: true,
      }),
    ),
    userRecord(SYNC, {
      ...named('MSOL_0A1B2C', { enabled: true }),
      HasSIDHistory: members([`${DOMAIN}-512`, 'Group']),
    }),
    userRecord(CRM, {
      ...named('CRM', { enabled: true, trustedtoauth: true, admincount: true }),
      Aces: [ace(TARGET, 'AddKeyCredentialLink')],
    }),
    userRecord(OLD_OPERATOR, {
      ...named('OPERATOR', {
        ...{ enabled: true, lastlogontimestamp: LONG_AGO, pwdlastset: LONG_AGO, sensitive: false },
        pwdneverexpires: true,
      }),
      Aces: [ace(TARGET, 'GenericAll')],
    }),
    userRecord(GUEST, named('GUEST', { enabled: true })),
    userRecord(ROOT, named('ADMINISTRATOR', { enabled: true, pwdlastset: LONG_AGO, hasspn: true })),
  ),
  collection(
    'groups',
    groupRecord(ALL, { ...named('DOMAIN USERS'), Members: members([TARGET, 'User']) }),
    groupRecord(COMPUTERS, named('DOMAIN COMPUTERS')),
    groupRecord(OPEN_GROUP, { ...named('OPEN GROUP'), Aces: [ace(ALL, 'AddMember')] }),
    groupRecord(WIDE_GROUP, { ...named('WIDE GROUP'), Members: members([ALL, 'Group']) }),
    groupRecord(`${DOMAIN}-512`, {
      ...named('DOMAIN ADMINS'),
      Members: members([OLD_OPERATOR, 'User'], [STALE, 'Computer']),
    }),
    groupRecord(`${DOMAIN}-519`, { ...named('ENTERPRISE ADMINS'), Members: members([ROOT, 'User']) }),
    groupRecord(`${NAME}-S-1-5-32-551`, { ...named('BACKUP OPERATORS'), Members: members([CRM, 'User']) }),
  ),
  collection(
    'computers',
    computerRecord(OPEN, {
      ...named('OPEN', { enabled: true, operatingsystem: 'Windows Server 2022 Standard' }),
      Aces: [ace(ALL, 'GenericWrite'), ace(ALL, 'ReadLAPSPassword')],
      LocalGroups: [
        localGroup(544, [
          [ALL, 'Group'],
          [RELAYED, 'Computer'],
        ]),
        localGroup(555, [[ALL, 'Group']]),
        localGroup(580, [[ALL, 'Group']]),
        localGroup(562, [[ALL, 'Group']]),
      ],
      UserRights: [
        {
          Privilege: 'SeRemoteInteractiveLogonRight',
          Results: members([ALL, 'Group'], [`${OPEN}-555`, 'LocalGroup']),
          LocalNames: [],
          Collected: true,
          FailureReason: null,
        },
      ],
      SmbInfo: { Result: { SigningEnabled: false }, Collected: true, FailureReason: null },
    }),
    computerRecord(RODC, named('RODC', { enabled: true, isreadonlydc: true })),
    computerRecord(RELAYED, { ...named('RELAYED', { enabled: true }), NTLMRegistryData: outgoing(0) }),
    computerRecord(STALE, {
      ...named('STALE', { enabled: true, lastlogontimestamp: LONG_AGO }),
      NTLMRegistryData: outgoing(2),
    }),
  ),
  collection('certtemplates', {
    ObjectIdentifier: ANY_PURPOSE,
    ...named('ANY PURPOSE', { effectiveekus: [], ekus: [], schemaversion: 2 }),
    Aces: [],
  }),
  collection('enterprisecas', {
    ObjectIdentifier: AUTHORITY,
    ...named('PLANTED CA', { caname: 'PLANTED CA' }),
    Aces: [],
    EnabledCertTemplates: members([ANY_PURPOSE, 'CertTemplate']),
  }),
];

const GUEST_IN_CLOUD = '0A0A0A0A-0000-4000-8000-000000000001';
const FOREIGN_APPLICATION = '0A0A0A0A-0000-4000-8000-000000000002';
const SYNCED = '0A0A0A0A-0000-4000-8000-000000000004';
const LOOSE_ROLE = '0A0A0A0A-0000-4000-8000-000000000005';
const GLOBAL_ADMINISTRATOR = '62E90394-69F5-4237-9190-012177145E10';

/** An AzureHound file for a tenant. */
export function askedForInCloud(tenantId: string): object {
  const data = [
    {
      kind: 'AZUser',
      data: {
        ...{ id: GUEST_IN_CLOUD, displayName: 'Guest', userPrincipalName: 'guest#EXT#@aurora.example' },
        ...{ userType: 'Guest', accountEnabled: true, tenantId },
      },
    },
    {
      kind: 'AZUser',
      data: {
        ...{ id: SYNCED, displayName: 'Administrator', userPrincipalName: 'administrator@planted.example' },
        ...{ userType: 'Member', accountEnabled: true, tenantId },
        ...{ onPremisesSyncEnabled: true, onPremisesSecurityIdentifier: ROOT },
      },
    },
    {
      kind: 'AZRole',
      data: {
        ...{
          id: LOOSE_ROLE,
          displayName: 'Loose',
          isBuiltIn: false,
          isEnabled: true,
          templateId: LOOSE_ROLE,
        },
        tenantId,
      },
    },
    {
      kind: 'AZRoleManagementPolicyAssignment',
      data: {
        ...{ roleDefinitionId: LOOSE_ROLE, tenantId },
        ...{ endUserAssignmentRequiresApproval: false, endUserAssignmentRequiresMFA: false },
        ...{ endUserAssignmentRequiresJustification: false, endUserAssignmentUserApprovers: [] },
      },
    },
    {
      kind: 'AZServicePrincipal',
      data: {
        ...{ id: FOREIGN_APPLICATION, appId: '0a0a0a0a-0000-4000-8000-000000000003', displayName: 'Foreign' },
        ...{ appOwnerOrganizationId: '0A0A0A0A-0000-4000-8000-0000000000FF', accountEnabled: true, tenantId },
      },
    },
    {
      kind: 'AZRoleAssignment',
      data: {
        roleDefinitionId: GLOBAL_ADMINISTRATOR,
        tenantId,
        roleAssignments: [GUEST_IN_CLOUD, FOREIGN_APPLICATION].map((principalId) => ({
          ...{ roleDefinitionId: GLOBAL_ADMINISTRATOR, principalId, directoryScopeId: '/' },
        })),
      },
    },
  ];
  return { data, meta: { type: 'azure', version: 5, count: data.length } };
}
