/** Uploads a file that is attached to an acceptance, to a template of reasons, or to a started plan. */
import { readFile, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { MAX_ATTACHMENT_BYTES, MAX_ATTACHMENT_TEXT } from '@clew/api';
import type { ClewClient } from '@clew/client';
import type { Context } from './context.ts';
import { CommandError } from './failure.ts';
import { printable } from './terminal/text.ts';

/** @returns the number of the uploaded file @throws CommandError for a file that cannot be read or is too large */
export async function uploadAttachment(
  { directory, signal }: Pick<Context, 'directory' | 'signal'>,
  client: Pick<ClewClient, 'call'>,
  path: string,
): Promise<number> {
  const file = resolve(directory, path);
  const { size } = await stat(file).catch(() => {
    throw new CommandError(`the file ${printable(path)} cannot be read`);
  });
  if (size > MAX_ATTACHMENT_BYTES)
    throw new CommandError(`the file ${printable(path)} is larger than ${MAX_ATTACHMENT_TEXT}`);
  const body = { name: basename(file), content: (await readFile(file)).toString('base64') };
  return (await client.call('UploadAttachment', { body }, { signal })).data.id;
}
