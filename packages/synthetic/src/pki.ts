/** Certificate services of a forest: root and issuing authority, the trust stores, templates, issuance policies. */
import { authorityHost } from './machines.ts';
import { containedBy, type Place } from './places.ts';
import { type DomainPlan, objectGuid, prefixedGroup, roleGroup, wellKnownGroup } from './plan.ts';
import { digestOf } from './random.ts';
import { type Ace, ace, type CollectedObject, collected, type Principal, principal } from './records.ts';
import { TEMPLATES, type Template } from './templates.ts';
import type { DomainWorld } from './world.ts';

const SERVICES = 'CONFIGURATION/SERVICES/PUBLIC KEY SERVICES';
const POLICY_OID = '1.3.6.1.4.1.311.21.8.1234567.7654321.1.402';

/** Only the root domain of a forest carries the objects of its configuration partition. */
const hasPki = (world: DomainWorld): boolean => world.plan.isForestRoot;

const rootThumbprint = (world: DomainWorld): string =>
  digestOf(`${world.plan.seed}/${world.plan.name}/root-ca`);
const issuingThumbprint = (world: DomainWorld): string =>
  digestOf(`${world.plan.seed}/${world.plan.name}/issuing-ca`);

interface Certificate {
  readonly certthumbprint: string;
  readonly certname: string;
  readonly certchain: readonly string[];
  readonly hasbasicconstraints: boolean;
  readonly basicconstraintpathlength: number;
}

function certificate(chain: readonly string[]): Certificate {
  const own = chain[0] as string;
  return {
    ...{ certthumbprint: own, certname: own, certchain: chain },
    ...{ hasbasicconstraints: false, basicconstraintpathlength: 0 },
  };
}

function pkiObject(
  world: DomainWorld,
  name: string,
  place: Place,
  properties: object,
  aces?: readonly Ace[],
): CollectedObject {
  const { plan } = world;
  const id = objectGuid(plan, `${place.path}/${name}`);
  return {
    Properties: {
      ...{ domain: plan.name, name: `${name}@${plan.name}`, domainsid: plan.sid, isaclprotected: false },
      distinguishedname: `CN=${name},${place.distinguishedName}`,
      ...{ description: null, whencreated: plan.collectedAt - 90_000_000 },
      ...properties,
    },
    Aces: aces ?? world.acesOf(id, 'PkiObject', place),
    ObjectIdentifier: id,
    ...{ IsDeleted: false, IsACLProtected: false, ContainedBy: containedBy(place) },
  };
}

export function* makeRootCas(world: DomainWorld): Generator<CollectedObject> {
  if (!hasPki(world)) return;
  const place = world.places.at(`${SERVICES}/CERTIFICATION AUTHORITIES`);
  const record = pkiObject(
    world,
    `${world.plan.netbios} ROOT CA`,
    place,
    certificate([rootThumbprint(world)]),
  );
  yield { ...record, DomainSID: world.plan.sid };
}

export function* makeAiaCas(world: DomainWorld): Generator<CollectedObject> {
  if (!hasPki(world)) return;
  const place = world.places.at(`${SERVICES}/AIA`);
  const cross = { crosscertificatepair: [], hascrosscertificatepair: false };
  const root = certificate([rootThumbprint(world)]);
  const issuing = certificate([issuingThumbprint(world), rootThumbprint(world)]);
  yield pkiObject(world, `${world.plan.netbios} ROOT CA`, place, { ...cross, ...root });
  yield pkiObject(world, `${world.plan.netbios} ISSUING CA`, place, { ...cross, ...issuing });
}

export function* makeNtAuthStores(world: DomainWorld): Generator<CollectedObject> {
  if (!hasPki(world)) return;
  const place = world.places.at(SERVICES);
  const record = pkiObject(world, 'NTAUTHCERTIFICATES', place, {
    certthumbprints: [issuingThumbprint(world)],
  });
  yield { ...record, DomainSID: world.plan.sid };
}

export const templateId = (plan: DomainPlan, name: string): string =>
  objectGuid(plan, `${SERVICES}/CERTIFICATE TEMPLATES/${name}`);

export const authorityId = (plan: DomainPlan): string =>
  objectGuid(plan, `${SERVICES}/ENROLLMENT SERVICES/${plan.netbios} ISSUING CA`);

export function* makeEnterpriseCas(world: DomainWorld): Generator<CollectedObject> {
  if (!hasPki(world)) return;
  const { plan } = world;
  const name = `${plan.netbios} ISSUING CA`;
  const host = authorityHost(world);
  const published = TEMPLATES.filter((template) => template.isPublished);
  const directory = [
    ...world.acesOf(authorityId(world.plan), 'PkiObject', world.places.at(`${SERVICES}/ENROLLMENT SERVICES`)),
    ...['WriteDacl', 'WriteOwner', 'ManageCA', 'ManageCertificates'].map((right) => ace(host, right)),
    ace(prefixedGroup(plan, 'S-1-5-11'), 'Enroll'),
  ];
  const record = pkiObject(
    world,
    name,
    world.places.at(`${SERVICES}/ENROLLMENT SERVICES`),
    {
      ...{ flags: 'SUPPORTS_NT_AUTHENTICATION, CA_SERVERTYPE_ADVANCED', caname: name },
      dnshostname: `PKI01.${plan.name}`,
      ...certificate([issuingThumbprint(world), rootThumbprint(world)]),
      ...{ casecuritycollected: true, enrollmentagentrestrictionscollected: true },
      ...{ isuserspecifiessanenabledcollected: true, roleseparationenabledcollected: true },
      unresolvedpublishedtemplates: [],
    },
    directory,
  );
  yield {
    ...record,
    HostingComputer: host.ObjectIdentifier,
    DomainSID: plan.sid,
    CARegistryData: registryOf(world, host),
    EnabledCertTemplates: published.map((template) =>
      principal('CertTemplate', templateId(world.plan, template.name)),
    ),
    HttpEnrollmentEndpoints: webEnrollment(world),
  };
}

function registryOf(world: DomainWorld, host: Principal): object {
  const { plan } = world;
  const administrators = [
    prefixedGroup(plan, 'S-1-5-32-544'),
    wellKnownGroup(plan, 512),
    wellKnownGroup(plan, 519),
  ];
  const security = [
    ace(prefixedGroup(plan, 'S-1-5-32-544'), 'Owns'),
    ace(prefixedGroup(plan, 'S-1-5-11'), 'Enroll'),
    ...[...administrators, host].flatMap((holder) =>
      ['ManageCA', 'ManageCertificates'].map((right) => ace(holder, right)),
    ),
    ace(roleGroup(plan, 'CERTIFICATE_MANAGERS'), 'ManageCertificates'),
    ...world.overlay.at(`${authorityId(world.plan)}/registry`).aces,
  ];
  return {
    CASecurity: collected({ Data: security }),
    EnrollmentAgentRestrictions: collected({ Restrictions: agentRestrictions(world) }),
    IsUserSpecifiesSanEnabled: collected({ Value: plan.hasKeyAdmins }),
    RoleSeparationEnabled: collected({ Value: false }),
  };
}

/** Agents may enrol for others with the smart card template only. */
function agentRestrictions(world: DomainWorld): object[] {
  return [
    {
      AccessType: 'AccessAllowedCallback',
      Agent: roleGroup(world.plan, 'CERTIFICATE_MANAGERS'),
      AllTemplates: false,
      Targets: [prefixedGroup(world.plan, 'S-1-1-0')],
      Template: principal('CertTemplate', templateId(world.plan, 'SMARTCARD BY AGENT')),
    },
  ];
}

/** The younger forest switched web enrolment off; the older one still answers over plain HTTP. */
function webEnrollment({ plan }: DomainWorld): object[] {
  const answer = (scheme: 'http' | 'https', isOn: boolean) =>
    collected({
      Result: {
        Url: `${scheme}://PKI01.${plan.name}/certsrv/`.toLowerCase(),
        ADCSWebEnrollmentHTTP: scheme === 'http' && isOn,
        ADCSWebEnrollmentHTTPS: scheme === 'https' && isOn,
        ADCSWebEnrollmentEPA: scheme === 'https',
      },
    });
  return [answer('http', !plan.hasKeyAdmins), answer('https', true)];
}

export function* makeCertTemplates(world: DomainWorld): Generator<CollectedObject> {
  if (!hasPki(world)) return;
  const place = world.places.at(`${SERVICES}/CERTIFICATE TEMPLATES`);
  for (const template of TEMPLATES) {
    const id = templateId(world.plan, template.name);
    const enrollers = template.enrollers(world.plan).map((holder) => ace(holder, 'Enroll'));
    const aces = [...world.acesOf(id, 'CertTemplate'), ...enrollers];
    const record = pkiObject(world, template.name, place, templateProperties(template, id), aces);
    yield { ...record, IsACLProtected: true };
  }
}

const CLIENT_AUTHENTICATION = new Set([
  '1.3.6.1.5.5.7.3.2',
  '1.3.6.1.5.2.3.4',
  '1.3.6.1.4.1.311.20.2.2',
  '2.5.29.37.0',
]);
const SCHANNEL = new Set(['1.3.6.1.5.5.7.3.2', '2.5.29.37.0']);

/** Rule of the computed values: `docs/reference/collections.md#certificate-services`. */
function templateProperties(template: Template, id: string): object {
  const policies = template.schemaVersion === 1 ? [] : template.ekus;
  const issuance = template.linksPolicy ? [POLICY_OID] : [];
  const allows = (purposes: ReadonlySet<string>): boolean =>
    template.ekus.length === 0 || template.ekus.some((eku) => purposes.has(eku));
  const names = template.nameFlags;
  return {
    ...{
      displayname: template.displayName,
      oid: `1.3.6.1.4.1.311.21.8.${Number.parseInt(id.slice(0, 6), 16)}`,
    },
    ...{ validityperiod: template.validity ?? '1 year', renewalperiod: '6 weeks', isaclprotected: true },
    ...{ schemaversion: template.schemaVersion, authorizedsignatures: template.signatures ?? 0 },
    enrollmentflag: template.enrollmentFlags.join(', ') || 'NONE',
    requiresmanagerapproval: template.enrollmentFlags.includes('PEND_ALL_REQUESTS'),
    nosecurityextension: template.enrollmentFlags.includes('NO_SECURITY_EXTENSION'),
    certificatenameflag: names.join(', ') || 'NONE',
    enrolleesuppliessubject: names.includes('ENROLLEE_SUPPLIES_SUBJECT'),
    subjectaltrequireupn: names.includes('SUBJECT_ALT_REQUIRE_UPN'),
    subjectaltrequiredns: names.includes('SUBJECT_ALT_REQUIRE_DNS'),
    subjectaltrequiredomaindns: names.includes('SUBJECT_ALT_REQUIRE_DOMAIN_DNS'),
    subjectaltrequireemail: names.includes('SUBJECT_ALT_REQUIRE_EMAIL'),
    subjectaltrequirespn: names.includes('SUBJECT_ALT_REQUIRE_SPN'),
    subjectrequireemail: names.includes('SUBJECT_REQUIRE_EMAIL'),
    ...{ ekus: template.ekus, certificateapplicationpolicy: policies, effectiveekus: template.ekus },
    ...{ applicationpolicies: template.applicationPolicies ?? [], issuancepolicies: issuance },
    certificatepolicy: issuance,
    authenticationenabled: allows(CLIENT_AUTHENTICATION),
    schannelauthenticationenabled: allows(SCHANNEL),
  };
}

export function* makeIssuancePolicies(world: DomainWorld): Generator<CollectedObject> {
  if (!hasPki(world)) return;
  const place = world.places.at(`${SERVICES}/OID`);
  const rows = [
    { name: 'HIGH ASSURANCE', oid: POLICY_OID, link: roleGroup(world.plan, 'HIGH_ASSURANCE') },
    { name: 'MEDIUM ASSURANCE', oid: '1.3.6.1.4.1.311.21.8.1234567.7654321.1.401', link: undefined },
  ];
  for (const { name, oid, link } of rows) {
    const record = pkiObject(world, name, place, { displayname: name, oid, certtemplateoid: oid });
    yield { ...record, GroupLink: link ?? { ObjectIdentifier: null, ObjectType: 'Base' } };
  }
}
