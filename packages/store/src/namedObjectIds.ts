/** Object ids as users and clients write them: most are stored in upper case, and ids of some sources unchanged. */
import type { Db } from './database.ts';

/** @returns each id as stored, or in upper case if no data has it; in the order of `ids`, without duplicates */
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
