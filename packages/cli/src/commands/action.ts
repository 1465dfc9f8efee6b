/** `clew action ...`: actions that security platforms offer to analysts. */
import { type ActionResult, doesPathExist, fetchAssets, getObjectId, ping } from '@clew/connector';
import { type ConnectionOptions, connect, serviceUrl } from '../connection.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../failure.ts';
import { formatTable } from '../terminal/table.ts';
import { jsonText, printable } from '../terminal/text.ts';

export interface ActionOptions extends ConnectionOptions {
  readonly json?: boolean;
}

export const ACTIONS = {
  ping: 'check that the service answers and accepts the credentials',
  'get-object-id': 'find object IDs by names',
  'does-path-exist': 'check pairs of objects: A -> B, or event details as JSON',
  'fetch-assets': 'fetch the data of objects by their ids',
} as const;
export type ActionName = keyof typeof ACTIONS;

/** @param words the parameter; `-` reads it from standard input @returns the exit code */
export async function action(
  context: Context,
  name: ActionName,
  words: readonly string[],
  options: ActionOptions,
): Promise<number> {
  const { out, err, signal } = context;
  const client = await connect(context, options);
  const parameter = words.length === 1 && words[0] === '-' ? await context.readInput() : words.join('\n');
  const result = await run(name, client, parameter, await serviceUrl(context.env, options), signal);
  if (options.json) out.write(jsonText(result));
  else {
    const items = itemsOf(result.json);
    if (items.length > 0) out.write(formatTable(out, COLUMNS, items));
    else (result.status === 'failed' ? err : out).write(`${printable(result.message)}\n`);
  }
  return isFruitless(name, result) ? EXIT.failed : 0;
}

/** Scripts use the results: an empty one, or a failed call, must not look like an answer. */
function isFruitless(name: ActionName, { status, json }: ActionResult<unknown>): boolean {
  if (status === 'failed') return true;
  if (name !== 'get-object-id' && name !== 'fetch-assets') return false;
  const items = Object.values(itemsByName(json));
  return (
    items.length === 0 ||
    items.some((item) => item.status === 'error' && item.data === null) ||
    items.every((item) => item.status === 'error')
  );
}

type Client = Awaited<ReturnType<typeof connect>>;

function run(
  name: ActionName,
  client: Client,
  parameter: string,
  url: string,
  signal: AbortSignal,
): Promise<ActionResult<unknown>> {
  switch (name) {
    case 'ping':
      return ping(client, url, signal);
    case 'get-object-id':
      return getObjectId(client, parameter, signal);
    case 'does-path-exist':
      return doesPathExist(client, parameter, signal);
    case 'fetch-assets':
      return fetchAssets(client, parameter, { signal });
  }
}

const COLUMNS = [{ title: 'ITEM' }, { title: 'STATUS' }, { title: 'RESULT' }, { title: 'MESSAGE' }] as const;

interface Item {
  readonly status: string;
  readonly message: string;
  readonly data: unknown;
}

/** Every root has items by name. */
function itemsByName(json: unknown): Readonly<Record<string, Item>> {
  const roots = ['objects_info', 'path_info', 'assets_info'] as const;
  const record = (json ?? {}) as Partial<Record<(typeof roots)[number], Readonly<Record<string, Item>>>>;
  return roots.map((root) => record[root]).find((each) => each !== undefined) ?? {};
}

function itemsOf(json: unknown): string[][] {
  return Object.entries(itemsByName(json)).map(([item, { status, message, data }]) => [
    item,
    status,
    shown(data),
    message,
  ]);
}

function shown(data: unknown): string {
  if (typeof data === 'boolean') return data ? 'yes' : 'no';
  if (Array.isArray(data)) return data.map(({ objectid }) => objectid).join(', ');
  const { name, objectid } = (data ?? {}) as { readonly name?: string; readonly objectid?: string };
  return name ?? objectid ?? '';
}
