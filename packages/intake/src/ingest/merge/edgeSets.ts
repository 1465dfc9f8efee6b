/**
 * Merges edge sets. A set replaces the stored set of the same source for the same aspect of the same object.
 * Several sets of one job with the same key are merged first, and a set that does not replace is merged with the
 * stored one. A set that equals the stored one causes no write.
 */
import { EdgeFlag } from '@clew/model';
import type { BatchContents } from './batchContents.ts';
import type { MergeSession } from './statement.ts';

/** Merges the sets of one batch. */
export async function mergeEdgeSets(session: MergeSession, has: BatchContents): Promise<void> {
  if (has.emptied) {
    await session.run(FEWER_EMPTIED);
    await session.written.sets(DELETE_EMPTIED);
  }
  if (has.emptied_elsewhere) {
    await session.run(FEWER_EMPTIED_ELSEWHERE);
    await session.written.sets(DELETE_EMPTIED_ELSEWHERE);
  }
  if (!has.sets) return;
  if (has.parts) await unite(session);
  await session.run(FEWER);
  await session.written.sets(MERGE);
  if (has.dated) await session.run(DATE);
}

async function unite(session: MergeSession): Promise<void> {
  await session.run(FIND_SHARED);
  const [{ shared }] = await session.query<{ shared: boolean }>(
    'select exists (select from stage_shared) as shared',
  );
  if (!shared) return;
  await session.run(UNITE);
  await session.run(`delete from stage_set using stage_shared where ${sameSet('stage_set', 'stage_shared')}`);
  await session.run('insert into stage_set select * from stage_united');
}

const KEY = 'owner_id, aspect, source_id';
const ARRAYS = 'start_ids, kind_ids, end_ids, flags';

function sameSet(a: string, b: string): string {
  return `${a}.owner_id = ${b}.owner_id and ${a}.aspect = ${b}.aspect and ${a}.source_id = ${b}.source_id`;
}

function sameEdges(a: string, b: string): string {
  return `${a}.start_ids = ${b}.start_ids and ${a}.kind_ids = ${b}.kind_ids and ${a}.end_ids = ${b}.end_ids
    and ${a}.flags = ${b}.flags and ${a}.properties is not distinct from ${b}.properties`;
}

/** Sets with several parts: contained more than once in the job, or added to the stored set. */
const FIND_SHARED = `
insert into stage_shared
select ${KEY}, bool_or(replaces), max(origin), bool_or(own)
from (
  select ${KEY}, replaces, origin, own from stage_set where (${KEY}) in (select ${KEY} from stage_set_again)
  union all
  select ${KEY}, replaces, origin, false from stage_set_again
  union all
  select ${KEY}, replaces, origin, own from stage_set
  where replaces and (${KEY}) in (select ${KEY} from stage_added)
  union all
  select stage_set.owner_id, stage_set.aspect, stage_set.source_id, stage_set.replaces, stage_set.origin, stage_set.own
  from stage_set join edge_set using (${KEY})
  where not stage_set.replaces and not (${sameEdges('stage_set', 'edge_set')})
) parts
group by ${KEY}`;

/** Flags of one edge from several entries, like `mergeFlags` of staging. */
const UNITED_FLAGS = `((bit_or(flag) & ${~EdgeFlag.Inherited}) | (bit_and(flag) & ${EdgeFlag.Inherited}))::smallint`;

/** All parts from the job count; the previously stored set counts unless a part replaces it. */
const UNITE = `
insert into stage_united
with part as (
  select ${KEY}, sequence, ${ARRAYS}, stage_set.properties from stage_set join stage_shared using (${KEY})
  union all
  select ${KEY}, sequence, ${ARRAYS}, properties from stage_set_again
  union all
  select ${KEY}, sequence, ${ARRAYS}, stage_added.properties from stage_added join stage_shared using (${KEY})
  where stage_shared.replaces
  union all
  select ${KEY}, -1, ${ARRAYS}, edge_set.properties from edge_set join stage_shared using (${KEY})
  where not stage_shared.replaces
), entry as (
  select ${KEY}, sequence, start_id, kind_id, end_id, flag, part.properties -> (place - 1)::text as properties
  from part
  cross join lateral unnest(start_ids, kind_ids, end_ids, flags) with ordinality
    as entries (start_id, kind_id, end_id, flag, place)
), edge as (
  select ${KEY}, start_id, kind_id, end_id, ${UNITED_FLAGS} as flag,
         nullif(jsonb_merge(properties order by sequence), '{}') as properties,
         row_number() over (partition by ${KEY} order by start_id, kind_id, end_id) - 1 as place
  from entry group by ${KEY}, start_id, kind_id, end_id
), united as (
  select ${KEY},
         array_agg(start_id order by place) as start_ids, array_agg(kind_id order by place) as kind_ids,
         array_agg(end_id order by place) as end_ids, array_agg(flag order by place) as flags,
         jsonb_object_agg(place::text, properties) filter (where properties is not null) as properties
  from edge group by ${KEY}
)
select ${KEY}, origin, replaces, own, 0,
       coalesce(start_ids, '{}') as start_ids, coalesce(kind_ids, '{}') as kind_ids,
       coalesce(end_ids, '{}') as end_ids, coalesce(flags, '{}') as flags, united.properties
from stage_shared left join united using (${KEY})`;

/**
 * Stored sets whose aspect the collector enumerated and found empty, for described objects. Sets are looked up by
 * owner and deleted by ctid: otherwise the planner scans all sets of the source, once per file, in each batch.
 */
const EMPTIED = `
from (
  select id as owner_id, origin, emptied from stage_node where emptied <> 0
  union all
  select id, origin, emptied from stage_node_again where emptied <> 0
) described
join stage_origin using (origin)
cross join lateral (
  select edge_set.ctid as place, aspect, kind_ids from edge_set
  where edge_set.owner_id = described.owner_id and edge_set.source_id = stage_origin.source_id and aspect < 62
  offset 0
) held`;

const WAS_EMPTIED = 'described.emptied >> held.aspect & 1 = 1';

const DELETE_EMPTIED = `
delete from edge_set where ctid = any (array(select held.place ${EMPTIED} where ${WAS_EMPTIED}))`;

const DELETE_EMPTIED_ELSEWHERE = `
delete from edge_set using stage_emptied where ${sameSet('edge_set', 'stage_emptied')}`;

/**
 * Counts the relationships by kind that a set lacks compared with the stored set that it replaces; negative for
 * added ones.
 */
const NOTE_FEWER = 'insert into stage_fewer (owner_id, aspect, source_id, kind_id, fewer, names_methods)';

const FEWER_EMPTIED = `
${NOTE_FEWER}
select owner_id, aspect, source_id, kind_id, count(*), names_methods
${EMPTIED} cross join lateral unnest(held.kind_ids) as kind_id
where ${WAS_EMPTIED} group by owner_id, aspect, source_id, kind_id, names_methods`;

const FEWER_EMPTIED_ELSEWHERE = `
${NOTE_FEWER}
select edge_set.owner_id, edge_set.aspect, edge_set.source_id, kind_id, count(*), true
from stage_emptied join edge_set on ${sameSet('edge_set', 'stage_emptied')}
cross join lateral unnest(edge_set.kind_ids) as kind_id
group by edge_set.owner_id, edge_set.aspect, edge_set.source_id, kind_id`;

/** Compares the kinds first, because most rewritten sets have the same kinds in the same number. */
const FEWER = `
${NOTE_FEWER}
select job.owner_id, job.aspect, job.source_id, kind_id, counted.fewer, names_methods
from stage_set job join stage_origin using (origin) join edge_set on ${sameSet('edge_set', 'job')}
cross join lateral (
  select kind_id, sum(one)::integer as fewer
  from (select unnest(edge_set.kind_ids) as kind_id, 1 as one union all select unnest(job.kind_ids), -1) counts
  group by kind_id having sum(one) <> 0
) counted
where edge_set.kind_ids <> job.kind_ids`;

const MERGE = `
merge into edge_set
using (select stage_set.*, observed_at, by_schedule from stage_set join stage_origin using (origin)) job
on ${sameSet('edge_set', 'job')}
when matched and cardinality(job.start_ids) = 0 then delete
when matched and not (${sameEdges('edge_set', 'job')}) then update set
  start_ids = job.start_ids, kind_ids = job.kind_ids, end_ids = job.end_ids, flags = job.flags,
  properties = job.properties, collected_at = job.observed_at, by_schedule = job.by_schedule
when not matched and cardinality(job.start_ids) > 0 then
  insert (${KEY}, ${ARRAYS}, properties, first_seen, collected_at, by_schedule)
  values (job.owner_id, job.aspect, job.source_id, job.start_ids, job.kind_ids, job.end_ids, job.flags,
          job.properties, job.observed_at, job.observed_at, job.by_schedule)`;

/** Updates the dates of sets that are not dated by their owner's description (see `sightings.ts`). */
const DATE = `
update edge_set
set collected_at = stage_origin.observed_at, by_schedule = stage_origin.by_schedule
from stage_set join stage_origin using (origin)
where not stage_set.own and ${sameSet('edge_set', 'stage_set')} and edge_set.collected_at < stage_origin.observed_at`;
