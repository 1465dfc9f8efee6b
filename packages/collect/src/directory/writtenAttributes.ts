/** Attributes whose last writes are read, by their ids in the default prefix table, which are equal in all forests. Ids: MS-DRSR 5.16.4. */
export const WRITTEN_ATTRIBUTES: ReadonlyMap<number, string> = new Map([
  [0x1f, 'member'],
  [0x20119, 'nTSecurityDescriptor'],
  [0x90001, 'name'],
  [0x90008, 'userAccountControl'],
  [0x90261, 'sIDHistory'],
  [0x90337, 'certificateTemplates'],
  [0x9037b, 'gPLink'],
  [0x90583, 'ms-DS-MachineAccountQuota'],
  [0x90596, 'msPKI-Enrollment-Flag'],
  [0x90598, 'msPKI-Certificate-Name-Flag'],
  [0x906fb, 'msDS-AllowedToDelegateTo'],
  [0x90886, 'msDS-AllowedToActOnBehalfOfOtherIdentity'],
  [0x90898, 'msDS-GroupMSAMembership'],
]);
