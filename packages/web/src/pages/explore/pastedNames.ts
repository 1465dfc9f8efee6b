/** A pasted list of names and ids: its entries, and the matching objects. */

/** Maximum number of entries in a list. */
export const MAX_PASTED = 100;
const MAX_NAME = 500;

/** @returns each entry once, in order: one per line, or separated by tabs or semicolons */
export function pastedEntries(text: string): readonly string[] {
  const entries = text
    .split(/[\n\r\t;]+/)
    .map((entry) =>
      entry
        .trim()
        .replace(/^(["'])(.*)\1$/, '$2')
        .trim()
        .slice(0, MAX_NAME),
    )
    .filter((entry) => entry !== '');
  return [...new Map(entries.map((entry) => [entry.toUpperCase(), entry])).values()];
}

export interface PastedObject {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  /** Logon name, if the answer has it. */
  readonly account?: string;
}

export interface Matched {
  readonly entry: string;
  /** Empty for an unknown name, several for an ambiguous one. */
  readonly objects: readonly PastedObject[];
}

/** An id or full name takes precedence over a logon name, which may exist in several domains. */
export function matched(entries: readonly string[], objects: readonly PastedObject[]): readonly Matched[] {
  const by = (key: (one: PastedObject) => string | undefined) =>
    Map.groupBy(objects, (one) => key(one)?.toUpperCase());
  const [byId, byName] = [by(({ id }) => id), by(({ name }) => name)];
  const byAccount = by(({ account }) => account?.replace(/\$$/, ''));
  return entries.map((entry) => {
    const key = entry.toUpperCase();
    return {
      entry,
      objects: byId.get(key) ?? byName.get(key) ?? byAccount.get(key.replace(/\$$/, '')) ?? [],
    };
  });
}

/** A query that draws the objects and the relationships between them. */
export function drawQuery(ids: readonly string[]): string {
  const list = ids.map((id) => `'${id.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`).join(', ');
  return `WITH [${list}] AS ids\nMATCH (n) WHERE n.objectid IN ids\nOPTIONAL MATCH p = (n)-[]->(m) WHERE m.objectid IN ids\nRETURN n, p`;
}
