/** Passwords in the database: only their digests, each with a day on which it expires. */

import type { AuthSecretTable, Db } from '@clew/store';
import { type Selectable, sql } from 'kysely';
import { DIGEST_METHOD } from './passwords.ts';

/** `auth.password_expiration_window` until an administrator sets another (`docs/reference/api.md#restricted-sessions`). */
export const PASSWORD_DAYS = 90;
const SETTING = 'config.password_days';
const DAY_MS = 24 * 3600_000;
/** Expiry of passwords that do not expire: clients show a time, and this one is recognizable. */
const NEVER = Date.UTC(9999, 11, 31);

/** @returns days that a password is good for; 0 when passwords do not expire */
export async function passwordDays(db: Db): Promise<number> {
  const row = await db.selectFrom('setting').select('value').where('key', '=', SETTING).executeTakeFirst();
  return (row?.value as number | undefined) ?? PASSWORD_DAYS;
}

/**
 * Existing passwords expire accordingly, counted from the day on which they were set; passwords that have to be
 * changed still have to.
 */
export async function setPasswordDays(db: Db, days: number): Promise<void> {
  await db
    .insertInto('setting')
    .values({ key: SETTING, value: JSON.stringify(days) })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: JSON.stringify(days) }))
    .execute();
  const never = new Date(NEVER).toISOString();
  await sql`
    update auth_secret set expires_at =
      case when ${days} = 0 then ${never}::timestamptz else updated_at + make_interval(days => ${days}) end
    where expires_at > updated_at`.execute(db);
}

/** Properties of a new password in addition to its digest. */
export interface SecretTerms {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Signs in, and then has to be set again. */
  readonly isToBeReset?: boolean;
}

/** The only password of the user from now on. A second factor stays. */
export async function setSecret(
  db: Db,
  userId: string,
  digest: string,
  { now, isToBeReset = false }: SecretTerms,
): Promise<void> {
  const days = await passwordDays(db);
  const expiry = isToBeReset ? now : days === 0 ? NEVER : now + days * DAY_MS;
  const values = {
    digest,
    digest_method: DIGEST_METHOD,
    expires_at: new Date(expiry),
    updated_at: new Date(now),
  };
  await db
    .insertInto('auth_secret')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute();
}

/** The user has to set another password at the next sign-in. @returns false when the user has no password */
export async function expireSecret(db: Db, userId: string, now: number): Promise<boolean> {
  const at = new Date(now);
  const { numUpdatedRows } = await db
    .updateTable('auth_secret')
    .set({ expires_at: at, updated_at: at })
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** A user with an expired secret can sign in, but the session can only set a new one. */
export function isExpired(secret: Pick<Selectable<AuthSecretTable>, 'expires_at'>, now: number): boolean {
  return Date.parse(secret.expires_at) <= now;
}
