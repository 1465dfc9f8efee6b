/** `clew admin backup` and `clew admin restore`: all data of an installation in one file. */

import { resolve, sep } from 'node:path';
import { counted } from '@clew/model';
import type { ThingCommand } from '../connection.ts';
import type { Context, Environment } from '../context.ts';
import { CommandError, EXIT } from '../failure.ts';
import { printable } from '../terminal/text.ts';
import { withMachineFaults } from './machineFaults.ts';

export interface BackupOptions {
  readonly encrypt?: boolean;
  readonly withKey?: boolean;
  readonly keep?: number;
}

/** Variable with the passphrase, for commands that a timer starts. */
const PASSPHRASE = 'CLEW_BACKUP_PASSPHRASE';

export const backup: ThingCommand<BackupOptions> = async (context, path, options) => {
  const { env, err, out, signal } = context;
  const isSealed = options.encrypt === true || options.withKey === true;
  const service = await import('@clew/service');
  const passphrase = (await givenPassphrase(env)) ?? (isSealed ? await newPassphrase(context) : undefined);
  if (passphrase !== undefined && passphrase.length < service.MIN_PASSPHRASE)
    throw new CommandError(`a passphrase needs at least ${service.MIN_PASSPHRASE} characters`, EXIT.usage);
  const { withKey, keep } = options;
  const wish = { path: pathOf(context, path), passphrase, withKey, keep, signal };
  const done = await withMachineFaults(() =>
    service.backUp(service.readConfig(env), wish, service.createLogger('warn')),
  );
  out.write(`${printable(done.file)}\n`);
  err.write(
    `${counted(done.tables, 'table')}, ${done.bytes} bytes, ${passphrase === undefined ? 'readable by anyone who has the file' : 'encrypted'}.\n`,
  );
  if (withKey !== true)
    err.write(
      'The backup does not contain the secret key: keep CLEW_SECRET_KEY or the file secret.key in another place.\n',
    );
  for (const file of done.deleted) err.write(`Deleted ${printable(file)}.\n`);
  if (done.undeleted !== null) throw new CommandError(`the backup is complete, but ${done.undeleted}`);
};

/** Keeps the slash at the end, which names a directory. */
const pathOf = ({ directory }: Context, path: string): string =>
  resolve(directory, path) + (/[\\/]$/.test(path) ? sep : '');

/** @throws CommandError if its file cannot be read */
async function givenPassphrase(env: Environment): Promise<string | undefined> {
  const service = await import('@clew/service');
  try {
    return service.secretOf(env, PASSPHRASE);
  } catch (error) {
    throw new CommandError((error as Error).message, EXIT.usage);
  }
}

/** A typing error would only be noticed when the backup is needed. */
async function newPassphrase(context: Context): Promise<string> {
  const passphrase = await context.askSecret('Passphrase of the backup (at least 12 characters): ');
  if (context.repeatsSecrets !== true) return passphrase;
  if ((await context.askSecret('Repeat the passphrase: ')) !== passphrase)
    throw new CommandError('the passphrases do not match', EXIT.usage);
  return passphrase;
}

export async function restoreFrom(context: Context, path: string): Promise<void> {
  const { env, err } = context;
  const service = await import('@clew/service');
  const file = resolve(context.directory, path);
  const done = await withMachineFaults(async () => {
    const isSealed = await service.isSealed(file);
    const passphrase =
      (await givenPassphrase(env)) ??
      (isSealed ? await context.askSecret('Passphrase of the backup: ') : undefined);
    return service.restore(service.readConfig(env), file, passphrase, service.createLogger('warn'));
  });
  err.write(`Restored the backup of ${printable(done.madeAt)}; start the service with "clew serve".\n`);
  for (const table of done.leftOut)
    err.write(`The table ${printable(table)} does not belong to Clew and was skipped.\n`);
  if (done.key === 'missing')
    err.write(
      'The backup did not contain the secret key: set CLEW_SECRET_KEY, or restore the file secret.key, before you start the service.\n',
    );
}
