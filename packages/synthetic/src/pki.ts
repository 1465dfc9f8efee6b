/** Certificate services of a forest: root and issuing authorities, trust stores, templates and issuance policies. */
import { authorityHost } from './machines.ts';
import { containedBy, type Place } from './places.ts';
import { type DomainPlan, hostName, objectGuid, prefixedGroup, roleGroup, wellKnownGroup } from './plan.ts';
import { digestOf } from './random.ts';
import {
  type Ace,
  ace,
  type CollectedObject,
  collected,
  notCollected,
  type Principal,
  principal,
} from './records.ts';
import type { Template } from './templates.ts';
import { templatesOf } from './templatesOf.ts';
import type { Authority } from './traits.ts';
import type { DomainWorld } from './world.ts';

const SERVICES = 'CONFIGURATION/SERVICES/PUBLIC KEY SERVICES';
const FIRST_AUTHORITY = 'ISSUING CA';
const POLICY_OID = '1.3.6.1.4.1.311.21.8.1234567.7654321.1.402';

/** Only the root domain of a forest contains the objects of its configuration partition. */
const hasPki = ({ plan }: DomainWorld): boolean => plan.isForestRoot && plan.traits.authorities.length > 0;

const rootThumbprint = (world: DomainWorld): string =>
  digestOf(`${world.plan.seed}/${world.plan.name}/root-ca`);
/** The first authority is older than the others, and its thumbprint keeps its original input. */
const issuingThumbprint = ({ plan }: DomainWorld, { name }: Authority): string =>
  digestOf(`${plan.seed}/${plan.name}/issuing-ca${name === FIRST_AUTHORITY ? '' : `/${name}`}`);

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
  const { netbios, traits } = world.plan;
  yield pkiObject(world, `${netbios} ROOT CA`, place, { ...cross, ...root });
  for (const authority of traits.authorities) {
    const issuing = certificate([issuingThumbprint(world, authority), rootThumbprint(world)]);
    yield pkiObject(world, `${netbios} ${authority.name}`, place, { ...cross, ...issuing });
  }
}

export function* makeNtAuthStores(world: DomainWorld): Generator<CollectedObject> {
  if (!hasPki(world)) return;
  const place = world.places.at(SERVICES);
  const record = pkiObject(world, 'NTAUTHCERTIFICATES', place, {
    certthumbprints: world.plan.traits.authorities.map((authority) => issuingThumbprint(world, authority)),
  });
  yield { ...record, DomainSID: world.plan.sid };
}

export const templateId = (plan: DomainPlan, name: string): string =>
  objectGuid(plan, `${SERVICES}/CERTIFICATE TEMPLATES/${name}`);

export const authorityId = (plan: DomainPlan, { name }: Authority): string =>
  objectGuid(plan, `${SERVICES}/ENROLLMENT SERVICES/${plan.netbios} ${name}`);

/** @returns the id at which flaws change the rights of an authority: the id of its registry, if that was read */
export const authorityRightsId = (plan: DomainPlan, authority: Authority): string =>
  `${authorityId(plan, authority)}${authority.isRegistryRead ? '/registry' : ''}`;

export function* makeEnterpriseCas(world: DomainWorld): Generator<CollectedObject> {
  if (!hasPki(world)) return;
  for (const authority of world.plan.traits.authorities) yield enterpriseCa(world, authority);
}

function enterpriseCa(world: DomainWorld, authority: Authority): CollectedObject {
  const { plan } = world;
  const name = `${plan.netbios} ${authority.name}`;
  const host = authorityHost(world, authority.host);
  const place = world.places.at(`${SERVICES}/ENROLLMENT SERVICES`);
  const published = templatesOf(world).filter((template) => template.publishers.includes(authority.name));
  const directory = [
    ...world.acesOf(authorityId(plan, authority), 'PkiObject', place),
    ...['WriteDacl', 'WriteOwner', 'ManageCA', 'ManageCertificates'].map((right) => ace(host, right)),
    ...enrollersOf(plan, authority).map((holder) => ace(holder, 'Enroll')),
  ];
  const { isRegistryRead } = authority;
  const record = pkiObject(
    world,
    name,
    place,
    {
      ...{ flags: 'SUPPORTS_NT_AUTHENTICATION, CA_SERVERTYPE_ADVANCED', caname: name },
      dnshostname: `${hostName(plan, authority.host)}.${plan.name}`,
      ...certificate([issuingThumbprint(world, authority), rootThumbprint(world)]),
      casecuritycollected: isRegistryRead,
      enrollmentagentrestrictionscollected: isRegistryRead,
      isuserspecifiessanenabledcollected: isRegistryRead,
      roleseparationenabledcollected: isRegistryRead,
      unresolvedpublishedtemplates: [],
    },
    directory,
  );
  return {
    ...record,
    HostingComputer: host.ObjectIdentifier,
    DomainSID: plan.sid,
    CARegistryData: isRegistryRead ? registryOf(world, authority, host) : UNREAD_REGISTRY,
    EnabledCertTemplates: published.map((template) =>
      principal('CertTemplate', templateId(plan, template.name)),
    ),
    HttpEnrollmentEndpoints: webEnrollment(plan, authority),
  };
}

/** Only principals of the domain can enroll; if the authority is not open, only administrators. */
const enrollersOf = (plan: DomainPlan, { isOpen }: Authority): Principal[] =>
  isOpen
    ? [prefixedGroup(plan, 'S-1-5-11')]
    : [roleGroup(plan, 'T0_PKI_ADMINS'), roleGroup(plan, 'T1_SERVER_ADMINS')];

const UNREAD_REGISTRY = {
  CASecurity: notCollected({ Data: [] }),
  EnrollmentAgentRestrictions: notCollected({ Restrictions: [] }),
  IsUserSpecifiesSanEnabled: notCollected({ Value: false }),
  RoleSeparationEnabled: notCollected({ Value: false }),
};

function registryOf(world: DomainWorld, authority: Authority, host: Principal): object {
  const { plan } = world;
  const administrators = [
    prefixedGroup(plan, 'S-1-5-32-544'),
    wellKnownGroup(plan, 512),
    wellKnownGroup(plan, 519),
  ];
  const security = [
    ace(prefixedGroup(plan, 'S-1-5-32-544'), 'Owns'),
    ...enrollersOf(plan, authority).map((holder) => ace(holder, 'Enroll')),
    ...[...administrators, host].flatMap((holder) =>
      ['ManageCA', 'ManageCertificates'].map((right) => ace(holder, right)),
    ),
    ace(roleGroup(plan, 'CERTIFICATE_MANAGERS'), 'ManageCertificates'),
    ...world.overlay.at(authorityRightsId(plan, authority)).aces,
  ];
  // Agents are restricted, if there are any.
  const hasAgents = templatesOf(world).some(({ name }) => name === 'ENROLLMENT AGENT');
  return {
    CASecurity: collected({ Data: security }),
    EnrollmentAgentRestrictions: collected({ Restrictions: hasAgents ? agentRestrictions(world) : [] }),
    IsUserSpecifiesSanEnabled: collected({ Value: authority.allowsNames }),
    RoleSeparationEnabled: collected({ Value: false }),
  };
}

/** Agents may enroll for others with the smart card template only. */
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

/** If web enrollment is on, the authority also answers over plain HTTP. */
function webEnrollment(plan: DomainPlan, { host, webEnrollment: answersTo }: Authority): object[] {
  const answer = (scheme: 'http' | 'https', isOn: boolean) =>
    collected({
      Result: {
        Url: `${scheme}://${hostName(plan, host)}.${plan.name}/certsrv/`.toLowerCase(),
        ADCSWebEnrollmentHTTP: scheme === 'http' && isOn,
        ADCSWebEnrollmentHTTPS: scheme === 'https' && isOn,
        ADCSWebEnrollmentEPA: scheme === 'https',
      },
    });
  return [answer('http', answersTo === 'http'), answer('https', true)];
}

export function* makeCertTemplates(world: DomainWorld): Generator<CollectedObject> {
  if (!hasPki(world)) return;
  const place = world.places.at(`${SERVICES}/CERTIFICATE TEMPLATES`);
  for (const template of templatesOf(world)) {
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

/** Rule for the computed values: `docs/reference/collections.md#certificate-services`. */
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
