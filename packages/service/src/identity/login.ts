/**
 * Sign-in with a password. Rule: `docs/reference/api.md#signing-in`. Unknown user, wrong password and user
 * without a password are one answer, take one time, and do the same work.
 */
import { randomInt } from 'node:crypto';
import type { LoginAnswer, LoginRequest } from '@clew/api';
import type { Db } from '@clew/store';
import { apiError } from '../operation/apiError.ts';
import { recordAudit } from '../operation/auditLog.ts';
import type { Handler, RequestContext } from '../operation/handler.ts';
import { storableText } from '../operation/storableText.ts';
import type { Clock } from './clock.ts';
import { forgetGeneratedPassword } from './firstAdministrator.ts';
import type { PasswordHasher } from './passwords.ts';
import { isExpired } from './secrets.ts';
import type { Sessions } from './sessions.ts';
import { findUserForLogin } from './users.ts';

const ACTION = 'LoginAttempt';
/** Every answer takes a random time between these, so that the time does not reveal who exists. */
const MIN_ANSWER_MS = 1500;
const MAX_ANSWER_MS = 2000;

export interface LoginParts {
  readonly db: Db;
  readonly hasher: PasswordHasher;
  readonly sessions: Sessions;
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
  { login_method: method, username, secret }: LoginRequest,
  context: RequestContext,
): Promise<LoginAnswer> {
  if (method.toLowerCase() !== 'secret') throw apiError('unsupportedLoginMethod', { method });
  try {
    const user = await verify(parts, username, secret ?? '');
    return await parts.db.transaction().execute(async (transaction) => {
      const fields = { username, user_id: user.user_id };
      await recordAudit(transaction, context, { action: ACTION, status: 'success', fields });
      await forgetGeneratedPassword(transaction);
      await noteLogin(transaction, user.user_id, parts.clock.now());
      const issuer = new URL(context.publicUrl).host;
      return { ...user, session_token: await parts.sessions.begin(transaction, user.user_id, issuer) };
    });
  } catch (error) {
    await recordAudit(parts.db, context, { action: ACTION, status: 'failure', fields: { username } });
    throw error;
  }
}

/** Only with the right password does the answer say that a user is disabled. */
async function verify(
  { db, hasher, clock }: LoginParts,
  username: string,
  password: string,
): Promise<Pick<LoginAnswer, 'user_id' | 'auth_expired'>> {
  const found = await findUserForLogin(db, storableText(username));
  const matches = await hasher.matches(password, found?.secret?.digest);
  if (!matches || found?.secret === undefined) throw apiError('invalidCredentials');
  if (found.user.is_disabled) throw apiError('userDisabled');
  return { user_id: found.user.id, auth_expired: isExpired(found.secret, clock.now()) };
}

async function noteLogin(db: Db, userId: string, now: number): Promise<void> {
  await db
    .updateTable('user_account')
    .set({ last_login: new Date(now) })
    .where('id', '=', userId)
    .execute();
}
