/**
 * Grants of users to assistants. A client registers, a user grants it read access, and it exchanges a code for short-lived
 * tokens. Codes and refresh tokens are single-use: reuse ends the grant, because someone has a copy. The database stores digests
 * only.
 */
import { hash, randomBytes, randomUUID } from 'node:crypto';
import { FreshCache, type UserPrincipal } from '@clew/common';
import { AdvisoryLock, type Db, type OAuthTokenTable } from '@clew/store';
import { sql } from 'kysely';
import type { Clock } from '../clock.ts';
import { userPrincipal } from '../principals.ts';

const SECOND_MS = 1000;
const DAY_MS = 24 * 3600 * SECOND_MS;
export const ACCESS_SECONDS = 15 * 60;
const LIVES_MS = { code: 60 * SECOND_MS, access: ACCESS_SECONDS * SECOND_MS, refresh: 14 * DAY_MS };
const GRANT_MS = 90 * DAY_MS;
/** Used tokens are stored this long to detect reuse. */
const USED_MS = DAY_MS;
/** A client without a grant is removed after a day, or when too many others register. */
const UNUSED_CLIENT_MS = DAY_MS;
const MAX_CLIENTS = 1_000;
const MAX_GRANTS_OF_USER = 20;
/** The last use of a grant is written at most this often. */
const NOTED_MS = 60 * SECOND_MS;

export interface OAuthClient {
  readonly id: string;
  readonly name: string;
  readonly redirect_uris: readonly string[];
}

export interface IssuedTokens {
  readonly access: string;
  readonly refresh: string;
}

/** A code or a refresh token, and the client that presents it. */
export interface Presented {
  readonly clientId: string;
  readonly token: string;
}

export type Exchanged =
  | { readonly tokens: IssuedTokens; readonly userId: string }
  /** With a user, the grant has ended: `reason` is for the audit log. */
  | { readonly reason: string; readonly userId?: string };

export interface UserGrant {
  readonly id: number;
  readonly client_name: string;
  readonly redirect_uri: string;
  readonly created_at: string;
  readonly expires_at: string;
  readonly last_used_at: string | null;
}

interface Live {
  readonly principal: UserPrincipal;
  readonly expiresAt: number;
}

const ACCESS_TOKEN = /^clew_a_[\w-]{43}$/;
export const isAccessToken = (text: string): boolean => ACCESS_TOKEN.test(text);

const digestOf = (token: string): Buffer => hash('sha256', token, 'buffer');
const newToken = (prefix: string): string => `clew_${prefix}_${randomBytes(32).toString('base64url')}`;

export class AssistantGrants {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #live: FreshCache<Live | undefined>;

  constructor(db: Db, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
    this.#live = new FreshCache((token) => this.#load(token), clock);
  }

  /** @param db a transaction */
  async register(
    db: Db,
    client: { readonly name: string; readonly redirectUris: readonly string[]; readonly address: string },
  ): Promise<string> {
    await sql`select pg_advisory_xact_lock(${AdvisoryLock.assistants})`.execute(db);
    const id = randomUUID();
    await db
      .insertInto('oauth_client')
      .values({
        ...{ id, name: client.name, redirect_uris: [...client.redirectUris] },
        ...{ client_address: client.address, created_at: this.#at(0) },
      })
      .execute();
    // Many registrations remove only clients to which no user has signed in.
    await sql`
      delete from oauth_client where id in (
        select id from oauth_client client
        where id <> ${id} and not exists (select from oauth_grant where client_id = client.id)
        order by created_at, id
        limit greatest(0, (select count(*) from oauth_client) - ${MAX_CLIENTS}))`.execute(db);
    return id;
  }

  async client(id: string): Promise<OAuthClient | undefined> {
    if (!/^[0-9a-f-]{36}$/.test(id)) return undefined;
    return this.#db
      .selectFrom('oauth_client')
      .select(['id', 'name', 'redirect_uris'])
      .where(sql<string>`id::text`, '=', id)
      .executeTakeFirst();
  }

  /** @param db a transaction @returns a single-use code, valid for a minute */
  async grant(
    db: Db,
    given: {
      readonly clientId: string;
      readonly userId: string;
      readonly redirectUri: string;
      readonly challenge: string;
    },
  ): Promise<string> {
    await sql`select pg_advisory_xact_lock(${AdvisoryLock.assistants})`.execute(db);
    const now = this.#clock.now();
    const { id } = await db
      .insertInto('oauth_grant')
      .values({
        ...{ client_id: given.clientId, user_id: given.userId, redirect_uri: given.redirectUri },
        ...{
          code_challenge: given.challenge,
          created_at: this.#at(0, now),
          expires_at: this.#at(GRANT_MS, now),
        },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await sql`
      delete from oauth_grant where id in (
        select id from oauth_grant where user_id = ${given.userId} order by id desc offset ${MAX_GRANTS_OF_USER})`.execute(
      db,
    );
    const code = randomBytes(32).toString('base64url');
    await this.#store(db, id, 'code', code);
    return code;
  }

  /** @param verifier proves that the client is the one that requested the code */
  exchangeCode({ clientId, token }: Presented, redirectUri: string, verifier: string): Promise<Exchanged> {
    return this.#exchange('code', token, (grant) => {
      if (grant.client_id !== clientId) return 'the code of another client';
      if (grant.redirect_uri !== redirectUri) return 'another redirect address';
      const challenge = hash('sha256', verifier, 'base64url');
      return challenge === grant.code_challenge ? undefined : 'the verifier does not match';
    });
  }

  refresh({ clientId, token }: Presented): Promise<Exchanged> {
    return this.#exchange('refresh', token, (grant) =>
      grant.client_id === clientId ? undefined : 'the token of another client',
    );
  }

  /** Ends the grant of a token of any type. @returns the user and client, if there was one */
  async revoke(
    db: Db,
    token: string,
  ): Promise<{ readonly user_id: string; readonly client_id: string } | undefined> {
    const ended = await db
      .deleteFrom('oauth_grant')
      .where('id', 'in', (eb) =>
        eb.selectFrom('oauth_token').select('grant_id').where('digest', '=', digestOf(token)),
      )
      .returning(['user_id', 'client_id'])
      .executeTakeFirst();
    this.forget();
    return ended;
  }

  /** Sign-ins of assistants that hold, newest first. */
  async list(userId: string): Promise<readonly UserGrant[]> {
    return this.#db
      .selectFrom('oauth_grant as grant')
      .innerJoin('oauth_client as client', 'client.id', 'grant.client_id')
      .select(['grant.id', 'client.name as client_name', 'grant.redirect_uri'])
      .select(['grant.created_at', 'grant.expires_at', 'grant.last_used_at'])
      .where('grant.user_id', '=', userId)
      .where('grant.expires_at', '>', this.#at(0))
      .orderBy('grant.id', 'desc')
      .execute();
  }

  /** Ends a sign-in of an assistant with all its tokens. Call `forget` after the transaction. @returns the name of the assistant */
  async end(db: Db, userId: string, grantId: number): Promise<string | undefined> {
    const ended = await db
      .deleteFrom('oauth_grant')
      .using('oauth_client')
      .whereRef('oauth_client.id', '=', 'oauth_grant.client_id')
      .where('oauth_grant.user_id', '=', userId)
      .where('oauth_grant.id', '=', grantId)
      .returning('oauth_client.name')
      .executeTakeFirst();
    return ended?.name;
  }

  /** @returns the user of an access token; `undefined` if it is invalid */
  async principalOf(token: string): Promise<UserPrincipal | undefined> {
    const live = await this.#live.get(token);
    return live !== undefined && live.expiresAt > this.#clock.now() ? live.principal : undefined;
  }

  /** Drops cached tokens after a change of users or grants. */
  forget(): void {
    this.#live.clear();
  }

  async sweep(): Promise<void> {
    const now = this.#at(0);
    await this.#db.deleteFrom('oauth_grant').where('expires_at', '<', now).execute();
    await this.#db
      .deleteFrom('oauth_token')
      .where('expires_at', '<', now)
      .where('used_at', 'is', null)
      .execute();
    await this.#db.deleteFrom('oauth_token').where('used_at', '<', this.#at(-USED_MS)).execute();
    await sql`
      delete from oauth_grant where not exists (select from oauth_token where grant_id = oauth_grant.id)`.execute(
      this.#db,
    );
    await sql`
      delete from oauth_client where created_at < ${this.#at(-UNUSED_CLIENT_MS)}::timestamptz
        and not exists (select from oauth_grant where client_id = oauth_client.id)`.execute(this.#db);
  }

  async #exchange(
    kind: 'code' | 'refresh',
    token: string,
    faultOf: (grant: {
      readonly client_id: string;
      readonly redirect_uri: string;
      readonly code_challenge: string;
    }) => string | undefined,
  ): Promise<Exchanged> {
    const exchanged = await this.#db.transaction().execute(async (db): Promise<Exchanged> => {
      const row = await db
        .selectFrom('oauth_token as token')
        .innerJoin('oauth_grant as grant', 'grant.id', 'token.grant_id')
        .innerJoin('user_account as user', 'user.id', 'grant.user_id')
        .select(['token.used_at', 'token.expires_at', 'grant.id', 'grant.client_id', 'grant.user_id'])
        .select([
          'grant.redirect_uri',
          'grant.code_challenge',
          'grant.expires_at as ends_at',
          'user.is_disabled',
        ])
        .where('token.digest', '=', digestOf(token))
        .where('token.kind', '=', kind)
        // The second of two concurrent requests with one token waits, and then finds the token used.
        .forUpdate(['token', 'grant'])
        .executeTakeFirst();
      if (row === undefined) return { reason: `an unknown ${kind}` };
      const now = this.#clock.now();
      const isOver = [row.expires_at, row.ends_at].some((time) => Date.parse(time) <= now);
      const fault =
        row.used_at !== null
          ? `a ${kind} that was already used`
          : isOver
            ? `an expired ${kind}`
            : row.is_disabled
              ? 'a disabled user'
              : faultOf(row);
      if (fault !== undefined) {
        await db.deleteFrom('oauth_grant').where('id', '=', row.id).execute();
        return { reason: fault, userId: row.user_id };
      }
      await db
        .updateTable('oauth_token')
        .set({ used_at: this.#at(0) })
        .where('digest', '=', digestOf(token))
        .execute();
      await db
        .deleteFrom('oauth_token')
        .where('grant_id', '=', row.id)
        .where('kind', '=', 'access')
        .execute();
      const tokens = { access: newToken('a'), refresh: newToken('r') };
      await this.#store(db, row.id, 'access', tokens.access);
      await this.#store(db, row.id, 'refresh', tokens.refresh);
      return { tokens, userId: row.user_id };
    });
    this.forget();
    return exchanged;
  }

  async #store(db: Db, grantId: number, kind: OAuthTokenTable['kind'], token: string): Promise<void> {
    const expires_at = this.#at(LIVES_MS[kind]);
    await db
      .insertInto('oauth_token')
      .values({ digest: digestOf(token), grant_id: grantId, kind, expires_at })
      .execute();
  }

  async #load(token: string): Promise<Live | undefined> {
    const row = await this.#db
      .selectFrom('oauth_token as token')
      .innerJoin('oauth_grant as grant', 'grant.id', 'token.grant_id')
      .innerJoin('user_account as user', 'user.id', 'grant.user_id')
      .select(['token.expires_at', 'grant.expires_at as ends_at', 'grant.id as grant_id'])
      .select(['user.id', 'user.principal_name', 'user.email_address', 'user.role_id', 'user.environments'])
      .where('token.digest', '=', digestOf(token))
      .where('token.kind', '=', 'access')
      .where('user.is_disabled', '=', false)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    await this.#noteUse(row.grant_id);
    const expiresAt = Math.min(Date.parse(row.expires_at), Date.parse(row.ends_at));
    return { principal: userPrincipal(row), expiresAt };
  }

  async #noteUse(grantId: number): Promise<void> {
    await this.#db
      .updateTable('oauth_grant')
      .set({ last_used_at: this.#at(0) })
      .where('id', '=', grantId)
      .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', this.#at(-NOTED_MS))]))
      .execute();
  }

  #at(milliseconds: number, now = this.#clock.now()): string {
    return new Date(now + milliseconds).toISOString();
  }
}
