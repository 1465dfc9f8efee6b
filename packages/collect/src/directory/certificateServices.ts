/** Certificate services: CAs with their chains and hosts, templates, issuance policies (MS-WCCE 2.2.2.11, MS-CRTD). */
import type { Attributes } from '../ldap/messages.ts';
import { chainOf, readCertificate } from './certificates.ts';
import { bitNames, extendedName, hasBits, text, texts, wholeNumber } from './entryValues.ts';
import type { Json, Reading, Subject } from './records.ts';
import { validityPeriod } from './times.ts';

export function addCertificateStore({ known }: Reading, { attributes, record, properties }: Subject): void {
  record.DomainSID = known.facts.forestSid;
  properties.certthumbprints = (attributes.get('cacertificate') ?? []).flatMap(
    (bytes) => readCertificate(bytes)?.thumbprint ?? [],
  );
}

export function addRootAuthority(reading: Reading, subject: Subject): void {
  subject.record.DomainSID = reading.known.facts.forestSid;
  addCertificate(reading, subject);
}

export function addAuthorityCertificate(reading: Reading, subject: Subject): void {
  addCertificate(reading, subject);
  subject.properties.crosscertificatepair = [];
  subject.properties.hascrosscertificatepair = subject.attributes.has('crosscertificatepair');
}

/** Bits of `flags` of a CA (MS-WCCE 2.2.2.11.3). */
const AUTHORITY_FLAGS = [
  [1, 'NO_TEMPLATE_SUPPORT'],
  [2, 'SUPPORTS_NT_AUTHENTICATION'],
  [4, 'CA_SUPPORTS_MANUAL_AUTHENTICATION'],
  [8, 'CA_SERVERTYPE_ADVANCED'],
] as const;

export function addEnterpriseAuthority(reading: Reading, subject: Subject): void {
  const { known, notes } = reading;
  const { attributes, record, properties, name } = subject;
  addCertificate(reading, subject);
  const host = text(attributes, 'dnshostname');
  const hostId = host === undefined ? undefined : known.hosts.get(host.toLowerCase());
  if (hostId === undefined) notes.add('CAs whose computer is not in this domain', `${name}: ${host ?? ''}`);
  const published = texts(attributes, 'certificatetemplates').map((template) => ({
    template,
    id: known.templates.get(template.toLowerCase()),
  }));
  const notAsked = { Collected: false, FailureReason: 'Only the directory was read' };
  Object.assign(record, {
    DomainSID: known.facts.forestSid,
    HostingComputer: hostId ?? null,
    EnabledCertTemplates: published.flatMap(({ id }) =>
      id === undefined ? [] : [{ ObjectIdentifier: id, ObjectType: 'CertTemplate' }],
    ),
    HttpEnrollmentEndpoints: [],
    CARegistryData: {
      CASecurity: { ...notAsked, Data: [] },
      EnrollmentAgentRestrictions: { ...notAsked, Restrictions: [] },
      IsUserSpecifiesSanEnabled: { ...notAsked, Value: false },
      RoleSeparationEnabled: { ...notAsked, Value: false },
    },
  });
  Object.assign(properties, {
    caname: text(attributes, 'name'),
    dnshostname: host ?? null,
    flags: bitNames(wholeNumber(attributes, 'flags') ?? 0, AUTHORITY_FLAGS).join(', '),
    ...{ casecuritycollected: false, enrollmentagentrestrictionscollected: false },
    ...{ isuserspecifiessanenabledcollected: false, roleseparationenabledcollected: false },
    unresolvedpublishedtemplates: published.flatMap(({ template, id }) =>
      id === undefined ? [template] : [],
    ),
  });
}

function addCertificate({ known, notes }: Reading, { attributes, properties, name }: Subject): void {
  const given = attributes.get('cacertificate') ?? [];
  const certificate = given.flatMap((bytes) => readCertificate(bytes) ?? [])[0];
  if (certificate === undefined) {
    if (given.length > 0) notes.add('certificates of CAs that are not readable', name);
    return;
  }
  Object.assign(properties, {
    certthumbprint: certificate.thumbprint,
    certname: certificate.thumbprint,
    certchain: chainOf(certificate, known.certificates),
    hasbasicconstraints: certificate.hasConstraints,
    basicconstraintpathlength: certificate.pathLength,
  });
}

/** Bits of msPKI-Enrollment-Flag (MS-CRTD 2.26). */
const ENROLLMENT_FLAGS = [
  [0x1, 'INCLUDE_SYMMETRIC_ALGORITHMS'],
  [0x2, 'PEND_ALL_REQUESTS'],
  [0x4, 'PUBLISH_TO_KRA_CONTAINER'],
  [0x8, 'PUBLISH_TO_DS'],
  [0x10, 'AUTO_ENROLLMENT_CHECK_USER_DS_CERTIFICATE'],
  [0x20, 'AUTO_ENROLLMENT'],
  [0x40, 'PREVIOUS_APPROVAL_VALIDATE_REENROLLMENT'],
  [0x100, 'USER_INTERACTION_REQUIRED'],
  [0x80000, 'NO_SECURITY_EXTENSION'],
] as const;
/** Bits of msPKI-Certificate-Name-Flag (MS-CRTD 2.28). */
const NAME_FLAGS = [
  [0x1, 'ENROLLEE_SUPPLIES_SUBJECT'],
  [0x8, 'OLD_CERT_SUPPLIES_SUBJECT_AND_ALT_NAME'],
  [0x10000, 'ENROLLEE_SUPPLIES_SUBJECT_ALT_NAME'],
  [0x400000, 'SUBJECT_ALT_REQUIRE_DOMAIN_DNS'],
  [0x800000, 'SUBJECT_ALT_REQUIRE_SPN'],
  [0x1000000, 'SUBJECT_ALT_REQUIRE_DIRECTORY_GUID'],
  [0x2000000, 'SUBJECT_ALT_REQUIRE_UPN'],
  [0x4000000, 'SUBJECT_ALT_REQUIRE_EMAIL'],
  [0x8000000, 'SUBJECT_ALT_REQUIRE_DNS'],
  [0x10000000, 'SUBJECT_REQUIRE_DNS_AS_CN'],
  [0x20000000, 'SUBJECT_REQUIRE_EMAIL'],
  [0x40000000, 'SUBJECT_REQUIRE_COMMON_NAME'],
  [0x80000000, 'SUBJECT_REQUIRE_DIRECTORY_PATH'],
] as const;

const CLIENT_AUTHENTICATION = '1.3.6.1.5.5.7.3.2';
const ANY_PURPOSE = '2.5.29.37.0';
/** Purposes that allow a certificate to sign in, including smart cards and PKINIT. */
const AUTHENTICATION = [CLIENT_AUTHENTICATION, '1.3.6.1.5.2.3.4', '1.3.6.1.4.1.311.20.2.2', ANY_PURPOSE];

export function addTemplate(_: Reading, { attributes, properties }: Subject): void {
  const nameFlag = wholeNumber(attributes, 'mspki-certificate-name-flag') ?? 0;
  const enrollmentFlag = wholeNumber(attributes, 'mspki-enrollment-flag') ?? 0;
  const version = wholeNumber(attributes, 'mspki-template-schema-version') ?? 1;
  const ekus = texts(attributes, 'pkiextendedkeyusage');
  const application = texts(attributes, 'mspki-certificate-application-policy');
  const effective = version === 1 || application.length === 0 ? ekus : application;
  const allows = (purposes: readonly string[]): boolean =>
    effective.length === 0 || effective.some((purpose) => purposes.includes(purpose));
  Object.assign(properties, {
    displayname: text(attributes, 'displayname') ?? null,
    validityperiod: validityPeriod(attributes.get('pkiexpirationperiod')?.[0]),
    renewalperiod: validityPeriod(attributes.get('pkioverlapperiod')?.[0]),
    schemaversion: version,
    oid: text(attributes, 'mspki-cert-template-oid') ?? '',
    enrollmentflag: bitNames(enrollmentFlag, ENROLLMENT_FLAGS).join(', '),
    requiresmanagerapproval: hasBits(enrollmentFlag, 0x2),
    nosecurityextension: hasBits(enrollmentFlag, 0x80000),
    certificatenameflag: bitNames(nameFlag, NAME_FLAGS).join(', '),
    enrolleesuppliessubject: hasBits(nameFlag, 0x1),
    ...subjectRequirements(nameFlag),
    ...{ ekus, certificateapplicationpolicy: application, effectiveekus: effective },
    certificatepolicy: texts(attributes, 'mspki-certificate-policy'),
    authorizedsignatures: wholeNumber(attributes, 'mspki-ra-signature') ?? 0,
    applicationpolicies: applicationPolicies(attributes),
    issuancepolicies: texts(attributes, 'mspki-ra-policies'),
    authenticationenabled: allows(AUTHENTICATION),
    schannelauthenticationenabled: allows([CLIENT_AUTHENTICATION, ANY_PURPOSE]),
  });
}

const subjectRequirements = (nameFlag: number): Json => ({
  subjectaltrequireupn: hasBits(nameFlag, 0x2000000),
  subjectaltrequiredns: hasBits(nameFlag, 0x8000000),
  subjectaltrequiredomaindns: hasBits(nameFlag, 0x400000),
  subjectaltrequireemail: hasBits(nameFlag, 0x4000000),
  subjectaltrequirespn: hasBits(nameFlag, 0x800000),
  subjectrequireemail: hasBits(nameFlag, 0x20000000),
});

/** Templates of version 3 and later store them as properties in one text, separated by backquotes (MS-CRTD 2.23). */
function applicationPolicies(attributes: Attributes): readonly string[] {
  const given = texts(attributes, 'mspki-ra-application-policies');
  const [, list] =
    given.length === 1 ? (/msPKI-RA-Application-Policies`PZPWSTR`([^`]*)/i.exec(given[0]) ?? []) : [];
  return list === undefined ? given : list.split(',').filter((oid) => oid !== '');
}

export function addIssuancePolicy({ known }: Reading, { attributes, record, properties }: Subject): void {
  const link = attributes.get('msds-oidtogrouplink')?.[0];
  const sid = link === undefined ? '' : extendedName(link).sid;
  record.GroupLink = sid === '' ? { ObjectIdentifier: null, ObjectType: 'Base' } : known.reference(sid);
  properties.displayname = text(attributes, 'displayname') ?? null;
  properties.certtemplateoid = text(attributes, 'mspki-cert-template-oid') ?? '';
}
