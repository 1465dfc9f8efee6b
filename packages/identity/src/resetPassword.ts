/**
 * Restores access if no administrator can sign in: a user who can write to the data directory, or knows the address of the database, sets a
 * password without the service. It works with and without a running service.
 */
import { randomUUID } from 'node:crypto';
import { type Config, storableText } from '@clew/common';
import { type Database, type DatabaseLog, migrate, openDatabaseBeside } from '@clew/store';
import { forgetGeneratedPassword, generatePassword } from './firstAdministrator.ts';
import { hasStore, STORE_SETTINGS } from './installedStore.ts';
import { removeSecondFactor } from './oneTimePasswords.ts';
import { passwordFault } from './passwordPolicy.ts';
import { PasswordHasher } from './passwords.ts';
import { setSecret } from './secrets.ts';
import { findUserForLogin } from './users.ts';

/** No password was changed; the message has the reason. */
export class PasswordResetError extends Error {
  override readonly name = 'PasswordResetError';
}

export interface PasswordReset {
  readonly name: string;
  /** The new password, if it was generated. */
  readonly generatedPassword?: string;
  /** Whether the user was disabled before. */
  readonly wasDisabled: boolean;
}

export interface WantedPassword {
  /** Principal name or email address. */
  readonly name: string;
  /** Generated if absent. */
  readonly password?: string;
  /** Also removes the second factor. */
  readonly withoutMfa?: boolean;
}

/**
 * Sets the password of a user, enables the user and ends all sessions.
 * @throws PasswordResetError for an unknown user or an unacceptable password
 */
export async function resetPassword(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  user: WantedPassword,
  log: DatabaseLog,
): Promise<PasswordReset> {
  const fault = user.password === undefined ? undefined : passwordFault(user.password);
  if (fault !== undefined) throw new PasswordResetError(`${fault}; nothing was changed`);
  await using stack = new AsyncDisposableStack();
  const { databaseUrl, dataDir: dataDirectory } = config;
  if (!hasStore(config))
    throw new PasswordResetError(`there is no database in ${dataDirectory}: ${STORE_SETTINGS}`);
  const { database, isShared } = await openDatabaseBeside({ databaseUrl, dataDirectory, log });
  stack.defer(() => database.close());
  // A running service has already created its tables.
  if (!isShared) await migrate(database.pool);
  return await reset(database, user);
}

async function reset(
  { db }: Database,
  { name, password, withoutMfa = false }: WantedPassword,
): Promise<PasswordReset> {
  const found = await findUserForLogin(db, storableText(name));
  if (found === undefined) {
    const users = await db.selectFrom('user_account').select('principal_name').limit(20).execute();
    const names = users.map(({ principal_name }) => principal_name).join(', ');
    throw new PasswordResetError(
      names === ''
        ? 'there is no user yet: the first start of the service creates the first administrator'
        : `there is no user ${name}; available users: ${names}`,
    );
  }
  const { id, is_disabled, principal_name } = found.user;
  const secret = password ?? generatePassword();
  const digest = await new PasswordHasher().hash(secret);
  const now = Date.now();
  await db.transaction().execute(async (transaction) => {
    await setSecret(transaction, id, digest, { now });
    if (withoutMfa) await removeSecondFactor(transaction, id);
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
