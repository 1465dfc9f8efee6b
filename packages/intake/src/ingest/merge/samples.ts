/** Merges samples (sessions), which accumulate, each with the time of its last sighting. */
import type { MergeSession } from './statement.ts';

export async function mergeSamples(session: MergeSession): Promise<void> {
  const [{ repeated }] = await session.query<{ repeated: boolean }>(IS_REPEATED);
  const count = await session.count(
    `create temporary table stage_sample_job on commit drop as ${repeated ? UNITED : ONCE}`,
  );
  if (count === 0) return;
  await session.run('analyze stage_sample_job');
  const written = await session.count(MERGE);
  session.changes += written;
  // Newly written samples already have their time.
  if (written < count) await session.run(SEE_AGAIN);
}

const EDGE = 'start_id, kind_id, end_id, stage_sample.source_id';

const IS_REPEATED = `
select exists (select from stage_sample group by ${EDGE} having count(*) > 1) as repeated`;

/**
 * Payloads with hundreds of thousands of edges contain few duplicates. Rows are sorted by key, which is the
 * fastest order for the index.
 */
const ONCE = `
select ${EDGE}, owner_id, flags, nullif(properties, '{}') as properties,
       observed_at as first_at, observed_at as last_at, by_schedule
from stage_sample join stage_origin using (origin)
order by ${EDGE}`;

const UNITED = `
select start_id, kind_id, end_id, stage_sample.source_id, (array_agg(owner_id order by sequence))[1] as owner_id,
       bit_or(flags) as flags, nullif(jsonb_merge(properties order by sequence), '{}') as properties,
       min(observed_at) as first_at, max(observed_at) as last_at, bool_or(by_schedule) as by_schedule
from stage_sample join stage_origin using (origin)
group by ${EDGE}`;

const IS_SAME_EDGE = `
sample_edge.start_id = job.start_id and sample_edge.kind_id = job.kind_id
  and sample_edge.end_id = job.end_id and sample_edge.source_id = job.source_id`;

const AS_SEEN = `
last_seen = greatest(sample_edge.last_seen, job.last_at),
by_schedule = case when job.last_at < sample_edge.last_seen then sample_edge.by_schedule else job.by_schedule end`;

const MERGE = `
merge into sample_edge using stage_sample_job job on ${IS_SAME_EDGE}
when matched and (
  sample_edge.flags <> job.flags
  or coalesce(sample_edge.properties, '{}') || coalesce(job.properties, '{}') <> coalesce(sample_edge.properties, '{}')
) then update set
  ${AS_SEEN},
  flags = job.flags,
  properties = nullif(coalesce(sample_edge.properties, '{}') || coalesce(job.properties, '{}'), '{}')
when not matched then
  insert (start_id, kind_id, end_id, source_id, owner_id, flags, properties, first_seen, last_seen, by_schedule)
  values (job.start_id, job.kind_id, job.end_id, job.source_id, job.owner_id, job.flags, job.properties,
          job.first_at, job.last_at, job.by_schedule)`;

/** Only the time of the last sighting changes, which does not count as a changed fact. */
const SEE_AGAIN = `
update sample_edge set ${AS_SEEN}
from stage_sample_job job where ${IS_SAME_EDGE} and sample_edge.last_seen < job.last_at`;
