/** The container whose access list the protection task (SDProp) writes over those of protected accounts and groups; one in each domain. */
import { EdgeKind } from '@clew/model';

/** Windows copies access lists: owners are not a part of them, and the readers of a managed password are an attribute of their own. */
export const NOT_COPIED: ReadonlySet<number> = new Set<number>([
  EdgeKind.Owns,
  EdgeKind.OwnsRaw,
  EdgeKind.OwnsLimitedRights,
  EdgeKind.ReadGMSAPassword,
]);

/** @param distinguishedName of a container */
export const isAdminSdHolder = (distinguishedName: string | undefined): boolean =>
  distinguishedName?.toUpperCase().startsWith('CN=ADMINSDHOLDER,CN=SYSTEM,') === true;
