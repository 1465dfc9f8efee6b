/** Get Object Id: finds objects by name. */
import type { SearchResult } from '@clew/api';
import type { ClewClient } from '@clew/client';
import { messageOf } from './faults.ts';
import { InputError, parseItems } from './inputs.ts';
import type { ActionResult, ItemResult, ItemResults } from './results.ts';
import { failure, inOrder, joinMessages, refused, success } from './results.ts';

export type ObjectItem = readonly SearchResult[];

interface ObjectsInfo {
  readonly objects_info: ItemResults<ObjectItem>;
}

/** `true` only if each name has a hit; exact matches come first. */
export async function getObjectId(
  client: ClewClient,
  objectNames: string | undefined,
  signal?: AbortSignal,
): Promise<ActionResult<ObjectsInfo>> {
  let names: readonly string[];
  try {
    names = parseItems(objectNames, 'Object Names');
  } catch (error) {
    if (error instanceof InputError) return refused(error.message, { objects_info: {} });
    throw error;
  }
  const found = await inOrder(names, (name) => find(client, name, signal));
  const objects_info = Object.fromEntries(
    names.map((name, at) => [name, found[at] as ItemResult<ObjectItem>]),
  );
  const isWhole = found.every(({ status }) => status === 'success');
  const isBroken = found.some(({ data }) => data === null);
  return {
    status: isBroken ? 'failed' : 'completed',
    resultValue: String(isWhole),
    message: joinMessages(objects_info),
    json: { objects_info },
  };
}

async function find(
  client: ClewClient,
  name: string,
  signal: AbortSignal | undefined,
): Promise<ItemResult<ObjectItem>> {
  try {
    const hits = await client.search(name, { signal });
    if (hits.length === 0) return { ...failure('not found'), data: [] };
    const isExact = (hit: SearchResult): boolean =>
      [hit.name, hit.objectid].some((text) => text.toUpperCase() === name.toUpperCase());
    return success('Object ID found.', [...hits.filter(isExact), ...hits.filter((hit) => !isExact(hit))]);
  } catch (error) {
    return failure(messageOf(error));
  }
}
