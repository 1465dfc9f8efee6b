/** Certificate templates of a forest, secure and insecure, one row per template. */
import { type DomainPlan, prefixedGroup, roleGroup, wellKnownGroup } from './plan.ts';
import type { Principal } from './records.ts';

export const EKU = {
  clientAuthentication: '1.3.6.1.5.5.7.3.2',
  serverAuthentication: '1.3.6.1.5.5.7.3.1',
  codeSigning: '1.3.6.1.5.5.7.3.3',
  secureMail: '1.3.6.1.5.5.7.3.4',
  fileEncryption: '1.3.6.1.4.1.311.10.3.4',
  smartCardLogon: '1.3.6.1.4.1.311.20.2.2',
  requestAgent: '1.3.6.1.4.1.311.20.2.1',
  kdcAuthentication: '1.3.6.1.5.2.3.5',
} as const;

export interface Template {
  readonly name: string;
  readonly displayName: string;
  readonly schemaVersion: 1 | 2 | 4;
  readonly isPublished: boolean;
  readonly ekus: readonly string[];
  readonly enrollmentFlags: readonly string[];
  readonly nameFlags: readonly string[];
  readonly enrollers: (plan: DomainPlan) => Principal[];
  readonly signatures?: number;
  readonly applicationPolicies?: readonly string[];
  readonly validity?: string;
  /** Contains the issuance policy that is linked to a group. */
  readonly linksPolicy?: boolean;
}

const domainUsers = (plan: DomainPlan): Principal[] => [wellKnownGroup(plan, 513)];
const domainComputers = (plan: DomainPlan): Principal[] => [wellKnownGroup(plan, 515)];
const administrators = (plan: DomainPlan): Principal[] => [
  wellKnownGroup(plan, 512),
  wellKnownGroup(plan, 519),
];
const controllers = (plan: DomainPlan): Principal[] => [
  wellKnownGroup(plan, 516),
  prefixedGroup(plan, 'S-1-5-9'),
];

const BY_DIRECTORY = ['SUBJECT_ALT_REQUIRE_UPN', 'SUBJECT_REQUIRE_DIRECTORY_PATH'] as const;

export const TEMPLATES: readonly Template[] = [
  {
    ...{ name: 'USER', displayName: 'User', schemaVersion: 1, isPublished: true, enrollers: domainUsers },
    ekus: [EKU.fileEncryption, EKU.secureMail, EKU.clientAuthentication],
    enrollmentFlags: ['PUBLISH_TO_DS', 'AUTO_ENROLLMENT', 'INCLUDE_SYMMETRIC_ALGORITHMS'],
    nameFlags: [...BY_DIRECTORY, 'SUBJECT_ALT_REQUIRE_EMAIL', 'SUBJECT_REQUIRE_EMAIL'],
  },
  {
    ...{ name: 'MACHINE', displayName: 'Computer', schemaVersion: 1, isPublished: true },
    ...{ enrollers: domainComputers, enrollmentFlags: ['AUTO_ENROLLMENT'] },
    ekus: [EKU.clientAuthentication, EKU.serverAuthentication],
    nameFlags: ['SUBJECT_ALT_REQUIRE_DNS', 'SUBJECT_REQUIRE_DNS_AS_CN'],
  },
  {
    ...{ name: 'DOMAINCONTROLLER', displayName: 'Domain Controller', schemaVersion: 1, isPublished: true },
    ...{ enrollers: controllers, enrollmentFlags: ['PUBLISH_TO_DS', 'AUTO_ENROLLMENT'] },
    ekus: [EKU.clientAuthentication, EKU.serverAuthentication],
    nameFlags: ['SUBJECT_ALT_REQUIRE_DIRECTORY_GUID', 'SUBJECT_ALT_REQUIRE_DNS', 'SUBJECT_REQUIRE_DNS_AS_CN'],
  },
  {
    ...{ name: 'KERBEROSAUTHENTICATION', displayName: 'Kerberos Authentication', schemaVersion: 2 },
    ...{ isPublished: true, enrollers: controllers, enrollmentFlags: ['AUTO_ENROLLMENT'] },
    ekus: [EKU.clientAuthentication, EKU.serverAuthentication, EKU.smartCardLogon, EKU.kdcAuthentication],
    nameFlags: ['SUBJECT_ALT_REQUIRE_DOMAIN_DNS', 'SUBJECT_ALT_REQUIRE_DNS'],
  },
  {
    ...{
      name: 'SUBCA',
      displayName: 'Subordinate Certification Authority',
      schemaVersion: 1,
      isPublished: false,
    },
    ...{ enrollers: administrators, ekus: [], enrollmentFlags: [], nameFlags: ['ENROLLEE_SUPPLIES_SUBJECT'] },
    validity: '5 years',
  },
  {
    ...{ name: 'WEBSERVER', displayName: 'Web Server', schemaVersion: 1, isPublished: true },
    ...{ ekus: [EKU.serverAuthentication], enrollmentFlags: [], nameFlags: ['ENROLLEE_SUPPLIES_SUBJECT'] },
    enrollers: (plan) => [...administrators(plan), roleGroup(plan, 'T1_SERVER_ADMINS')],
    validity: '2 years',
  },
  {
    ...{ name: 'CODE SIGNING', displayName: 'Code Signing', schemaVersion: 2, isPublished: true },
    ...{ ekus: [EKU.codeSigning], enrollmentFlags: ['PEND_ALL_REQUESTS'], nameFlags: BY_DIRECTORY },
    enrollers: (plan) => [roleGroup(plan, 'CERTIFICATE_MANAGERS')],
  },
  {
    ...{ name: 'WORKSTATION V2', displayName: 'Workstation Authentication V2', schemaVersion: 4 },
    ...{ isPublished: true, enrollers: domainComputers, enrollmentFlags: ['AUTO_ENROLLMENT'] },
    ...{ ekus: [EKU.clientAuthentication], nameFlags: ['SUBJECT_ALT_REQUIRE_DNS'] },
  },
  {
    // Requesters name themselves, but a manager approves: safe if no one can change the template.
    ...{ name: 'PARTNER LOGON', displayName: 'Partner Logon', schemaVersion: 4, isPublished: true },
    ...{ ekus: [EKU.clientAuthentication], enrollmentFlags: ['PEND_ALL_REQUESTS'] },
    ...{ nameFlags: ['ENROLLEE_SUPPLIES_SUBJECT'], enrollers: domainUsers },
  },
  {
    // ESC1: requesters name themselves, need no approval, and can log on with the certificate. In the older forest, for VPN users.
    ...{ name: 'VPN LEGACY', displayName: 'VPN (legacy)', schemaVersion: 2, isPublished: true },
    ...{ ekus: [EKU.clientAuthentication], enrollmentFlags: ['PUBLISH_TO_DS'] },
    nameFlags: ['ENROLLEE_SUPPLIES_SUBJECT'],
    enrollers: (plan) => (plan.hasKeyAdmins ? domainUsers(plan) : [roleGroup(plan, 'MIGRATED_USERS')]),
  },
  {
    // ESC4: harmless itself, but `flaws.ts` gives the wrong people the right to change it.
    ...{
      name: 'WIRELESS',
      displayName: 'Wireless',
      schemaVersion: 2,
      isPublished: true,
      enrollers: domainUsers,
    },
    ...{ ekus: [EKU.clientAuthentication], enrollmentFlags: ['AUTO_ENROLLMENT'], nameFlags: BY_DIRECTORY },
  },
  {
    // ESC3: certificates of an enrollment agent, and a template that accepts their signature.
    ...{ name: 'ENROLLMENT AGENT', displayName: 'Enrollment Agent', schemaVersion: 2, isPublished: true },
    ...{ ekus: [EKU.requestAgent], enrollmentFlags: [], nameFlags: BY_DIRECTORY },
    enrollers: (plan) => [roleGroup(plan, 'CERTIFICATE_MANAGERS')],
  },
  {
    ...{
      name: 'SMARTCARD BY AGENT',
      displayName: 'Smart Card by Agent',
      schemaVersion: 2,
      isPublished: true,
    },
    ...{ ekus: [EKU.clientAuthentication, EKU.smartCardLogon], enrollmentFlags: [], nameFlags: BY_DIRECTORY },
    ...{ enrollers: domainUsers, signatures: 1, applicationPolicies: [EKU.requestAgent] },
  },
  {
    // ESC9: the certificate does not contain the SID of its holder.
    ...{ name: 'LEGACY MAPPING', displayName: 'Legacy Mapping', schemaVersion: 2, isPublished: true },
    ...{
      ekus: [EKU.clientAuthentication],
      enrollmentFlags: ['NO_SECURITY_EXTENSION'],
      nameFlags: BY_DIRECTORY,
    },
    enrollers: (plan) => [roleGroup(plan, 'REMOTE_WORKERS')],
  },
  {
    // ESC13: the issuance policy of the certificate grants membership in a group.
    ...{
      name: 'HIGH ASSURANCE LOGON',
      displayName: 'High Assurance Logon',
      schemaVersion: 2,
      isPublished: true,
    },
    ...{ ekus: [EKU.clientAuthentication], enrollmentFlags: [], nameFlags: BY_DIRECTORY, linksPolicy: true },
    enrollers: (plan) => [roleGroup(plan, 'T1_DATABASE_ADMINS')],
  },
];
