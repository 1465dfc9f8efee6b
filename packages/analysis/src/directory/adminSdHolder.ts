/** The container whose access list the protection task (SDProp) copies to protected accounts and groups; one per domain. */
import { EdgeKind } from '@clew/model';

/** Windows copies access lists: owners are not part of them, and the readers of a managed password are a separate attribute. */
export const NOT_COPIED: ReadonlySet<number> = new Set<number>([
  EdgeKind.Owns,
  EdgeKind.OwnsRaw,
  EdgeKind.OwnsLimitedRights,
  EdgeKind.ReadGMSAPassword,
]);

/** @param distinguishedName distinguished name of a container */
export const isAdminSdHolder = (distinguishedName: string | undefined): boolean =>
  distinguishedName?.toUpperCase().startsWith('CN=ADMINSDHOLDER,CN=SYSTEM,') === true;
