/** Passwords in the database: only digests, with their expiration. */

import type { AuthSecretTable, Db } from '@clew/store';
import { type Selectable, sql } from 'kysely';
import { DIGEST_METHOD } from './passwords.ts';

/** Default of `auth.password_expiration_window` (`docs/reference/api.md#restricted-sessions`). */
export const PASSWORD_DAYS = 90;
const SETTING = 'config.password_days';
const DAY_MS = 24 * 3600_000;
/** Expiration time of passwords that do not expire: clients show a time, and this one is recognizable. */
const NEVER = Date.UTC(9999, 11, 31);

/** @returns the validity of a password in days; 0 if passwords do not expire */
export async function passwordDays(db: Db): Promise<number> {
  const row = await db.selectFrom('setting').select('value').where('key', '=', SETTING).executeTakeFirst();
  return (row?.value as number | undefined) ?? PASSWORD_DAYS;
}

/** Existing passwords expire accordingly, counted from the day they were set; passwords that must be changed are not affected. */
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

/** Properties of a new password besides its digest. */
export interface SecretTerms {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Whether the user must change it after signing in. */
  readonly isToBeReset?: boolean;
}

/** Replaces the password of the user. A second factor stays. */
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

/** Requires the user to change the password at the next sign-in. @returns false for a user without a password */
export async function expireSecret(db: Db, userId: string, now: number): Promise<boolean> {
  const at = new Date(now);
  const { numUpdatedRows } = await db
    .updateTable('auth_secret')
    .set({ expires_at: at, updated_at: at })
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** A user with an expired password can sign in, but the session only allows changing it. */
export function isExpired(secret: Pick<Selectable<AuthSecretTable>, 'expires_at'>, now: number): boolean {
  return Date.parse(secret.expires_at) <= now;
}
