/**
 * Takes the facts and jobs out of a test database: faster than a new one. Numbers that were given (of object ids,
 * kinds and sources) stay, as they do in life: a worker may remember them.
 */
import type { Database } from '../../store/database.ts';

const TABLES =
  'node, sighting, edge_set, sample_edge, observation, generation, upload_job, upload_file, upload_chunk, ingest_task';

export async function emptyStore({ pool }: Database): Promise<void> {
  await pool.query(`truncate ${TABLES}; update facts_state set version = 0`);
}
