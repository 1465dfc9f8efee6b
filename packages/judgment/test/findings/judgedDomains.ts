/**
 * A small directory for each section of the independent review of findings, with the objects that its objections are about. All of
 * them are one upload.
 */
import { COLLECTED, SmallDomain } from './smallDomain.ts';

const DAY = 86_400;
export const TENANT = '6C12B0B0-B2CC-4A73-8252-0B94BFCA2145';
export const AUTHENTICATED = 'S-1-5-11';
export const USERS = 513;

/** Section 3: changes that would do harm. */
export const harm = new SmallDomain(3);
const other = new SmallDomain(30, {
  Trusts: [
    {
      ...{ TargetDomainSid: 'S-1-5-21-8-8-8', TargetDomainName: 'D8.LOCAL', IsTransitive: true },
      ...{ TrustDirection: 'Outbound', TrustType: 'Forest', SidFilteringEnabled: true, TrustAttributes: 8 },
    },
  ],
});
export const FOREIGN = other.user(1101, 'FOREIGN');
other.group(1200, 'PRINTERS', [FOREIGN]);
harm.join(512, FOREIGN);
const CA_HOST = harm.computer(1001, 'CAHOST');
harm.group(AUTHENTICATED, 'AUTHENTICATED USERS');
harm.group('S-1-5-32-554', 'PRE-WINDOWS 2000 COMPATIBLE ACCESS', [harm.wellKnown(AUTHENTICATED), CA_HOST]);
export const CONNECTOR = harm.user(1102, 'MSOL_12AB', { pwdlastset: COLLECTED - 120 * DAY });
harm.grant([CONNECTOR, 'GetChanges'], [CONNECTOR, 'GetChangesAll']);
harm.computer(
  1002,
  'DC2',
  {},
  {
    ...{ IsDC: true, DomainSID: harm.sid, PrimaryGroupSID: harm.id(516) },
    DCRegistryData: { StrongCertificateBindingEnforcement: { Collected: true, Value: 1 } },
  },
);

/** Section 4: ratings. */
export const ratings = new SmallDomain(4);
ratings.group(AUTHENTICATED, 'AUTHENTICATED USERS');
const EVERYBODY = ratings.wellKnown(AUTHENTICATED);
export const WIDE = ratings.template(1, 'WIDE', { enrolleesuppliessubject: true }, [EVERYBODY, 'Enroll']);
export const NARROW = ratings.template(2, 'NARROW', { enrolleesuppliessubject: true }, [
  ratings.id(USERS),
  'Enroll',
]);
ratings.authority(10, { templates: [WIDE, NARROW], rights: [[EVERYBODY, 'Enroll']] });
ratings.user(
  1101,
  'EMPTY',
  { passwordnotreqd: true, pwdneverexpires: true, sensitive: false },
  { memberOf: [512] },
);
export const ROASTED = ratings.user(1102, 'ROASTED', { hasspn: true, serviceprincipalnames: ['HTTP/x'] });
ratings.user(1103, 'VICTIM', {}, { memberOf: [512], rights: [[ROASTED, 'GenericAll']] });
export const SOMEBODY = ratings.user(1104, 'SOMEBODY');
ratings.user(1105, 'SECOND', {}, { memberOf: [512], rights: [[SOMEBODY, 'WriteDacl']] });
ratings.grant([SOMEBODY, 'GetChanges'], [SOMEBODY, 'GetChangesAll']);
ratings.computer(1201, 'TRUSTED', { unconstraineddelegation: true }, { UnconstrainedDelegation: true });

/** Section 6: false findings. */
export const untrue = new SmallDomain(6);
const MANAGER = untrue.user(1101, 'MANAGER');
const LOOSE = untrue.template(1, 'LOOSE', { enrolleesuppliessubject: true }, [untrue.id(USERS), 'Enroll']);
export const AUTHORITY = untrue.authority(10, {
  templates: [LOOSE],
  rights: [
    [untrue.id(USERS), 'Enroll'],
    [MANAGER, 'ManageCA'],
    [MANAGER, 'ManageCertificates'],
  ],
  registry: [[untrue.id(512), 'Enroll']],
});
export const LOCAL = untrue.user(1102, 'LOCAL');
export const MEMBER_SERVER = untrue.computer(
  1201,
  'MEMBER',
  {},
  {
    LocalGroups: [
      {
        ...{ Collected: true, ObjectIdentifier: untrue.wellKnown('S-1-5-32-544'), Name: 'ADMINISTRATORS' },
        ...{ Results: [{ ObjectIdentifier: LOCAL, ObjectType: 'User' }], LocalNames: [] },
      },
    ],
  },
);

/** Section 7: evidence. */
export const evident = new SmallDomain(7);
evident.group(AUTHENTICATED, 'AUTHENTICATED USERS');
export const OPEN = evident.template(1, 'OPEN', { enrolleesuppliessubject: true }, [
  evident.id(USERS),
  'Enroll',
]);
export const PUBLISHER = evident.authority(10, {
  templates: [OPEN],
  rights: [[evident.wellKnown(AUTHENTICATED), 'Enroll']],
});
export const PC = evident.computer(1201, 'PC', {}, { memberOf: [512] });
evident.group(1300, 'STAFF', [PC]);
/** Groups of a host with a name and of one that no collection has. */
export const NAMED_GROUP = `${PC}-1001`;
export const UNNAMED_GROUP = `${evident.id(1299)}-1002`;
evident.user(
  1105,
  'KEEPER',
  {},
  {
    memberOf: [512],
    rights: [
      [NAMED_GROUP, 'GenericAll'],
      [UNNAMED_GROUP, 'GenericAll'],
    ],
  },
);
export const OWN_WAY = evident.user(1106, 'OWNWAY', { hasspn: true, serviceprincipalnames: ['HTTP/y'] });
evident.user(1107, 'ADMIN7', {}, { memberOf: [512], rights: [[OWN_WAY, 'ForceChangePassword']] });

/** Section 8: types that were missing. */
export const missing = new SmallDomain(8);
const ANY_PURPOSE = { effectiveekus: ['2.5.29.37.0'], ekus: ['2.5.29.37.0'] };
export const AGENT = missing.template(1, 'ANY', ANY_PURPOSE, [missing.id(USERS), 'Enroll']);
const TARGET = missing.template(2, 'LOGON', { schemaversion: 1 }, [missing.id(USERS), 'Enroll']);
export const FIRST_SCHEMA = missing.template(
  3,
  'WEBSERVER',
  {
    ...{ schemaversion: 1, enrolleesuppliessubject: true, authenticationenabled: false },
    ...{ effectiveekus: ['1.3.6.1.5.5.7.3.1'], ekus: ['1.3.6.1.5.5.7.3.1'] },
  },
  [missing.id(USERS), 'Enroll'],
);
export const CA_ADMINS = missing.group(1302, 'CA ADMINS', [missing.user(1108, 'ADMIN9')]);
const CA8_HOST = missing.computer(
  1002,
  'CA8',
  {},
  {
    LocalGroups: [
      {
        ...{ Collected: true, ObjectIdentifier: `${missing.id(1002)}-544`, LocalNames: [] },
        ...{ Name: 'ADMINISTRATORS', Results: [{ ObjectIdentifier: CA_ADMINS, ObjectType: 'Group' }] },
      },
    ],
  },
);
export const EXCHANGE = missing.group(1303, 'ORGANIZATION MANAGEMENT');
missing.grant([EXCHANGE, 'WriteDacl']);
missing.authority(10, {
  ...{ templates: [AGENT, TARGET, FIRST_SCHEMA], host: CA8_HOST, rights: [[missing.id(USERS), 'Enroll']] },
  agents: [],
});
export const SERVER_ADMINS = missing.group(1300, 'SERVER ADMINS', [missing.user(1101, 'ADMIN8')]);
missing.computer(
  1003,
  'DC3',
  {},
  {
    ...{ IsDC: true, DomainSID: missing.sid, PrimaryGroupSID: missing.id(516) },
    LocalGroups: [
      {
        ...{
          Collected: true,
          ObjectIdentifier: missing.wellKnown('S-1-5-32-544'),
          Name: 'ADMINISTRATORS',
          LocalNames: [],
        },
        Results: [{ ObjectIdentifier: SERVER_ADMINS, ObjectType: 'Group' }],
      },
    ],
  },
);
export const DELEGATE = missing.computer(1202, 'DELEGATE');
missing.user(
  502,
  'KRBTGT',
  { enabled: false },
  {
    AllowedToAct: [{ ObjectIdentifier: DELEGATE, ObjectType: 'Computer' }],
  },
);
missing.user(1103, 'MSOL_OLD', { pwdlastset: COLLECTED - 91 * DAY });
// The account by which the domain of section 3 is trusted.
export const TRUST_ACCOUNT = missing.user(1105, 'D30$', {
  samaccountname: 'D30$',
  pwdlastset: COLLECTED - 90 * DAY,
});
/** The server of the synchronization is known by the account that its setup makes. */
missing.user(1106, 'MSOL_SERVED', {
  description:
    'Account created by Microsoft Azure Active Directory Connect with installation identifier 0123 running on computer SYNC8 configured to synchronize to tenant d8.onmicrosoft.com.',
});
export const SYNC_ADMINS = missing.group(1301, 'SYNC ADMINS', [missing.user(1107, 'OPERATOR8')]);
export const SYNC_SERVER = missing.computer(
  1004,
  'SYNC8',
  {},
  {
    LocalGroups: [
      {
        ...{ Collected: true, ObjectIdentifier: `${missing.id(1004)}-544`, LocalNames: [] },
        ...{ Name: 'ADMINISTRATORS', Results: [{ ObjectIdentifier: SYNC_ADMINS, ObjectType: 'Group' }] },
      },
    ],
  },
);
const JOINER = missing.user(1104, 'JOINER');
for (let at = 0; at < 10; at++)
  missing.computer(1400 + at, `JOINED${at}`, {}, { rights: [[JOINER, 'Owns']] });

/** Section 8, ESC11: a computer that can be made to log on, and an authority that takes its request without encryption. */
export const relayed = new SmallDomain(11);
relayed.group(AUTHENTICATED, 'AUTHENTICATED USERS');
export const MACHINE = relayed.template(1, 'MACHINE', { subjectaltrequiredns: true }, [
  relayed.id(515),
  'Enroll',
]);
export const UNENCRYPTED = relayed.authority(10, {
  ...{ templates: [MACHINE], rights: [[relayed.wellKnown(AUTHENTICATED), 'Enroll']] },
  host: relayed.computer(1002, 'CA11'),
  props: { rpcencryptionenforced: false },
});
export const COERCIBLE = relayed.computer(
  1201,
  'COERCIBLE',
  { restrictoutboundntlm: false },
  { memberOf: [512] },
);
relayed.join(515, COERCIBLE);

/** Section 8, policies: of two that are linked to a unit, one fills a local group of the controllers in a unit below. */
export const governed = new SmallDomain(12);
export const HELPERS = governed.group(1300, 'HELPERS', [governed.user(1101, 'HELPER')]);
export const HOST12 = governed.computer(1201, 'HOST12', {}, { memberOf: [512] });
export const [BASELINE, LOCAL_ADMINS] = [governed.policy(1, 'BASELINE'), governed.policy(2, 'LOCAL ADMINS')];
export const INNER = governed.unit(21, 'SERVERS', [HOST12]);
export const OUTER = governed.unit(20, 'MACHINES', [INNER], {
  links: [BASELINE, LOCAL_ADMINS],
  changes: { LocalAdmins: [HELPERS], AffectedComputers: [HOST12] },
});

/** An application that may grant itself every permission of the tenant. */
export const [BACKUP, GRAPH] = [
  '88880000-0000-0000-0000-000000000001',
  '88880000-0000-0000-0000-000000000002',
];

/** Roles scoped to an application name its object id. */
export const APPLICATION = '77777777-0000-0000-0000-000000000001';
const tenant = {
  meta: { type: 'azure', version: 6 },
  data: [
    {
      kind: 'AZTenant',
      data: { tenantId: TENANT, id: `/tenants/${TENANT}`, displayName: 'Cloud', collected: true },
    },
    {
      kind: 'AZUser',
      data: {
        id: 'AAAA0000-0000-0000-0000-000000000001',
        displayName: 'Ann',
        userPrincipalName: 'ann@cloud',
        tenantId: TENANT,
      },
    },
    {
      kind: 'AZApp',
      data: {
        id: '77777777-0000-0000-0000-0000000000FF',
        appId: APPLICATION,
        displayName: 'Payroll',
        tenantId: TENANT,
      },
    },
    ...[BACKUP, GRAPH].map((id) => ({
      kind: 'AZServicePrincipal',
      data: {
        ...{ id, appId: id.replace('8888', '9999'), tenantId: TENANT },
        displayName: `SP ${id.at(-1)}`,
      },
    })),
    {
      kind: 'AZAppRoleAssignment',
      data: {
        ...{ appRoleId: '06b708a9-e830-4db3-a914-8e69da51d44f', principalId: BACKUP, resourceId: GRAPH },
        ...{ principalType: 'ServicePrincipal', principalDisplayName: 'SP 1', tenantId: TENANT },
        ...{ appId: '00000003-0000-0000-c000-000000000000', resourceDisplayName: 'Microsoft Graph' },
      },
    },
    {
      kind: 'AZRoleAssignment',
      data: {
        ...{ roleDefinitionId: '9b895d92-2cd3-44c7-9d02-a6ac2d5ea5c3', tenantId: TENANT },
        roleAssignments: [
          {
            principalId: 'AAAA0000-0000-0000-0000-000000000001',
            ...{ roleDefinitionId: '9b895d92-2cd3-44c7-9d02-a6ac2d5ea5c3' },
            directoryScopeId: '/77777777-0000-0000-0000-0000000000FF',
          },
        ],
      },
    },
  ],
};

/** The files of all domains and the tenant. */
export const judgedFiles = (): readonly object[] => [
  ...[harm, other, ratings, untrue, evident, missing, relayed, governed].flatMap((domain) =>
    domain.files().map(({ content }) => content as object),
  ),
  tenant,
];
