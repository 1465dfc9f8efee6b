/** Secrets of the command line in files that only their user may read. */
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Context } from './context.ts';
import { CommandError } from './failure.ts';

const MAX_SECRET_BYTES = 2 ** 20;

export const exists = async (path: string | undefined): Promise<boolean> =>
  path !== undefined &&
  path !== '' &&
  (await stat(path).then(
    () => true,
    () => false,
  ));

/** @throws CommandError for a file that others may read, or that belongs to another user */
export async function secretFile(
  { directory }: Pick<Context, 'directory'>,
  path: string,
  maxBytes = MAX_SECRET_BYTES,
): Promise<Buffer> {
  const full = resolve(directory, path);
  const { mode, uid, size } = await stat(full);
  const own = process.getuid?.();
  const fault = own === undefined ? undefined : secretFault({ mode, uid }, own);
  if (fault !== undefined) throw new CommandError(`${full} ${fault}`);
  if (size > maxBytes) throw new CommandError(`${full} is too large`);
  return readFile(full);
}

/**
 * A file of root may be readable by its group: systemd gives a credential to the user of a service by an access list, which appears as
 * group rights (0440).
 *
 * @param own the user who reads it
 * @returns the problem with its owner or rights, as a phrase after its name; undefined if it has none
 */
export function secretFault(
  { mode, uid }: { readonly mode: number; readonly uid: number },
  own: number,
): string | undefined {
  if (uid !== own && uid !== 0) return 'belongs to another user: its owner could change the secret';
  const others = uid === own ? 0o077 : 0o037;
  return (mode & others) === 0 ? undefined : 'can be read or changed by others: chmod 600';
}
