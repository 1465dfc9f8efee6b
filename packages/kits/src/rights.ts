/**
 * Maps collected rights to access list entries: the bits that must all be set, and the object type in the entry. One entry may grant
 * several rights.
 *
 * Source: MS-ADTS 5.1.3.2 (access rights) and 5.1.3.2.1 (control access rights); attribute GUIDs from Microsoft's schema reference.
 */

export interface Mark {
  readonly Mask: number;
  /** GUIDs allowed in the entry; empty for an entry without one. */
  readonly Types: readonly string[];
  /** Attributes whose GUIDs are read from the schema of the forest. */
  readonly Attributes: readonly string[];
}

const whole = (Mask: number): Mark => ({ Mask, Types: [], Attributes: [] });
const of = (Mask: number, ...Types: string[]): Mark => ({ Mask, Types, Attributes: [] });

const EXTENDED = 0x100;
const WRITE = 0x20;
const MEMBER = 'bf9679c0-0de6-11d0-a285-00aa003049e2';
/** Property sets, whose entries grant the right for each of their attributes. */
const MEMBERSHIP_SET = 'bc0ac240-79a9-11d0-9020-00c04fc2d4cf';
const PUBLIC_INFORMATION_SET = 'e48d0154-bcf8-11d1-8702-00c04fb96050';
const LAPS = [
  ...['ms-Mcs-AdmPwd', 'msLAPS-Password', 'msLAPS-EncryptedPassword', 'msLAPS-EncryptedPasswordHistory'],
  ...['msLAPS-EncryptedDSRMPassword', 'msLAPS-EncryptedDSRMPasswordHistory'],
];

/** All rights of the domain, as they apply, and as they are inherited. */
export const FULL_CONTROL: readonly Mark[] = [whole(0xf01ff), whole(0x10000000)];

export const RIGHTS: Readonly<Record<string, readonly Mark[]>> = {
  GenericAll: FULL_CONTROL,
  GenericWrite: [whole(0x20028), whole(0x20), whole(0x40000000)],
  WriteDacl: [whole(0x40000)],
  WriteOwner: [whole(0x80000)],
  WriteOwnerRaw: [whole(0x80000)],
  AllExtendedRights: [whole(EXTENDED)],
  ForceChangePassword: [of(EXTENDED, '00299570-246d-11d0-a768-00aa006e0529')],
  AddMember: [of(WRITE, MEMBER, MEMBERSHIP_SET)],
  AddSelf: [of(0x8, MEMBER, MEMBERSHIP_SET)],
  GetChanges: [of(EXTENDED, '1131f6aa-9c07-11d1-f79f-00c04fc2dcd2')],
  GetChangesAll: [of(EXTENDED, '1131f6ad-9c07-11d1-f79f-00c04fc2dcd2')],
  GetChangesInFilteredSet: [of(EXTENDED, '89e95b76-444d-4c62-991a-0facbeda640c')],
  AddAllowedToAct: [of(WRITE, '3f78c3e5-f79a-46bd-a0b8-9d18116ddc79')],
  AddKeyCredentialLink: [of(WRITE, '5b47d60f-6090-40b2-9f37-2a4de88f3063')],
  WriteSPN: [of(WRITE, 'f3a64788-5306-11d1-a9c5-0000f80367c1', PUBLIC_INFORMATION_SET)],
  WriteAccountRestrictions: [of(WRITE, '4c164200-20c0-11d0-a768-00aa006e0529')],
  WriteGPLink: [of(WRITE, 'f30e3bbe-9ff0-11d1-b603-0000f80367c1')],
  Enroll: [of(EXTENDED, '0e10c968-78fb-11d2-90d4-00c04f79dc55'), whole(EXTENDED)],
  AutoEnroll: [of(EXTENDED, 'a05b8cc2-17bc-4802-a710-e7c15ab866a2')],
  WritePKINameFlag: [of(WRITE, 'ea1dddc4-60ff-416e-8cc0-17cee534bce7')],
  WritePKIEnrollmentFlag: [of(WRITE, 'd15ef7d8-f226-46db-ae79-b34e560bd12c')],
  WritePublicInformation: [of(WRITE, PUBLIC_INFORMATION_SET)],
  WriteAltSecurityIdentities: [of(WRITE, '00fbf30c-91fe-11d1-aebc-0000f80367c1', PUBLIC_INFORMATION_SET)],
  ReadLAPSPassword: [
    { Mask: 0x10, Types: [], Attributes: LAPS },
    { Mask: EXTENDED, Types: [], Attributes: LAPS },
  ],
};
