/** Stored history of queries, newest first. */

const KEPT = 30;
/** Longer queries are not stored, because all pages share the storage. */
const MAX_LENGTH = 10_000;

export function readHistory(text: string | null): readonly string[] {
  try {
    const read: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(read)
      ? read.filter((one): one is string => typeof one === 'string').slice(0, KEPT)
      : [];
  } catch {
    return [];
  }
}

export const withQuery = (history: readonly string[], query: string): readonly string[] =>
  query.length > MAX_LENGTH ? history : [query, ...history.filter((one) => one !== query)].slice(0, KEPT);
