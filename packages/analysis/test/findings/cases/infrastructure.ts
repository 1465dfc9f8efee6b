/** type Cases of list findings about computers, controllers and domains. */
import { type Fact, OTHER_SID, SID, type Thing } from '../worlds.ts';
import {
  type Case,
  type Cases,
  computer,
  daysAgo,
  group,
  inTierZero,
  ofComputers,
  ofControllers,
  ofDomains,
  type Props,
  suffixed,
} from './case.ts';

export const INFRASTRUCTURE_CASES: Cases = {
  ComputersWithoutLAPS: {
    things: [
      computer('BAD', { haslaps: false, operatingsystem: 'WINDOWS 11' }),
      computer('LAPS', { haslaps: true, operatingsystem: 'WINDOWS 11' }),
      computer('LINUX', { haslaps: false, operatingsystem: 'UBUNTU' }),
      computer('DC', { haslaps: false, operatingsystem: 'WINDOWS SERVER 2022' }),
      computer('RODC', { haslaps: false, operatingsystem: 'WINDOWS SERVER 2022' }),
      computer('UNMARKED', { haslaps: false, operatingsystem: 'WINDOWS SERVER 2022' }),
      group(suffixed('521')),
      group(suffixed('516')),
    ],
    facts: [
      ['DC', 'DCFor', SID],
      ['RODC', 'MemberOf', suffixed('521')],
      ['UNMARKED', 'MemberOf', suffixed('516')],
    ],
    finds: ['BAD'],
    not: ['LAPS', 'LINUX', 'DC', 'RODC', 'UNMARKED'],
  },
  ObsoleteOperatingSystem: ofComputers(
    { operatingsystem: 'WINDOWS SERVER 2008 R2 STANDARD', lastlogontimestamp: daysAgo(59) },
    { operatingsystem: 'WINDOWS SERVER 2022 STANDARD', lastlogontimestamp: daysAgo(59) },
    { operatingsystem: 'WINDOWS SERVER 2008 R2 STANDARD', lastlogontimestamp: daysAgo(61) },
  ),
  T0ObsoleteOperatingSystem: inTierZero(
    ofComputers(
      { operatingsystem: 'WINDOWS 7 PROFESSIONAL', lastlogontimestamp: daysAgo(1) },
      { operatingsystem: 'WINDOWS 11 PRO', lastlogontimestamp: daysAgo(1) },
    ),
  ),
  SMBSigningNotRequired: ofComputers(
    { smbsigning: false },
    { smbsigning: true },
    { smbsigning: false, enabled: false },
  ),
  T0SMBSigningNotRequired: inTierZero(ofComputers({ smbsigning: false }, { smbsigning: true })),
  WebClientRunning: ofComputers({ webclientrunning: true }, { webclientrunning: false }),
  DCLDAPSigningOff: ofControllers({ ldapsigning: false }, { ldapsigning: true }),
  DCLDAPSChannelBindingOff: ofControllers({ ldapsepa: false }, { ldapsepa: true }),
  DCWeakCertificateBinding: ofControllers(
    { strongcertificatebindingenforcementraw: 1 },
    { strongcertificatebindingenforcementraw: 2 },
    { strongcertificatebindingenforcementraw: -1 },
  ),
  DCUPNCertificateMapping: ofControllers(
    { certificatemappingmethodsraw: 0x1f },
    { certificatemappingmethodsraw: 0x18 },
    { certificatemappingmethodsraw: -1 },
  ),
  DCVulnerableNetlogonAllowList: ofControllers(
    { vulnerablenetlogonsecuritydescriptor: 'O:BAG:BA', vulnerablenetlogonsecuritydescriptorcollected: true },
    { vulnerablenetlogonsecuritydescriptor: '', vulnerablenetlogonsecuritydescriptorcollected: true },
  ),
  PrintSpoolerOnDC: ofControllers({ spooler: true }, { spooler: false }),
  MachineAccountQuota: ofDomains({ machineaccountquota: 10 }, { machineaccountquota: 0 }),
  WeakPasswordPolicy: [
    ofDomains(
      { minpwdlength: 7, pwdhistorylength: 24, pwdproperties: 1 },
      { minpwdlength: 12, pwdhistorylength: 12, pwdproperties: 1 },
    ),
    ofDomains({ minpwdlength: 14, pwdhistorylength: 5, pwdproperties: 1 }, { minpwdlength: 14 }),
    ofDomains({ minpwdlength: 14, pwdhistorylength: 24, pwdproperties: 0 }, { minpwdlength: 14 }),
  ],
  NoLockoutPolicy: ofDomains({ lockoutthreshold: 0 }, { lockoutthreshold: 5 }),
  LowFunctionalLevel: [
    ofDomains({ functionallevel: '2012 R2' }, { functionallevel: '2016' }),
    ofDomains({ functionallevel: '2000 Mixed/Native' }, { functionallevel: 'Unknown' }),
  ],
  SessionCollectionGap: {
    things: [
      ...ofDomains({}, {}).things,
      computer('A', { lastlogon: daysAgo(1) }),
      computer('B', { lastlogon: daysAgo(1) }),
      computer('IDLE', { lastlogon: daysAgo(15) }),
      computer('C', { lastlogon: daysAgo(1), domainsid: OTHER_SID }),
    ],
    scanned: ['A', 'C'],
    finds: [SID],
    not: [OTHER_SID],
  },
  SingleDomainController: {
    things: [computer('A'), computer('B'), computer('C')],
    facts: [
      ['A', 'DCFor', SID],
      ['B', 'DCFor', OTHER_SID],
      ['C', 'DCFor', OTHER_SID],
    ],
    finds: [SID],
    not: [OTHER_SID],
  },
  DSHeuristicsWeak: [
    ofDomains({ dsheuristics: '0000002' }, { dsheuristics: '0000001' }),
    ofDomains({ dsheuristics: '0000000001000001' }, { dsheuristics: '0000000001000000' }),
    ofDomains({ dsheuristics: '000000000100000000021' }, { dsheuristics: '000000000100000000020' }),
    ofDomains(
      { dsheuristics: '00000000010000000002000000012' },
      { dsheuristics: '00000000010000000002000000011' },
    ),
  ],
  NameConflicts: ofComputers(
    { name: 'PC1\nCNF:1A2B.CORP.LOCAL' },
    { name: 'PC1.CORP.LOCAL' },
    { name: 'CNF.CORP.LOCAL' },
  ),
  ControllerOldPassword: ofControllers(
    { pwdlastset: daysAgo(46), lastlogontimestamp: daysAgo(1) },
    { pwdlastset: daysAgo(44), lastlogontimestamp: daysAgo(1) },
    // The computer no longer exists; its account does.
    { pwdlastset: daysAgo(400), lastlogontimestamp: daysAgo(300) },
  ),
  ControllerWeakLmLevel: ofControllers({ lmcompatibilitylevel: 3 }, { lmcompatibilitylevel: 5 }, {}),
  ControllerOutsideUnit: {
    things: [
      computer('BAD', { distinguishedname: 'CN=BAD,OU=SERVERS,DC=CORP,DC=LOCAL' }),
      computer('LOOKS-LIKE-IT', { distinguishedname: 'CN=X,OU=OLD DOMAIN CONTROLLERS,DC=CORP,DC=LOCAL' }),
      computer('RODC', { isreadonlydc: true, distinguishedname: 'CN=RODC,CN=COMPUTERS,DC=CORP,DC=LOCAL' }),
      computer('GOOD', { distinguishedname: 'CN=GOOD,OU=DOMAIN CONTROLLERS,DC=CORP,DC=LOCAL' }),
      computer('WITHIN', { distinguishedname: 'CN=W,OU=BRANCH,OU=DOMAIN CONTROLLERS,DC=CORP,DC=LOCAL' }),
      computer('MEMBER', { distinguishedname: 'CN=MEMBER,OU=SERVERS,DC=CORP,DC=LOCAL' }),
      computer('UNKNOWN'),
    ],
    facts: ['BAD', 'LOOKS-LIKE-IT', 'GOOD', 'WITHIN', 'UNKNOWN'].map((id): Fact => [id, 'DCFor', SID]),
    finds: ['BAD', 'LOOKS-LIKE-IT', 'RODC'],
    not: ['GOOD', 'WITHIN', 'MEMBER', 'UNKNOWN'],
  },
  ControllerRegistryNotCollected: collected(
    (id, domain) => [[id, 'DCFor', domain]],
    {},
    { strongcertificatebindingenforcementraw: 1 },
  ),
  LDAPSigningNotCollected: collected(
    (id, domain) => [[id, 'DCFor', domain]],
    {},
    { ldapavailable: true, ldapsigning: false },
  ),
  UserRightsNotCollected: collected(() => [], {}, { hasura: true }),
  AuthorityRegistryNotCollected: [
    collected(
      () => [],
      { isuserspecifiessanenabledcollected: false },
      { isuserspecifiessanenabledcollected: true },
      'EnterpriseCA',
    ),
    // Domains without controllers, of which nothing could be collected.
    { ...ofDomains({ collected: true }, { collected: true }), finds: [], not: [SID, OTHER_SID] },
  ],
};

/** Objects of two collected domains, and of one that only is known. */
function collected(
  factsOf: (id: string, domain: string) => Fact[],
  bad: Props,
  good: Props,
  kind: Thing[1] = 'Computer',
): Case {
  const known = 'S-1-5-21-99-99-99';
  const domains: Thing[] = [SID, OTHER_SID, known].map((sid) => [
    ...([sid, 'Domain'] as const),
    { domainsid: sid, name: `D${sid.length}.LOCAL`, collected: sid !== known },
  ]);
  const objects: Thing[] = [
    ['A', kind, { ...bad, domainsid: SID }],
    ['B', kind, { ...bad, domainsid: SID }],
    ['C', kind, { ...bad, domainsid: OTHER_SID }],
    ['D', kind, { ...good, domainsid: OTHER_SID }],
    ['E', kind, { ...bad, domainsid: known }],
  ];
  const facts = objects.flatMap(([id, , props]) => factsOf(id, String(props?.domainsid)));
  return { things: [...domains, ...objects], facts, finds: [SID], not: [OTHER_SID, known] };
}
