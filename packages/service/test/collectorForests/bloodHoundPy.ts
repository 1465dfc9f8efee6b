/**
 * The form of BloodHound.py (computers c792f37, users and groups 091780c, domains and trusts 093be56 and 16e6c69), which NetExec (4ef4c06)
 * runs as a library: format 6, `methods` 0 (none in the file of domains), containers only in `ChildObjects`, local groups in the four lists
 * of format 4, delegation of computers as texts, no mark of controllers, no SQL server services, no certificate services.
 */
import {
  type Account,
  accountsOf,
  type CollectorFile,
  childrenOf,
  fieldsOfAccount,
  fieldsOfDomain,
  groupsOf,
  idIn,
  OTHER_FOREST,
  rightsOn,
  type SourceForest,
  take,
} from './sourceForest.ts';

const BOTH = ['name', 'domain', 'domainsid', 'distinguishedname', 'unconstraineddelegation', 'trustedtoauth'];
const TIMES = ['lastlogon', 'lastlogontimestamp', 'pwdlastset', 'whencreated'];
export const USER_FIELDS = [
  ...[...BOTH, ...TIMES, 'highvalue', 'passwordnotreqd', 'enabled', 'dontreqpreauth', 'pwdneverexpires'],
  ...['sensitive', 'serviceprincipalnames', 'hasspn', 'displayname', 'email', 'title', 'homedirectory'],
  ...['description', 'userpassword', 'admincount', 'sidhistory', 'unixpassword', 'unicodepassword'],
  ...['logonscript', 'samaccountname', 'sfupassword'],
];
export const COMPUTER_FIELDS = [
  ...[...BOTH, ...TIMES, 'enabled', 'samaccountname', 'haslaps', 'serviceprincipalnames', 'description'],
  ...['operatingsystem', 'sidhistory'],
];

/** @param methods absent in the file of domains */
export const fileOf = (type: string, data: readonly object[], methods?: number): CollectorFile => ({
  data,
  meta: { ...(methods === undefined ? {} : { methods }), type, count: data.length, version: 6 },
});

export const acesOf = (forest: SourceForest, id: string): object[] =>
  rightsOn(forest, id).map(([PrincipalSID, PrincipalType, RightName]) => ({
    ...{ RightName, IsInherited: false, PrincipalSID, PrincipalType },
  }));

export const typed = ([ObjectIdentifier, ObjectType]: readonly [string, string]): object => ({
  ...{ ObjectIdentifier, ObjectType },
});

/** Written only if there is any. */
const delegationField = ({ delegation }: Account): object =>
  delegation.length === 0 ? {} : { allowedtodelegate: delegation };

export const NOTHING_CHANGED = {
  ...{ AffectedComputers: [], DcomUsers: [], LocalAdmins: [], PSRemoteUsers: [], RemoteDesktopUsers: [] },
};

export function bloodHoundPy(forest: SourceForest): CollectorFile[] {
  const id = (word: string | number): string => idIn(forest, word);
  const users = accountsOf(forest).filter(({ kind }) => kind === 'User');
  const computers = accountsOf(forest).filter(({ kind }) => kind === 'Computer');
  const asked = (Results: readonly object[] = []): object => ({
    Collected: true,
    FailureReason: null,
    Results,
  });
  const base = { domain: forest.name, domainsid: forest.sid, highvalue: false };
  return [
    fileOf(
      'users',
      users.map((user) => ({
        ...{ AllowedToDelegate: user.delegation.map(() => typed([id(1001), 'Computer'])) },
        ...{ ObjectIdentifier: user.id, PrimaryGroupSID: id(user.group), ContainedBy: null },
        Properties: { ...take(fieldsOfAccount(forest, user), USER_FIELDS), ...delegationField(user) },
        ...{ Aces: acesOf(forest, user.id), SPNTargets: [] },
        HasSIDHistory: user.formerSids.map((sid) => typed([sid, 'Unknown'])),
        IsDeleted: false,
      })),
      0,
    ),
    fileOf(
      'groups',
      groupsOf(forest).map((group) => ({
        ObjectIdentifier: group.id,
        Properties: {
          ...{ ...base, name: `${group.sam}@${forest.name}`.toUpperCase(), samaccountname: group.sam },
          ...{ admincount: group.sam === 'Domain Admins', description: null, whencreated: 1_600_000_000 },
          distinguishedname: `CN=${group.sam.toUpperCase()}`,
        },
        ...{ ContainedBy: null, Members: group.members.map(typed), Aces: acesOf(forest, group.id) },
        IsDeleted: false,
      })),
      0,
    ),
    fileOf(
      'computers',
      computers.map((computer) => ({
        ObjectIdentifier: computer.id,
        AllowedToAct: computer.id === id(1002) ? [typed([id(1001), 'Computer'])] : [],
        PrimaryGroupSID: id(computer.group),
        LocalAdmins: asked(computer.id === id(1002) ? [typed([id(1201), 'Group'])] : []),
        PSRemoteUsers: asked(),
        Properties: {
          ...take(fieldsOfAccount(forest, computer), COMPUTER_FIELDS),
          ...delegationField(computer),
        },
        ...{ RemoteDesktopUsers: asked(), DcomUsers: asked(), AllowedToDelegate: [] },
        Sessions: asked(computer.id === id(1001) ? [{ ComputerSID: id(1001), UserSID: id(1101) }] : []),
        ...{ PrivilegedSessions: asked(), RegistrySessions: asked(), Aces: acesOf(forest, computer.id) },
        ...{ HasSIDHistory: [], IsDeleted: false, Status: null },
      })),
      0,
    ),
    fileOf('domains', [
      {
        ObjectIdentifier: forest.sid,
        Properties: take(fieldsOfDomain(forest), DOMAIN_FIELDS),
        Trusts: [
          {
            ...{ TargetDomainName: 'OTHER.EXAMPLE', TargetDomainSid: OTHER_FOREST, IsTransitive: true },
            ...{ TrustDirection: 3, TrustType: 2, SidFilteringEnabled: true },
          },
        ],
        ...{ Aces: acesOf(forest, forest.sid), Links: [{ IsEnforced: false, GUID: id('POLICY') }] },
        ...{
          ChildObjects: childrenOf(forest, 'DOMAIN').map(typed),
          GPOChanges: NOTHING_CHANGED,
          IsDeleted: false,
        },
      },
    ]),
    fileOf(
      'ous',
      [
        {
          ObjectIdentifier: id('SERVERS'),
          Properties: {
            ...{ ...base, name: `SERVERS@${forest.name}`, blocksinheritance: false, description: null },
            ...{ distinguishedname: 'OU=SERVERS', whencreated: 1_600_000_000 },
          },
          ...{ IsDeleted: false, IsACLProtected: false, Aces: [] },
          Links: [{ IsEnforced: false, GUID: id('POLICY') }],
          ...{ ChildObjects: childrenOf(forest, 'SERVERS').map(typed), GPOChanges: NOTHING_CHANGED },
        },
      ],
      0,
    ),
    fileOf(
      'containers',
      [
        {
          ObjectIdentifier: id('USERS'),
          Properties: { ...base, name: `USERS@${forest.name}`, distinguishedname: 'CN=USERS' },
          ...{ IsDeleted: false, IsACLProtected: false, Aces: [] },
          ChildObjects: childrenOf(forest, 'USERS').map(typed),
        },
      ],
      0,
    ),
    fileOf(
      'gpos',
      [
        {
          ObjectIdentifier: id('POLICY'),
          Properties: { ...base, name: `POLICY@${forest.name}`, gpcpath: '\\\\FORM', description: null },
          ...{ IsDeleted: false, IsACLProtected: false, Aces: [] },
        },
      ],
      0,
    ),
  ];
}

const DOMAIN_FIELDS = [
  ...['name', 'domain', 'domainsid', 'distinguishedname', 'description', 'functionallevel', 'highvalue'],
  ...['isaclprotected', 'collected', 'whencreated'],
];
