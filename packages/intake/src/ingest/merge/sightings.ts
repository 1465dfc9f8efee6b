/**
 * Records when each object was last seen (in any file, known or not) and last described. An unchanged collection
 * writes nothing else, so the table is narrow. An edge set has the date of the description that enumerated it (bit
 * n of `aspects`: aspect n).
 */
import { DATE_PASSED } from './knownRecords.ts';
import type { MergeSession } from './statement.ts';

export async function mergeSightings(session: MergeSession): Promise<void> {
  await session.run(DATE_SETS_LEFT_OUT);
  await session.run(DATE_PASSED);
  await session.run(MERGE);
}

/**
 * All descriptions of the job. An older file that arrives late does not affect later sightings. An empty aspect of a file that does not
 * state what its run collected counts if the job turned out to enumerate it (`openSets.ts`).
 */
const DESCRIBED = `
select id as node_id, source_id, max(observed_at) as collected_at, bit_or(aspects | coalesce(said, 0)) as aspects
from stage_described
join stage_origin using (origin)
left join stage_left_open using (id, source_id)
group by id, source_id`;

/** The collector left out an aspect this time, so its set keeps the date of the last enumeration. */
const DATE_SETS_LEFT_OUT = `
update edge_set
set collected_at = sighting.last_collected, by_schedule = sighting.collected_by_schedule
from (${DESCRIBED}) described
join sighting using (node_id, source_id)
where sighting.aspects & ~described.aspects <> 0
  and edge_set.owner_id = sighting.node_id and edge_set.source_id = sighting.source_id
  and edge_set.aspect < 62 and (sighting.aspects & ~described.aspects) >> edge_set.aspect & 1 = 1
  and edge_set.collected_at < sighting.last_collected`;

const MERGE = `
merge into sighting
using (
  select seen.node_id, seen.source_id, seen.seen_at, seen.by_schedule, described.collected_at, coalesce(described.aspects, 0) as aspects
  from (
    select id as node_id, source_id, max(stage_origin.seen_at) as seen_at, bool_or(by_schedule) as by_schedule
    from stage_seen join stage_origin using (origin) group by id, source_id
  ) seen
  left join (${DESCRIBED}) described using (node_id, source_id)
) job
on sighting.node_id = job.node_id and sighting.source_id = job.source_id
when matched and (
  sighting.last_seen < job.seen_at
  or job.collected_at is not null and (
    sighting.last_collected is null or sighting.last_collected < job.collected_at
    or sighting.last_collected = job.collected_at and sighting.aspects | job.aspects <> sighting.aspects
  )
) then update set
  last_seen = greatest(sighting.last_seen, job.seen_at),
  seen_by_schedule = case when job.seen_at < sighting.last_seen then sighting.seen_by_schedule else job.by_schedule end,
  last_collected = greatest(sighting.last_collected, job.collected_at),
  collected_by_schedule = case
    when job.collected_at is null or job.collected_at < sighting.last_collected then sighting.collected_by_schedule
    else job.by_schedule end,
  aspects = case
    when job.collected_at is null or job.collected_at < sighting.last_collected then sighting.aspects
    when job.collected_at = sighting.last_collected then sighting.aspects | job.aspects
    else job.aspects end
when not matched then
  insert (node_id, source_id, last_seen, seen_by_schedule, last_collected, collected_by_schedule, aspects)
  values (job.node_id, job.source_id, job.seen_at, job.by_schedule, job.collected_at,
          job.by_schedule and job.collected_at is not null, job.aspects)`;
