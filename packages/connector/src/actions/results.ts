/**
 * The result of an action: a value for conditions of playbooks, a status, a sentence for users, and JSON by item. Rule:
 * `docs/reference/actions.md`.
 */

export interface ActionResult<Json> {
  readonly status: 'completed' | 'failed' | 'in progress';
  /** `true` or `false`, as platforms compare them; for an unfinished action, the state for the next call. */
  readonly resultValue: string;
  /** Messages of several items are joined by ` | `, each beginning with its item. */
  readonly message: string;
  readonly json: Json;
}

export interface ItemResult<Data> {
  readonly status: 'success' | 'error';
  readonly message: string;
  readonly data: Data | null;
}

export type ItemResults<Data> = Readonly<Record<string, ItemResult<Data>>>;

/** `item: message | item: message` */
export function joinMessages(items: ItemResults<unknown>): string {
  return Object.entries(items)
    .map(([item, { message }]) => `${item}: ${message}`)
    .join(' | ');
}

/** The result for a parameter that is missing or cannot be read. */
export function refused<Json>(message: string, json: Json): ActionResult<Json> {
  return { status: 'failed', resultValue: 'false', message, json };
}

export const success = <Data>(message: string, data: Data): ItemResult<Data> => ({
  status: 'success',
  message,
  data,
});

export const failure = (message: string): ItemResult<never> => ({ status: 'error', message, data: null });

/** Runs work on items, some at a time, and keeps their order. */
export async function inOrder<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  atOnce = 4,
): Promise<Result[]> {
  const results = new Array<Result>(items.length);
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at] as Item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return results;
}
