/** The end of old entries of the audit log: anyone who may try to sign in makes some. */
import type { Db } from '@clew/store';
import { sql } from 'kysely';

/** @param days 0 keeps all. @returns how many entries went */
export async function pruneAuditLog(db: Db, days: number): Promise<number> {
  if (days === 0) return 0;
  const { numDeletedRows } = await db
    .deleteFrom('audit_log')
    .where('created_at', '<', sql<string>`now() - make_interval(days => ${days})`)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
