/** Sessions: created at sign-in, checked for every request with a bearer token, ended by sign-out. */

import { FreshCache, storableText, type UserPrincipal } from '@clew/common';
import type { Db, UserSessionTable } from '@clew/store';
import type { Selectable } from 'kysely';
import { type Clock, systemClock } from './clock.ts';
import { sessionPrincipal } from './principals.ts';
import { readSessionToken, signSessionToken } from './sessionToken.ts';

/** Ended sessions are kept this long for investigations. */
const RETENTION_DAYS = 30;
const DAY_MS = 24 * 3600_000;
/** Tokens have about 250 characters; longer texts are neither verified nor cached. */
const MAX_TOKEN_LENGTH = 1024;

interface LiveSession {
  readonly principal: UserPrincipal;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

export interface SessionSettings {
  readonly key: Uint8Array;
  readonly hours: number;
}

/** Origin of a session, by which its user can recognize it. */
export interface SessionOrigin {
  readonly clientAddress: string;
  readonly userAgent: string;
  /** `secret`, or the name of an SSO provider. */
  readonly method: string;
}

export type StoredSession = Pick<
  Selectable<UserSessionTable>,
  'id' | 'created_at' | 'expires_at' | 'client_address' | 'user_agent' | 'login_method'
>;

export class Sessions {
  readonly #db: Db;
  readonly #settings: SessionSettings;
  readonly #clock: Clock;
  readonly #live: FreshCache<LiveSession | undefined>;

  constructor(db: Db, settings: SessionSettings, clock: Clock = systemClock) {
    this.#db = db;
    this.#settings = settings;
    this.#clock = clock;
    this.#live = new FreshCache((token) => this.#load(token), clock);
  }

  /** @returns the session token */
  async begin(db: Db, userId: string, issuer: string, origin: SessionOrigin): Promise<string> {
    const now = this.#clock.now();
    const expiresAt = now + this.#settings.hours * 3600_000;
    const { id } = await db
      .insertInto('user_session')
      .values({
        ...{ user_id: userId, created_at: new Date(now), expires_at: new Date(expiresAt) },
        ...{ client_address: origin.clientAddress, user_agent: storableText(origin.userAgent) },
        login_method: origin.method,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return signSessionToken(this.#settings.key, { sessionId: id, userId, expiresAt }, issuer, now);
  }

  /** @returns the user of a token; `undefined` if the session is not valid */
  async principalOf(token: string): Promise<UserPrincipal | undefined> {
    if (token.length > MAX_TOKEN_LENGTH) return undefined;
    const session = await this.#live.get(token);
    return session !== undefined && session.expiresAt > this.#clock.now() ? session.principal : undefined;
  }

  /** Lists the valid sessions of a user, newest first. */
  async list(userId: string): Promise<readonly StoredSession[]> {
    return this.#db
      .selectFrom('user_session')
      .select(['id', 'created_at', 'expires_at', 'client_address', 'user_agent', 'login_method'])
      .where('user_id', '=', userId)
      .where('ended_at', 'is', null)
      .where('expires_at', '>', new Date(this.#clock.now()).toISOString())
      .orderBy('id', 'desc')
      .execute();
  }

  /**
   * Ends sessions of a user, and what they granted assistants if all or all but one end. Call `forget` after the transaction.
   * @param which one session, or all except one; default: all @returns the number of ended sessions
   */
  async endOf(
    db: Db,
    userId: string,
    { only, but }: { readonly only?: number; readonly but?: number } = {},
  ): Promise<number> {
    if (only === undefined) await db.deleteFrom('oauth_grant').where('user_id', '=', userId).execute();
    let update = db
      .updateTable('user_session')
      .set({ ended_at: new Date(this.#clock.now()) })
      .where('user_id', '=', userId)
      .where('ended_at', 'is', null);
    if (only !== undefined) update = update.where('id', '=', only);
    if (but !== undefined) update = update.where('id', '!=', but);
    return Number((await update.executeTakeFirst()).numUpdatedRows);
  }

  async end(sessionId: number): Promise<void> {
    await this.#db
      .updateTable('user_session')
      .set({ ended_at: new Date(this.#clock.now()) })
      .where('id', '=', sessionId)
      .where('ended_at', 'is', null)
      .execute();
    this.forget();
  }

  /** Drops cached sessions after a change of users. */
  forget(): void {
    this.#live.clear();
  }

  async sweep(now: number): Promise<void> {
    const until = new Date(now - RETENTION_DAYS * DAY_MS).toISOString();
    await this.#db.deleteFrom('user_session').where('expires_at', '<', until).execute();
  }

  /** Requires an existing session of an enabled user that has not ended (`docs/reference/api.md#session-tokens`). */
  async #load(token: string): Promise<LiveSession | undefined> {
    const now = this.#clock.now();
    const claims = await readSessionToken(this.#settings.key, token, now);
    if (claims === undefined) return undefined;
    const row = await this.#db
      .selectFrom('user_session as session')
      .innerJoin('user_account as user', 'user.id', 'session.user_id')
      .leftJoin('auth_secret as secret', 'secret.user_id', 'user.id')
      .select(['session.expires_at', 'session.ended_at', 'secret.expires_at as secret_expires_at'])
      .select(['user.id', 'user.principal_name', 'user.email_address', 'user.role_id', 'user.environments'])
      .where('session.id', '=', claims.sessionId)
      .where('user.is_disabled', '=', false)
      .executeTakeFirst();
    if (row === undefined || row.id !== claims.userId || row.ended_at !== null) return undefined;
    const secretExpired = row.secret_expires_at !== null && Date.parse(row.secret_expires_at) <= now;
    return {
      principal: sessionPrincipal(row, claims.sessionId, secretExpired),
      expiresAt: Math.min(claims.expiresAt, Date.parse(row.expires_at)),
    };
  }
}
