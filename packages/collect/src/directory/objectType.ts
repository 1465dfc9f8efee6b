/** The type of an object from its classes, as in collection files. */
import type { Attributes } from '../ldap/messages.ts';
import type { ObjectType } from '../rights/wantedRights.ts';
import { texts, wholeNumber } from './entryValues.ts';

/** Values of sAMAccountType (MS-SAMR 2.2.1.9). */
const MACHINE_ACCOUNT = 0x30000001;
const TRUST_ACCOUNT = 0x30000002;
/** Value of `flags` of an OID for an issuance policy (MS-WCCE 2.2.2.11). */
const ISSUANCE_POLICY = 2;

/** Accounts whose password Windows manages. They are users, although their class derives from computers. */
export const MANAGED_CLASSES = {
  group: 'msds-groupmanagedserviceaccount',
  standalone: 'msds-managedserviceaccount',
  delegated: 'msds-delegatedmanagedserviceaccount',
} as const;

/** @returns undefined for objects that collection files do not contain */
export function typeOf(attributes: Attributes, dn: string): ObjectType | 'Trust' | undefined {
  const classes = new Set(texts(attributes, 'objectclass').map((name) => name.toLowerCase()));
  if (Object.values(MANAGED_CLASSES).some((name) => classes.has(name))) return 'User';
  const account = wholeNumber(attributes, 'samaccounttype');
  if (account === TRUST_ACCOUNT) return undefined;
  if (account === MACHINE_ACCOUNT || classes.has('computer')) return 'Computer';
  if (classes.has('domaindns')) return /^DC=/i.test(dn) && attributes.has('objectsid') ? 'Domain' : undefined;
  if (classes.has('certificationauthority')) return authorityType(dn);
  if (classes.has('mspki-enterprise-oid'))
    return wholeNumber(attributes, 'flags') === ISSUANCE_POLICY ? 'IssuancePolicy' : undefined;
  return BY_CLASS.find(([name]) => classes.has(name))?.[1];
}

/** The first matching class determines the type; a policy is also a container. */
const BY_CLASS: readonly (readonly [string, ObjectType | 'Trust'])[] = [
  ['user', 'User'],
  ['group', 'Group'],
  ['organizationalunit', 'OU'],
  ['grouppolicycontainer', 'GPO'],
  ['trusteddomain', 'Trust'],
  ['pkicertificatetemplate', 'CertTemplate'],
  ['pkienrollmentservice', 'EnterpriseCA'],
  ['site', 'Site'],
  ['server', 'SiteServer'],
  ['subnet', 'SiteSubnet'],
  ['configuration', 'Configuration'],
  ['container', 'Container'],
  ['builtindomain', 'Container'],
];

function authorityType(dn: string): ObjectType | undefined {
  if (/^CN=NTAuthCertificates,/i.test(dn)) return 'NTAuthStore';
  if (/,CN=Certification Authorities,CN=Public Key/i.test(dn)) return 'RootCA';
  return /,CN=AIA,CN=Public Key/i.test(dn) ? 'AIACA' : undefined;
}

/** Containers without delegated rights: update markers, parts of policies, texts of administration tools. There are hundreds of them. */
const TECHNICAL =
  /(^|,)CN=(DomainUpdates|ForestUpdates|ActiveDirectoryUpdate|DisplaySpecifiers|WMIPolicy|IP Security|MicrosoftDNS|DFSR-GlobalSettings),|,CN=Policies,CN=System,/i;

export const isTechnicalContainer = (dn: string): boolean => TECHNICAL.test(dn);
