/** Passwords, second factors and sessions of users in the API. Rule: `docs/reference/api.md#users`. */

import {
  apiError,
  type Handlers,
  type RequestContext,
  recordSuccess,
  requireUser,
  type UserPrincipal,
} from '@clew/common';
import type { Db } from '@clew/store';
import type { Clock } from '../clock.ts';
import { checkThrottled } from '../loginThrottle.ts';
import { type OneTimePasswords, qrCode, removeSecondFactor } from '../oneTimePasswords.ts';
import { requireGoodPassword } from '../passwordPolicy.ts';
import type { PasswordHasher } from '../passwords.ts';
import { expireSecret, setSecret } from '../secrets.ts';
import type { Sessions } from '../sessions.ts';
import { findSecret, type UserWithSecret } from '../users.ts';
import { requireStored } from './userHandlers.ts';

export interface CredentialParts {
  readonly db: Db;
  readonly hasher: PasswordHasher;
  readonly sessions: Sessions;
  readonly oneTimePasswords: OneTimePasswords;
  readonly clock: Clock;
  /** Drops cached user data. */
  readonly forget: () => void;
}

type Operations =
  | 'CreateOrSetUserSecret'
  | 'DeleteUserSecret'
  | 'AddUserMfa'
  | 'RemoveUserMfa'
  | 'GetMfaActivationStatus'
  | 'ActivateUserMfa'
  | 'ListUserSessions'
  | 'EndUserSessions'
  | 'EndUserSession';

export function credentialHandlers(parts: CredentialParts): Handlers<Operations> {
  const { db, hasher, sessions, oneTimePasswords, clock, forget } = parts;

  /** Changes data and writes the audit log in one transaction. */
  const change = async (
    context: RequestContext,
    action: string,
    userId: string,
    work: (transaction: Db) => Promise<void>,
  ): Promise<void> => {
    await db.transaction().execute(async (transaction) => {
      await work(transaction);
      await recordSuccess(transaction, context, action, { user_id: userId });
    });
    forget();
  };

  const isPassword = (
    context: RequestContext,
    user: UserWithSecret['user'],
    password = '',
    digest: string | undefined = undefined,
  ): Promise<boolean> => checkThrottled(db, clock, context, user, () => hasher.matches(password, digest));

  return {
    async CreateOrSetUserSecret({ params, body }, context) {
      const caller = requireUser(context.principal);
      const { user, secret } = await requireSubject(db, caller, params.user_id);
      if (user.sso_provider_id !== null) throw apiError('singleSignOnUser');
      const isOwn = user.id === caller.userId;
      if (isOwn && !(await isPassword(context, user, body.current_secret, secret?.digest)))
        throw apiError('wrongCurrentSecret');
      requireGoodPassword(body.secret);
      const digest = await hasher.hash(body.secret);
      await change(context, 'SetUserSecret', user.id, async (transaction) => {
        await setSecret(transaction, user.id, digest, {
          now: clock.now(),
          isToBeReset: body.needs_password_reset,
        });
        await sessions.endOf(transaction, user.id, { but: caller.sessionId });
      });
      return { status: 200 };
    },

    async DeleteUserSecret({ params }, context) {
      const { user } = await requireStored(db, params.user_id);
      if (user.sso_provider_id !== null) throw apiError('singleSignOnSecret');
      await change(context, 'ExpireUserSecret', user.id, async (transaction) => {
        if (!(await expireSecret(transaction, user.id, clock.now()))) throw apiError('userHasNoSecret');
      });
      return { status: 200 };
    },

    /** Users enroll only their own authenticator, because enrolling for another user would reveal the secret. */
    async AddUserMfa({ params, body }, context) {
      const caller = requireUser(context.principal);
      const { user, secret } = await requireSubject(db, caller, params.user_id);
      if (user.id !== caller.userId) throw apiError('notAuthorizedForUser', { userId: user.id });
      if (secret === undefined) throw apiError('singleSignOnUser');
      if (secret.totp_activated) throw apiError('mfaActive');
      if (!(await isPassword(context, user, body.secret, secret.digest))) throw apiError('unverifiedSecret');
      const issuer = new URL(context.publicUrl).host;
      const enrollment = await db.transaction().execute(async (transaction) => {
        const fields = { user_id: user.id };
        await recordSuccess(transaction, context, 'EnrollMfa', fields);
        return oneTimePasswords.enroll(transaction, { id: user.id, name: user.principal_name }, issuer);
      });
      const data = { qr_code: await qrCode(enrollment.uri), totp_secret: enrollment.secret };
      return { status: 200, json: { data } };
    },

    async ActivateUserMfa({ params, body }, context) {
      const caller = requireUser(context.principal);
      const { user, secret } = await requireSubject(db, caller, params.user_id);
      if (user.id !== caller.userId) throw apiError('notAuthorizedForUser', { userId: user.id });
      if (secret === undefined || secret.sealed_totp === null) throw apiError('mfaNotEnrolled');
      if (secret.totp_activated) throw apiError('mfaActive');
      const enrolled = { user_id: user.id, sealed_totp: secret.sealed_totp };
      const isRight = () => oneTimePasswords.matches(db, enrolled, body.otp, clock.now());
      if (!(await checkThrottled(db, clock, context, user, isRight)))
        throw apiError('invalidOneTimePassword');
      let codes: string[] = [];
      await change(context, 'ActivateMfa', user.id, async (transaction) => {
        codes = await oneTimePasswords.activate(transaction, user.id);
      });
      return { status: 200, json: { data: { status: 'activated', recovery_codes: codes } } };
    },

    async GetMfaActivationStatus({ params }, context) {
      const { secret } = await requireSubject(db, requireUser(context.principal), params.user_id);
      return { status: 200, json: { data: { status: mfaStatus(secret) } } };
    },

    /** Administrators confirm with their own password, unless they sign in through a provider. */
    async RemoveUserMfa({ params, body }, context) {
      const caller = requireUser(context.principal);
      const { user, secret } = await requireSubject(db, caller, params.user_id, 'mfaOfOthers');
      const own = await findSecret(db, caller.userId);
      if (own !== undefined) {
        const { user: self } = await requireStored(db, caller.userId);
        if (!(await isPassword(context, self, body.secret, own.digest))) throw apiError('unverifiedSecret');
      }
      if (secret !== undefined)
        await change(context, 'RemoveMfa', user.id, (transaction) =>
          removeSecondFactor(transaction, user.id),
        );
      return { status: 200, json: { data: { status: 'deactivated' } } };
    },

    async ListUserSessions({ params }, context) {
      const caller = requireUser(context.principal);
      const { user } = await requireSubject(db, caller, params.user_id);
      const rows = await sessions.list(user.id);
      const data = { sessions: rows.map((row) => ({ ...row, is_current: row.id === caller.sessionId })) };
      return { status: 200, json: { data } };
    },

    async EndUserSessions({ params }, context) {
      const caller = requireUser(context.principal);
      const { user } = await requireSubject(db, caller, params.user_id);
      await change(context, 'EndUserSessions', user.id, async (transaction) => {
        await sessions.endOf(transaction, user.id, { but: caller.sessionId });
      });
      return { status: 200 };
    },

    async EndUserSession({ params }, context) {
      const { user } = await requireSubject(db, requireUser(context.principal), params.user_id);
      await change(context, 'EndUserSession', user.id, async (transaction) => {
        if ((await sessions.endOf(transaction, user.id, { only: params.session_id })) === 0)
          throw apiError('resourceNotFound');
      });
      return { status: 200 };
    },
  };
}

/**
 * Returns the user of a request: the caller, or any user if the caller may manage users. @throws ApiError 403 for another user without that
 * right, even if the user does not exist; 404
 */
export async function requireSubject(
  db: Db,
  caller: UserPrincipal,
  userId: string,
  refusal: 'notAuthorizedForUser' | 'mfaOfOthers' = 'notAuthorizedForUser',
): Promise<UserWithSecret> {
  const id = userId.toLowerCase();
  if (id !== caller.userId && !caller.permissions.has('auth/ManageUsers'))
    throw refusal === 'mfaOfOthers' ? apiError(refusal) : apiError(refusal, { userId: id });
  return requireStored(db, id);
}

function mfaStatus(secret: UserWithSecret['secret']): 'activated' | 'pending' | 'deactivated' {
  if (secret === undefined || secret.sealed_totp === null) return 'deactivated';
  return secret.totp_activated ? 'activated' : 'pending';
}
