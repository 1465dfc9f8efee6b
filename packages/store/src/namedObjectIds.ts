/** Object ids as people and clients name them: most are kept in upper case, and those of some sources as they are. */
import type { Db } from './database.ts';

/** @returns each id as it is kept; one that no data ever named, in upper case. In the order of `ids`, without repetitions */
export async function namedObjectIds(db: Db, ids: readonly string[]): Promise<string[]> {
  const doubtful = ids.filter((id) => id !== id.toUpperCase());
  if (doubtful.length === 0) return [...new Set(ids)];
  const known = await db
    .selectFrom('object_id')
    .select('object_id')
    .where('object_id', 'in', doubtful)
    .execute();
  const asWritten = new Set(known.map(({ object_id }) => object_id));
  return [...new Set(ids.map((id) => (asWritten.has(id) ? id : id.toUpperCase())))];
}
