/** Restricts callers: collectors may call only their own operations, and users only the other operations. */

import { apiError, type RequestContext } from '@clew/common';
import type { Db } from '@clew/store';
import { sql } from 'kysely';

/**
 * For operations of collectors: users get 404, whatever their role. Every call updates the time of the collector's
 * last contact.
 * @returns the id of the client
 */
export async function checkIn(db: Db, { principal }: RequestContext): Promise<string> {
  if (principal.kind !== 'client') throw apiError('resourceNotFound');
  const { numUpdatedRows } = await db
    .updateTable('collector_client')
    .set({ last_checkin: sql`clock_timestamp()` })
    .where('id', '=', principal.clientId)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw apiError('resourceNotFound');
  return principal.clientId;
}
