/**
 * The format of RustHound-CE (users 0ce4488, computers 34e4b5b, domains 0cc9146, CAs 07fee09): format 6, `methods` 0, empty texts for
 * missing attributes, unresolved hosts by name, former SIDs as texts, sessions "collected" and empty, and a CA registry that is "collected"
 * although not requested, which the properties of the CA contradict.
 */
import { certificateServices } from './certificateServices.ts';
import { accountFields, computersOf, usersOf } from './fields.ts';
import {
  ACCOUNT_FIELDS,
  acesOf,
  endpoint,
  linksIn,
  NAMED_TRUST,
  NOTHING_CHANGED,
  sqlServers,
  TEMPLATE_FIELDS,
  typed,
} from './parts.ts';
import type { Account, CollectorFile, SourceForest } from './sourceForest.ts';
import { childrenOf, fieldsOfDomain, groupsOf, idIn } from './sourceForest.ts';

const BOTH = [
  ...['domain', 'name', 'domainsid', 'isaclprotected', 'distinguishedname', 'highvalue', 'description'],
  ...ACCOUNT_FIELDS,
  ...[
    'pwdlastset',
    'passwordnotreqd',
    'pwdneverexpires',
    'serviceprincipalnames',
    'samaccountname',
    'sidhistory',
  ],
  'supportedencryptiontypes',
];
const USER_FIELDS = [
  ...[...BOTH, 'sensitive', 'dontreqpreauth', 'hasspn', 'useraccountcontrol', 'admincount'],
  ...['adminsdholderprotected', 'smartcardrequired', 'usedeskeyonly', 'encryptedtextpwdallowed'],
];
/** Empty if the object lacks the attribute. */
const TEXTS = {
  ...{ displayname: '', email: '', title: '', homedirectory: '', logonscript: '', userpassword: '' },
  ...{ unixpassword: '', unicodepassword: '', sfupassword: '', profilepath: '', allowedtodelegate: [] },
};

const file = (type: string, data: readonly object[]): CollectorFile => ({
  data,
  meta: { methods: 0, type, count: data.length, version: 6, collectorversion: 'RustHound-CE v2.4.91' },
});

export function rustHoundCe(forest: SourceForest): CollectorFile[] {
  const id = (word: string | number): string => idIn(forest, word);
  const containers: [string, [string, string][]][] = [
    [typeOf('Domain', forest.sid), childrenOf(forest, 'DOMAIN')],
    [typeOf('OU', id('SERVERS')), childrenOf(forest, 'SERVERS')],
    [typeOf('Container', id('USERS')), childrenOf(forest, 'USERS')],
  ];
  const containedBy = (child: string): object | null => {
    const [found] = containers.find(([, all]) => all.some(([one]) => one === child)) ?? [];
    if (found === undefined) return null;
    const [ObjectType, ObjectIdentifier] = found.split(' ');
    return { ObjectIdentifier, ObjectType };
  };
  const common = (own: string): object => ({
    ...{ ObjectIdentifier: own, IsDeleted: false, IsACLProtected: false },
    Aces: acesOf(forest, own).map((ace) => ({
      ...{ ...ace, InheritanceHash: '', IsPermissionForOwnerRightsSid: false },
      IsInheritedPermissionForOwnerRightsSid: false,
    })),
    ContainedBy: containedBy(own),
  });
  const account = (one: Account): object => ({
    ...{ ...common(one.id), PrimaryGroupSID: id(one.group), DomainSID: forest.sid },
    UnconstrainedDelegation: (one.control & 0x80000) !== 0,
    AllowedToDelegate: one.delegation.map((service) =>
      typed([service.split('/')[1]?.toUpperCase() ?? '', 'Computer']),
    ),
    HasSIDHistory: one.formerSids,
  });
  const asked = { Results: [], Collected: true, FailureReason: null };
  const base = { domain: forest.name, domainsid: forest.sid, isaclprotected: false };
  return [
    file(
      'users',
      usersOf(forest).map((user) => ({
        ...account(user),
        Properties: { ...accountFields(forest, user, USER_FIELDS), ...TEXTS },
        SPNTargets: sqlServers(user, (service) => service.replace(/^.*\/|:.*$/g, '').toUpperCase()),
      })),
    ),
    file(
      'groups',
      groupsOf(forest).map((group) => ({
        ...common(group.id),
        Properties: {
          ...{ ...base, name: `${group.sam}@${forest.name}`.toUpperCase(), samaccountname: group.sam },
          ...{ highvalue: false, admincount: false, description: null, whencreated: 1_600_000_000 },
          distinguishedname: `CN=${group.sam.toUpperCase()}`,
        },
        Members: group.members.map(typed),
      })),
    ),
    file(
      'computers',
      computersOf(forest).map((computer) => ({
        ...account(computer),
        Properties: {
          ...accountFields(forest, computer, [...BOTH, 'haslaps', 'operatingsystem']),
        },
        AllowedToAct: computer.id === id(1002) ? [typed([id(1001), 'Computer'])] : [],
        ...{ DumpSMSAPassword: [], Sessions: asked, PrivilegedSessions: asked, RegistrySessions: asked },
        ...{ LocalGroups: [], UserRights: [], IsDC: (computer.control & 0x2000) !== 0, Status: null },
        DCRegistryData: { CertificateMappingMethods: null, StrongCertificateBindingEnforcement: null },
      })),
    ),
    file('ous', [
      {
        ...common(id('SERVERS')),
        Properties: {
          ...base,
          name: `SERVERS@${forest.name}`,
          distinguishedname: 'OU=SERVERS',
          blocksinheritance: false,
        },
        ...{ Links: linksIn(forest), ChildObjects: [], GPOChanges: NOTHING_CHANGED },
      },
    ]),
    file('domains', [
      {
        ...common(forest.sid),
        Properties: fieldsOfDomain(forest),
        Trusts: [NAMED_TRUST],
        ...{ Links: linksIn(forest), ChildObjects: [], GPOChanges: NOTHING_CHANGED },
        ...{ InheritanceHashes: [], ForestRootIdentifier: forest.sid },
      },
    ]),
    file('gpos', [
      {
        ...common(id('POLICY')),
        Properties: { ...base, name: `POLICY@${forest.name}`, gpcpath: '\\\\FORM' },
      },
    ]),
    file('containers', [
      { ...common(id('USERS')), Properties: { ...base, name: `USERS@${forest.name}` }, ChildObjects: [] },
    ]),
    ...certificateServices(forest, {
      file,
      host: 'Not found',
      templateFields: TEMPLATE_FIELDS,
      authority: {
        Properties: {
          ...{ casecuritycollected: false, enrollmentagentrestrictionscollected: false },
          ...{ isuserspecifiessanenabledcollected: false, roleseparationenabledcollected: false },
        },
        members: {
          CARegistryData: {
            CASecurity: { Data: [], Collected: false, FailureReason: 'Failed to get CASecurity!' },
            EnrollmentAgentRestrictions: { Restrictions: [], Collected: true, FailureReason: null },
            IsUserSpecifiesSanEnabled: { Value: false, Collected: true, FailureReason: null },
            RoleSeparationEnabled: { Value: false, Collected: true, FailureReason: null },
          },
          HttpEnrollmentEndpoints: [
            endpoint({
              ...{ Type: 'WebEnrollment', Status: 'Vulnerable' },
              ...{ ADCSWebEnrollmentHTTP: false, ADCSWebEnrollmentHTTPS: true, ADCSWebEnrollmentEPA: true },
            }),
          ],
        },
      },
    }),
  ];
}

const typeOf = (kind: string, id: string): string => `${kind} ${id}`;
