/**
 * Settles aspects that were found empty by files that do not state what their run collected
 * (`staging/openSets.ts`).
 */
import type { MergeSession } from './statement.ts';

/** Removes the stored entries if the job turned out to enumerate the aspect. */
export async function mergeOpenSets(session: MergeSession): Promise<void> {
  await session.run('analyze stage_left_open');
  await session.run(NOTE_FEWER);
  await session.written.sets(DELETE);
}

/**
 * Runs when the records of the job are remembered. Records that left stored entries unchanged are forgotten, and
 * read again next time.
 */
export async function forgetOpenRecords(session: MergeSession): Promise<void> {
  await session.run(FORGET);
}

/** Stored sets of these aspects. */
const held = (bits: 'said' | 'unsaid'): string => `
(select id, source_id, ${bits} as bits from stage_left_open where ${bits} <> 0) open
cross join lateral (
  select edge_set.ctid as place, owner_id, aspect, kind_ids from edge_set
  where edge_set.owner_id = open.id and edge_set.source_id = open.source_id and edge_set.aspect < 62
    and open.bits >> edge_set.aspect & 1 = 1
  offset 0
) held`;

const NOTE_FEWER = `
insert into stage_fewer (owner_id, aspect, source_id, kind_id, fewer, names_methods)
select owner_id, aspect, source_id, kind_id, count(*), false
from ${held('said')} cross join lateral unnest(kind_ids) as kind_id
group by owner_id, aspect, source_id, kind_id`;

const DELETE = `delete from edge_set where ctid = any (array(select place from ${held('said')}))`;

const FORGET = `
delete from known_record using (select owner_id, aspect, source_id from ${held('unsaid')}) kept
where known_record.node_id = kept.owner_id and known_record.source_id = kept.source_id
  and known_record.facets >> kept.aspect & 1 = 1`;
