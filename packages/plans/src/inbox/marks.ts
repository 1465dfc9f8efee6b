/** Read state of the inbox: rows that are done, and the time until which everything counts as read. */
import type { InboxMarks } from '@clew/api';
import { type Db, inTransaction } from '@clew/store';
import { sql } from 'kysely';

/** The oldest marks are deleted first: their rows are older than the range of the list. */
export const MAX_MARKS = 10_000;

export async function readBefore(db: Db, user: string): Promise<string | null> {
  const row = await db
    .selectFrom('inbox_read')
    .select('read_before')
    .where('user_id', '=', user)
    .executeTakeFirst();
  return row?.read_before ?? null;
}

/** @param before in the time format of the store; unchanged if missing */
export function mark(
  db: Db,
  user: string,
  { done = [], undone = [] }: Pick<InboxMarks, 'done' | 'undone'>,
  before?: string | null,
): Promise<string | null> {
  return inTransaction(db, async (transaction) => {
    // A key in both lists is not done, because an undo follows the mark.
    const kept = [...new Set(done)].filter((key) => !undone.includes(key)).sort();
    if (undone.length > 0)
      await transaction
        .deleteFrom('inbox_mark')
        .where('user_id', '=', user)
        .where('key', 'in', undone)
        .execute();
    if (kept.length > 0) {
      await transaction
        .insertInto('inbox_mark')
        .values(kept.map((key) => ({ user_id: user, key })))
        .onConflict((conflict) => conflict.columns(['user_id', 'key']).doNothing())
        .execute();
      await sql`delete from inbox_mark where user_id = ${user} and key in (
        select key from inbox_mark where user_id = ${user} order by done_at desc, key offset ${MAX_MARKS})`.execute(
        transaction,
      );
    }
    if (before === null) await transaction.deleteFrom('inbox_read').where('user_id', '=', user).execute();
    else if (before !== undefined)
      await transaction
        .insertInto('inbox_read')
        .values({ user_id: user, read_before: before })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ read_before: before }))
        .execute();
    return readBefore(transaction, user);
  });
}

/** @returns the keys that are marked as done */
export async function doneOf(db: Db, user: string, keys: readonly string[]): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const rows = await db
    .selectFrom('inbox_mark')
    .select('key')
    .where('user_id', '=', user)
    .where(sql<boolean>`key = any (${keys}::text[])`)
    .execute();
  return new Set(rows.map(({ key }) => key));
}
