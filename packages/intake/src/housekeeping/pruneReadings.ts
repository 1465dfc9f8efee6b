/**
 * Deletes readings of directories that are not in the graph, because their data was deleted, aged out, or never
 * arrived. Readings are kept for a day, because their data may still wait for ingest.
 */
import { NodeKind } from '@clew/model';
import type { Db } from '@clew/store';
import { sql } from 'kysely';

/** Kinds of the directories that Clew's own collector reads. */
const DIRECTORIES = [NodeKind.Domain, NodeKind.AZTenant];

/** @returns the number of deleted readings */
export async function pruneReadings(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from directory_reading
    where last_read_at < now() - interval '1 day' and not exists (
      select from object_id join node using (id)
      where object_id.object_id = directory_reading.environment_id and kinds && ${DIRECTORIES}::smallint[]
    )`.execute(db);
  return Number(numAffectedRows ?? 0);
}
