/**
 * The form of BloodHound.py (computers c792f37, users and groups 091780c, domains and trusts 093be56 and 16e6c69), which NetExec (4ef4c06)
 * runs as a library: format 6, `methods` 0 (none in the file of domains), containers only in `ChildObjects`, local groups in the four lists
 * of format 4, delegation of computers as texts, no mark of controllers, no SQL server services, no certificate services.
 */
import { accountFields, computersOf, domainFields, usersOf } from './fields.ts';
import { acesOf, DOMAIN_FIELDS, linksIn, NOTHING_CHANGED, NUMBERED_TRUST, typed } from './parts.ts';
import type { Account, CollectorFile, SourceForest } from './sourceForest.ts';
import { childrenOf, groupsOf, idIn } from './sourceForest.ts';

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

/** @param hasMethods false in the file of domains */
export const fileOf = (type: string, data: readonly object[], hasMethods = true): CollectorFile => ({
  data,
  meta: { ...(hasMethods && { methods: 0 }), type, count: data.length, version: 6 },
});

/** Written only if there is any. */
const delegationField = ({ delegation }: Account): object =>
  delegation.length === 0 ? {} : { allowedtodelegate: delegation };

export function bloodHoundPy(forest: SourceForest): CollectorFile[] {
  const id = (word: string | number): string => idIn(forest, word);
  const asked = (Results: readonly object[] = []): object => ({
    Collected: true,
    FailureReason: null,
    Results,
  });
  const base = { domain: forest.name, domainsid: forest.sid, highvalue: false };
  return [
    fileOf(
      'users',
      usersOf(forest).map((user) => ({
        ...{ AllowedToDelegate: user.delegation.map(() => typed([id(1001), 'Computer'])) },
        ...{ ObjectIdentifier: user.id, PrimaryGroupSID: id(user.group), ContainedBy: null },
        Properties: { ...accountFields(forest, user, USER_FIELDS), ...delegationField(user) },
        ...{ Aces: acesOf(forest, user.id), SPNTargets: [] },
        HasSIDHistory: user.formerSids.map((sid) => typed([sid, 'Unknown'])),
        IsDeleted: false,
      })),
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
    ),
    fileOf(
      'computers',
      computersOf(forest).map((computer) => ({
        ObjectIdentifier: computer.id,
        AllowedToAct: computer.id === id(1002) ? [typed([id(1001), 'Computer'])] : [],
        PrimaryGroupSID: id(computer.group),
        LocalAdmins: asked(computer.id === id(1002) ? [typed([id(1201), 'Group'])] : []),
        PSRemoteUsers: asked(),
        Properties: {
          ...accountFields(forest, computer, COMPUTER_FIELDS),
          ...delegationField(computer),
        },
        ...{ RemoteDesktopUsers: asked(), DcomUsers: asked(), AllowedToDelegate: [] },
        Sessions: asked(computer.id === id(1001) ? [{ ComputerSID: id(1001), UserSID: id(1101) }] : []),
        ...{ PrivilegedSessions: asked(), RegistrySessions: asked(), Aces: acesOf(forest, computer.id) },
        ...{ HasSIDHistory: [], IsDeleted: false, Status: null },
      })),
    ),
    fileOf(
      'domains',
      [
        {
          ObjectIdentifier: forest.sid,
          Properties: domainFields(forest, DOMAIN_FIELDS),
          Trusts: [NUMBERED_TRUST],
          ...{ Aces: acesOf(forest, forest.sid), Links: linksIn(forest) },
          ...{
            ChildObjects: childrenOf(forest, 'DOMAIN').map(typed),
            GPOChanges: NOTHING_CHANGED,
            IsDeleted: false,
          },
        },
      ],
      false,
    ),
    fileOf('ous', [
      {
        ObjectIdentifier: id('SERVERS'),
        Properties: {
          ...{ ...base, name: `SERVERS@${forest.name}`, blocksinheritance: false, description: null },
          ...{ distinguishedname: 'OU=SERVERS', whencreated: 1_600_000_000 },
        },
        ...{ IsDeleted: false, IsACLProtected: false, Aces: [] },
        Links: linksIn(forest),
        ...{ ChildObjects: childrenOf(forest, 'SERVERS').map(typed), GPOChanges: NOTHING_CHANGED },
      },
    ]),
    fileOf('containers', [
      {
        ObjectIdentifier: id('USERS'),
        Properties: { ...base, name: `USERS@${forest.name}`, distinguishedname: 'CN=USERS' },
        ...{ IsDeleted: false, IsACLProtected: false, Aces: [] },
        ChildObjects: childrenOf(forest, 'USERS').map(typed),
      },
    ]),
    fileOf('gpos', [
      {
        ObjectIdentifier: id('POLICY'),
        Properties: { ...base, name: `POLICY@${forest.name}`, gpcpath: '\\\\FORM', description: null },
        ...{ IsDeleted: false, IsACLProtected: false, Aces: [] },
      },
    ]),
  ];
}
