/**
 * Secrets from files: `CLEW_SECRET_KEY_FILE=/run/secrets/key` instead of `CLEW_SECRET_KEY`, as container platforms and systemd credentials
 * provide them. A value in the environment is inherited by every child process and visible in process lists.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/** Variables of the service that contain secrets, which may also be given as files. */
export const SECRET_VARIABLES = [
  ...['CLEW_DATABASE_URL', 'CLEW_REPLICA_URL', 'CLEW_SECRET_KEY', 'CLEW_ADMIN_PASSWORD'],
  ...['CLEW_METRICS_TOKEN', 'CLEW_BACKUP_PASSPHRASE'],
] as const;

export type SecretVariable = (typeof SECRET_VARIABLES)[number];

const MAX_BYTES = 64 * 1024;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * @returns the value of the variable or the contents of its file, without surrounding white space; `undefined` if both are unset or empty
 * @throws Error with the complete message if both are set, or the file cannot be read, is empty, or is larger than 64 KiB
 */
export function secretOf(env: Environment, name: SecretVariable): string | undefined {
  const value = env[name]?.trim() || undefined;
  const path = env[`${name}_FILE`]?.trim();
  if (!path) return value;
  if (value !== undefined) throw new Error(`${name} and ${name}_FILE are both set: unset one of them`);
  const text = contentOf(path, `${name}_FILE`);
  if (text === '') throw new Error(`${name}_FILE is ${path}, which is empty`);
  return text;
}

function contentOf(path: string, variable: string): string {
  let file: number;
  try {
    // Opening a pipe would wait for its writer before the file type is known.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw new Error(
      `${variable} is ${path}, which cannot be read (${(error as NodeJS.ErrnoException).code})`,
    );
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new Error(`${variable} is ${path}, which is not a file`);
    if (stats.size > MAX_BYTES) throw new Error(`${variable} is ${path}, which is larger than 64 KiB`);
    return readFileSync(file, 'utf8').trim();
  } finally {
    closeSync(file);
  }
}
