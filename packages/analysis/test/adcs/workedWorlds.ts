/** Infrastructures that several worked cases share (`docs/rules.md#worked-cases`), named after the first of them. */
import { Oid } from '../../src/adcs/certTemplates.ts';
import { type Pki, SAN_FLAG, TEMPLATE } from './pki.ts';

export const SIGNED = 'IssuedSignedBy C R';
export const TRUSTED = 'TrustedForNTAuth C N';
export const GOLDEN = 'GoldenCert H D';
export const BASELINE = [SIGNED, TRUSTED, GOLDEN];
/** The CA is not active. */
export const NO_GOLDEN = [SIGNED, TRUSTED];

export const suppliesSubject = (pki: Pki) => pki.set('T', { enrolleesuppliessubject: true });
export const w01 = (pki: Pki) => suppliesSubject(pki).facts('A en T', 'A en C', 'u in A');
export const w16 = (pki: Pki) => w01(pki).otherForest().set('H', { domainsid: 'S-1-5-21-2' });
export const w25 = (pki: Pki) =>
  pki
    .set('T', { effectiveekus: [Oid.certificateRequestAgent], authenticationenabled: false })
    .add('T2', 'CertTemplate', {
      ...TEMPLATE,
      authorizedsignatures: 1,
      applicationpolicies: [Oid.certificateRequestAgent],
    })
    .facts('T2 PublishedTo C', 'A en T', 'A en T2', 'A en C', 'u in A');
export const w30 = (pki: Pki) =>
  w25(pki).set('C', { enrollmentagentrestrictionscollected: true, hasenrollmentagentrestrictions: true });
export const w38 = (pki: Pki) =>
  pki.set('T', { requiresmanagerapproval: true }).facts('A en C', 'A en T', 'A WritePKIEnrollmentFlag T');
export const w42 = (pki: Pki) =>
  pki
    .set('C', SAN_FLAG)
    .set('T', { nosecurityextension: true })
    .facts('A en T', 'A en C')
    .controller('c9', 'D', { strongcertificatebindingenforcementraw: 2 });
export const w44 = (pki: Pki, methods: number) =>
  pki
    .set('C', SAN_FLAG)
    .facts('A en T', 'A en C')
    .controller('c9', 'D', { certificatemappingmethodsraw: methods });
export const w47 = (pki: Pki) =>
  pki
    .set('C', SAN_FLAG)
    .set('T', { nosecurityextension: true, subjectaltrequiredns: true })
    .set('m', { gmsa: true })
    .facts('u en T', 'u en C', 'c en T', 'c en C', 'm en T', 'm en C', 'A en T', 'A en C', 'u in A');
export const byUpn = (pki: Pki) => pki.set('T', { nosecurityextension: true, subjectaltrequireupn: true });
export const w49 = (pki: Pki) => byUpn(pki).facts('v in A', 'A en T', 'A en C', 'K GenericWrite v', 'k in K');
export const binding = (pki: Pki, raw: number) =>
  pki.controller('c9', 'D', { strongcertificatebindingenforcementraw: raw });
export const w58 = (pki: Pki) =>
  pki
    .set('T', { certificatepolicy: ['1.2.3'] })
    .add('I', 'IssuancePolicy', { certtemplateoid: '1.2.3', domainsid: 'S-1-5-21-1' })
    .facts('I OIDGroupLink LG', 'A en T', 'A en C', 'u in A');
export const w61 = (pki: Pki) =>
  pki
    .set('C', { ...SAN_FLAG, disabledextensionscollected: true, disabledextensions: [Oid.securityExtension] })
    .facts('A en T', 'A en C');
/** Like W49, with the extension left out by the authority and not by the template. */
export const w61Victim = (pki: Pki, extension: string = Oid.securityExtension) =>
  binding(w49(pki), 1)
    .set('T', { nosecurityextension: false })
    .set('C', { disabledextensionscollected: true, disabledextensions: [extension] });
export const w64 = (pki: Pki) =>
  pki
    .set('C', { hasvulnerableendpoint: true })
    .set('T', { subjectaltrequiredns: true })
    .set('c', { restrictoutboundntlm: false })
    .facts('DC en T', 'AU en C', 'c in DC');
export const w70 = (pki: Pki) =>
  w64(pki).set('C', { hasvulnerableendpoint: false, rpcencryptionenforced: false });
export const w73 = (pki: Pki) => w01(pki).set('T', { schemaversion: 1, authenticationenabled: false });
/** An agent template for any purpose (ESC2), which everybody in A may use at the User template of version 1. */
export const w76 = (pki: Pki, usages: readonly string[]) =>
  pki
    .set('T', { effectiveekus: [...usages], authenticationenabled: false })
    .add('T2', 'CertTemplate', { ...TEMPLATE, schemaversion: 1 })
    .facts('T2 PublishedTo C', 'A en T', 'A en T2', 'A en C', 'u in A');
export const w66 = (pki: Pki, functionallevel: string) =>
  w64(pki).set('D', { functionallevel }).set('PU', {}).facts('c in PU');
