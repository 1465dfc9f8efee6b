/** The properties that repairs change, in words. `RepairedValue` of planning accepts only these, so that pages never show an internal name. */
export const REPAIRED_PROPERTIES = {
  enrolleesuppliessubject: 'Requester supplies the subject',
  requiresmanagerapproval: 'Requires manager approval',
  nosecurityextension: 'Certificates without the security extension',
  isuserspecifiessanenabled: 'Accepts alternative names of requests (EDITF_ATTRIBUTESUBJECTALTNAME2)',
  hasvulnerableendpoint: 'Web enrollment can be relayed to',
  rpcencryptionenforced: 'Requires encrypted RPC requests',
  disabledextensions: 'Disabled extensions',
  strongcertificatebindingenforcementraw: 'StrongCertificateBindingEnforcement',
  certificatemappingmethodsraw: 'CertificateMappingMethods',
  ldapsigning: 'Requires LDAP signing',
  ldapsepa: 'Requires LDAP channel binding',
  vulnerablenetlogonsecuritydescriptor: 'Exceptions for vulnerable Netlogon connections',
  smbsigning: 'Requires SMB signing',
  machineaccountquota: 'Computers that a user may add (ms-DS-MachineAccountQuota)',
  unconstraineddelegation: 'Trusted for unconstrained delegation',
  sidhistory: 'SID history',
  onpremsyncenabled: 'Synchronized from Active Directory',
  enduserassignmentuserapprovers: 'Users who approve activations',
  enduserassignmentgroupapprovers: 'Groups that approve activations',
  enabled: 'Account enabled',
} as const;

export type RepairedProperty = keyof typeof REPAIRED_PROPERTIES;

/** @returns the name itself for a property of another version */
export const propertyWords = (property: string): string =>
  (REPAIRED_PROPERTIES as Readonly<Record<string, string>>)[property] ?? property;
