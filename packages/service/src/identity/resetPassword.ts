/**
 * The way back in when no administrator can sign in: whoever may write the data directory, or has the address of the
 * database, sets a password from outside of the service. It works beside a service that runs and without one.
 */
import { randomUUID } from 'node:crypto';
import { type Database, type DatabaseLog, migrate, openDatabaseBeside } from '@clew/store';
import type { Config } from '../config/config.ts';
import { storableText } from '../operation/storableText.ts';
import { forgetGeneratedPassword, generatePassword } from './firstAdministrator.ts';
import { MAX_PASSWORD_LENGTH, PasswordHasher } from './passwords.ts';
import { replaceSecret } from './secrets.ts';
import { findUserForLogin } from './users.ts';

export const MIN_PASSWORD_LENGTH = 12;

/** Nothing was changed; the message says why. */
export class PasswordResetError extends Error {
  override readonly name = 'PasswordResetError';
}

export interface PasswordReset {
  readonly name: string;
  /** The new password, when it was generated. */
  readonly generatedPassword?: string;
  /** The user was disabled, and is not any more. */
  readonly wasDisabled: boolean;
}

/**
 * Sets the password of a user, enables the user and ends all its sessions.
 * @param password generated when absent
 * @throws PasswordResetError for an unknown user or a password that is too short or too long
 */
export async function resetPassword(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  user: { readonly name: string; readonly password?: string },
  log: DatabaseLog,
): Promise<PasswordReset> {
  const { length } = user.password ?? generatePassword();
  if (length < MIN_PASSWORD_LENGTH || length > MAX_PASSWORD_LENGTH)
    throw new PasswordResetError(
      `a password has ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters; nothing was changed`,
    );
  await using stack = new AsyncDisposableStack();
  const { databaseUrl, dataDir: dataDirectory } = config;
  const { database, isShared } = await openDatabaseBeside({ databaseUrl, dataDirectory, log });
  stack.defer(() => database.close());
  // Where a service is running, it has made its tables.
  if (!isShared) await migrate(database.pool);
  return await reset(database, user);
}

async function reset(
  { db }: Database,
  { name, password }: { readonly name: string; readonly password?: string },
): Promise<PasswordReset> {
  const found = await findUserForLogin(db, storableText(name));
  if (found === undefined) {
    const users = await db.selectFrom('user_account').select('principal_name').limit(20).execute();
    const names = users.map(({ principal_name }) => principal_name).join(', ');
    throw new PasswordResetError(
      names === ''
        ? 'there is no user yet: the first start of the service makes the first administrator'
        : `there is no user ${name}; there are ${names}`,
    );
  }
  const { id, is_disabled, principal_name } = found.user;
  const secret = password ?? generatePassword();
  const digest = await new PasswordHasher().hash(secret);
  const now = Date.now();
  await db.transaction().execute(async (transaction) => {
    await replaceSecret(transaction, id, digest, now);
    await transaction.updateTable('user_account').set({ is_disabled: false }).where('id', '=', id).execute();
    await transaction
      .updateTable('user_session')
      .set({ ended_at: new Date(now) })
      .where('user_id', '=', id)
      .where('ended_at', 'is', null)
      .execute();
    await forgetGeneratedPassword(transaction);
    await transaction
      .insertInto('audit_log')
      .values({
        actor_id: null,
        actor_name: 'clew admin reset-password',
        actor_email: null,
        action: 'ResetPassword',
        fields: JSON.stringify({ user_id: id, username: principal_name }),
        request_id: null,
        source_ip_address: '',
        status: 'success',
        commit_id: randomUUID(),
      })
      .execute();
  });
  return {
    name: principal_name,
    wasDisabled: is_disabled,
    ...(password === undefined ? { generatedPassword: secret } : {}),
  };
}
