/**
 * Replaces the root key of an installation while no service runs: encrypts all stored secrets again in one transaction. The new key is in a
 * file before the transaction commits, so that no crash loses it; another call finishes an interrupted one.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, link, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, type DatabaseLog, type Db, migrate, openDatabase, StartError } from '@clew/store';
import { sql } from 'kysely';
import type { Place } from './backups/backups.ts';
import { resealGeneratedPassword } from './firstAdministrator.ts';
import {
  FINGERPRINT,
  fingerprintOf,
  keysOf,
  presentKey,
  readKeyFile,
  requireLength,
  SECRET_KEY_FILE,
  writeKeyFile,
} from './installationKey.ts';
import { hasStore, STORE_SETTINGS } from './installedStore.ts';
import { resealOneTimePasswords } from './oneTimePasswords.ts';
import type { Reseal, ResealSecrets } from './reseal.ts';
import { SecretBox } from './secretBox.ts';
import { resealSigningKey } from './sso/signingKey.ts';
import { resealTokens } from './tokens.ts';

/** The key is not replaced; the message has the reason. */
export class KeyRotationError extends StartError {
  override readonly name = 'KeyRotationError';
}

export interface KeyRotation {
  /** Number of secrets that are encrypted with the new key; undefined if only an interrupted call was finished. */
  readonly secrets: number | undefined;
  /** File with the new key; undefined if the key of the service is in `CLEW_SECRET_KEY`. */
  readonly file: string | undefined;
  /** File with the previous key. */
  readonly previous: string | undefined;
}

export interface WantedRotation {
  /** Generated if absent. */
  readonly newKey?: string;
  /** The encrypted secrets of other capabilities. */
  readonly others: readonly ResealSecrets[];
}

const NEW_KEY_FILE = `${SECRET_KEY_FILE}.new`;
const PREVIOUS_KEY_FILE = `${SECRET_KEY_FILE}.previous`;
const APPLICATION = 'clew rotate-key';
const OWN_SECRETS: readonly ResealSecrets[] = [
  ...[resealTokens, resealOneTimePasswords, resealGeneratedPassword, resealSigningKey],
];

/**
 * @throws DirectoryInUseError if a service uses the data directory
 * @throws KeyRotationError if a service uses the database, a key is missing or too short, or the key is not that of the database
 */
export async function rotateKey(
  place: Place,
  { newKey, others }: WantedRotation,
  log: DatabaseLog,
): Promise<KeyRotation> {
  const { databaseUrl, dataDir, secretKey } = place;
  if (secretKey !== undefined && newKey === undefined)
    throw new KeyRotationError('the key of the service is in CLEW_SECRET_KEY: give the new one in a file');
  if (newKey !== undefined) requireLength(newKey, 'the new key');
  if (!hasStore(place)) throw new KeyRotationError(`there is no database in ${dataDir}: ${STORE_SETTINGS}`);
  await using stack = new AsyncDisposableStack();
  const options = { databaseUrl, dataDirectory: dataDir, log, applicationName: APPLICATION };
  const database = await openDatabase(options);
  stack.defer(() => database.close());
  if (databaseUrl === undefined) await migrate(database.pool);
  if (await finishInterrupted(place, database.db)) return { secrets: undefined, ...filesOf(dataDir) };

  const present = await presentKey(place);
  if (present === undefined)
    throw new KeyRotationError(`there is no secret key in ${dataDir}: set CLEW_SECRET_KEY or CLEW_DATA_DIR`);
  const root = newKey ?? randomBytes(32).toString('base64');
  if (root === present) throw new KeyRotationError('the new key is the present one');
  const keys = { present, root };
  if (secretKey !== undefined)
    return { secrets: await resealAll(database, keys, others), file: undefined, previous: undefined };
  // Left by a call that was interrupted before its transaction committed.
  await rm(join(dataDir, NEW_KEY_FILE), { force: true });
  await writeKeyFile(dataDir, root, NEW_KEY_FILE);
  const secrets = await resealAll(database, keys, others);
  await replaceKeyFile(dataDir);
  return { secrets, ...filesOf(dataDir) };
}

const filesOf = (dataDir: string) => ({
  file: join(dataDir, SECRET_KEY_FILE),
  previous: join(dataDir, PREVIOUS_KEY_FILE),
});

/** The previous key stays for backups that were made with it. The new file belongs to the user of the service, also if root calls this. */
async function replaceKeyFile(dataDir: string): Promise<void> {
  const { file, previous } = filesOf(dataDir);
  const { uid, gid } = await stat(file);
  if (process.getuid?.() === 0) await chown(join(dataDir, NEW_KEY_FILE), uid, gid);
  await rm(previous, { force: true });
  await link(file, previous);
  await rename(join(dataDir, NEW_KEY_FILE), file);
}

/** @returns whether the transaction of an earlier call committed, but its key was not yet in place; it is then in place */
async function finishInterrupted({ dataDir, secretKey }: Place, db: Db): Promise<boolean> {
  if (secretKey !== undefined || !existsSync(join(dataDir, NEW_KEY_FILE))) return false;
  const waiting = await readKeyFile(dataDir, NEW_KEY_FILE);
  if (waiting === '' || (await storedFingerprint(db)) !== fingerprintOf(waiting).toString('hex'))
    return false;
  await replaceKeyFile(dataDir);
  return true;
}

async function storedFingerprint(db: Db): Promise<unknown> {
  const row = await db
    .selectFrom('setting')
    .select('value')
    .where('key', '=', FINGERPRINT)
    .executeTakeFirst();
  return row?.value;
}

interface Keys {
  readonly present: string;
  /** The new one. */
  readonly root: string;
}

function resealAll({ db }: Database, keys: Keys, others: readonly ResealSecrets[]): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    // A service that starts reads this table first: it waits, and then finds the new fingerprint.
    await sql`lock table setting in access exclusive mode`.execute(transaction);
    await requireNoService(transaction);
    const fingerprint = fingerprintOf(keys.present).toString('hex');
    if ((await storedFingerprint(transaction)) !== fingerprint)
      throw new KeyRotationError(
        'the secret key does not match the database: set CLEW_SECRET_KEY or CLEW_DATA_DIR as for the service',
      );
    const from = new SecretBox(keysOf(keys.present).sealing);
    const to = new SecretBox(keysOf(keys.root).sealing);
    const reseal: Reseal = (sealed, purpose) => to.seal(from.open(sealed, purpose), purpose);
    let count = 0;
    for (const each of [...OWN_SECRETS, ...others]) count += await each(transaction, reseal);
    await transaction
      .updateTable('setting')
      .set({ value: JSON.stringify(fingerprintOf(keys.root).toString('hex')) })
      .where('key', '=', FINGERPRINT)
      .execute();
    await endSessions(transaction);
    await noteRotation(transaction, count);
    return count;
  });
}

/** @throws KeyRotationError if another process of Clew is connected: it would continue with the previous key */
async function requireNoService(transaction: Db): Promise<void> {
  const { rows } = await sql<{ connections: number }>`
    select count(*)::int as connections from pg_stat_activity
     where datname = current_database() and application_name like 'clew%' and application_name <> ${APPLICATION}
  `.execute(transaction);
  if (rows[0].connections > 0)
    throw new KeyRotationError(
      'a service is connected to the database: stop all of its processes first, because they would continue with the previous key',
    );
}

/** Their tokens are signed with the previous key. */
const endSessions = (transaction: Db) =>
  transaction
    .updateTable('user_session')
    .set({ ended_at: new Date() })
    .where('ended_at', 'is', null)
    .execute();

const noteRotation = (transaction: Db, secrets: number) =>
  transaction
    .insertInto('audit_log')
    .values({
      ...{ actor_id: null, actor_name: 'clew admin rotate-key', actor_email: null },
      ...{ action: 'RotateSecretKey', fields: JSON.stringify({ secrets }), request_id: null },
      ...{ source_ip_address: '', status: 'success' as const, commit_id: randomUUID() },
    })
    .execute();
