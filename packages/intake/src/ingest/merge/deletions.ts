/**
 * Objects that a collector reports as deleted: they and their edges are removed from the graph; their history is
 * kept.
 */
import type { MergeSession } from './statement.ts';

/** Runs last: a deletion overrides all other facts of the job about the object. */
export async function mergeDeletions(session: MergeSession): Promise<void> {
  const [{ some }] = await session.query<{ some: boolean }>(
    'select exists (select from stage_deleted) as some',
  );
  if (!some) return;
  await session.change(
    'update node set deleted_at = now() where deleted_at is null and id in (select id from stage_deleted)',
  );
  await session.change('delete from edge_set where owner_id in (select id from stage_deleted)');
  await session.run(
    `delete from waiting_edge
     where start_id in (select id from stage_deleted) or end_id in (select id from stage_deleted)`,
  );
  await session.change(
    `delete from sample_edge
     where start_id in (select id from stage_deleted) or end_id in (select id from stage_deleted)`,
  );
}
