/** Updates the known records: deletes invalid records, then adds the records that were read. */
import type { MergeSession } from './statement.ts';

export async function mergeKnownRecords(session: MergeSession): Promise<void> {
  await session.run('analyze stage_read_record, stage_shared_record');
  await session.run(forget('stage_read_record'));
  await session.run('insert into known_record select * from stage_record');
  await session.run(forget('stage_shared_record'));
}

/**
 * Deleting one part invalidates the whole record, because its number of parts no longer matches. Properties belong
 * to all sources.
 */
const forget = (table: string): string => `
delete from known_record
using ${table} said
where known_record.node_id = said.node_id and (
  known_record.facets & said.facets & (1::bigint << 62) <> 0
  or known_record.facets & said.facets <> 0 and (said.source_id is null or said.source_id = known_record.source_id)
)`;

/** Sets of skipped records, as in `edgeSets.ts`. */
export const DATE_PASSED = `
update edge_set
set collected_at = stage_origin.observed_at, by_schedule = stage_origin.by_schedule
from stage_dated join stage_origin using (origin, source_id)
where edge_set.owner_id = stage_dated.owner_id and edge_set.aspect = stage_dated.aspect
  and edge_set.source_id = stage_dated.source_id and edge_set.collected_at < stage_origin.observed_at`;
