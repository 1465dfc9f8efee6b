/** Takes a test database back to its beginning: faster than a new one. */
import type { Database } from '../../store/database.ts';

const TABLES =
  'node, sighting, edge_set, sample_edge, object_id, observation, generation, source, upload_job, upload_file, upload_chunk, ingest_task';

export async function emptyStore({ pool }: Database): Promise<void> {
  await pool.query(`truncate ${TABLES} restart identity; update facts_state set version = 0`);
}
