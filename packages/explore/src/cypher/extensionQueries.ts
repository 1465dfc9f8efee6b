/** Saved queries in the definition of another platform, synchronized with the definition. All users see them. */
import type { Db, StoredSavedSearch } from '@clew/store';
import { sql } from 'kysely';

/**
 * A query is identified by its name.
 * @param db in the transaction that installs or removes the definition
 * @param queries empty if it is removed
 */
export async function syncExtensionQueries(
  db: Db,
  _context: unknown,
  extension: number,
  queries: readonly StoredSavedSearch[],
): Promise<void> {
  const names = queries.map(({ name }) => name);
  await db
    .deleteFrom('saved_query')
    .where('extension_id', '=', extension)
    .where('name', '<>', sql<string>`all(${names}::text[])`)
    .execute();
  if (queries.length === 0) return;
  await sql`
    insert into saved_query (extension_id, name, query, description, is_public)
    select ${extension}, given.name, given.query, given.description, true
    from jsonb_to_recordset(${JSON.stringify(queries)}::jsonb) as given (name text, query text, description text)
    on conflict (extension_id, name) where extension_id is not null do update
    set query = excluded.query, description = excluded.description, updated_at = clock_timestamp()
    where (saved_query.query, saved_query.description) is distinct from (excluded.query, excluded.description)`.execute(
    db,
  );
}
