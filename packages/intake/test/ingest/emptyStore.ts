/**
 * Takes the facts and jobs out of a test database: faster than a new one. Numbers that were given (of object ids,
 * kinds and sources) stay, as they do in life: a worker may remember them.
 */
import type { Database } from '@clew/store';

const TABLES =
  'node, sighting, edge_set, sample_edge, waiting_edge, observation, known_record, stale_reading, generation, generation_difference, upload_job, relationship_fall, upload_file, upload_chunk, ingest_task, collector_job, collector_job_result, collector_job_line';

/** SQLSTATE of a deadlock: PostgreSQL ends one side, and this side may simply try again. */
const DEADLOCK = '40P01';

export async function emptyStore({ pool }: Database): Promise<void> {
  for (;;) {
    try {
      await pool.query(
        `truncate ${TABLES}; update facts_state set version = 0, data_version = 0, reread_version = 0, zones_version = 0`,
      );
      return;
    } catch (error) {
      // A worker that is alive may look at the tables in another order.
      if ((error as { code?: string }).code !== DEADLOCK) throw error;
    }
  }
}
