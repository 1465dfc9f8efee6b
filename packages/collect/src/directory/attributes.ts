/** Directory searches: filters and their attributes. A test verifies that no attribute contains a password. */

const COMMON = [
  ...['objectClass', 'objectGUID', 'objectSid', 'name', 'displayName', 'description', 'whenCreated'],
  ...['parentGUID', 'nTSecurityDescriptor', 'sAMAccountName', 'sAMAccountType', 'userAccountControl'],
  ...['primaryGroupID', 'adminCount', 'sIDHistory', 'uSNChanged'],
] as const;

export const DOMAIN_ATTRIBUTES: readonly string[] = [
  ...COMMON,
  // Accounts
  ...['userPrincipalName', 'dNSHostName', 'operatingSystem', 'operatingSystemServicePack'],
  ...['servicePrincipalName', 'lastLogon', 'lastLogonTimestamp', 'pwdLastSet', 'mail', 'title'],
  ...['homeDirectory', 'scriptPath', 'profilePath', 'department', 'msDS-AllowedToDelegateTo'],
  ...['msDS-AllowedToActOnBehalfOfOtherIdentity', 'msDS-GroupMSAMembership', 'msDS-HostServiceAccount'],
  ...['msDS-SupportedEncryptionTypes', 'ms-Mcs-AdmPwdExpirationTime', 'msLAPS-PasswordExpirationTime'],
  'msDS-KeyCredentialLink',
  // Groups
  ...['member', 'groupType'],
  // Policies, units and the domain
  ...['gPLink', 'gPOptions', 'gPCFileSysPath', 'gPCWQLFilter', 'flags', 'ms-DS-MachineAccountQuota'],
  ...['minPwdLength', 'pwdProperties', 'pwdHistoryLength', 'lockoutThreshold', 'minPwdAge', 'maxPwdAge'],
  ...['lockoutDuration', 'lockOutObservationWindow', 'msDS-Behavior-Version'],
  'msDS-ExpirePasswordsOnSmartCardOnlyAccounts',
  // Trusts
  ...['securityIdentifier', 'trustDirection', 'trustType', 'trustAttributes', 'trustPartner'],
];

export const CONFIGURATION_ATTRIBUTES: readonly string[] = [
  ...COMMON,
  ...['cACertificate', 'crossCertificatePair', 'dNSHostName', 'certificateTemplates', 'flags', 'gPLink'],
  ...['msPKI-Certificate-Name-Flag', 'msPKI-Enrollment-Flag', 'msPKI-Template-Schema-Version'],
  ...['msPKI-RA-Signature', 'msPKI-RA-Application-Policies', 'msPKI-RA-Policies'],
  ...['msPKI-Certificate-Application-Policy', 'msPKI-Certificate-Policy', 'msPKI-Cert-Template-OID'],
  ...['pKIExtendedKeyUsage', 'pKIExpirationPeriod', 'pKIOverlapPeriod', 'msDS-OIDToGroupLink'],
];

const anyClass = (...names: readonly string[]): string =>
  `(|${names.map((name) => `(objectClass=${name})`).join('')})`;

/** Objects represented in a graph; DNS, DFS, IPsec and printers are not read. */
export const DOMAIN_FILTER = anyClass(
  ...['user', 'group', 'organizationalUnit', 'container', 'builtinDomain', 'domainDNS'],
  ...['groupPolicyContainer', 'trustedDomain'],
);

export const CONFIGURATION_FILTER = `(|${anyClass(
  ...['certificationAuthority', 'pKIEnrollmentService', 'pKICertificateTemplate', 'msPKI-Enterprise-Oid'],
  ...['container', 'configuration', 'site', 'server', 'subnet'],
)}(cn=Directory Service))`;

/** Objects that others refer to: hosts, policies, units, and groups with their memberships. */
export const NAMED_FILTER = anyClass(
  ...['computer', 'group', 'organizationalUnit', 'container', 'builtinDomain', 'domainDNS'],
  'groupPolicyContainer',
);
export const NAMED_ATTRIBUTES: readonly string[] = [
  ...['objectClass', 'objectSid', 'objectGUID', 'sAMAccountType', 'sAMAccountName', 'dNSHostName'],
  ...['memberOf', 'userAccountControl', 'gPLink', 'gPOptions', 'flags'],
];

/** User and service accounts (MS-SAMR 2.2.1.9), of which the first pass needs only the id. */
export const USERS_FILTER = '(sAMAccountType=805306368)';

export const NAMED_CONFIGURATION_ATTRIBUTES: readonly string[] = [
  ...['objectClass', 'objectGUID', 'name', 'cACertificate', 'flags', 'dSHeuristics'],
];
