/** Merges the handlers of several capabilities in one table. */
import type { HandlerTable } from './handler.ts';

type Union<Table> = (Table extends unknown ? (table: Table) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** Merges handler tables. @throws Error if two of them handle the same operation */
export function uniteHandlers<const Tables extends readonly HandlerTable[]>(
  ...tables: Tables
): Union<Tables[number]> {
  const united: Record<string, HandlerTable[string]> = {};
  for (const [id, handler] of tables.flatMap((table) => Object.entries(table))) {
    if (Object.hasOwn(united, id)) throw new Error(`two handlers for ${id}`);
    united[id] = handler;
  }
  return united as Union<Tables[number]>;
}
