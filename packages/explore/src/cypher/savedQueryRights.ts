/** Decides who may see and change a saved query. Rule: `docs/cypher.md#saved-queries`. */
import type { ListedQuery } from '@clew/api';
import type { UserPrincipal } from '@clew/common';

interface Owned {
  /** Null for a query of an extension, which is changed and removed with it. */
  readonly user_id: string | null;
  readonly is_public: boolean;
}

export const isAdministrator = ({ role }: UserPrincipal): boolean => role === 'Administrator';
export const isOwner = (row: Owned, { userId }: UserPrincipal): boolean => row.user_id === userId;
export const mayChange = (row: Owned, user: UserPrincipal): boolean =>
  isOwner(row, user) || (row.user_id !== null && row.is_public && isAdministrator(user));

/** Why a user sees a query. */
export function reasonOf(row: Owned, user: UserPrincipal): ListedQuery['scope'] {
  if (isOwner(row, user)) return 'owned';
  return row.is_public ? 'public' : 'shared';
}
