/** Deletes old notes about deleted edge sets; a worker that refreshes after that compares keys instead. */
import type { Db } from '@clew/store';
import { sql } from 'kysely';

export async function pruneGoneSets(db: Db): Promise<void> {
  await db
    .deleteFrom('gone_edge_set')
    .where('noted_at', '<', sql<string>`now() - interval '1 day'`)
    .execute();
}
