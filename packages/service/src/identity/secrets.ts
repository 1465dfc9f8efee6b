/** Passwords in the database: only their digests, each with a day on which it expires. */

import type { AuthSecretTable, Db } from '@clew/store';
import type { Selectable } from 'kysely';
import { DIGEST_METHOD } from './passwords.ts';

/** `auth.password_expiration_window` (`docs/reference/api.md#restricted-sessions`). */
export const PASSWORD_DAYS = 90;

export async function insertSecret(db: Db, userId: string, digest: string, now: number): Promise<void> {
  await db
    .insertInto('auth_secret')
    .values({
      user_id: userId,
      digest,
      digest_method: DIGEST_METHOD,
      expires_at: new Date(now + PASSWORD_DAYS * 24 * 3600_000),
    })
    .execute();
}

/** An expired secret still signs in, but its session may do nothing but set a new one. */
export function isExpired(secret: Pick<Selectable<AuthSecretTable>, 'expires_at'>, now: number): boolean {
  return Date.parse(secret.expires_at) <= now;
}

/** The only password of the user from now on. */
export async function replaceSecret(db: Db, userId: string, digest: string, now: number): Promise<void> {
  await db.deleteFrom('auth_secret').where('user_id', '=', userId).execute();
  await insertSecret(db, userId, digest, now);
}
