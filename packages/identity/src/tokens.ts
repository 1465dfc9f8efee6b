/**
 * API tokens: a public id, and a key that signs. The key is shown once, when the token is created; the database stores it encrypted,
 * because verifying a signature requires the key. Rule: `docs/reference/api.md#api-tokens`.
 */
import { hash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { FreshCache, type Principal } from '@clew/common';
import type { AuthTokenTable, Db } from '@clew/store';
import { type Selectable, sql } from 'kysely';
import { type Clock, systemClock } from './clock.ts';
import { clientPrincipal, tokenPrincipal } from './principals.ts';
import type { ResealSecrets } from './reseal.ts';
import type { SecretBox } from './secretBox.ts';

const KEY_BYTES = 64;
const HMAC_METHOD = 'hmac-sha2-256';
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** @param text in lower case */
export const isTokenId = (text: string): boolean => UUID.test(text);

/** @returns the id for the log; nothing for another text, which may be a secret in the wrong place */
export const loggedTokenId = (text: string): string | undefined => (isTokenId(text) ? text : undefined);

/** Compares digests, so that neither time nor length reveals anything. */
export function isSameSecret(expected: string, given: string): boolean {
  const [first, second] = [expected, given].map((text) => hash('sha256', text, 'buffer'));
  return timingSafeEqual(first, second);
}

export type TokenRow = Omit<Selectable<AuthTokenTable>, 'sealed_key'>;

export const TOKEN_COLUMNS = [
  'id',
  'user_id',
  'client_id',
  'name',
  'hmac_method',
  'expires_at',
  'last_access',
  'created_by',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof TokenRow)[];

export interface NewToken {
  readonly owner: { readonly user_id: string } | { readonly client_id: string };
  readonly name: string | null;
  readonly createdBy: string;
  /** Absent for a token that does not expire. */
  readonly expiresAt: string | null;
}

/** The data for verifying a signed request. */
export interface SigningIdentity {
  /** Milliseconds since the epoch; infinity for a token that does not expire. */
  readonly expiresAt: number;
  readonly key: string;
  readonly principal: Principal;
}

/** For the log only: clients must not learn which tokens exist. */
export type TokenRefusal = 'malformed token id' | 'unknown token or disabled owner' | 'key does not fit';

export class ApiTokens {
  readonly #db: Db;
  readonly #box: SecretBox;
  readonly #clock: Clock;
  readonly #identities: FreshCache<SigningIdentity | undefined>;
  /** Uses not yet written to the database: token id to milliseconds since the epoch. */
  #used = new Map<string, number>();

  constructor(db: Db, box: SecretBox, clock: Clock = systemClock) {
    this.#db = db;
    this.#box = box;
    this.#clock = clock;
    this.#identities = new FreshCache((tokenId) => this.#load(tokenId), clock);
  }

  /** @returns the row and the key, which cannot be read again */
  async create(db: Db, token: NewToken): Promise<{ readonly row: TokenRow; readonly key: string }> {
    const id = randomUUID();
    const key = randomBytes(KEY_BYTES).toString('base64');
    const row = await db
      .insertInto('auth_token')
      .values({
        id,
        ...token.owner,
        name: token.name,
        sealed_key: this.#box.seal(key, purposeOf(id)),
        hmac_method: HMAC_METHOD,
        created_by: token.createdBy,
        expires_at: token.expiresAt,
      })
      .returning(TOKEN_COLUMNS)
      .executeTakeFirstOrThrow();
    return { row, key };
  }

  /** Call `forget` after the transaction. */
  async delete(db: Db, tokenId: string): Promise<void> {
    await db.deleteFrom('auth_token').where('id', '=', tokenId).execute();
  }

  async find(tokenId: string): Promise<TokenRow | undefined> {
    return this.#db
      .selectFrom('auth_token')
      .select(TOKEN_COLUMNS)
      .where('id', '=', tokenId)
      .executeTakeFirst();
  }

  /** @returns `undefined` for a token that does not exist, has expired, or has a disabled owner */
  async identityOf(tokenId: string): Promise<SigningIdentity | undefined> {
    const identity = await this.#identities.get(tokenId);
    return identity !== undefined && identity.expiresAt > this.#clock.now() ? identity : undefined;
  }

  /** Signs in a client that shows its key because it cannot sign. @returns the identity, or the reason of the refusal */
  async signIn(tokenId: string, key: string): Promise<SigningIdentity | TokenRefusal> {
    if (!isTokenId(tokenId)) return 'malformed token id';
    const identity = await this.identityOf(tokenId);
    if (identity === undefined) return 'unknown token or disabled owner';
    if (!isSameSecret(identity.key, key)) return 'key does not fit';
    this.noteUse(tokenId, this.#clock.now());
    return identity;
  }

  /** Drops cached tokens after a change of tokens or users. */
  forget(): void {
    this.#identities.clear();
  }

  /** Records a use, which the next `writeUses` stores. */
  noteUse(tokenId: string, now: number): void {
    this.#used.set(tokenId, now);
  }

  async writeUses(): Promise<void> {
    if (this.#used.size === 0) return;
    const used = this.#used;
    this.#used = new Map();
    const times = [...used.values()].map((time) => new Date(time).toISOString());
    await sql`
      update auth_token token
      set last_access = greatest(token.last_access, used.at)
      from unnest(${[...used.keys()]}::uuid[], ${times}::timestamptz[]) as used (id, at)
      where token.id = used.id
    `.execute(this.#db);
  }

  async #load(tokenId: string): Promise<SigningIdentity | undefined> {
    const token = await this.#db
      .selectFrom('auth_token')
      .select(['sealed_key', 'expires_at', 'user_id', 'client_id'])
      .where('id', '=', tokenId)
      .executeTakeFirst();
    const principal = token && (await this.#ownerOf(tokenId, token));
    return (
      principal && {
        key: this.#box.open(token.sealed_key, purposeOf(tokenId)),
        principal,
        expiresAt: token.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(token.expires_at),
      }
    );
  }

  async #ownerOf(
    tokenId: string,
    { user_id, client_id }: Pick<TokenRow, 'user_id' | 'client_id'>,
  ): Promise<Principal | undefined> {
    if (client_id !== null) {
      const client = await this.#db
        .selectFrom('collector_client')
        .select(['id', 'name'])
        .where('id', '=', client_id)
        .executeTakeFirst();
      return client && clientPrincipal(client, tokenId);
    }
    const user = await this.#db
      .selectFrom('user_account')
      .select(['id', 'principal_name', 'email_address', 'role_id', 'environments'])
      .where('id', '=', user_id)
      .where('is_disabled', '=', false)
      .executeTakeFirst();
    return user && tokenPrincipal(user, tokenId);
  }
}

export const resealTokens: ResealSecrets = async (transaction, reseal) => {
  const rows = await transaction.selectFrom('auth_token').select(['id', 'sealed_key']).execute();
  for (const { id, sealed_key } of rows)
    await transaction
      .updateTable('auth_token')
      .set({ sealed_key: reseal(sealed_key, purposeOf(id)) })
      .where('id', '=', id)
      .execute();
  return rows.length;
};

function purposeOf(tokenId: string): string {
  return `auth_token:${tokenId}`;
}
