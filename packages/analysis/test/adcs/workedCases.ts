/**
 * The worked cases of `docs/rules.md#worked-cases`, under their numbers there. Each lists all derived
 * edges of its world, so an edge too many is wrong as well as a missing one.
 */
import { Oid } from '../../src/adcs/certTemplates.ts';
import { type Pki, SAN_FLAG, TEMPLATE } from './pki.ts';
import {
  BASELINE,
  binding,
  byUpn,
  GOLDEN,
  NO_GOLDEN,
  SIGNED,
  suppliesSubject,
  TRUSTED,
  w01,
  w16,
  w25,
  w30,
  w38,
  w42,
  w44,
  w47,
  w49,
  w58,
  w61,
  w61Victim,
  w64,
  w66,
  w70,
  w73,
  w76,
} from './workedWorlds.ts';

export interface WorkedCase {
  readonly id: string;
  readonly world: (pki: Pki) => unknown;
  /** Expected edges in addition to those of `chain`. */
  readonly expected: readonly string[];
  /** Expected edges for `CLEW_RULES=parity` where they differ. */
  readonly parity?: readonly string[];
  /** Edges between the objects of the infrastructure, and GoldenCert. */
  readonly chain?: readonly string[];
}

export const WORKED_CASES: readonly WorkedCase[] = [
  { id: 'W01', world: w01, expected: ['ADCSESC1 A D'] },
  { id: 'W02', world: (pki) => suppliesSubject(pki).facts('A en T'), expected: [] },
  {
    id: 'W03',
    world: (pki) =>
      suppliesSubject(pki).facts('A en T', 'B en C', 'u1 in A', 'u2 in A', 'u2 in B', 'u3 in B'),
    expected: ['ADCSESC1 u2 D'],
  },
  {
    id: 'W04',
    world: (pki) => suppliesSubject(pki).facts('A en T', 'u in A', 'AU en C'),
    expected: ['ADCSESC1 A D'],
  },
  {
    id: 'W05',
    world: (pki) => suppliesSubject(pki).facts('AU en T', 'A en T', 'EV en C'),
    expected: ['ADCSESC1 A D', 'ADCSESC1 AU D', 'ADCSESC1 EV D'],
  },
  {
    id: 'W06',
    world: (pki) => suppliesSubject(pki).facts('A en T', 'P en C', 'AU in P'),
    expected: ['ADCSESC1 A D'],
  },
  {
    id: 'W07',
    world: (pki) => w01(pki).facts('u en T'),
    expected: ['ADCSESC1 A D', 'ADCSESC1 u D'],
  },
  {
    id: 'W08',
    world: (pki) =>
      suppliesSubject(pki)
        .facts('A en T', 'u1 in A', 'u3 in A', 'u5 in A')
        .facts('X en T', 'X en C', 'u1 in X', 'u2 in X')
        .facts('M en C', 'u3 in M', 'u4 in M'),
    expected: ['ADCSESC1 X D', 'ADCSESC1 u1 D', 'ADCSESC1 u3 D'],
  },
  {
    id: 'W09',
    world: (pki) => suppliesSubject(pki).facts('A en T', 'Z en C', 'P in A', 'P in Z', 'Q in P', 'u in Q'),
    expected: ['ADCSESC1 P D'],
    parity: ['ADCSESC1 P D', 'ADCSESC1 Q D'],
  },
  {
    id: 'W10, direct holder at the CA',
    world: (pki) => w01(pki).facts('u en C'),
    expected: ['ADCSESC1 A D'],
  },
  {
    id: 'W10, direct holder on the template',
    world: (pki) => w01(pki).facts('u en T'),
    expected: ['ADCSESC1 A D', 'ADCSESC1 u D'],
  },
  { id: 'W11', world: (pki) => w01(pki).set('T', { requiresmanagerapproval: true }), expected: [] },
  {
    id: 'W12, schema 1',
    world: (pki) => w01(pki).set('T', { authorizedsignatures: 1, schemaversion: 1 }),
    expected: ['ADCSESC1 A D'],
  },
  { id: 'W12, schema 2', world: (pki) => w01(pki).set('T', { authorizedsignatures: 1 }), expected: [] },
  {
    id: 'W13',
    world: (pki) => w01(pki).set('T', { authorizedsignatures: null, schemaversion: 1 }),
    expected: [],
  },
  {
    id: 'W14',
    world: (pki) => suppliesSubject(pki).set('T', { subjectaltrequiredns: true }).facts('u en T', 'u en C'),
    expected: ['ADCSESC1 u D'],
  },
  {
    id: 'W15, disabled',
    world: (pki) => w01(pki).set('H', { enabled: false }),
    expected: [],
    chain: NO_GOLDEN,
  },
  {
    id: 'W15, not known to be enabled',
    world: (pki) => w01(pki).set('H', { enabled: null }),
    expected: [],
    chain: NO_GOLDEN,
  },
  { id: 'W16', world: w16, expected: [], chain: NO_GOLDEN },
  { id: 'W17', world: (pki) => w16(pki).set('C', { domainsid: null }), expected: ['ADCSESC1 A D'] },
  {
    id: 'W18',
    world: (pki) => w01(pki).set('N', { certthumbprints: [] }),
    expected: [],
    chain: [SIGNED],
  },
  {
    id: 'W19, intermediate CA known',
    world: (pki) =>
      w01(pki)
        .set('C', { certchain: ['t1', 'i1', 'r1'] })
        .add('I1', 'AIACA', { certthumbprint: 'i1', certchain: ['i1', 'r1'] }),
    expected: ['ADCSESC1 A D'],
    chain: ['IssuedSignedBy C I1', 'IssuedSignedBy I1 R', TRUSTED, GOLDEN],
  },
  {
    id: 'W19, intermediate CA unknown',
    world: (pki) => w01(pki).set('C', { certchain: ['t1', 'i1', 'r1'] }),
    expected: [],
    chain: [TRUSTED],
  },
  {
    id: 'W20',
    world: (pki) =>
      w01(pki)
        .otherForest()
        .add('N2', 'NTAuthStore', { certthumbprints: ['t1'] })
        .facts('R RootCAFor D2', 'N2 NTAuthStoreFor D2'),
    expected: ['ADCSESC1 A D', 'ADCSESC1 A D2'],
    chain: [...BASELINE, 'TrustedForNTAuth C N2', 'GoldenCert H D2'],
  },
  {
    id: 'W21',
    world: (pki) =>
      suppliesSubject(pki)
        .add('C2', 'EnterpriseCA', {
          certthumbprint: 't2',
          certchain: ['t2', 'r1'],
          domainsid: 'S-1-5-21-1',
        })
        .set('N', { certthumbprints: ['t1', 't2'] })
        .facts('H HostsCAService C2', 'A en T', 'A en C2'),
    expected: [],
    chain: [...BASELINE, 'IssuedSignedBy C2 R', 'TrustedForNTAuth C2 N'],
  },
  {
    id: 'W22',
    world: (pki) =>
      pki.add('H2', 'Computer', { enabled: false, domainsid: 'S-1-5-21-1' }).facts('H2 HostsCAService C'),
    expected: [],
  },
  {
    id: 'W23',
    world: (pki) =>
      pki
        .add('C2', 'EnterpriseCA', { certthumbprint: 't2', certchain: ['t2', 't1', 'r1'] })
        .add('I1', 'AIACA', { certthumbprint: 't1', certchain: ['t1', 'r1'] }),
    expected: [],
    chain: [
      ...BASELINE,
      'IssuedSignedBy C2 C',
      'IssuedSignedBy C2 I1',
      'IssuedSignedBy I1 R',
      'EnterpriseCAFor C I1',
    ],
  },
  {
    id: 'W24',
    world: (pki) => pki.set('C', { certchain: ['t1'] }).set('R', { certthumbprint: 't1', certchain: ['t1'] }),
    expected: [],
    chain: ['EnterpriseCAFor C R', TRUSTED, GOLDEN],
  },
  { id: 'W25', world: w25, expected: ['EnrollOnBehalfOf T T2', 'ADCSESC3 A D'] },
  { id: 'W26', world: (pki) => w25(pki).set('T2', { authorizedsignatures: 2 }), expected: [] },
  {
    id: 'W27',
    world: (pki) => w25(pki).set('T', { effectiveekus: [Oid.certificateRequestAgent, Oid.anyPurpose] }),
    expected: [],
  },
  {
    id: 'W28',
    world: (pki) =>
      w25(pki)
        .set('T', { effectiveekus: [] })
        .set('T2', { schemaversion: 1, authorizedsignatures: 0, applicationpolicies: [] }),
    expected: ['EnrollOnBehalfOf T T2', 'ADCSESC3 A D'],
  },
  {
    id: 'W29',
    world: (pki) =>
      pki.set('T', { schemaversion: 1, effectiveekus: [Oid.anyPurpose] }).facts('A en T', 'A en C'),
    expected: ['EnrollOnBehalfOf T T', 'ADCSESC3 A D'],
  },
  { id: 'W30, no delegation', world: w30, expected: ['EnrollOnBehalfOf T T2'] },
  {
    id: 'W30, delegation',
    world: (pki) => w30(pki).facts('u DelegatedEnrollmentAgent T2'),
    expected: ['EnrollOnBehalfOf T T2', 'ADCSESC3 u D'],
  },
  {
    id: 'W31',
    world: (pki) => w25(pki).set('C', { hasenrollmentagentrestrictions: true }),
    expected: ['EnrollOnBehalfOf T T2', 'ADCSESC3 A D'],
  },
  {
    id: 'W32',
    world: (pki) =>
      w25(pki)
        .set('T', { subjectaltrequiredns: true })
        .facts('u en T', 'u en T2', 'u en C', 'c en T', 'c en T2', 'c en C'),
    expected: ['EnrollOnBehalfOf T T2', 'ADCSESC3 A D', 'ADCSESC3 c D'],
  },
  {
    id: 'W33',
    world: (pki) =>
      w25(pki)
        .otherForest()
        .add('C2', 'EnterpriseCA', {
          certthumbprint: 't2',
          certchain: ['t2', 'r1'],
          domainsid: 'S-1-5-21-1',
        })
        .set('N', { certthumbprints: ['t1', 't2'] })
        .add('N2', 'NTAuthStore', { certthumbprints: ['t2'] })
        .without('T2 PublishedTo C')
        .facts('T2 PublishedTo C2', 'H HostsCAService C2', 'A en C2')
        .facts('R RootCAFor D2', 'N2 NTAuthStoreFor D2'),
    expected: ['EnrollOnBehalfOf T T2', 'ADCSESC3 A D'],
    chain: [
      ...BASELINE,
      'IssuedSignedBy C2 R',
      'TrustedForNTAuth C2 N',
      'TrustedForNTAuth C2 N2',
      'GoldenCert H D2',
    ],
  },
  { id: 'W34', world: (pki) => pki.facts('A en C', 'A WriteDacl T'), expected: ['ADCSESC4 A D'] },
  {
    id: 'W35',
    world: (pki) =>
      pki
        .set('T', { authenticationenabled: false, requiresmanagerapproval: true, authorizedsignatures: 3 })
        .facts('A en C', 'A Owns T'),
    expected: ['ADCSESC4 A D'],
  },
  {
    id: 'W36, no enrollment right',
    world: (pki) => pki.facts('A en C', 'A GenericWrite T'),
    expected: [],
  },
  {
    id: 'W36, enrollment right',
    world: (pki) => pki.facts('A en C', 'A GenericWrite T', 'A en T'),
    expected: ['ADCSESC4 A D'],
  },
  {
    id: 'W37, no approval',
    world: (pki) => pki.facts('A en C', 'A en T', 'A WritePKINameFlag T'),
    expected: ['ADCSESC4 A D'],
  },
  {
    id: 'W37, approval',
    world: (pki) =>
      pki.set('T', { requiresmanagerapproval: true }).facts('A en C', 'A en T', 'A WritePKINameFlag T'),
    expected: [],
  },
  {
    id: 'W38, supplies subject',
    world: (pki) => suppliesSubject(w38(pki)),
    expected: ['ADCSESC4 A D'],
  },
  { id: 'W38, does not', world: w38, expected: [] },
  {
    id: 'W39',
    world: (pki) => w38(pki).facts('A WritePKINameFlag T'),
    expected: ['ADCSESC4 A D'],
  },
  { id: 'W40', world: (pki) => pki.facts('A GenericAll T', 'A GenericAll C'), expected: [] },
  {
    id: 'W41',
    world: (pki) => pki.set('T', { enrolleesuppliessubject: null }).facts('A en C', 'A GenericAll T'),
    expected: [],
  },
  { id: 'W42', world: w42, expected: ['ADCSESC6a A D'] },
  {
    id: 'W43',
    world: (pki) => w42(pki).set('C', { isuserspecifiessanenabledcollected: null }),
    expected: [],
  },
  { id: 'W44', world: (pki) => w44(pki, 31), expected: ['ADCSESC6b A D'] },
  ...[24, 3, -1].map((methods) => ({
    id: `W45, mapping ${methods}`,
    world: (pki: Pki) => w44(pki, methods),
    expected: [],
  })),
  {
    id: 'W44, plain users without the DNS name that is asked for',
    world: (pki) => w44(pki, 31).set('T', { subjectaltrequiredns: true }).facts('u en T', 'u en C'),
    expected: ['ADCSESC6b A D'],
  },
  {
    id: 'W46, PKINIT only',
    world: (pki) =>
      w44(pki, 4).set('T', { schannelauthenticationenabled: null, effectiveekus: ['1.3.6.1.5.2.3.4'] }),
    expected: [],
  },
  {
    id: 'W46, no key usage',
    world: (pki) => w44(pki, 4).set('T', { schannelauthenticationenabled: null, effectiveekus: [] }),
    expected: ['ADCSESC6b A D'],
  },
  { id: 'W47', world: w47, expected: ['ADCSESC6a c D', 'ADCSESC6a m D', 'ADCSESC6a A D'] },
  {
    id: 'W48',
    world: (pki) =>
      pki
        .set('C', SAN_FLAG)
        .set('T', { nosecurityextension: true, subjectaltrequiredns: true })
        .add('T3', 'CertTemplate', { ...TEMPLATE, nosecurityextension: true })
        .facts('T3 PublishedTo C', 'u en T', 'u en T3', 'u en C'),
    expected: ['ADCSESC6a u D'],
  },
  ...[0, 1, -1].map((raw) => ({
    id: `W49, binding ${raw}`,
    world: (pki: Pki) => binding(w49(pki), raw),
    expected: ['ADCSESC9a K D'],
  })),
  { id: 'W49, binding 2', world: (pki) => binding(w49(pki), 2), expected: [] },
  { id: 'W49, binding not collected', world: (pki) => w49(pki).controller('c9', 'D', {}), expected: [] },
  {
    id: 'W50',
    world: (pki) => binding(w49(pki), 1).set('T', { subjectaltrequiredns: true }),
    expected: [],
  },
  {
    id: 'W51',
    world: (pki) =>
      binding(pki, 0)
        .set('T', { nosecurityextension: true, subjectaltrequiredns: true })
        .set('m', { gmsa: true })
        .facts('c in A', 'm in A', 'A en T', 'A en C', 'k1 GenericAll c', 'k2 GenericAll m'),
    expected: ['ADCSESC9b k1 D'],
  },
  {
    id: 'W52',
    world: (pki) => binding(byUpn(pki), 1).facts('v en T', 'AU en C', 'k Owns v', 'k Owns w'),
    expected: ['ADCSESC9a k D'],
  },
  {
    id: 'W53',
    world: (pki) =>
      binding(byUpn(pki), 1).facts('AU en T', 'AU en C', 'w in DU', 'K GenericAll w', 'K2 GenericAll z'),
    expected: ['ADCSESC9a K D'],
  },
  {
    id: 'W54',
    world: (pki) => suppliesSubject(binding(byUpn(pki), 1)).facts('v en T', 'v en C', 'K GenericAll v'),
    expected: ['ADCSESC1 v D'],
  },
  {
    id: 'W55',
    world: (pki) =>
      w49(pki)
        .otherForest()
        .facts('D2 SameForestTrust D', 'D SameForestTrust D2')
        .controller('c9', 'D2', { strongcertificatebindingenforcementraw: 1 }),
    expected: ['ADCSESC9a K D'],
  },
  {
    id: 'W56',
    world: (pki) =>
      pki
        .set('T', { subjectaltrequirespn: true, authenticationenabled: false })
        .controller('c9', 'D', { certificatemappingmethodsraw: 4 })
        .facts('v en T', 'v en C', 'K WriteDacl v'),
    expected: ['ADCSESC10a K D'],
  },
  {
    id: 'W57',
    world: (pki) =>
      pki
        .set('T', { subjectaltrequiredns: true })
        .controller('c9', 'D', { certificatemappingmethodsraw: 31 })
        .facts('c en T', 'c en C', 'K GenericWrite c'),
    expected: ['ADCSESC10b K D'],
  },
  { id: 'W58', world: w58, expected: ['ExtendedByPolicy T I', 'ADCSESC13 A LG'] },
  {
    id: 'W59, policy of another domain',
    world: (pki) => w58(pki).set('I', { domainsid: 'S-1-5-21-2' }),
    expected: [],
  },
  {
    id: 'W59, group of another forest',
    world: (pki) => w58(pki).otherForest().set('LG', { domainsid: 'S-1-5-21-2' }),
    expected: ['ExtendedByPolicy T I'],
  },
  {
    id: 'W59, signature',
    world: (pki) => w58(pki).set('T', { authorizedsignatures: 1 }),
    expected: ['ExtendedByPolicy T I'],
  },
  {
    id: 'W60',
    world: (pki) => w58(pki).set('T', { subjectaltrequiredns: true }).facts('u en T', 'u en C'),
    expected: ['ExtendedByPolicy T I', 'ADCSESC13 A LG'],
  },
  { id: 'W61', world: w61, expected: ['ADCSESC16 A D'] },
  {
    id: 'W61, plain users without the DNS name that is asked for',
    world: (pki) => w61(pki).set('T', { subjectaltrequiredns: true }).facts('u en T', 'u en C'),
    expected: ['ADCSESC16 A D'],
  },
  { id: 'W61, a victim', world: w61Victim, expected: ['ADCSESC16 K D'], parity: [] },
  {
    id: 'W61, a victim that is a computer, by its DNS name',
    world: (pki) =>
      w61Victim(pki)
        .set('T', { subjectaltrequireupn: false, subjectaltrequiredns: true })
        .facts('c in A', 'k1 GenericAll c'),
    expected: ['ADCSESC16 k1 D'],
    parity: [],
  },
  {
    id: 'W61, a victim and strict controllers',
    world: (pki) => w61Victim(pki).controller('c9', 'D', { strongcertificatebindingenforcementraw: 2 }),
    expected: [],
  },
  {
    id: 'W61, a victim and another extension',
    world: (pki) => w61Victim(pki, '1.3.6.1.4.1.311.25.3'),
    expected: [],
  },
  {
    id: 'W61, a victim and a registry that was not read',
    world: (pki) => w61Victim(pki).set('C', { disabledextensionscollected: false }),
    expected: [],
  },
  {
    id: 'W61, a victim and a template that waits for approval',
    world: (pki) => w61Victim(pki).set('T', { requiresmanagerapproval: true }),
    expected: [],
  },
  { id: 'W62', world: (pki) => w61(pki).set('C', { isuserspecifiessanenabled: false }), expected: [] },
  { id: 'W63', world: (pki) => w61(pki).set('T', { authorizedsignatures: -1 }), expected: [] },
  {
    id: 'W63, the same template elsewhere',
    world: (pki) => w61(pki).set('T', { authorizedsignatures: -1, nosecurityextension: true }),
    expected: ['ADCSESC6a A D'],
  },
  { id: 'W64', world: w64, expected: ['CoerceAndRelayNTLMToADCS AU c'] },
  {
    id: 'W65, restricted',
    world: (pki) => w64(pki).set('c', { restrictoutboundntlm: true }),
    expected: [],
  },
  {
    id: 'W65, not collected',
    world: (pki) => w64(pki).set('c', { restrictoutboundntlm: null }),
    expected: [],
  },
  { id: 'W66, level 2016', world: (pki) => w66(pki, '2016'), expected: [] },
  {
    id: 'W66, level 2012',
    world: (pki) => w66(pki, '2012'),
    expected: ['CoerceAndRelayNTLMToADCS AU c'],
  },
  {
    id: 'W67',
    world: (pki) =>
      w64(pki)
        .otherForest()
        .add('AU2', 'Group', { domainsid: 'S-1-5-21-2' })
        .add('x', 'Computer', { domainsid: 'S-1-5-21-2', restrictoutboundntlm: false })
        .facts('x en T'),
    expected: ['CoerceAndRelayNTLMToADCS AU c', 'CoerceAndRelayNTLMToADCS AU x'],
  },
  {
    id: 'W68',
    world: (pki) => w64(pki).set('H', { restrictoutboundntlm: false }).facts('H en T'),
    expected: ['CoerceAndRelayNTLMToADCS AU H', 'CoerceAndRelayNTLMToADCS AU c'],
  },
  {
    id: 'W69, schema 1',
    world: (pki) => w64(pki).set('T', { schemaversion: 1, authorizedsignatures: null }),
    expected: ['CoerceAndRelayNTLMToADCS AU c'],
  },
  { id: 'W69, signature', world: (pki) => w64(pki).set('T', { authorizedsignatures: 1 }), expected: [] },
  { id: 'W70, ESC11', world: w70, expected: ['CoerceAndRelayNTLMToADCS AU c'], parity: [] },
  {
    id: 'W71, ESC11 of an authority that demands encryption',
    world: (pki) => w70(pki).set('C', { rpcencryptionenforced: true }),
    expected: [],
  },
  {
    id: 'W72, ESC11 not collected',
    world: (pki) => w70(pki).set('C', { rpcencryptionenforced: null }),
    expected: [],
  },
  { id: 'W73, ESC15', world: w73, expected: ['ADCSESC15 A D'], parity: [] },
  {
    id: 'W73, ESC15 whatever signatures version 1 names',
    world: (pki) => w73(pki).set('T', { authorizedsignatures: 1 }),
    expected: ['ADCSESC15 A D'],
    parity: [],
  },
  { id: 'W74, version 2', world: (pki) => w73(pki).set('T', { schemaversion: 2 }), expected: [] },
  {
    id: 'W74, approval',
    world: (pki) => w73(pki).set('T', { requiresmanagerapproval: true }),
    expected: [],
  },
  {
    id: 'W74, subject from the directory',
    world: (pki) => w73(pki).set('T', { enrolleesuppliessubject: false }),
    expected: [],
  },
  {
    id: 'W75, a template that authenticates is one of ADCSESC1',
    world: (pki) => w73(pki).set('T', { authenticationenabled: true }),
    expected: ['ADCSESC1 A D'],
  },
  ...[[Oid.anyPurpose], []].map(
    (usages): WorkedCase => ({
      id: `W76, ESC2 with ${usages.length === 0 ? 'no usage' : 'any purpose'}`,
      world: (pki) => w76(pki, usages),
      expected: ['ADCSESC3 A D'],
      chain: [...BASELINE, 'EnrollOnBehalfOf T T2'],
    }),
  ),
];
