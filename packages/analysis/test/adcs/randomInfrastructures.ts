/** Random infrastructures: templates, authorities and hosts of all settings, in one forest or two. */
import fc from 'fast-check';
import { Oid } from '../../src/adcs/certTemplates.ts';
import { maybe, someFacts } from '../randomFacts.ts';
import { Pki, SAN_FLAG, TEMPLATE } from './pki.ts';

const SIDS = ['S-1-5-21-1', 'S-1-5-21-2'];
const PRINCIPALS = ['u1', 'u2', 'm', 'c1', 'c2', 'H', 'A', 'B', 'P', 'AU', 'EV', 'DU', 'DC', 'PU', 'AU2'];
const GROUPS = ['A', 'B', 'P', 'AU', 'EV', 'DU', 'DC', 'PU', 'LG'];
const TEMPLATES = ['T', 'T2', 'T3'];
const CAS = ['C', 'C2'];
const TEMPLATE_RIGHTS = [
  ...['en', 'en', 'en', 'GenericAll', 'AllExtendedRights', 'Owns', 'WriteDacl', 'GenericWrite'],
  ...['WritePKINameFlag', 'WritePKIEnrollmentFlag', 'DelegatedEnrollmentAgent'],
];

/** `value` mostly, else one of the others; `null` is absent. */
const mostly = <Value>(value: Value, ...others: Value[]) =>
  fc.oneof(
    { arbitrary: fc.constant(value), weight: 5 },
    { arbitrary: fc.constantFrom(...others), weight: 1 },
  );

const anyTemplate = fc.record({
  schemaversion: fc.constantFrom(1, 2, 2, 4, null),
  authorizedsignatures: mostly(0, 1, null, -1),
  requiresmanagerapproval: mostly(false, false, false, true, null),
  authenticationenabled: mostly(true, false, null),
  schannelauthenticationenabled: mostly(true, false, null),
  effectiveekus: fc.constantFrom(
    [],
    [Oid.clientAuthentication],
    [Oid.anyPurpose],
    [Oid.certificateRequestAgent],
    [Oid.certificateRequestAgent, Oid.clientAuthentication],
    [Oid.certificateRequestAgent, Oid.anyPurpose],
    null,
  ),
  applicationpolicies: fc.constantFrom([], [Oid.certificateRequestAgent]),
  enrolleesuppliessubject: fc.constantFrom(true, false, false, null),
  nosecurityextension: mostly(true, false, null),
  subjectaltrequireupn: mostly(true, false, null),
  subjectaltrequirespn: mostly(false, true, null),
  subjectaltrequiredns: fc.constantFrom(true, true, false, false, null),
  subjectaltrequiredomaindns: mostly(false, true, null),
  certificatepolicy: fc.constantFrom([], ['1.2.3']),
  domainsid: mostly(SIDS[0], SIDS[1]),
});

/** Settings that rarely meet by chance. */
const OF_ESC15 = { schemaversion: 1, enrolleesuppliessubject: true, authenticationenabled: false };
const template = fc.oneof(
  { arbitrary: anyTemplate, weight: 6 },
  { arbitrary: anyTemplate.map((settings) => ({ ...settings, ...OF_ESC15 })), weight: 1 },
);

const ca = fc.record({
  certchain: mostly(['t', 'r1'], ['t', 'i1', 'r1'], ['t'], ['t', 't1', 'r1']),
  domainsid: mostly(SIDS[0], SIDS[1], null),
  sanFlag: maybe(50),
  disabledextensionscollected: fc.boolean(),
  disabledextensions: fc.constantFrom([], [Oid.securityExtension]),
  hasvulnerableendpoint: fc.constantFrom(true, false, null),
  rpcencryptionenforced: fc.constantFrom(true, false, null),
  enrollmentagentrestrictionscollected: fc.boolean(),
  hasenrollmentagentrestrictions: fc.boolean(),
});

const computer = fc.record({
  enabled: mostly(true, false, null),
  domainsid: mostly(SIDS[0], SIDS[1], null),
  restrictoutboundntlm: mostly(false, true, null),
  strongcertificatebindingenforcementraw: mostly(1, -1, 0, 2, null),
  certificatemappingmethodsraw: mostly(31, -1, 3, 4, null),
});

/** All of the facts, or none. */
const sometimes = (chance: number, ...facts: string[]) => maybe(chance).map((yes) => (yes ? facts : []));

const facts = fc
  .tuple(
    someFacts(PRINCIPALS, TEMPLATE_RIGHTS, TEMPLATES, 12),
    someFacts(PRINCIPALS, ['en', 'en', 'GenericAll'], CAS, 6),
    someFacts(PRINCIPALS, ['in'], GROUPS, 8),
    someFacts(
      ['u1', 'A', 'c1', 'P'],
      ['GenericWrite', 'Owns', 'WriteDacl'],
      ['u1', 'u2', 'm', 'c1', 'c2', 'H'],
      5,
    ),
    someFacts(TEMPLATES, ['PublishedTo'], CAS, 5),
    sometimes(80, 'A en T', 'AU en C', 'u1 in A', 'c1 in A'),
    sometimes(90, 'P GenericWrite u1', 'B Owns c1'),
    sometimes(60, 'H HostsCAService C2'),
    sometimes(30, 'c1 HostsCAService C'),
    sometimes(60, 'I OIDGroupLink LG'),
    sometimes(50, 'R RootCAFor D2'),
    sometimes(50, 'N NTAuthStoreFor D2'),
    sometimes(30, 'D SameForestTrust D2'),
    sometimes(30, 'D2 SameForestTrust D'),
    sometimes(90, 'c1 DCFor D'),
    sometimes(40, 'c2 DCFor D2'),
  )
  .map((parts) => [...new Set(parts.flat())]);

export const randomInfrastructures = fc.record({
  templates: fc.tuple(template, template, template),
  cas: fc.tuple(ca, ca),
  computers: fc.tuple(computer, computer, computer),
  intermediate: mostly('i1', 't1'),
  stored: mostly(['t1', 't2'], ['t1'], []),
  functionallevel: fc.constantFrom('2016', '2012', null),
  groupDomain: fc.constantFrom(...SIDS, null),
  facts,
});

type Infrastructure = typeof randomInfrastructures extends fc.Arbitrary<infer Value> ? Value : never;

export function infrastructureOf(spec: Infrastructure): Pki {
  const pki = new Pki().otherForest().add('AU2', 'Group', { domainsid: SIDS[1] });
  pki.add('I1', 'AIACA', { certthumbprint: spec.intermediate, certchain: [spec.intermediate, 'r1'] });
  pki.add('I', 'IssuancePolicy', { certtemplateoid: '1.2.3', domainsid: SIDS[0] });
  for (const name of ['T2', 'T3']) pki.add(name, 'CertTemplate', TEMPLATE);
  pki.add('C2', 'EnterpriseCA');
  pki.set('D', { functionallevel: spec.functionallevel }).set('N', { certthumbprints: spec.stored });
  pki.set('LG', { domainsid: spec.groupDomain }).set('m', { gmsa: true });
  for (const name of PRINCIPALS) pki.set(name, {});
  for (const [at, props] of spec.templates.entries()) pki.set(TEMPLATES[at], props);
  for (const [at, props] of spec.computers.entries()) pki.set(['H', 'c1', 'c2'][at], props);
  for (const [at, { sanFlag, certchain, ...props }] of spec.cas.entries()) {
    const own = `t${at + 1}`;
    const chain = certchain.map((element) => (element === 't' ? own : element));
    pki.set(CAS[at], { ...(sanFlag ? SAN_FLAG : {}), ...props, certthumbprint: own, certchain: chain });
  }
  return pki.facts(...spec.facts);
}
