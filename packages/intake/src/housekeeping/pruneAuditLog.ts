/** Deletes old entries of the audit log, which anyone can fill by trying to sign in. */
import type { Db } from '@clew/store';
import { sql } from 'kysely';

/** @param days 0 keeps all entries @returns the number of deleted entries */
export async function pruneAuditLog(db: Db, days: number): Promise<number> {
  if (days === 0) return 0;
  const { numDeletedRows } = await db
    .deleteFrom('audit_log')
    .where('created_at', '<', sql<string>`now() - make_interval(days => ${days})`)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
