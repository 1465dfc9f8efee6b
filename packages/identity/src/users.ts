/** Users in the database. */

import type { AuthSecretTable, Db, UserAccountTable } from '@clew/store';
import type { Selectable } from 'kysely';

export interface UserWithSecret {
  readonly user: Selectable<UserAccountTable>;
  /** Absent for users who sign in through a provider. */
  readonly secret: Selectable<AuthSecretTable> | undefined;
}

/** Finds a user by principal name, else by email address, both case-insensitively (`docs/reference/api.md#signing-in`). */
export async function findUserForLogin(db: Db, name: string): Promise<UserWithSecret | undefined> {
  const user =
    (await findByText(db, 'principal_name', name)) ?? (await findByText(db, 'email_address', name));
  return user && { user, secret: await findSecret(db, user.id) };
}

export async function findUser(db: Db, userId: string): Promise<UserWithSecret | undefined> {
  const user = await db.selectFrom('user_account').selectAll().where('id', '=', userId).executeTakeFirst();
  return user && { user, secret: await findSecret(db, user.id) };
}

function findByText(
  db: Db,
  column: 'principal_name' | 'email_address',
  text: string,
): Promise<Selectable<UserAccountTable> | undefined> {
  return db
    .selectFrom('user_account')
    .selectAll()
    .where((eb) => eb(eb.fn('lower', [column]), '=', eb.fn('lower', [eb.cast(eb.val(text), 'text')])))
    .executeTakeFirst();
}

export function findSecret(db: Db, userId: string): Promise<Selectable<AuthSecretTable> | undefined> {
  return db.selectFrom('auth_secret').selectAll().where('user_id', '=', userId).executeTakeFirst();
}
