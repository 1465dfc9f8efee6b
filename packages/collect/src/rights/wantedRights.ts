/** The rights in attack graphs, and how access lists grant them (ids: MS-ADA, MS-ADTS 5.1.3.2.1). */
import { RIGHT } from '../descriptor/securityDescriptor.ts';

/** Types of objects, as in collection files. */
export type ObjectType =
  | 'User'
  | 'Group'
  | 'Computer'
  | 'Domain'
  | 'GPO'
  | 'OU'
  | 'Container'
  | 'Configuration'
  | 'RootCA'
  | 'AIACA'
  | 'EnterpriseCA'
  | 'NTAuthStore'
  | 'CertTemplate'
  | 'IssuancePolicy'
  | 'Site'
  | 'SiteServer'
  | 'SiteSubnet'
  | 'Base';

/** Ids of attributes, property sets and extended rights, equal in all forests. */
export const GUID = {
  member: 'bf9679c0-0de6-11d0-a285-00aa003049e2',
  membershipSet: 'bc0ac240-79a9-11d0-9020-00c04fc2d4cf',
  resetPassword: '00299570-246d-11d0-a768-00aa006e0529',
  servicePrincipalName: 'f3a64788-5306-11d1-a9c5-0000f80367c1',
  keyCredentials: '5b47d60f-6090-40b2-9f37-2a4de88f3063',
  allowedToAct: '3f78c3e5-f79a-46bd-a0b8-9d18116ddc79',
  accountRestrictions: '4c164200-20c0-11d0-a768-00aa006e0529',
  policyLink: 'f30e3bbe-9ff0-11d1-b603-0000f80367c1',
  altSecurityIdentities: '00fbf30c-91fe-11d1-aebc-0000f80367c1',
  publicInformation: 'e48d0154-bcf8-11d1-8702-00c04fb96050',
  getChanges: '1131f6aa-9c07-11d1-f79f-00c04fc2dcd2',
  getChangesAll: '1131f6ad-9c07-11d1-f79f-00c04fc2dcd2',
  getChangesInFilteredSet: '89e95b76-444d-4c62-991a-0facbeda640c',
  enroll: '0e10c968-78fb-11d2-90d4-00c04f79dc55',
  certificateNameFlag: 'ea1dddc4-60ff-416e-8cc0-17cee534bce7',
  enrollmentFlag: 'd15ef7d8-f226-46db-ae79-b34e560bd12c',
} as const;

/** Property sets of attributes in the default schema, for directories whose schema lacks them. */
export const DEFAULT_SETS: ReadonlyMap<string, string> = new Map<string, string>([
  [GUID.member, GUID.membershipSet],
  [GUID.servicePrincipalName, GUID.publicInformation],
  [GUID.altSecurityIdentities, GUID.publicInformation],
]);

export interface WantedRight {
  readonly name: string;
  readonly bits: number;
  /** The required attribute or extended right; without it, an entry for everything. */
  readonly guid?: string;
  /** Types of objects on which the right is relevant; default: all. */
  readonly on?: ReadonlySet<ObjectType>;
  /** Whether only an entry for all properties or all extended rights counts. */
  readonly isForEverything?: boolean;
}

const types = (...names: readonly ObjectType[]): ReadonlySet<ObjectType> => new Set(names);
const ACCOUNTS = types('User', 'Computer');

/** Rights to look for in an entry without full control. */
export const WANTED_RIGHTS: readonly WantedRight[] = [
  { name: 'WriteDacl', bits: RIGHT.writeDacl },
  { name: 'WriteOwner', bits: RIGHT.writeOwner },
  {
    ...{ name: 'GenericWrite', bits: RIGHT.write, isForEverything: true },
    on: types(
      ...(['User', 'Group', 'Computer', 'GPO', 'OU', 'Domain', 'CertTemplate', 'RootCA'] as const),
      ...(['EnterpriseCA', 'AIACA', 'NTAuthStore', 'IssuancePolicy', 'Site'] as const),
    ),
  },
  {
    ...{ name: 'AllExtendedRights', bits: RIGHT.extended, isForEverything: true },
    on: types('User', 'Domain', 'Computer', 'CertTemplate'),
  },
  { name: 'ForceChangePassword', bits: RIGHT.extended, guid: GUID.resetPassword, on: types('User') },
  { name: 'GetChanges', bits: RIGHT.extended, guid: GUID.getChanges, on: types('Domain') },
  { name: 'GetChangesAll', bits: RIGHT.extended, guid: GUID.getChangesAll, on: types('Domain') },
  {
    ...{ name: 'GetChangesInFilteredSet', bits: RIGHT.extended },
    ...{ guid: GUID.getChangesInFilteredSet, on: types('Domain') },
  },
  { name: 'Enroll', bits: RIGHT.extended, guid: GUID.enroll, on: types('CertTemplate', 'EnterpriseCA') },
  { name: 'AddMember', bits: RIGHT.write, guid: GUID.member, on: types('Group') },
  { name: 'AddSelf', bits: RIGHT.self, guid: GUID.member, on: types('Group') },
  { name: 'WriteSPN', bits: RIGHT.write, guid: GUID.servicePrincipalName, on: types('User') },
  { name: 'AddKeyCredentialLink', bits: RIGHT.write, guid: GUID.keyCredentials, on: ACCOUNTS },
  { name: 'AddAllowedToAct', bits: RIGHT.write, guid: GUID.allowedToAct, on: types('Computer') },
  { name: 'WriteAccountRestrictions', bits: RIGHT.write, guid: GUID.accountRestrictions, on: ACCOUNTS },
  { name: 'WriteAltSecurityIdentities', bits: RIGHT.write, guid: GUID.altSecurityIdentities, on: ACCOUNTS },
  { name: 'WritePublicInformation', bits: RIGHT.write, guid: GUID.publicInformation, on: ACCOUNTS },
  { name: 'WriteGPLink', bits: RIGHT.write, guid: GUID.policyLink, on: types('OU', 'Domain', 'Site') },
  { name: 'WritePKINameFlag', bits: RIGHT.write, guid: GUID.certificateNameFlag, on: types('CertTemplate') },
  { name: 'WritePKIEnrollmentFlag', bits: RIGHT.write, guid: GUID.enrollmentFlag, on: types('CertTemplate') },
];
