/**
 * The end of readings of directories that the graph does not have: their data was deleted or aged, or never came. They stay for a day,
 * since data that was handed over may wait for ingest.
 */
import { NodeKind } from '@clew/model';
import type { Db } from '@clew/store';
import { sql } from 'kysely';

/** Kinds of the directories that the collector of this project reads. */
const DIRECTORIES = [NodeKind.Domain, NodeKind.AZTenant];

/** @returns how many readings went */
export async function pruneReadings(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from directory_reading
    where last_read_at < now() - interval '1 day' and not exists (
      select from object_id join node using (id)
      where object_id.object_id = directory_reading.environment_id and kinds && ${DIRECTORIES}::smallint[]
    )`.execute(db);
  return Number(numAffectedRows ?? 0);
}
