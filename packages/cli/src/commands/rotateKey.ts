/** `clew admin rotate-key`: replaces the root key of an installation while its service is stopped. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { counted } from '@clew/model';
import type { Context } from '../context.ts';
import { printable } from '../terminal/text.ts';
import { withMachineFaults } from './machineFaults.ts';

export interface RotateKeyOptions {
  readonly newKeyFile?: string;
}

export async function rotateKey(context: Context, { newKeyFile }: RotateKeyOptions): Promise<void> {
  const { err } = context;
  const service = await import('@clew/service');
  const done = await withMachineFaults(async () => {
    const newKey =
      newKeyFile === undefined
        ? undefined
        : (await readFile(resolve(context.directory, newKeyFile), 'utf8')).trim();
    return service.rotateInstallationKey(
      service.readConfig(context.env),
      newKey,
      service.createLogger('warn'),
    );
  });
  err.write(
    done.secrets === undefined
      ? 'Finished the rotation that was interrupted.\n'
      : `${counted(done.secrets, 'secret')} encrypted with the new key; all sessions are ended.\n`,
  );
  if (done.file === undefined) {
    err.write('Set CLEW_SECRET_KEY to the new key in all processes before you start them.\n');
    return;
  }
  err.write(`The new key is in ${printable(done.file)}.\n`);
  err.write(
    `Older backups without the key need the previous one, in ${printable(done.previous ?? '')}: delete it if you keep no such backup.\n`,
  );
}
