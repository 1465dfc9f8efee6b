/** The first administrator of an installation, made when there is no user yet. */
import { randomInt, randomUUID } from 'node:crypto';
import { roleByName } from '@clew/model';
import type { Db } from '@clew/store';
import { sql } from 'kysely';
import { storableText } from '../operation/storableText.ts';
import type { PasswordHasher } from './passwords.ts';
import { insertSecret } from './secrets.ts';

/** No letters or digits that look alike: people type this one. 24 of them hold 139 bits. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';
const GENERATED_LENGTH = 24;

export interface FirstAdministrator {
  readonly name: string;
  /** Only when it was generated: this is the one chance to show it. */
  readonly generatedPassword?: string;
}

/**
 * @param password from the configuration; generated when there is none
 * @returns nothing when there are users already: then the configuration is not applied
 */
export async function ensureFirstAdministrator(
  db: Db,
  hasher: PasswordHasher,
  name: string,
  password: string | undefined,
  now: number,
): Promise<FirstAdministrator | undefined> {
  if (await hasUsers(db)) return undefined;
  const secret = password ?? generatePassword();
  const digest = await hasher.hash(secret);
  const made = await db.transaction().execute(async (transaction) => {
    // Of several processes that start at once, one makes the administrator and the others see it.
    await sql`lock table user_account in exclusive mode`.execute(transaction);
    if (await hasUsers(transaction)) return false;
    const id = randomUUID();
    await transaction
      .insertInto('user_account')
      .values({ id, principal_name: storableText(name), role_id: roleByName('Administrator').id })
      .execute();
    await insertSecret(transaction, id, digest, now);
    return true;
  });
  if (!made) return undefined;
  return password === undefined ? { name, generatedPassword: secret } : { name };
}

async function hasUsers(db: Db): Promise<boolean> {
  return (await db.selectFrom('user_account').select('id').limit(1).executeTakeFirst()) !== undefined;
}

function generatePassword(): string {
  return Array.from({ length: GENERATED_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
