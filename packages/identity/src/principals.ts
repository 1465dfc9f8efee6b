/** Converts database rows to principals: the senders of requests, and their permissions. */

import type { ClientPrincipal, UserPrincipal } from '@clew/common';
import type { Db, UserAccountTable } from '@clew/store';
import type { Selectable } from 'kysely';
import { roleOf } from './records.ts';

/**
 * The permission that a session keeps after its secret has expired: enough to set a new one
 * (`docs/reference/api.md#restricted-sessions`).
 */
const EXPIRED_SECRET_PERMISSION = 'auth/ManageSelf';

type UserColumns = Pick<
  Selectable<UserAccountTable>,
  'id' | 'principal_name' | 'email_address' | 'role_id' | 'environments'
>;

/** Signed requests are not restricted by an expired password, because they do not use it. */
export function tokenPrincipal(user: UserColumns, tokenId: string): UserPrincipal {
  return { ...userPrincipal(user), tokenId };
}

/**
 * Permissions that collectors need. The role Client-Tasking also has the right to change the graph, which none of
 * their calls needs, and which a stolen token would expose.
 */
const COLLECTOR_PERMISSIONS: ReadonlySet<string> = new Set(['clients/Tasking']);

/** A collector, which may only do its own work. */
export function clientPrincipal(
  { id, name }: { readonly id: string; readonly name: string },
  tokenId: string,
): ClientPrincipal {
  return { kind: 'client', clientId: id, name, permissions: COLLECTOR_PERMISSIONS, tokenId };
}

export function sessionPrincipal(
  user: UserColumns,
  sessionId: number,
  secretExpired: boolean,
): UserPrincipal {
  const principal = userPrincipal(user);
  if (!secretExpired) return { ...principal, sessionId };
  const left = [...principal.permissions].filter((permission) => permission === EXPIRED_SECRET_PERMISSION);
  return { ...principal, permissions: new Set(left), sessionId };
}

/** Reads the current rights of a user for scheduled work. @returns the reason to skip the work, for deleted and disabled users */
export async function activeUser(db: Db, id: string): Promise<UserPrincipal | string> {
  const user = await db.selectFrom('user_account').selectAll().where('id', '=', id).executeTakeFirst();
  if (user === undefined) return 'Its owner was deleted';
  return user.is_disabled ? 'Its owner is disabled' : userPrincipal(user);
}

export function userPrincipal(user: UserColumns): UserPrincipal {
  const role = roleOf(user);
  return {
    kind: 'user',
    userId: user.id,
    name: user.principal_name,
    email: user.email_address,
    role: role.name,
    permissions: role.permissions,
    environments: user.environments === null ? null : new Set(user.environments),
  };
}
