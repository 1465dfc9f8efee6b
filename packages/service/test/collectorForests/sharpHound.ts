/** The format of SharpHound (SharpHoundCommon 1325837): format 6, the methods of the run, every member of a type. */
import { certificateServices } from './certificateServices.ts';
import { computersOf, usersOf } from './fields.ts';
import { acesOf, endpoint, linksIn, NAMED_TRUST, NOTHING_CHANGED, sqlServers, typed } from './parts.ts';
import type { CollectorFile, SourceForest } from './sourceForest.ts';
import {
  childrenOf,
  fieldsOfAccount,
  fieldsOfDomain,
  fieldsOfTemplate,
  groupsOf,
  idIn,
} from './sourceForest.ts';

const file = (type: string, data: readonly object[]): CollectorFile => ({
  data,
  meta: { methods: 0x7ffff, type, count: data.length, version: 6, collectorversion: '2.6.7.0' },
});

export function sharpHound(forest: SourceForest): CollectorFile[] {
  const id = (word: string | number): string => idIn(forest, word);
  const places = [
    ...[['DOMAIN', 'Domain'] as const, ['SERVERS', 'OU'] as const, ['USERS', 'Container'] as const],
  ].flatMap(([word, kind]) =>
    childrenOf(forest, word).map(([child]) => [child, typed([id(word), kind])] as const),
  );
  const common = (own: string): object => ({
    ...{ ObjectIdentifier: own, IsDeleted: false, IsACLProtected: false, Aces: acesOf(forest, own) },
    ContainedBy: places.find(([child]) => child === own)?.[1] ?? null,
  });
  const asked = (Results: readonly object[] = []): object => ({
    Collected: true,
    FailureReason: null,
    Results,
  });
  const base = { domain: forest.name, domainsid: forest.sid, isaclprotected: false };
  return [
    file(
      'users',
      usersOf(forest).map((user) => ({
        ...{
          ...common(user.id),
          Properties: fieldsOfAccount(forest, user),
          PrimaryGroupSID: id(user.group),
        },
        AllowedToDelegate: user.delegation.map(() => typed([id(1001), 'Computer'])),
        HasSIDHistory: user.formerSids.map((sid) => typed([sid, 'Base'])),
        SPNTargets: sqlServers(user, () => id(1001)),
        ...{ UnconstrainedDelegation: false, DomainSID: forest.sid },
      })),
    ),
    file(
      'groups',
      groupsOf(forest).map((group) => ({
        ...common(group.id),
        Properties: {
          ...{ ...base, name: `${group.sam}@${forest.name}`.toUpperCase(), samaccountname: group.sam },
          ...{ admincount: group.sam === 'Domain Admins', distinguishedname: `CN=${group.sam}` },
        },
        ...{ Members: group.members.map(typed), HasSIDHistory: [] },
      })),
    ),
    file(
      'computers',
      computersOf(forest).map((computer) => ({
        ...{ ...common(computer.id), Properties: fieldsOfAccount(forest, computer) },
        ...{
          PrimaryGroupSID: id(computer.group),
          AllowedToDelegate: [],
          HasSIDHistory: [],
          DumpSMSAPassword: [],
        },
        AllowedToAct: computer.id === id(1002) ? [typed([id(1001), 'Computer'])] : [],
        Sessions: asked(computer.id === id(1001) ? [{ UserSID: id(1101), ComputerSID: id(1001) }] : []),
        ...{ PrivilegedSessions: asked(), RegistrySessions: asked(), UserRights: [], Status: null },
        LocalGroups:
          computer.id === id(1002)
            ? [
                {
                  ObjectIdentifier: id('LOCAL'),
                  Name: 'ADMINISTRATORS',
                  ...asked([typed([id(1201), 'Group'])]),
                  LocalNames: [],
                },
              ]
            : [],
        ...{ IsDC: (computer.control & 0x2000) !== 0, DomainSID: forest.sid },
        UnconstrainedDelegation: (computer.control & 0x80000) !== 0,
      })),
    ),
    file('domains', [
      {
        ...{ ...common(forest.sid), Properties: fieldsOfDomain(forest) },
        Trusts: [{ ...NAMED_TRUST, TGTDelegationEnabled: false }],
        ...{ Links: linksIn(forest), ChildObjects: [], GPOChanges: NOTHING_CHANGED },
      },
    ]),
    file('ous', [
      {
        ...common(id('SERVERS')),
        Properties: { ...base, name: `SERVERS@${forest.name}`, blocksinheritance: false },
        ...{ Links: linksIn(forest), ChildObjects: [], GPOChanges: NOTHING_CHANGED },
      },
    ]),
    file('containers', [
      { ...common(id('USERS')), Properties: { ...base, name: `USERS@${forest.name}` }, ChildObjects: [] },
    ]),
    file('gpos', [
      { ...common(id('POLICY')), Properties: { ...base, name: `POLICY@${forest.name}`, gpcpath: '' } },
    ]),
    ...certificateServices(forest, {
      file,
      host: id(1001),
      templateFields: Object.keys(fieldsOfTemplate(forest)),
      authority: {
        Properties: {
          ...{ casecuritycollected: true, enrollmentagentrestrictionscollected: true },
          ...{ isuserspecifiessanenabledcollected: true, roleseparationenabledcollected: true },
        },
        members: {
          CARegistryData: {
            CASecurity: { Data: acesOf(forest, id('AUTHORITY')), ...asked() },
            EnrollmentAgentRestrictions: { Restrictions: [], ...asked() },
            IsUserSpecifiesSanEnabled: { Value: false, ...asked() },
            RoleSeparationEnabled: { Value: false, ...asked() },
          },
          HttpEnrollmentEndpoints: [
            endpoint({
              ...{ ADCSWebEnrollmentHTTP: false },
              ...{ ADCSWebEnrollmentHTTPS: true, ADCSWebEnrollmentEPA: true },
            }),
          ],
        },
      },
    }),
  ];
}
