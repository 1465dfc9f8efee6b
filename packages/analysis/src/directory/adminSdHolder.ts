/** The container whose access list the protection task (SDProp) writes over those of protected accounts and groups; one in each domain. */

/** @param distinguishedName of a container */
export const isAdminSdHolder = (distinguishedName: string | undefined): boolean =>
  distinguishedName?.toUpperCase().startsWith('CN=ADMINSDHOLDER,CN=SYSTEM,') === true;
