/**
 * Sign-in with a password. Rule: `docs/reference/api.md#signing-in`. For an unknown user, a wrong password and a user without a password,
 * the answer, its duration and the work are the same.
 */
import { randomInt } from 'node:crypto';
import type { LoginAnswer, LoginRequest } from '@clew/api';
import { apiError, type Handler, type RequestContext, recordSuccess, storableText } from '@clew/common';
import type { Db } from '@clew/store';
import type { Clock } from './clock.ts';
import { forgetGeneratedPassword } from './firstAdministrator.ts';
import { beginAttempt } from './loginThrottle.ts';
import type { OneTimePasswords } from './oneTimePasswords.ts';
import { requireGoodPassword } from './passwordPolicy.ts';
import type { PasswordHasher } from './passwords.ts';
import { isExpired, setSecret } from './secrets.ts';
import type { Sessions } from './sessions.ts';
import { findSecret, findUserForLogin, type UserWithSecret } from './users.ts';

/** Every answer takes a random time in this range, which does not reveal existing users. */
const MIN_ANSWER_MS = 1500;
const MAX_ANSWER_MS = 2000;

export interface LoginParts {
  readonly db: Db;
  readonly hasher: PasswordHasher;
  readonly sessions: Sessions;
  readonly oneTimePasswords: OneTimePasswords;
  readonly clock: Clock;
}

export function loginHandler(parts: LoginParts): Handler<'Login'> {
  return async ({ body }, context) => {
    const answerAt = parts.clock.now() + randomInt(MIN_ANSWER_MS, MAX_ANSWER_MS + 1);
    try {
      const data = await attempt(parts, body, context);
      return { status: 200, json: { data } };
    } finally {
      await parts.clock.sleep(Math.max(0, answerAt - parts.clock.now()), context.signal);
    }
  };
}

async function attempt(
  parts: LoginParts,
  request: LoginRequest,
  context: RequestContext,
): Promise<LoginAnswer> {
  const { login_method: method, username, new_secret: newSecret } = request;
  if (method.toLowerCase() !== 'secret') throw apiError('unsupportedLoginMethod', { method });
  const found = await findUserForLogin(parts.db, storableText(username));
  const counted = await beginAttempt(parts.db, parts.clock, context, {
    ...{ action: 'LoginAttempt', username, names: namesOf(username, found) },
  });
  try {
    const { user } = await verify(parts, found, request);
    const digest = newSecret === undefined ? undefined : await digestOf(parts, newSecret);
    return await parts.db.transaction().execute(async (transaction) => {
      const now = parts.clock.now();
      const fields = { username, user_id: user.id };
      await counted.end(transaction, 'success', user.id);
      await forgetGeneratedPassword(transaction);
      await noteLogin(transaction, user.id, now);
      if (digest !== undefined) {
        await setSecret(transaction, user.id, digest, { now });
        await parts.sessions.endOf(transaction, user.id);
        await recordSuccess(transaction, context, 'SetUserSecret', fields);
      }
      const secret = await findSecret(transaction, user.id);
      const token = await parts.sessions.begin(transaction, user.id, new URL(context.publicUrl).host, {
        clientAddress: context.clientAddress,
        userAgent: (context.headers['user-agent'] ?? '').slice(0, 300),
        method: 'secret',
      });
      return {
        user_id: user.id,
        auth_expired: secret !== undefined && isExpired(secret, now),
        ...(secret === undefined ? {} : { auth_expires_at: secret.expires_at }),
        session_token: token,
      };
    });
  } catch (error) {
    await counted.end(parts.db, 'failure');
    throw error;
  } finally {
    if (newSecret !== undefined) parts.sessions.forget();
  }
}

/** All names with which this user can sign in; failures with all of them are counted together. */
function namesOf(username: string, found: UserWithSecret | undefined): readonly string[] {
  const { principal_name, email_address } = found?.user ?? {};
  return [storableText(username), principal_name, email_address].filter((name) => typeof name === 'string');
}

/** Only with the right password, the answer reveals that a user is disabled, or that a second factor is required. */
async function verify(
  { db, hasher, oneTimePasswords, clock }: LoginParts,
  found: UserWithSecret | undefined,
  { secret: password = '', otp = '' }: LoginRequest,
): Promise<UserWithSecret> {
  const matches = await hasher.matches(password, found?.secret?.digest);
  if (!matches || found?.secret === undefined) throw apiError('invalidCredentials');
  const { user, secret } = found;
  if (user.is_disabled) throw apiError('userDisabled');
  const { user_id, sealed_totp, totp_activated } = secret;
  if (!totp_activated || sealed_totp === null) return found;
  const isRight =
    otp.length <= MAX_OTP_LENGTH &&
    ((await oneTimePasswords.matches(db, { user_id, sealed_totp }, otp, clock.now())) ||
      (await oneTimePasswords.takeRecoveryCode(db, user_id, otp)));
  if (!isRight) throw apiError('invalidOneTimePassword');
  return found;
}

const MAX_OTP_LENGTH = 100;

async function digestOf({ hasher }: LoginParts, password: string): Promise<string> {
  requireGoodPassword(password);
  return hasher.hash(password);
}

async function noteLogin(db: Db, userId: string, now: number): Promise<void> {
  await db
    .updateTable('user_account')
    .set({ last_login: new Date(now) })
    .where('id', '=', userId)
    .execute();
}
