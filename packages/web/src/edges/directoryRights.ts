/** The names of rights in Windows tools, keyed by the kind of relationship. */
const NAMES: Readonly<Record<string, string>> = {
  GetChanges: 'Replicating Directory Changes',
  GetChangesAll: 'Replicating Directory Changes All',
  GetChangesInFilteredSet: 'Replicating Directory Changes In Filtered Set',
  GenericAll: 'Full control',
  GenericWrite: 'Write all properties',
  WriteDacl: 'Modify permissions',
  WriteOwner: 'Modify owner',
  AllExtendedRights: 'All extended rights',
  ForceChangePassword: 'Reset password',
  AddMember: 'Write members',
  AddSelf: 'Add/remove self as member',
  WriteSPN: 'Validated write to service principal name',
  AddKeyCredentialLink: 'Write msDS-KeyCredentialLink',
  AddAllowedToAct: 'Write msDS-AllowedToActOnBehalfOfOtherIdentity',
  WriteAccountRestrictions: 'Write account restrictions',
  WriteGPLink: 'Write gPLink',
  WriteAltSecurityIdentities: 'Write altSecurityIdentities',
  WritePublicInformation: 'Write public information',
  WritePKINameFlag: 'Write msPKI-Certificate-Name-Flag',
  WritePKIEnrollmentFlag: 'Write msPKI-Enrollment-Flag',
  ReadLAPSPassword: 'Read the LAPS password',
  ReadGMSAPassword: 'Read msDS-ManagedPassword',
  Enroll: 'Enroll',
  ManageCA: 'Manage CA',
  ManageCertificates: 'Issue and manage certificates',
};

/** @returns the name of the right; `undefined` for a relationship that is not one entry of an access list */
export const directoryRight = (kind: string): string | undefined =>
  Object.hasOwn(NAMES, kind) ? NAMES[kind] : undefined;

/** @param kind of the object with the access list @returns a suffix for its name, such as "the domain head" */
export const headWords = (kind: string): string => (kind === 'Domain' ? ', the domain head' : '');
