/**
 * The root key of an installation, from which the keys that encrypt secrets and sign sessions are derived. It comes from `CLEW_SECRET_KEY`,
 * else from a file in the data directory that is created at the first start.
 */
import { hkdfSync, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '@clew/store';

const KEY_BYTES = 32;
const OWNER_ONLY = 0o600;
const OTHERS = 0o077;
export const SECRET_KEY_FILE = 'secret.key';
/** Setting of a database: the fingerprint of its key. */
export const FINGERPRINT = 'secret_key_fingerprint';
/** Shorter keys can be guessed. */
export const MIN_SECRET_KEY_LENGTH = 32;

export interface InstallationKeys {
  /** Encrypts token keys and other secrets. */
  readonly sealing: Uint8Array;
  /** Signs session tokens. */
  readonly session: Uint8Array;
  /** Identifies the key of a database without revealing it. */
  readonly fingerprint: Buffer;
}

export class InstallationKeyError extends StartError {
  override readonly name = 'InstallationKeyError';
}

/**
 * @param secretKey value of `CLEW_SECRET_KEY`, if set @param dataDirectory directory of the key file, if `secretKey`
 * is not set @param hasKey whether the database was created with a key: a missing file is then not created, because a new key would look
 * like the lost one @throws InstallationKeyError if the configured key is too short, or the file is empty or lost
 */
export async function loadInstallationKeys(
  secretKey: string | undefined,
  dataDirectory: string,
  hasKey = false,
): Promise<InstallationKeys> {
  const root = secretKey ?? (await readOrMakeKeyFile(dataDirectory, hasKey));
  requireLength(root, secretKey === undefined ? join(dataDirectory, SECRET_KEY_FILE) : 'CLEW_SECRET_KEY');
  return keysOf(root);
}

/** @param origin for the message @throws InstallationKeyError if the key is too short */
export function requireLength(root: string, origin: string): void {
  if (root.length < MIN_SECRET_KEY_LENGTH)
    throw new InstallationKeyError(`${origin} must have at least ${MIN_SECRET_KEY_LENGTH} characters`);
}

export const keysOf = (root: string): InstallationKeys => ({
  sealing: derive(root, 'clew secret sealing'),
  session: derive(root, 'clew session tokens'),
  fingerprint: fingerprintOf(root),
});

/** @returns the key of an installation, if there is one */
export async function presentKey({
  secretKey,
  dataDir,
}: {
  readonly secretKey?: string;
  readonly dataDir: string;
}): Promise<string | undefined> {
  if (secretKey !== undefined) return secretKey;
  return existsSync(join(dataDir, SECRET_KEY_FILE)) ? readKeyFile(dataDir) : undefined;
}

export const readKeyFile = async (dataDirectory: string, name = SECRET_KEY_FILE): Promise<string> =>
  (await readFile(join(dataDirectory, name), 'utf8')).trim();

/** @param root key of an installation @returns the fingerprint stored in a database */
export const fingerprintOf = (root: string): Buffer => Buffer.from(derive(root, 'clew key fingerprint'));

function derive(root: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', root, '', purpose, KEY_BYTES));
}

async function readOrMakeKeyFile(dataDirectory: string, hasKey: boolean): Promise<string> {
  const path = join(dataDirectory, SECRET_KEY_FILE);
  if (!(await stat(path).then(Boolean, isMissing))) {
    if (hasKey)
      throw new InstallationKeyError(
        `${path} is missing: restore the file from the time when the database was created, or set CLEW_SECRET_KEY`,
      );
    await writeKeyFile(dataDirectory, randomBytes(KEY_BYTES).toString('base64'));
  }
  // Windows has no such modes; its data directory is already private to the user.
  if (process.platform !== 'win32' && ((await stat(path)).mode & OTHERS) !== 0) await chmod(path, OWNER_ONLY);
  return readKeyFile(dataDirectory);
}

/** Does not change an existing file. The file is created atomically, so a crash or a race cannot truncate a key. */
export async function writeKeyFile(
  dataDirectory: string,
  root: string,
  name = SECRET_KEY_FILE,
): Promise<void> {
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  const path = join(dataDirectory, name);
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(draft, `${root}\n`, { mode: OWNER_ONLY, flag: 'wx', flush: true });
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

function isMissing(error: NodeJS.ErrnoException): false {
  if (error.code !== 'ENOENT') throw error;
  return false;
}
