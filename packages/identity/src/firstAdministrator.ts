/**
 * The first administrator of an installation, created when no user exists yet. A generated password is stored encrypted until the first
 * sign-in: if the first start ends before anyone reads it (the port is in use, the terminal is closed), the next start shows it again.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { ConfigError, storableText } from '@clew/common';
import { roleByName } from '@clew/model';
import type { Db } from '@clew/store';
import { sql } from 'kysely';
import { passwordFault } from './passwordPolicy.ts';
import type { PasswordHasher } from './passwords.ts';
import { type ResealSecrets, resealSetting } from './reseal.ts';
import type { SecretBox } from './secretBox.ts';
import { setSecret } from './secrets.ts';

/** Without letters and digits that look similar, because users type it. 24 of them have 139 bits. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';
const GENERATED_LENGTH = 24;

export interface FirstAdministrator {
  readonly name: string;
  /** Set only if it was generated, and no user has signed in since. */
  readonly generatedPassword?: string;
}

/** The configured administrator. */
export interface WantedAdministrator {
  readonly name: string;
  readonly email: string;
  readonly password: string | undefined;
}

const GENERATED = 'first_administrator.password';

/** The stored part of a generated password, and the name of its user. */
interface Kept {
  readonly name: string;
  /** Base64. */
  readonly sealed: string;
}

/**
 * @param wanted from the configuration; a missing password is generated @returns `undefined` if there are users and
 * one has signed in: then the configuration is ignored @throws ConfigError if the password breaks the rules for passwords
 */
export async function ensureFirstAdministrator(
  db: Db,
  { hasher, box }: { readonly hasher: PasswordHasher; readonly box: SecretBox },
  { name, email, password }: WantedAdministrator,
  now: number,
): Promise<FirstAdministrator | undefined> {
  if (await hasUsers(db)) return keptPassword(db, box);
  const fault = password === undefined ? undefined : passwordFault(password);
  if (fault !== undefined) throw new ConfigError([`CLEW_ADMIN_PASSWORD: ${fault}`]);
  const secret = password ?? generatePassword();
  const digest = await hasher.hash(secret);
  const made = await db.transaction().execute(async (transaction) => {
    // If several processes start at once, one creates the administrator, and the others find it.
    await sql`lock table user_account in exclusive mode`.execute(transaction);
    if (await hasUsers(transaction)) return false;
    const id = randomUUID();
    await transaction
      .insertInto('user_account')
      .values({
        id,
        principal_name: storableText(name),
        email_address: storableText(email),
        first_name: 'Clew',
        last_name: 'Administrator',
        role_id: roleByName('Administrator').id,
      })
      .execute();
    await setSecret(transaction, id, digest, { now });
    if (password === undefined) {
      const kept: Kept = { name, sealed: box.seal(secret, GENERATED).toString('base64') };
      await transaction
        .insertInto('setting')
        .values({ key: GENERATED, value: JSON.stringify(kept) })
        .execute();
    }
    return true;
  });
  if (!made) return keptPassword(db, box);
  return password === undefined ? { name, generatedPassword: secret } : { name };
}

async function keptPassword(db: Db, box: SecretBox): Promise<FirstAdministrator | undefined> {
  const row = await db.selectFrom('setting').select('value').where('key', '=', GENERATED).executeTakeFirst();
  if (row === undefined) return undefined;
  const { name, sealed } = row.value as Kept;
  return { name, generatedPassword: box.open(Buffer.from(sealed, 'base64'), GENERATED) };
}

export const resealGeneratedPassword: ResealSecrets = (transaction, reseal) =>
  resealSetting(transaction, { key: GENERATED, member: 'sealed' satisfies keyof Kept }, reseal);

/** @returns whether a password was generated with which no user has signed in yet */
export async function hasGeneratedPassword(db: Db): Promise<boolean> {
  const row = await db.selectFrom('setting').select('key').where('key', '=', GENERATED).executeTakeFirst();
  return row !== undefined;
}

/** Call this after a user signed in, or the password was reset: the generated one is then known or useless. */
export async function forgetGeneratedPassword(db: Db): Promise<void> {
  await db.deleteFrom('setting').where('key', '=', GENERATED).execute();
}

async function hasUsers(db: Db): Promise<boolean> {
  return (await db.selectFrom('user_account').select('id').limit(1).executeTakeFirst()) !== undefined;
}

export function generatePassword(): string {
  return Array.from({ length: GENERATED_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
