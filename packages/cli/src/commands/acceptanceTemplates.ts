/** `clew acceptances templates`: templates of reasons for accepting risks, and files that are attached to acceptances. */

import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { AcceptanceTemplate } from '@clew/api';
import type { ClewClient } from '@clew/client';
import { counted } from '@clew/model';
import { type ConnectionOptions, connect, type ThingCommand } from '../connection.ts';
import type { Context } from '../context.ts';
import { CommandError } from '../failure.ts';
import { formatTable } from '../terminal/table.ts';
import { printable, writeJson } from '../terminal/text.ts';
import { uploadAttachment } from '../uploadAttachment.ts';

export interface TemplatesOptions extends ConnectionOptions {
  readonly json?: boolean;
}

const COLUMNS = [
  { title: 'ID', align: 'right' },
  { title: 'NAME' },
  { title: 'DAYS', align: 'right' },
  { title: 'FILES' },
  { title: 'REASON' },
] as const;

export async function acceptanceTemplates(context: Context, options: TemplatesOptions): Promise<void> {
  const { out, err, signal } = context;
  const all = await templatesOf(await connect(context, options), signal);
  if (options.json) return writeJson(out, all);
  if (all.length === 0) err.write('There are no templates.\n');
  const rows = all.map(({ id, name, days, attachments, reason }) => [
    ...[id, name, days ?? '', attachments.map((file) => `${file.id} ${file.name}`).join(', '), reason],
  ]);
  out.write(formatTable(out, COLUMNS, rows));
}

const templatesOf = async (client: ClewClient, signal: AbortSignal): Promise<readonly AcceptanceTemplate[]> =>
  (await client.call('ListAcceptanceTemplates', { query: { limit: 1000 } }, { signal })).data;

export interface SetTemplateOptions extends ConnectionOptions {
  readonly reason?: string;
  readonly days?: number;
  readonly file?: readonly string[];
  readonly withoutFiles?: boolean;
}

/** Creates the template with the name, or changes it: options that are missing stay. */
export const setAcceptanceTemplate: ThingCommand<SetTemplateOptions> = async (context, name, options) => {
  const { err, signal } = context;
  const client = await connect(context, options);
  const before = named(await templatesOf(client, signal), name);
  const reason = options.reason ?? before?.reason;
  if (reason === undefined) throw new CommandError('a new template needs --reason');
  const kept = options.withoutFiles ? [] : (before?.attachments ?? []).map(({ id }) => id);
  const added: number[] = [];
  for (const path of options.file ?? []) added.push(await uploadAttachment(context, client, path));
  // 0 removes the default.
  const days = options.days === undefined ? (before?.days ?? null) : options.days === 0 ? null : options.days;
  const body = { name, reason, days, attachments: [...kept, ...added] };
  const { data } =
    before === undefined
      ? await client.call('CreateAcceptanceTemplate', { body }, { signal })
      : await client.call(
          'UpdateAcceptanceTemplate',
          { params: { template_id: before.id }, body },
          { signal },
        );
  err.write(`The template ${printable(data.name)} is ${before === undefined ? 'created' : 'changed'}.\n`);
};

export const removeAcceptanceTemplate: ThingCommand<ConnectionOptions> = async (context, name, options) => {
  const { err, signal } = context;
  const client = await connect(context, options);
  const found = await chosenTemplate(client, name, signal);
  await client.call('DeleteAcceptanceTemplate', { params: { template_id: found.id } }, { signal });
  err.write(`The template ${printable(found.name)} is removed. Acceptances that used it keep its files.\n`);
};

/** @throws CommandError if no template has the name */
export async function chosenTemplate(
  client: ClewClient,
  name: string,
  signal: AbortSignal,
): Promise<AcceptanceTemplate> {
  const found = named(await templatesOf(client, signal), name);
  if (found === undefined) throw new CommandError(`there is no template ${printable(name)}`);
  return found;
}

const named = (all: readonly AcceptanceTemplate[], name: string): AcceptanceTemplate | undefined =>
  all.find((one) => one.name.toLowerCase() === name.trim().toLowerCase());

export interface FileOptions extends ConnectionOptions {
  readonly out: string;
}

/** Saves a file under the name that the user chose; the name of the file is never used as a path. */
export async function saveAttachment(
  context: Context,
  id: number,
  { out, ...options }: FileOptions,
): Promise<void> {
  const { err, directory, signal } = context;
  const client = await connect(context, options);
  const bytes = await client.transport.send(
    { method: 'GET', target: `/api/v2/attachments/${id}`, signal },
    (answer) => answer.bytes(),
  );
  try {
    await writeFile(resolve(directory, out), bytes, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const isThere = (error as { code?: unknown }).code === 'EEXIST';
    throw new CommandError(
      isThere ? `${printable(out)} exists already` : `${printable(out)} cannot be written`,
    );
  }
  err.write(`${counted(bytes.length, 'byte')} written to ${printable(out)}.\n`);
}
