/**
 * The format of bofhound (users 067a1ae, computers 47ce311, domains 78c7960, others 01dbad6): format 6 (5 for domains and policies),
 * `methods` 0. Only attributes in the log are written: the delegation services of a user are one text in a property, and in no list;
 * computers list them without ids. The container of Builtin objects is the id `S-1-5-32`, and that of accounts without an object an empty
 * list. Principals that may act for users, former SIDs, and password readers are omitted; CAs have no host and no registry.
 */
import { certificateServices } from './certificateServices.ts';
import { accountFields, computersOf, domainFields, usersOf } from './fields.ts';
import {
  ACCOUNT_FIELDS,
  acesOf,
  DOMAIN_FIELDS,
  linksIn,
  NOTHING_CHANGED,
  NUMBERED_TRUST,
  TEMPLATE_FIELDS,
  typed,
} from './parts.ts';
import type { Account, CollectorFile, SourceForest } from './sourceForest.ts';
import { childrenOf, groupsOf, idIn } from './sourceForest.ts';

const BOTH = [
  ...['domain', 'name', 'distinguishedname', 'domainsid', 'samaccountname', 'isaclprotected', 'description'],
  ...ACCOUNT_FIELDS,
  ...['pwdlastset', 'serviceprincipalnames', 'email', 'useraccountcontrol', 'samaccounttype'],
];
const USER_FIELDS = [
  ...[...BOTH, 'sensitive', 'dontreqpreauth', 'passwordnotreqd', 'pwdneverexpires', 'hasspn', 'admincount'],
];

const file = (type: string, data: readonly object[]): CollectorFile => ({
  data,
  meta: {
    type,
    count: data.length,
    methods: 0,
    version: ['domains', 'gpos'].includes(type) ? 5 : 6,
  },
});

export function bofhound(forest: SourceForest): CollectorFile[] {
  const id = (word: string | number): string => idIn(forest, word);
  const servers = childrenOf(forest, 'SERVERS').map(([child]) => child);
  const people = childrenOf(forest, 'USERS').map(([child]) => child);
  const containedBy = (child: string): object => {
    if (servers.includes(child)) return typed([id('SERVERS'), 'OU']);
    if (people.includes(child)) return typed([id('USERS'), 'Container']);
    return typed(['S-1-5-32', 'Base']);
  };
  const delegated = ({ delegation }: Account): object =>
    delegation.length === 0
      ? {}
      : { 'msds-allowedtodelegateto': delegation.join(', '), allowedtodelegate: delegation.join(', ') };
  const notAsked = { Collected: false, FailureReason: null, Results: [] };
  const base = { domain: forest.name, domainsid: forest.sid };
  return [
    file('domains', [
      {
        Properties: domainFields(forest, DOMAIN_FIELDS),
        ...{ ObjectIdentifier: forest.sid, ContainedBy: null, Aces: acesOf(forest, forest.sid) },
        Trusts: [NUMBERED_TRUST],
        ...{ Links: linksIn(forest), ChildObjects: [] },
        ...{ GPOChanges: { ...NOTHING_CHANGED, AffectedUsers: [] }, IsDeleted: false, IsACLProtected: false },
      },
    ]),
    file(
      'computers',
      computersOf(forest).map((computer) => ({
        Properties: {
          ...accountFields(forest, computer, [...BOTH, 'haslaps', 'operatingsystem', 'isdc', 'sidhistory']),
        },
        Sessions:
          computer.id === id(1001)
            ? { ...notAsked, Collected: true, Results: [{ UserSID: id(1101), ComputerSID: id(1001) }] }
            : notAsked,
        ...{ PrivilegedSessions: notAsked, RegistrySessions: notAsked, ObjectIdentifier: computer.id },
        ...{
          PrimaryGroupSID: id(computer.group),
          AllowedToDelegate: [],
          AllowedToAct: [],
          HasSidHistory: [],
        },
        DumpSMSAPassword: [],
        LocalGroups:
          computer.id === id(1002)
            ? [
                {
                  ...{
                    ObjectIdentifier: id('LOCAL'),
                    Name: `ADMINISTRATORS@${computer.host}`.toUpperCase(),
                  },
                  ...{ Results: [typed([id(1201), 'Group'])], Collected: true, FailureReason: null },
                },
              ]
            : [],
        ...{ UserRights: [], Status: null, IsDeleted: false, ContainedBy: containedBy(computer.id) },
        ...{ Aces: acesOf(forest, computer.id), IsACLProtected: false },
        IsDC: (computer.control & 0x2000) !== 0,
      })),
    ),
    file('users', [
      ...usersOf(forest).map((user) => ({
        Properties: { ...accountFields(forest, user, USER_FIELDS), ...delegated(user) },
        ...{ ObjectIdentifier: user.id, ContainedBy: containedBy(user.id), AllowedToDelegate: [] },
        PrimaryGroupSID: id(user.group),
        Aces: acesOf(forest, user.id).filter(
          (ace) => (ace as { readonly RightName: string }).RightName !== 'ReadGMSAPassword',
        ),
        ...{ SPNTargets: [], HasSIDHistory: [], IsACLProtected: false },
      })),
      {
        Properties: { ...base, name: `NT AUTHORITY@${forest.name}` },
        ...{
          ObjectIdentifier: `${forest.name}-S-1-5-20`,
          ContainedBy: [],
          AllowedToDelegate: [],
          PrimaryGroupSID: null,
        },
        ...{ Aces: [], SPNTargets: [], HasSIDHistory: [], IsACLProtected: false },
      },
    ]),
    file(
      'groups',
      groupsOf(forest).map((group) => ({
        Properties: {
          ...{ ...base, name: `${group.sam}@${forest.name}`.toUpperCase(), samaccountname: group.sam },
          ...{ admincount: group.sam === 'Domain Admins', whencreated: 1_600_000_000 },
          distinguishedname: `CN=${group.sam.toUpperCase()}`,
        },
        ...{ ObjectIdentifier: group.id, ContainedBy: containedBy(group.id), Aces: acesOf(forest, group.id) },
        ...{ Members: group.members.map(typed), IsDeleted: false, IsACLProtected: false },
      })),
    ),
    file('ous', [
      {
        Properties: { ...base, name: `SERVERS@${forest.name}`, blocksinheritance: false },
        ...{ ObjectIdentifier: id('SERVERS'), ContainedBy: typed([forest.sid, 'Domain']), Aces: [] },
        Links: linksIn(forest),
        ...{
          ChildObjects: childrenOf(forest, 'SERVERS').map(typed),
          GPOChanges: NOTHING_CHANGED,
          IsDeleted: false,
        },
      },
    ]),
    file('containers', [
      {
        Properties: { ...base, name: `USERS@${forest.name}` },
        ...{
          ObjectIdentifier: id('USERS'),
          ContainedBy: typed([forest.sid, 'Domain']),
          Aces: [],
          ChildObjects: [],
        },
      },
    ]),
    file('gpos', [
      {
        Properties: { ...base, name: `POLICY@${forest.name}`, gpcpath: '\\\\FORM' },
        ...{ ObjectIdentifier: id('POLICY'), Aces: [], ContainedBy: [] },
      },
    ]),
    ...certificateServices(forest, {
      file,
      host: null,
      templateFields: TEMPLATE_FIELDS,
      authority: {
        Properties: {
          ...{ casecuritycollected: false, enrollmentagentrestrictionscollected: false },
          isuserspecifiessanenabledcollected: false,
        },
        members: { CARegistryData: null },
      },
    }),
  ];
}
