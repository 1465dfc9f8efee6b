/** Objects of environments that a user may not see, among texts: looked up with the rights of the administrator. */
import type { ClewClient } from '@clew/client';
import { rowsOf } from './rowsOf.ts';

/** An object that an answer named. */
export interface HiddenObject {
  readonly object_id: string;
  readonly environment_id: string | null;
  /** The text that named it: its id, or its name. */
  readonly text: string;
}

/** Whether the user may see objects of an environment; `null` is an unknown one. */
export type IsSeen = (environment: string | null) => boolean;

const IDS_AT_ONCE = 5_000;
const NAMES_AT_ONCE = 500;
/** Shorter names, and those of one word without a domain, are words of other texts, too. */
const NAME = /[@.\\]/;

const literal = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function* batches<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size);
}

/**
 * @returns hidden objects by text. A name that a visible object has, too, hides nothing
 */
export async function hiddenAmong(
  client: ClewClient,
  texts: readonly string[],
  isSeen: IsSeen,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, HiddenObject>> {
  const idsByText = new Map<string, string[]>(texts.map((text) => [text, [text]]));
  for (const names of batches(
    texts.filter((text) => NAME.test(text)),
    NAMES_AT_ONCE,
  )) {
    const query = `MATCH (n) WHERE n.name IN [${names.map(literal).join(', ')}] RETURN n.name, n.objectid`;
    for (const [name, id] of await rowsOf(client, query, signal))
      idsByText.get(String(name))?.push(String(id));
  }
  const environments = await environmentsOf(client, [...new Set([...idsByText.values()].flat())], signal);
  const hidden = new Map<string, HiddenObject>();
  for (const [text, ids] of idsByText) {
    const known = ids.filter((id) => environments.has(id));
    if (known.length === 0 || known.some((id) => isSeen(environments.get(id) ?? null))) continue;
    const object_id = known[0] as string;
    hidden.set(text, { object_id, environment_id: environments.get(object_id) ?? null, text });
  }
  return hidden;
}

/** @returns environments by object id, of objects that exist */
export async function environmentsOf(
  client: ClewClient,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string | null>> {
  const found = new Map<string, string | null>();
  for (const object_ids of batches(ids, IDS_AT_ONCE)) {
    const { data } = await client.call(
      'FindEnvironments',
      { body: { object_ids: [...object_ids] } },
      { signal },
    );
    for (const { object_id, environment_id } of data) found.set(object_id, environment_id);
  }
  return found;
}
