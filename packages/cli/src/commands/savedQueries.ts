/** `clew saved-queries` and `clew saved-query ...`: saved queries, their readers, and the changes of watched ones. */

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { AnswerOf } from '@clew/api';
import type { ClewClient } from '@clew/client';
import { counted } from '@clew/model';
import { type ConnectionOptions, connect, type ThingCommand } from '../connection.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../failure.ts';
import { cellText } from '../terminal/cell.ts';
import { formatTable } from '../terminal/table.ts';
import { jsonText, printable, writeJson } from '../terminal/text.ts';
import { shownTime } from '../terminal/time.ts';

export const QUERY_SCOPES = ['owned', 'shared', 'public', 'all'] as const;

interface ListOptions extends ConnectionOptions {
  readonly json?: boolean;
}

type SavedQuery = AnswerOf<'ListSavedQueries'>['data'][number];
type Watch = AnswerOf<'GetQueryWatch'>['data'];

const PAGE = 1000;

export async function savedQueries(
  context: Context,
  { scope, ...options }: ListOptions & { readonly scope: (typeof QUERY_SCOPES)[number] },
): Promise<void> {
  const { out, err, signal } = context;
  const client = await connect(context, options);
  const data = await all(client, scope, signal);
  const { data: watches } = await client.call('ListQueryWatches', {}, { signal });
  if (options.json) {
    const watchOf = (id: number): Watch | null => watches.find(({ query_id }) => query_id === id) ?? null;
    out.write(jsonText(data.map((query) => ({ ...query, watch: watchOf(query.id) }))));
    return;
  }
  if (data.length === 0) err.write('No saved queries; "clew saved-query add NAME QUERY" saves one.\n');
  const rows = data.map(({ id, name, scope: why, description }) => {
    const watch = watches.find(({ query_id }) => query_id === id);
    return [name, why, watch === undefined ? '' : watchText(watch), description];
  });
  out.write(
    formatTable(
      out,
      [{ title: 'NAME' }, { title: 'SCOPE' }, { title: 'WATCH' }, { title: 'DESCRIPTION' }],
      rows,
    ),
  );
}

function watchText({ error, found_at, row_count, last_change }: Watch): string {
  if (error !== null) return `failed: ${error}`;
  if (found_at === null) return 'waits for an analysis';
  if (last_change === null) return counted(row_count, 'row');
  return `${counted(row_count, 'row')}, +${last_change.new_count} -${last_change.gone_count} ${shownTime(last_change.at)}`;
}

async function all(
  client: ClewClient,
  scope: (typeof QUERY_SCOPES)[number],
  signal: AbortSignal | undefined,
): Promise<readonly SavedQuery[]> {
  const found: SavedQuery[] = [];
  for (;;) {
    const query = { scope, skip: found.length, limit: PAGE, sort_by: 'name' };
    const { data, count } = await client.call('ListSavedQueries', { query }, { signal });
    found.push(...data);
    if (data.length === 0 || found.length >= count) return found;
  }
}

interface TextOptions extends ConnectionOptions {
  readonly file?: string;
  readonly description?: string;
}

/** @throws CommandError if both are given @returns `undefined` if neither is given */
async function textOf(
  { directory }: Context,
  text: string | undefined,
  file: string | undefined,
): Promise<string | undefined> {
  if (text !== undefined && file !== undefined)
    throw new CommandError('give either a query or --file', EXIT.usage);
  if (file === undefined) return text;
  try {
    return await readFile(resolve(directory, file), 'utf8');
  } catch (error) {
    throw new CommandError(`cannot read ${file}: ${(error as Error).message}`);
  }
}

export async function addSavedQuery(
  context: Context,
  name: string,
  text: string | undefined,
  { file, description = '', ...options }: TextOptions & { readonly json?: boolean },
): Promise<void> {
  const query = await textOf(context, text, file);
  if (query === undefined) throw new CommandError('give a query or --file', EXIT.usage);
  const client = await connect(context, options);
  const body = { name, query, description };
  const { data } = await client.call('CreateSavedQuery', { body }, { signal: context.signal });
  if (options.json) return writeJson(context.out, data);
  context.err.write(`Saved ${printable(name)}; "clew query --saved ${printable(name)}" runs it.\n`);
}

export async function changeSavedQuery(
  context: Context,
  name: string,
  {
    file,
    query: text,
    name: newName,
    description,
    ...options
  }: TextOptions & { readonly query?: string; readonly name?: string },
): Promise<void> {
  const query = await textOf(context, text, file);
  if ([query, newName, description].every((one) => one === undefined))
    throw new CommandError('give --name, --query, --file or --description', EXIT.usage);
  const client = await connect(context, options);
  const { id } = await chosenQuery(client, name, 'all', context.signal);
  const body = {
    ...(newName !== undefined && { name: newName }),
    ...(query !== undefined && { query }),
    ...(description !== undefined && { description }),
  };
  await client.call('UpdateSavedQuery', { params: { saved_query_id: id }, body }, { signal: context.signal });
  context.err.write(`Changed ${printable(newName ?? name)}.\n`);
}

export const removeSavedQuery: ThingCommand = async (context, name, options) => {
  const client = await connect(context, options);
  const { id } = await chosenQuery(client, name, 'all', context.signal);
  await client.call('DeleteSavedQuery', { params: { saved_query_id: id } }, { signal: context.signal });
  context.err.write(`Deleted ${printable(name)}.\n`);
};

interface ShareOptions extends ConnectionOptions {
  readonly users?: readonly string[];
  readonly everyone?: boolean;
}

export async function shareSavedQuery(
  context: Context,
  name: string,
  { users, everyone = false, ...options }: ShareOptions,
): Promise<void> {
  if ((users === undefined) === !everyone) throw new CommandError('give --users or --everyone', EXIT.usage);
  const { signal } = context;
  const client = await connect(context, options);
  const { id } = await chosenQuery(client, name, 'owned', signal);
  const body = everyone ? { public: true } : { user_ids: await idsOf(client, users ?? [], signal) };
  await client.call('ShareSavedQuery', { params: { saved_query_id: id }, body }, { signal });
  const who = everyone ? 'everyone' : (users ?? []).map((user) => printable(user)).join(', ');
  context.err.write(`${printable(name)} is shared with ${who}.\n`);
}

/** Without users, it is no longer shared with anyone. */
export async function unshareSavedQuery(
  context: Context,
  name: string,
  { users, ...options }: Omit<ShareOptions, 'everyone'>,
): Promise<void> {
  const { signal } = context;
  const client = await connect(context, options);
  const { id } = await chosenQuery(client, name, 'owned', signal);
  const params = { saved_query_id: id };
  if (users === undefined)
    await client.call('ShareSavedQuery', { params, body: { user_ids: [] } }, { signal });
  else {
    const body = { user_ids: await idsOf(client, users, signal) };
    await client.call('DeleteSavedQueryPermissions', { params, body }, { signal });
  }
  const who = users === undefined ? 'any other user' : users.map((user) => printable(user)).join(', ');
  context.err.write(`${printable(name)} is no longer shared with ${who}.\n`);
}

async function idsOf(
  client: ClewClient,
  names: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const { users } = (await client.call('ListUsersMinimal', {}, { signal })).data;
  return names.map((name) => {
    const known = users.find(({ email, id }) => id === name || email.toLowerCase() === name.toLowerCase());
    if (known === undefined) throw new CommandError(`user ${printable(name)} not found`, EXIT.usage);
    return known.id;
  });
}

export const watchSavedQuery: ThingCommand = async (context, name, options) => {
  const { err, signal } = context;
  const client = await connect(context, options);
  const { id } = await chosenQuery(client, name, 'owned', signal);
  await client.call('WatchSavedQuery', { params: { saved_query_id: id } }, { signal });
  err.write(
    `${printable(name)} runs with each analysis; "clew saved-query changes ${printable(name)}" shows new and removed rows.\n`,
  );
};

export const unwatchSavedQuery: ThingCommand = async (context, name, options) => {
  const { err, signal } = context;
  const client = await connect(context, options);
  const { id } = await chosenQuery(client, name, 'owned', signal);
  await client.call('UnwatchSavedQuery', { params: { saved_query_id: id } }, { signal });
  err.write(`${printable(name)} is no longer watched.\n`);
};

/** The newest generation first. */
export async function watchChanges(
  context: Context,
  name: string,
  { limit, ...options }: ListOptions & { readonly limit: number },
): Promise<void> {
  const { out, err, signal } = context;
  const client = await connect(context, options);
  const { id } = await chosenQuery(client, name, 'owned', signal);
  const params = { saved_query_id: id };
  const { data: watch } = await client.call('GetQueryWatch', { params }, { signal });
  const { data, count } = await client.call('ListWatchChanges', { params, query: { limit } }, { signal });
  if (options.json) return writeJson(out, { watch, changes: data, count });
  if (watch.error !== null)
    err.write(
      `The last run failed: ${printable(watch.error)}. ${watch.found_at === null ? 'There is no earlier result' : `The result of ${shownTime(watch.found_at)} is kept`}.\n`,
    );
  for (const warning of watch.warnings) err.write(`warning: ${printable(warning)}\n`);
  const columns = [{ title: 'TIME' }, { title: '' }, ...watch.columns.map((title) => ({ title }))];
  const rows = data.map(({ at, type, row }) => [shownTime(at), type, ...row.map(cellText)]);
  out.write(formatTable(out, columns, rows));
  if (count > data.length) err.write(`${data.length} of ${count} changes; --limit shows more.\n`);
}

/** @throws CommandError unless exactly one query has the name or number */
export async function chosenQuery(
  client: ClewClient,
  name: string,
  scope: (typeof QUERY_SCOPES)[number],
  signal: AbortSignal | undefined,
): Promise<SavedQuery> {
  const data = await all(client, scope, signal);
  const found = data.filter((one) => String(one.id) === name || one.name === name);
  const [own] = found.filter((one) => one.scope === 'owned');
  if (found.length === 1 || own !== undefined) return own ?? found[0];
  if (found.length === 0)
    throw new CommandError(`saved query ${printable(name)} not found: "clew saved-queries" lists them`);
  throw new CommandError(
    `several saved queries are named ${printable(name)}; give the number of one: ${found.map(({ id }) => id).join(', ')}`,
    EXIT.usage,
  );
}
